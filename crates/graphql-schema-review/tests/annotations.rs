//! Reports as annotations: workflow commands of GitHub, code quality of GitLab, SARIF and `JUnit`.

#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, reason = "a test that cannot go on fails")]

use std::collections::HashSet;

use expect_test::expect;
use graphql_schema_review::{
    Review,
    annotation::{Annotation, Severity, github, gitlab, junit, sarif},
    diff,
    lint::{annotations as of_findings, lint},
    operations::{DocumentSource, Documents, check},
};
use graphql_sdl::{Location, Position, Schema};
use serde_json::Value;

const OLD: &str = "type Query { book(id: ID!): Book }
type Mutation { rename(id: ID!): Book }
type Book { id: ID! title: String author: String }
";

fn schema(name: &str, sdl: &str) -> Schema {
    Schema::parse(name, sdl).unwrap()
}

/// A field is removed that an operation selects, and a required argument is added.
fn annotations() -> Vec<Annotation> {
    let new = OLD.replace("title: String author", "author").replace("rename(", "rename(by: ID!, ");
    let (old, new) = (schema("git:main:schema.graphql", OLD), schema("./schema.graphql", &new));
    let changes = diff(&old, &new);
    let text = "const a = gql`\n  query A { book(id: 1) { title } }\n`;";
    let documents = Documents::read([DocumentSource::Files(vec![("./web/a.ts".to_owned(), text.to_owned())])]).unwrap();
    let checked = check(&documents, Some(&old), &new, &changes);
    let mut review = Review::new(changes);
    review.add_operations(checked);
    review.annotations(&new)
}

#[test]
fn workflow_commands_name_the_lines() {
    expect![[r#"
        ::error file=schema.graphql,line=2,col=24,title=FIELD_ARGUMENT_ADDED::argument 'Mutation.rename(by:)' was added with the type 'ID!' and is required%0AOperations that omit it are invalid, and no existing operation provides it.
        ::error file=schema.graphql,line=3,col=6,title=FIELD_REMOVED::field 'Book.title' was removed%0AOperations that select the field become invalid, and it was not deprecated first.%0Abreaks query A at ./web/a.ts:2:3
        ::error file=web/a.ts,line=2,col=27,title=OPERATION::query A stops working: type "Book" does not have a field "title"%0Abecause field 'Book.title' was removed [FIELD_REMOVED] at git:main:schema.graphql:3:21
    "#]]
    .assert_eq(&github(&annotations()));
}

#[test]
fn code_quality_has_paths_lines_and_fingerprints() {
    let report: Value = serde_json::from_str(&gitlab(&annotations())).unwrap();
    let issues = report.as_array().unwrap();
    let lines = issues.iter().map(|issue| {
        let (path, line) = (&issue["location"]["path"], &issue["location"]["lines"]["begin"]);
        format!("{}:{line} {}", path.as_str().unwrap(), issue["severity"].as_str().unwrap())
    });
    let lines: Vec<_> = lines.collect();
    assert_eq!(lines, ["schema.graphql:2 major", "schema.graphql:3 major", "web/a.ts:2 major"]);
    let fingerprints: HashSet<_> = issues.iter().map(|issue| issue["fingerprint"].to_string()).collect();
    assert_eq!(fingerprints.len(), 3);
}

#[test]
fn fingerprints_do_not_depend_on_lines() {
    let twice = [annotations(), annotations()].concat();
    let mut moved = twice.clone();
    for annotation in &mut moved {
        annotation.location.as_mut().unwrap().position.line += 1;
    }
    let fingerprints = |annotations: &[Annotation]| {
        let report: Value = serde_json::from_str(&gitlab(annotations)).unwrap();
        let issues = report.as_array().unwrap().iter();
        let fingerprints: Vec<_> = issues.map(|issue| issue["fingerprint"].to_string()).collect();
        fingerprints
    };
    assert_eq!(fingerprints(&twice), fingerprints(&moved));
    assert_eq!(fingerprints(&twice).iter().collect::<HashSet<_>>().len(), 6);
}

#[test]
fn sarif_has_rules_results_and_regions() {
    let log: Value = serde_json::from_str(&sarif(&annotations())).unwrap();
    assert_eq!(log["version"], "2.1.0");
    let run = &log["runs"][0];
    let rules = run["tool"]["driver"]["rules"].as_array().unwrap();
    assert_eq!(rules.len(), 3);
    for result in run["results"].as_array().unwrap() {
        assert!(rules.iter().any(|rule| rule["id"] == result["ruleId"]));
        let place = &result["locations"][0]["physicalLocation"];
        assert!(place["region"]["startLine"].is_u64(), "{place}");
    }
    let last = &run["results"][2]["locations"][0]["physicalLocation"];
    assert_eq!(last["artifactLocation"]["uri"], "web/a.ts");
    assert_eq!(last["region"]["startColumn"], 27);
}

#[test]
fn junit_has_a_test_case_for_each_annotation() {
    let report = junit(&annotations());
    assert!(report.contains("tests=\"3\" failures=\"3\""), "{report}");
    assert!(report.contains("type &quot;Book&quot; does not have a field &quot;title&quot;"), "{report}");
    assert!(junit(&[]).contains("tests=\"1\" failures=\"0\""));
}

#[test]
fn warnings_fail_nothing() {
    let findings = lint(&schema("a.graphql", "# lint:allow-file described reason: a test\ntype Query { id: Int }"));
    let annotations = of_findings(&findings);
    assert_eq!(annotations[0].severity, Severity::Warning);
    assert!(github(&annotations).starts_with("::warning file=a.graphql,line=2,col=14,title=id-name::Query.id "));
    assert!(junit(&annotations).contains("failures=\"0\""));
    assert!(junit(&annotations).contains("<system-out>"));
}

#[test]
fn hostile_texts_are_escaped() {
    let hostile = "::error::a,%\u{1b}[2J]]>&<\"'\u{0}\u{202e}\u{ffff}\u{1fffe}##[error]";
    let annotation = Annotation {
        severity: Severity::Error,
        location: Some(Location { file: hostile.into(), position: Position { line: 1, column: 1 } }),
        rule: hostile.to_owned(),
        message: format!("{hostile}\n{hostile}"),
    };
    let annotations = [annotation];
    assert_eq!(github(&annotations).lines().count(), 1);
    for report in [github(&annotations), gitlab(&annotations), sarif(&annotations), junit(&annotations)] {
        let is_raw = |found: char| found != '\n' && found.is_control();
        assert!(!report.contains(is_raw), "{report:?}");
        assert!(!report.contains(['\u{202e}', '\u{ffff}', '\u{1fffe}']), "{report:?}");
    }
    let log: Value = serde_json::from_str(&sarif(&annotations)).unwrap();
    assert_eq!(log["runs"][0]["results"][0]["ruleId"], hostile);
    assert!(!junit(&annotations).contains("]]>&<"));
}
