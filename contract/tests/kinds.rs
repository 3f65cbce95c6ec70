//! Every kind of change and every rule, by example: `kinds.diff` holds pairs of schemas and what is
//! said of them. `UPDATE_EXPECT=1` rewrites what is said, to be reviewed.

#![allow(
    missing_docs,
    clippy::expect_used,
    reason = "a test fails by panicking"
)]

use std::collections::BTreeSet;

use contract::{Change, ChangeKind, Rule, Schema, diff};
use expect_test::expect_file;

const CASES: &str = include_str!("kinds.diff");

/// A pair of schemas: a title, and lines as in a diff.
struct Case<'a> {
    title: &'a str,
    lines: Vec<&'a str>,
}

/// The cases of the file: each opens with `# title`; then follow lines of both schemas, of the old
/// one (`-`) and of the new one (`+`), and what is said of them (`>`).
fn cases() -> Vec<Case<'static>> {
    let mut cases: Vec<Case> = Vec::new();
    for line in CASES.lines() {
        if let Some(title) = line.strip_prefix("# ") {
            let lines = Vec::new();
            cases.push(Case { title, lines });
        } else if !line.is_empty() && !line.starts_with('>') {
            let case = cases.last_mut().expect("a case opens with a title");
            case.lines.push(line);
        }
    }
    cases
}

impl Case<'_> {
    fn schema(&self, file: &str, sign: &str) -> Schema {
        let lines = self
            .lines
            .iter()
            .map(|line| line.strip_prefix([' ']).or_else(|| line.strip_prefix(sign)))
            .map(Option::unwrap_or_default);
        let mut sdl = lines.collect::<Vec<_>>().join("\n");
        if !sdl.contains("type Query") && !sdl.contains("query:") {
            sdl.push_str("\ntype Query { ok: Boolean }");
        }
        Schema::parse(file, &sdl).unwrap_or_else(|problems| panic!("{}: {problems}", self.title))
    }

    fn changes(&self) -> Vec<Change> {
        diff(&self.schema("old", "-"), &self.schema("new", "+"))
    }
}

fn said(change: &Change) -> String {
    let Change {
        coordinate,
        kind,
        level,
        message,
        ..
    } = change;
    format!("> {level} {kind} {coordinate}: {message}\n")
}

#[test]
fn every_change_has_this_kind_coordinate_level_and_message() {
    let file = cases().into_iter().map(|case| {
        let lines: String = case.lines.iter().map(|line| format!("{line}\n")).collect();
        let said: String = case.changes().iter().map(said).collect();
        let said = if said.is_empty() {
            "> no change\n"
        } else {
            &said
        };
        format!("# {}\n{lines}{said}", case.title)
    });
    let file = file.collect::<Vec<_>>().join("\n");
    expect_file!["kinds.diff"].assert_eq(&file);
}

#[test]
fn every_kind_and_every_rule_has_an_example() {
    let changes: Vec<Change> = cases().iter().flat_map(Case::changes).collect();
    let kinds: BTreeSet<ChangeKind> = changes.iter().map(|change| change.kind).collect();
    for kind in ChangeKind::ALL {
        assert!(kinds.contains(kind), "no example of {kind}");
    }
    for rule in Rule::ALL {
        let mut judged = changes.iter().filter(|change| {
            change.reason == rule.reason
                && change.level == rule.level
                && rule.kinds.contains(&change.kind)
        });
        assert!(judged.next().is_some(), "no example of {}", rule.reason);
    }
}

#[test]
fn every_change_is_judged_by_a_rule_for_its_kind() {
    for change in cases().iter().flat_map(Case::changes) {
        let mut rules = Rule::ALL.iter();
        let judged = rules.any(|rule| {
            rule.reason == change.reason
                && rule.level == change.level
                && rule.kinds.contains(&change.kind)
        });
        assert!(judged, "{change:?}");
    }
}

/// A change leads to both files: to the name of what changed, or to the directive on it.
#[test]
fn a_change_says_where_it_stands_in_both_schemas() {
    let old = "type Query {\n  \"Described.\"\n  kept: Int\n  gone: Int\n}";
    let new = "type Query {\n  new: Int\n  kept: Int!\n}";
    let changes = diff(
        &Schema::parse("old.graphql", old).expect("it is valid"),
        &Schema::parse("new.graphql", new).expect("it is valid"),
    );
    let places = changes.iter().map(|change| {
        let place = |place: &Option<contract::Place>| {
            place.as_ref().map_or("-".to_owned(), ToString::to_string)
        };
        let (old, new) = (place(&change.old), place(&change.new));
        format!("{} {old} {new}", change.kind)
    });
    assert_eq!(
        places.collect::<Vec<_>>(),
        [
            "FIELD_REMOVED old.graphql:4:3 -",
            "FIELD_TYPE_CHANGED old.graphql:3:3 new.graphql:3:3",
            "FIELD_DESCRIPTION_REMOVED old.graphql:2:3 new.graphql:3:3",
            "FIELD_ADDED - new.graphql:2:3",
        ]
    );
}
