//! An example of every kind of change and every rule: `kinds.diff` contains pairs of schemas and the
//! expected changes. `UPDATE_EXPECT=1` rewrites the expected changes, to be reviewed.

#![allow(missing_docs, clippy::expect_used, reason = "a test fails by panicking")]

use std::{collections::BTreeSet, fmt::Write};

use expect_test::expect_file;
use graphql_schema_review::{Change, ChangeKind, Policy, Rule, diff};
use graphql_sdl::Schema;

const CASES: &str = include_str!("kinds.diff");

/// A pair of schemas: a title, and lines in diff format.
struct Case<'a> {
    title: &'a str,
    lines: Vec<&'a str>,
}

/// The cases of the file: `# title`, lines of both schemas, of the old one (`-`) and of the new one
/// (`+`), and the expected changes (`>`).
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
        let policy = "[diff]\ndocumentation-directives = [\"doc\"]";
        let policy = Policy::parse("schema.toml", policy).expect("it is valid");
        policy.diff(&self.schema("old", "-"), &self.schema("new", "+"))
    }
}

fn report_line(change: &Change) -> String {
    let Change { coordinate, kind, level, message, .. } = change;
    format!("> {level} {kind} {coordinate}: {message}\n")
}

#[test]
fn every_change_has_this_kind_coordinate_level_and_message() {
    let file = cases().into_iter().map(|case| {
        let lines = case.lines.join("\n") + "\n";
        let report: String = case.changes().iter().map(report_line).collect();
        let report = if report.is_empty() { "> no change\n" } else { &report };
        format!("# {}\n{lines}{report}", case.title)
    });
    let file = file.collect::<Vec<_>>().join("\n");
    expect_file!["kinds.diff"].assert_eq(&file);
}

#[test]
fn every_kind_and_every_rule_has_an_example() {
    let changes: Vec<Change> = cases().iter().flat_map(Case::changes).collect();
    let kinds: BTreeSet<ChangeKind> = changes.iter().map(|change| change.kind).collect();
    for kind in ChangeKind::ALL {
        assert!(kinds.contains(&kind), "no example of {kind}");
    }
    for rule in Rule::ALL {
        let mut matching = changes.iter().filter(|change| {
            change.reason == rule.reason && change.level == rule.level && rule.kinds.contains(&change.kind)
        });
        assert!(matching.next().is_some(), "no example of {}", rule.reason);
    }
}

/// A change has a location in both files: of the changed name, or of the directive on it.
#[test]
fn a_change_has_a_location_in_both_schemas() {
    let old = "type Query {\n  \"Described.\"\n  kept: Int\n  gone: Int\n}";
    let new = "type Query {\n  new: Int\n  kept: Int!\n}";
    let changes = diff(
        &Schema::parse("old.graphql", old).expect("it is valid"),
        &Schema::parse("new.graphql", new).expect("it is valid"),
    );
    let locations = changes.iter().map(|change| {
        let location =
            |location: &Option<graphql_sdl::Location>| location.as_ref().map_or("-".to_owned(), ToString::to_string);
        let (old, new) = (location(&change.old), location(&change.new));
        format!("{} {old} {new}", change.kind)
    });
    assert_eq!(
        locations.collect::<Vec<_>>(),
        [
            "FIELD_REMOVED old.graphql:4:3 -",
            "FIELD_TYPE_CHANGED old.graphql:3:3 new.graphql:3:3",
            "FIELD_DESCRIPTION_REMOVED old.graphql:2:3 new.graphql:3:3",
            "FIELD_ADDED - new.graphql:2:3",
        ]
    );
}

#[test]
fn the_list_of_rules_has_every_kind_with_its_levels_and_reasons() {
    let (start, _) = include_str!("../RULES.md").split_once("|---").expect("the table has a head");
    let mut rules = format!("{start}|---|---|---|---|\n");
    for kind in ChangeKind::ALL {
        for rule in Rule::ALL.iter().filter(|rule| rule.kinds.contains(&kind)) {
            let (when, level, reason) = (rule.when, rule.level, rule.reason);
            let _ = writeln!(rules, "| `{kind}` | {when} | {level} | {reason} |");
        }
    }
    expect_file!["../RULES.md"].assert_eq(&rules);
}
