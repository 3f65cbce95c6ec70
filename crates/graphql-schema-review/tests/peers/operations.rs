//! Compares the operations that stop working with the verdicts of graphql-js. `PEERS_SEED=N` runs
//! one seed, and `PEERS_SEEDS=N` sets the number of seeds, with 1,300 pairs of schemas each.

use std::{env, fs, path::Path, process::Command};

use apollo_compiler::ast::OperationType;
use graphql_schema_review::{
    diff,
    operations::{DocumentSource, Documents, OperationProblem, check},
};
use graphql_sdl::Schema;
use libtest_mimic::Failed;
use serde::{Deserialize, Serialize};

use super::{
    KITCHEN_SINK, mutations, npm,
    random::{Random, composed, document},
};

pub(crate) const NAME: &str = "an_operation_is_reported_if_graphql_js_has_a_new_error";

/// graphql-js refuses some of the schemas, with a required deprecated argument.
const PAIRS: usize = 500;
const MIN_PAIRS: usize = 380;
const DOCUMENTS: usize = 3;
/// The number of documents of which one that is valid under the old schema is chosen.
const TRIES: usize = 10;
/// The number of edits that the schemas are composed of, valid or not.
const EDITS: usize = 300;

/// The end of the message of a problem that graphql-js does not report everywhere.
const ONE_OF: &str = "in a @oneOf input object must be non-null";

#[derive(Serialize)]
struct Pair {
    old: String,
    new: String,
    documents: Vec<String>,
    #[serde(skip)]
    schemas: [Schema; 2],
}

#[derive(Deserialize)]
struct Verdict {
    old: bool,
    new: bool,
    /// Whether there is an error under the new schema that there is not under the old one.
    added: bool,
}

pub(crate) fn compare(folder: &Path) -> Result<(), Failed> {
    if let Some(seed) = variable("PEERS_SEED")? {
        return compare_seed(folder, seed);
    }
    for seed in 0..variable("PEERS_SEEDS")?.unwrap_or(1) {
        compare_seed(folder, seed).map_err(|failed| {
            let reason = failed.message().unwrap_or_default();
            format!("PEERS_SEED={seed} repeats it: {reason}")
        })?;
    }
    Ok(())
}

#[expect(clippy::disallowed_methods, reason = "tests have settings of their own")]
fn variable(name: &str) -> Result<Option<u64>, Failed> {
    let number = env::var(name).ok().map(|text| text.parse());
    let number = number.transpose();
    Ok(number.map_err(|error| format!("{name}: {error}"))?)
}

fn compare_seed(folder: &Path, seed: u64) -> Result<(), Failed> {
    let mut random = Random(seed);
    let pairs = pairs(&mut random);
    let (input, script) = (folder.join("operations.json"), "validate.js");
    fs::write(&input, serde_json::to_string(&pairs)?)?;
    let node = Command::new("node").current_dir(folder).arg(script).arg(&input).output()?;
    let node = npm::succeeded("node validate.js", node)?;
    let verdicts: Vec<Vec<Verdict>> = serde_json::from_slice(&node.stdout)?;
    let answered = verdicts.iter().filter(|verdicts| !verdicts.is_empty());
    let answered = answered.count();
    if verdicts.len() != PAIRS || answered < MIN_PAIRS {
        return Err(format!("{answered} answers to {PAIRS} pairs").into());
    }
    let (mut valid, mut broken, mut wrong) = (0, 0, Vec::new());
    for (pair, verdicts) in pairs.iter().zip(verdicts) {
        let [old, new] = &pair.schemas;
        let changes = diff(old, new);
        for (document, verdict) in pair.documents.iter().zip(verdicts) {
            let file = ("operation.graphql".to_owned(), document.clone());
            let documents = Documents::read([DocumentSource::Files(vec![file])])?;
            let checked = check(&documents, Some(old), new, &changes);
            // graphql-js does not validate that the root type exists (specification, section
            // 5.2.1.1).
            let kind = if document.starts_with("mutation") { OperationType::Mutation } else { OperationType::Query };
            let has_root = |schema: &Schema| schema.tree().root_operation(kind).is_some();
            let is_valid = (verdict.old && has_root(old), verdict.new && has_root(new));
            let is_broken = !is_valid.1 && (is_valid.0 || verdict.added);
            let expected = (is_broken, !is_valid.1 && !is_broken);
            let found = (!checked.broken.is_empty(), !checked.invalid_before.is_empty());
            // graphql-js accepts nullable variables in a `@oneOf` object at a non-null position
            // (specification, section 5.8.5).
            let is_one_of = |problem: &OperationProblem| problem.message.ends_with(ONE_OF);
            let mut problems = checked.broken.iter().flat_map(|one| &one.problems);
            if is_valid.0 && is_valid.1 && found.0 && problems.all(is_one_of) {
                continue;
            }
            let is_explained = checked.broken.iter().all(|one| !one.changes.is_empty());
            if found != expected || !is_explained {
                let problems = checked.broken.iter().chain(&checked.invalid_before);
                let problems: Vec<_> = problems.flat_map(|one| &one.problems).collect();
                let changes: Vec<_> = changes.iter().map(|change| &change.message).collect();
                wrong.push(format!(
                    "(broken, not valid before) is {found:?}, and {expected:?} for graphql-js\n\
                     {document}\n{problems:#?}\n{changes:#?}"
                ));
            }
            valid += usize::from(is_valid.0 && is_valid.1);
            broken += usize::from(expected.0);
        }
    }
    if let Some(first) = wrong.first() {
        return Err(format!("{} wrong, for example {first}", wrong.len()).into());
    }
    // Guards against a comparison that compares nothing.
    if valid < MIN_PAIRS / 2 || broken < MIN_PAIRS / 5 {
        return Err(format!("only {valid} valid and {broken} broken operations").into());
    }
    Ok(())
}

/// Pairs of valid schemas that differ in a few lines, with documents for the old one.
fn pairs(random: &mut Random) -> Vec<Pair> {
    let line_count = KITCHEN_SINK.lines().count();
    let edits: Vec<String> = mutations::edits(KITCHEN_SINK).into_iter().collect();
    let chosen = (0..EDITS).map(|_| random.choose(&edits).clone());
    let edits: Vec<String> =
        chosen.filter(|edit| edit.lines().count() == line_count && Schema::parse("edit", edit).is_ok()).collect();
    let schema = |random: &mut Random| loop {
        let count = random.below(16);
        let chosen: Vec<&String> = (0..count).map(|_| random.choose(&edits)).collect();
        let sdl = composed(KITCHEN_SINK, &chosen);
        if let Ok(schema) = Schema::parse("composed", &sdl) {
            return (sdl, schema);
        }
    };
    let pair = |_| {
        let ((old, old_schema), (new, new_schema)) = (schema(random), schema(random));
        let is_valid = |text: &String| {
            let file = ("operation.graphql".to_owned(), text.clone());
            let documents = Documents::read([DocumentSource::Files(vec![file])]);
            documents.is_ok_and(|read| {
                let checked = check(&read, None, &old_schema, &[]);
                checked.broken.is_empty() && checked.unchecked.is_empty()
            })
        };
        let documents = (0..DOCUMENTS).map(|index| {
            let mut drawn = (0..TRIES).map(|_| document(old_schema.tree(), random));
            let first = drawn.next().expect("there is more than one try");
            // Most of them are valid here, so that many stop working; the first can be invalid.
            if index == 0 || is_valid(&first) {
                return first;
            }
            drawn.find(is_valid).unwrap_or(first)
        });
        Pair { documents: documents.collect(), old, new, schemas: [old_schema, new_schema] }
    };
    (0..PAIRS).map(pair).collect()
}
