//! Every kind of change and every rule, by example: `kinds.diff` holds pairs of schemas and what is
//! said of them. `UPDATE_EXPECT=1` rewrites what is said, to be reviewed.

#![allow(
    missing_docs,
    clippy::expect_used,
    reason = "a test fails by panicking"
)]

use std::{collections::BTreeSet, fmt::Write};

use contract::{Change, ChangeKind, Rule, Schema, diff};
use expect_test::{expect, expect_file};

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
        let lines = case.lines.join("\n") + "\n";
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

/// The table of README is made from the rules.
#[test]
fn readme_has_every_kind_with_its_levels_and_reasons() {
    let readme = include_str!("../README.md");
    let (start, end) = ("<!-- rules -->\n", "<!-- end of rules -->");
    let (before, rest) = readme.split_once(start).expect("the table has a start");
    let (_, after) = rest.split_once(end).expect("the table has an end");
    let mut table = String::from("| kind | when | level | why |\n|---|---|---|---|\n");
    for kind in ChangeKind::ALL {
        for rule in Rule::ALL.iter().filter(|rule| rule.kinds.contains(kind)) {
            let Rule {
                when,
                level,
                reason,
                ..
            } = rule;
            let _ = writeln!(table, "| `{kind}` | {when} | {level} | {reason} |");
        }
    }
    expect_file!["../README.md"].assert_eq(&[before, start, &table, end, after].concat());
}

/// Whatever a file has wrong is said at once, with its place and what would be right.
#[test]
fn a_schema_is_read_or_every_defect_of_it_is_told() {
    let sdl = "type Query {
  a(of: Strng, in: Size = SMAL, by: Filter = {limit: \"1\"}): Int
  a: Int
}
enum Size { SMALL }
input Filter { limit: Int, text: String! }
directive @tag(max: Int! = null) on FIELD";
    let problems = Schema::parse("schema.graphql", sdl).expect_err("it has defects");
    expect![[r#"
        schema.graphql:2:9: unknown type "Strng"; did you mean "String"?
        schema.graphql:3:3: duplicate definitions for the "a" field of object type "Query""#]]
    .assert_eq(&problems.to_string());
}

#[test]
fn a_default_has_to_be_of_its_type() {
    let sdl = "type Query {
  a(kind: Kind = SMAL, by: Filter = {limit: 1}, ids: [ID!] = 1, text: String = 1): Int
}
enum Kind { SMALL }
input Filter { limit: Int = \"1\", text: String! more: Key = {id: 1, name: null} }
input Key @oneOf { id: ID name: String }
directive @tag(max: Int! = null, weight: Float = 1) on FIELD";
    let problems = Schema::parse("schema.graphql", sdl).expect_err("it has defects");
    expect![[r#"
        schema.graphql:2:18: the default of "kind" is wrong: SMAL is not of the type Kind
        schema.graphql:2:37: the default of "by" is wrong: Filter requires "text"
        schema.graphql:2:80: the default of "text" is wrong: 1 is not of the type String
        schema.graphql:5:29: the default of "limit" is wrong: "1" is not of the type Int
        schema.graphql:5:60: the default of "more" is wrong: Key takes exactly one field, not null
        schema.graphql:7:28: the default of "max" is wrong: null is not of the type Int!"#]]
    .assert_eq(&problems.to_string());
}

#[test]
fn a_file_that_is_no_sdl_is_told_where_it_breaks() {
    let problems = Schema::parse("schema.graphql", "type Query {\n  a: \n}");
    let problems = problems.expect_err("it has a defect");
    assert!(
        problems.to_string().starts_with("schema.graphql:3:1: "),
        "{problems}"
    );
}
