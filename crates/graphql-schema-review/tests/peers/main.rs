//! Compares the reported changes with those of `@graphql-inspector/core` and graphql-js, and the
//! operations that stop working with graphql-js.
//!
//! Every difference is explained in `explained.toml`, and every explanation is used. The packages
//! are installed from a lock file below `target/` if Node is available. Otherwise the test is
//! ignored, or fails with `TEST_REQUIRE_ALL=1`.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that cannot go on fails")]

mod mutations;
mod npm;
mod operations;
mod random;

use std::{
    collections::{BTreeMap, BTreeSet},
    env, fs,
    path::Path,
    process::Command,
};

use graphql_schema_review::{Level, diff};
use graphql_sdl::Schema;
use libtest_mimic::{Arguments, Failed, Trial};
use serde::{Deserialize, Serialize};

const NAME: &str = "every_difference_to_graphql_inspector_and_graphql_js_is_explained";
const KITCHEN_SINK: &str = include_str!("kitchen_sink.graphql");
const EXPLAINED: &str = include_str!("explained.toml");
/// The number of pairs that differ in two locations; the others differ in one.
const DOUBLE_PAIRS: usize = 200;

fn main() {
    let arguments = Arguments::from_args();
    let trials = match if arguments.list { Ok(npm::folder()) } else { npm::install() } {
        Ok(folder) => {
            let other = folder.clone();
            vec![
                Trial::test(NAME, move || compare(&folder)),
                Trial::test(operations::NAME, move || operations::compare(&other)),
            ]
        }
        Err(reason) => {
            report_skipped(&reason);
            let names = [NAME, operations::NAME].into_iter();
            let trials = names.map(|name| {
                let reason = reason.clone();
                Trial::test(name, move || Err(reason.into())).with_ignored_flag(!all_is_required())
            });
            trials.collect()
        }
    };
    libtest_mimic::run(&arguments, trials).exit();
}

/// A change as reported by each of the three libraries.
#[derive(Clone, Debug, Deserialize, Eq, Ord, PartialEq, PartialOrd)]
struct ReportedChange {
    coordinate: String,
    kind: String,
    level: String,
}

/// The changes that the peers report for one pair of schemas.
#[derive(Deserialize)]
struct Peers {
    inspector: Vec<ReportedChange>,
    reference: Vec<ReportedChange>,
}

#[derive(Serialize)]
struct Pair<'a> {
    old: &'a str,
    new: &'a str,
}

#[derive(Deserialize)]
struct Explanations {
    explained: Vec<Explanation>,
}

/// An intended difference: `KIND level` on each side, or `nothing`. Without a level it applies to
/// every level; a kind that ends with `*` is a prefix.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Explanation {
    peer: String,
    ours: String,
    theirs: String,
    /// Only inside a part that is reported as added as a whole.
    #[serde(default)]
    inside: bool,
    reason: String,
}

/// A difference, without its location.
#[derive(Clone, Debug, Eq, Ord, PartialEq, PartialOrd)]
struct Difference {
    peer: &'static str,
    ours: String,
    theirs: String,
    inside: bool,
}

impl Explanation {
    fn explains(&self, difference: &Difference) -> bool {
        let fits = |pattern: &str, reported: &str| {
            let part = |text: &str, index: usize| text.split(' ').nth(index).map(str::to_owned);
            let kind = part(reported, 0).unwrap_or_default();
            let kind_fits = match part(pattern, 0).unwrap_or_default().strip_suffix('*') {
                Some(start) => kind.starts_with(start) && kind != "nothing",
                None => part(pattern, 0).as_ref() == Some(&kind),
            };
            kind_fits && (part(pattern, 1).is_none() || part(pattern, 1) == part(reported, 1))
        };
        self.peer == difference.peer
            && fits(&self.ours, &difference.ours)
            && fits(&self.theirs, &difference.theirs)
            && (!self.inside || difference.inside)
    }
}

fn compare(folder: &Path) -> Result<(), Failed> {
    let valid: Vec<(String, Schema)> = mutations::edits(KITCHEN_SINK)
        .into_iter()
        .filter_map(|sdl| Schema::parse("edited", &sdl).ok().map(|schema| (sdl, schema)))
        .collect();
    let base = (KITCHEN_SINK.to_owned(), Schema::parse("kitchen_sink.graphql", KITCHEN_SINK)?);
    let forward = valid.iter().map(|edited| (&base, edited));
    let backward = valid.iter().map(|edited| (edited, &base));
    // 7919 is prime, so the steps visit all of them in a scattered order.
    let double = (0..DOUBLE_PAIRS).map(|step| {
        let index = |step: usize| step * 7919 % valid.len();
        (&valid[index(2 * step)], &valid[index(2 * step + 1)])
    });
    let pairs: Vec<_> = forward.chain(backward).chain(double).collect();
    let requests: Vec<Pair> = pairs.iter().map(|((old, _), (new, _))| Pair { old, new }).collect();
    let responses = run_peers(folder, &requests)?;
    if responses.len() != pairs.len() || pairs.len() < 500 {
        return Err(format!("{} answers to {} pairs", responses.len(), pairs.len()).into());
    }
    let mut found: BTreeMap<Difference, (usize, String)> = BTreeMap::new();
    let mut agreed = 0;
    for (((old_sdl, old), (new_sdl, new)), peers) in pairs.iter().zip(responses) {
        let ours: Vec<ReportedChange> = diff(old, new)
            .into_iter()
            .map(|change| ReportedChange {
                coordinate: change.coordinate,
                kind: change.kind.name().to_owned(),
                level: change.level.name().to_owned(),
            })
            .collect();
        let noticed: Vec<ReportedChange> =
            ours.iter().filter(|change| change.level != Level::Safe.name()).cloned().collect();
        let comparisons = [("graphql-inspector", &ours, peers.inspector), ("graphql-js", &noticed, peers.reference)];
        for (peer, compared, theirs) in comparisons {
            let (equal, differences) = differences(peer, &ours, compared, theirs);
            agreed += equal;
            for (difference, coordinate) in differences {
                let example = || format!("{coordinate}: {}", first_difference(old_sdl, new_sdl));
                found.entry(difference).or_insert_with(|| (0, example())).0 += 1;
            }
        }
    }
    // Guards against a comparison that compares nothing.
    if agreed < pairs.len() {
        return Err(format!("{agreed} equal verdicts on {} pairs", pairs.len()).into());
    }
    validate(&found)
}

/// The number of changes that both report with the same level, and the differences.
fn differences(
    peer: &'static str,
    all_ours: &[ReportedChange],
    ours: &[ReportedChange],
    theirs: Vec<ReportedChange>,
) -> (usize, Vec<(Difference, String)>) {
    // A peer can report a change twice, for example for a repeated directive.
    let mut theirs: BTreeSet<ReportedChange> = theirs.into_iter().collect();
    let (mut equal, mut found) = (0, Vec::new());
    let text = |change: &ReportedChange| format!("{} {}", change.kind, change.level);
    let mut add = |ours: String, theirs: String, coordinate: &str| {
        let difference = Difference { peer, ours, theirs, inside: is_inside(coordinate, all_ours) };
        found.push((difference, coordinate.to_owned()));
    };
    let mut unpaired = Vec::new();
    for our in ours.iter().collect::<BTreeSet<_>>() {
        if theirs.remove(our) {
            equal += 1;
        } else {
            unpaired.push(our);
        }
    }
    for our in unpaired {
        let same = |their: &&ReportedChange| (&their.coordinate, &their.kind) == (&our.coordinate, &our.kind);
        let their = theirs.iter().find(same).cloned();
        let theirs_text = their.as_ref().map_or("nothing".to_owned(), text);
        add(text(our), theirs_text, &our.coordinate);
        if let Some(their) = their {
            theirs.remove(&their);
        }
    }
    for their in &theirs {
        add("nothing".to_owned(), text(their), &their.coordinate);
    }
    (equal, found)
}

/// Whether the part of this coordinate is, or is inside, a part that was added as a whole.
fn is_inside(coordinate: &str, ours: &[ReportedChange]) -> bool {
    let whole = [
        "DIRECTIVE_ADDED",
        "DIRECTIVE_ARGUMENT_ADDED",
        "ENUM_VALUE_ADDED",
        "FIELD_ADDED",
        "FIELD_ARGUMENT_ADDED",
        "INPUT_FIELD_ADDED",
        "TYPE_ADDED",
    ];
    ours.iter().any(|our| {
        let suffix = coordinate.strip_prefix(&our.coordinate);
        whole.contains(&&*our.kind) && suffix.is_some_and(|suffix| suffix.is_empty() || suffix.starts_with(['.', '(']))
    })
}

/// The first line in which two schemas differ.
fn first_difference(old: &str, new: &str) -> String {
    let mut lines = old.lines().zip(new.lines());
    let (old, new) = lines.find(|(old, new)| old != new).unwrap_or_default();
    format!("{old:?} -> {new:?}")
}

/// Fails for unexplained differences, and for unused explanations.
fn validate(found: &BTreeMap<Difference, (usize, String)>) -> Result<(), Failed> {
    let Explanations { explained } = toml::from_str(EXPLAINED)?;
    let mut wrong = Vec::new();
    for (difference, (count, example)) in found {
        if !explained.iter().any(|explanation| explanation.explains(difference)) {
            wrong.push(format!("not explained, {count} times: {difference:?}, for example {example}"));
        }
    }
    for explanation in &explained {
        let Explanation { peer, ours, theirs, .. } = explanation;
        if explanation.reason.trim().is_empty() {
            wrong.push(format!("explained without a reason: {peer}: {ours}, {theirs}"));
        }
        if !found.keys().any(|difference| explanation.explains(difference)) {
            wrong.push(format!("explained, but never met: {peer}: {ours}, {theirs}"));
        }
    }
    if wrong.is_empty() {
        return Ok(());
    }
    Err(wrong.join("\n").into())
}

fn run_peers(folder: &Path, pairs: &[Pair]) -> Result<Vec<Peers>, Failed> {
    let file = folder.join("pairs.json");
    fs::write(&file, serde_json::to_string(pairs)?)?;
    let script = Command::new("node").current_dir(folder).arg("peers.js").arg(&file).output()?;
    let script = npm::succeeded("node peers.js", script)?;
    Ok(serde_json::from_slice(&script.stdout)?)
}

#[expect(clippy::disallowed_methods, reason = "tests have settings of their own")]
fn all_is_required() -> bool {
    env::var("TEST_REQUIRE_ALL").is_ok_and(|value| value == "1")
}

#[expect(clippy::print_stderr, reason = "the output states why the comparison was skipped")]
fn report_skipped(reason: &str) {
    eprintln!("the comparison cannot run: {reason}");
}
