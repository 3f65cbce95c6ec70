//! Operations of clients against two schemas: what stops working, because of which change, and the
//! reports.

#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, reason = "a test that cannot go on fails")]

mod support;

use expect_test::expect;
use graphql_schema_review::{
    Policy, Review, diff,
    operations::{Documents, check},
    report::{self, Colours},
};
use serde_json::{Value, json};
use support::{OLD, checked, files, schema};

/// The coordinates of the changes because of which the only operation stops working.
fn causes(from: &str, to: &str, operation: &str) -> Vec<String> {
    let checked = checked(from, to, files(&[("a.graphql", operation)]));
    assert_eq!(checked.broken.len(), 1, "{checked:#?}");
    let changes = checked.broken[0].changes.iter();
    changes.map(|change| format!("{} {}", change.kind, change.coordinate)).collect()
}

/// A replaced text of the schema and its replacement, an operation, and the changes that break it.
const BROKEN: &str = r#"
title: String author ~ author ~ { book(id: 1) { title } } ~ FIELD_REMOVED Book.title
first: Int = 10 ~ first: Int! ~ { books { id } } ~ FIELD_ARGUMENT_TYPE_CHANGED Query.books(first:)|FIELD_ARGUMENT_DEFAULT_CHANGED Query.books(first:)
first: Int = 10, ~ ~ { books(first: 3) { id } } ~ FIELD_ARGUMENT_REMOVED Query.books(first:)
(first ~ (lang: String! first ~ { books { id } } ~ FIELD_ARGUMENT_ADDED Query.books(lang:)
text: String kind ~ text: String lang: ID! kind ~ { books(filter: {text: "a"}) { id } } ~ INPUT_FIELD_ADDED Filter.lang
kind: Kind ids ~ kind: Kind! ids ~ { books(filter: {}) { id } } ~ INPUT_FIELD_TYPE_CHANGED Filter.kind
ids: [ID!] ~ ids: [Int!] ~ query ($id: ID!) { books(filter: {ids: [$id]}) { id } } ~ INPUT_FIELD_TYPE_CHANGED Filter.ids
POEM ~ ~ query ($k: Kind = POEM) { books(filter: {kind: $k}) { id } } ~ ENUM_VALUE_REMOVED Kind.POEM
Book | Author ~ Book ~ { search { ... on Author { name } } } ~ UNION_MEMBER_REMOVED Found
on FIELD | QUERY ~ on FIELD ~ query @trace { search { __typename } } ~ DIRECTIVE_LOCATION_REMOVED @trace
(depth: Int) ~ (depth: Int!) ~ { search @trace { __typename } } ~ DIRECTIVE_ARGUMENT_TYPE_CHANGED @trace(depth:)
(depth: Int) repeatable on FIELD | QUERY ~ (depth: Int!) on FIELD ~ query @trace(depth: 1) { search { __typename } } ~ DIRECTIVE_LOCATION_REMOVED @trace
(depth: Int) repeatable on FIELD | QUERY ~ (depth: Int!) on FIELD ~ { search @trace(depth: 1) @trace(depth: 2) { __typename } } ~ DIRECTIVE_REPEATABLE_REMOVED @trace
type Mutation { rename(id: ID!, title: String): Book } ~ ~ mutation { rename(id: 1) { id } } ~ SCHEMA_MUTATION_TYPE_CHANGED schema
pages: Int } ~ pages: Int! } ~ { search { ... on Book { n: pages } ... on Author { n: size } } } ~ FIELD_TYPE_CHANGED Book.pages
author: Author ~ author: Book ~ { book(id: 1) { author { name } } } ~ FIELD_TYPE_CHANGED Book.author
"#;

#[test]
fn names_the_change_that_makes_an_operation_invalid() {
    for case in BROKEN.lines().skip(1) {
        let parts: Vec<_> = case.split('~').map(str::trim).collect();
        let [from, to, operation, expected] = parts[..] else {
            panic!("{case}");
        };
        assert_eq!(causes(from, to, operation).join("|"), expected, "{case}");
    }
}

#[test]
fn changes_of_what_an_operation_does_not_use_are_not_named() {
    let (old, new) = (
        schema("old", OLD),
        schema(
            "new",
            &OLD.replace("first: Int = 10", "first: Int!")
                .replace("title: String author: Author pages: Int", "pages: Int!"),
        ),
    );
    let changes = diff(&old, &new);
    let source = files(&[("a.graphql", "{ books(first: 3) { title pages } }")]);
    let checked = check(&Documents::read([source]).unwrap(), Some(&old), &new, &changes);
    let causes: Vec<_> = checked.broken[0].changes.iter().map(|change| &*change.coordinate).collect();
    assert_eq!(causes, ["Book.title"]);
}

#[test]
fn one_of_nested_variables_and_the_fields_of_subscriptions_are_validated() {
    let with_key = "book(by: Key, id: ID)";
    let sdl = OLD.replacen("book(id: ID!)", with_key, 1);
    let sdl = sdl + "type Subscription { tick: Int tock: Int }";
    let schema = schema("schema.graphql", &sdl);
    for (operation, is_valid) in [
        ("{ book(by: {id: 1}) { id } }", true),
        ("{ book(by: {id: 1, name: \"a\"}) { id } }", false),
        ("{ book(by: {id: null}) { id } }", false),
        ("query ($id: ID) { book(by: {id: $id}) { id } }", false),
        ("query ($id: ID!) { book(by: {id: $id}) { id } }", true),
        ("query ($id: ID) { books(filter: {ids: [$id]}) { id } }", false),
        ("query ($n: Int! = null) { books(first: $n) { id } }", false),
        ("subscription { tick ...F } fragment F on Subscription { tick }", true),
        ("subscription { tick tock }", false),
        ("subscription { tick other: tick }", false),
    ] {
        let documents = Documents::read([files(&[("a.graphql", operation)])]).unwrap();
        let checked = check(&documents, None, &schema, &[]);
        assert_eq!(checked.broken.is_empty(), is_valid, "{operation}: {checked:#?}");
    }
}

const CLIENTS: &[(&str, &str)] = &[
    ("clients/a.graphql", "query One { book(id: 1) { ...Parts } }\nquery Two { book(id: 2) { id } }\n{ nothing }"),
    ("clients/b.graphql", "# The parts.\nfragment Parts on Book {\n  id, title\n}\nfragment Unused on Book { id }"),
];

#[test]
fn the_reports_for_people_are_text_and_markdown() {
    let checked = checked("title: String author", "author", files(CLIENTS));
    expect![[r#"
        broken: query One
          at clients/a.graphql:1:1
          clients/b.graphql:3:7: type "Book" does not have a field "title"
          because field 'Book.title' was removed [FIELD_REMOVED] at old.graphql:3:21
        not valid before: anonymous query
          at clients/a.graphql:3:1
          clients/a.graphql:3:3: type "Query" does not have a field "nothing"
        not checked: no operation uses the fragment "Unused" at clients/b.graphql:5:10
        1 of 3 operations stops working, 1 was not valid before
    "#]]
    .assert_eq(&checked.report().text(Colours::None));
    expect![[r#"
        ### Operations: 1 of 3 operations stops working, 1 was not valid before

        | Level | What | Where | Details |
        |---|---|---|---|
        | broken | query One | clients/a.graphql:1:1 | clients/b.graphql:3:7: type "Book" does not have a field "title"<br>because field 'Book.title' was removed \[FIELD\_REMOVED\] at old.graphql:3:21 |

        **Not checked:**

        - no operation uses the fragment "Unused" at clients/b.graphql:5:10

        <details><summary>1 not valid before</summary>

        | Level | What | Where | Details |
        |---|---|---|---|
        | not valid before | anonymous query | clients/a.graphql:3:1 | clients/a.graphql:3:3: type "Query" does not have a field "nothing" |

        </details>
    "#]]
    .assert_eq(&checked.report().markdown());
}

#[test]
fn the_report_for_programs_is_json() {
    let checked = checked("title: String author", "author", files(CLIENTS));
    let json: Value = serde_json::from_str(&report::json(&checked)).unwrap();
    // review.rs has all members of a change.
    let location = |file: &str, line: u64, column: u64| json!({ "file": file, "line": line, "column": column });
    let broken = &json["broken"][0];
    let change = &broken["changes"][0];
    assert_eq!((&change["coordinate"], &change["old"]), (&json!("Book.title"), &location("old.graphql", 3, 21)));
    let expected = json!({
        "operations": 3,
        "broken": [{
            "name": "One", "kind": "query", "id": null, "location": location("clients/a.graphql", 1, 1),
            "problems": [{
                "location": location("clients/b.graphql", 3, 7),
                "message": "type \"Book\" does not have a field \"title\"",
            }],
            "changes": broken["changes"],
        }],
        "invalid_before": [{
            "name": null, "kind": "query", "id": null, "location": location("clients/a.graphql", 3, 1),
            "problems": [{
                "location": location("clients/a.graphql", 3, 3),
                "message": "type \"Query\" does not have a field \"nothing\"",
            }],
            "changes": [],
        }],
        "unused_fragments": [{ "name": "Unused", "location": location("clients/b.graphql", 5, 10) }],
        "unchecked": [],
        "omitted_tests": 0,
    });
    assert_eq!(json, expected);
}

#[test]
fn a_change_lists_at_most_ten_operations_that_it_breaks() {
    let operation = |n: usize| format!("query Q{n} {{ book(id: 1) {{ title }} }}\n");
    let operations: String = (0..12).map(operation).collect();
    let (old, new) = (schema("old", OLD), schema("new", &OLD.replacen("title: String author", "author", 1)));
    let changes = diff(&old, &new);
    let documents = Documents::read([files(&[("a.graphql", &operations)])]).unwrap();
    let checked = check(&documents, Some(&old), &new, &changes);
    let mut review = Review::new(changes.clone());
    review.add_operations(checked.clone());
    let text = review.report().text(Colours::None);
    assert!(text.contains("  breaks query Q9 at a.graphql:10:1\n  and 2 more\n"), "{text}");
    assert!(text.ends_with("; 12 of 12 operations stop working\n"), "{text}");
    let json: Value = serde_json::from_str(&report::json(&review.changes)).unwrap();
    assert_eq!(json[0]["breaks"].as_array().unwrap().len(), 12);
    assert_eq!(json[0]["breaks"][0]["location"]["line"], 1);
    assert!(review.report().markdown().contains("<br>breaks query Q0 at a.graphql:1:1"));
    assert_eq!(review.broken_operations().count(), 12);

    let accepted = "[[accepted]]\ncoordinate = \"Book.title\"\nkind = \"FIELD_REMOVED\"\nreason = \"Planned.\"";
    let accepted = Policy::parse("schema.toml", accepted).unwrap();
    let mut review = accepted.review(&old, &new, changes, "2026-12-01".parse().unwrap());
    review.add_operations(checked);
    assert!(review.passes());
}

#[test]
fn an_operation_that_only_a_safe_change_breaks_fails_the_review() {
    let (from, to) = ("pages: Int }", "pages: Int! }");
    let operation = "{ search { ... on Book { n: pages } ... on Author { n: size } } }";
    let (old, new) = (schema("old", OLD), schema("new", &OLD.replacen(from, to, 1)));
    let changes = diff(&old, &new);
    let documents = Documents::read([files(&[("a.graphql", operation)])]).unwrap();
    let checked = check(&documents, Some(&old), &new, &changes);
    let mut review = Review::new(changes);
    assert!(review.passes());
    review.add_operations(checked);
    assert!(!review.passes());
    let markdown = review.report().markdown();
    assert!(markdown.contains("| safe |") && !markdown.contains("<details>"), "{markdown}");
}
