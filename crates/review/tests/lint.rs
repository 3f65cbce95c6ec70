//! The findings of lint, and allowances.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a test fails by panicking"
)]

use review::lint::{Finding, Rule, Severity, lint};
use schema::Schema;

/// A contract without findings, which the tests modify.
const GOOD: &str = r#""What can be asked."
type Query {
  "The books in the order of their ids."
  books("How many at most." count: Int): [Book]
  "The book with this id."
  book("The id of the book." id: ID, "The id of its owner." ownerId: ID, "Other books." ids: [ID!]): Book
}
"The mutations."
type Mutation {
  "Removes a book."
  removeBook("The id of the book." id: ID!): Book
}
"A book."
type Book {
  "The id of the book."
  id: ID!
  "How far it is."
  state: State @deprecated(reason: "every book is sold; use nothing instead")
}
"How far a book is."
enum State {
  "The book is sold."
  SOLD
}
"#;

/// Changes to [`GOOD`]: the replaced text, the replacement, and the one expected finding.
const BROKEN: &[(&str, &str, Rule, &str)] = &[
    ("\"A book.\"\n", "", Rule::Described, "Book"),
    ("\"A book.\"\n", "\" \"\n", Rule::Described, "Book"),
    (
        "\"A book.\"\n",
        "scalar ID\n\"A book.\"\n",
        Rule::BuiltInScalar,
        "ID",
    ),
    ("\"How far it is.\"", "", Rule::Described, "Book.state"),
    (
        "\"How many at most.\"",
        "",
        Rule::Described,
        "Query.books(count:)",
    ),
    ("\"The book is sold.\"", "", Rule::Described, "State.SOLD"),
    (
        "\"A book.\"",
        "directive @d on OBJECT \"A book.\"",
        Rule::Described,
        "@d",
    ),
    (
        "\"A book.\"",
        "\"D.\" directive @d(a: Int) on OBJECT \"A book.\"",
        Rule::Described,
        "@d(a:)",
    ),
    (
        "\"A book.\"",
        "\"A.\" scalar date extend type Book { \"A.\" on: date } \"A book.\"",
        Rule::TypeName,
        "date",
    ),
    ("books(", "all_books(", Rule::FieldName, "Query.all_books"),
    (
        "count: Int",
        "count: Int, \"A.\" After: Int",
        Rule::FieldName,
        "Query.books(After:)",
    ),
    (
        "\"A book.\"",
        "\"D.\" directive @D on OBJECT \"A book.\"",
        Rule::FieldName,
        "@D",
    ),
    ("SOLD", "Sold", Rule::EnumValueName, "State.Sold"),
    (
        "removeBook(",
        "bookshelfRemoval(",
        Rule::MutationVerb,
        "Mutation.bookshelfRemoval",
    ),
    (
        "(reason: \"every book is sold; use nothing instead\")",
        "",
        Rule::DeprecationReason,
        "Book.state",
    ),
    (
        "\"every book is sold; use nothing instead\"",
        "\" \"",
        Rule::DeprecationReason,
        "Book.state",
    ),
    (
        "\"A book.\"",
        "\"Unused.\" scalar Date \"A book.\"",
        Rule::UnusedType,
        "Date",
    ),
    (
        "ownerId: ID",
        "owner: ID",
        Rule::IdName,
        "Query.book(owner:)",
    ),
    (
        "ownerId: ID",
        "ownerID: ID",
        Rule::IdName,
        "Query.book(ownerID:)",
    ),
    ("ids: [ID!]", "id2: [ID!]", Rule::IdName, "Query.book(id2:)"),
    ("  id: ID!\n", "  id: Int!\n", Rule::IdName, "Book.id"),
    ("count: Int", "after: Int", Rule::ListBounded, "Query.books"),
    (
        "count: Int",
        "count: String",
        Rule::ListBounded,
        "Query.books",
    ),
    (
        "\"How many at most.\" count: Int",
        "\"From 0 to 100.\" count: Int @constraint(min: 0, max: 99)",
        Rule::Constraint,
        "Query.books(count:)",
    ),
    (
        "count: Int",
        "count: Int @constraint(min: 9, max: 1)",
        Rule::Constraint,
        "Query.books(count:)",
    ),
];

fn findings(sdl: &str) -> Vec<Finding> {
    let schema =
        Schema::parse("books.graphql", sdl).unwrap_or_else(|problems| panic!("{problems}\n{sdl}"));
    lint(&schema)
}

fn found(sdl: &str) -> Vec<(Rule, String)> {
    let findings = findings(sdl).into_iter();
    findings
        .map(|finding| (finding.rule, finding.coordinate))
        .collect()
}

#[track_caller]
fn with(from: &str, to: &str) -> String {
    assert!(GOOD.contains(from), "{from}");
    GOOD.replacen(from, to, 1)
}

#[test]
fn a_good_contract_has_no_findings() {
    assert_eq!(findings(GOOD), []);
}

#[test]
fn every_rule_finds_its_violations() {
    for (from, to, rule, coordinate) in BROKEN {
        let expected = [(*rule, (*coordinate).to_owned())];
        let mut sdl = with(from, to);
        if sdl.contains("@constraint") {
            sdl.push_str(CONSTRAINT);
        }
        assert_eq!(found(&sdl), expected, "{from} -> {to}");
    }
    for rule in Rule::ALL
        .into_iter()
        .filter(|rule| *rule != Rule::Allowance)
    {
        assert!(
            BROKEN.iter().any(|(_, _, broken, _)| *broken == rule),
            "{rule} is not tested"
        );
    }
}

#[test]
fn a_finding_has_a_location_and_a_correction() {
    let finding = findings(&with("books(", "all_books(")).remove(0);
    let location = finding.location.expect("it was read from a file");
    assert_eq!(location.to_string(), "books.graphql:4:3");
    assert_eq!(finding.severity, Severity::Error);
    assert_eq!(
        finding.message,
        "is not camelCase: rename the field to allBooks"
    );
}

const CONSTRAINT: &str = r#"
    "A rule." directive @constraint("A." minLength: Int, "A." maxLength: Int, "A." min: Float, "A." max: Float,
        "A." minItems: Int, "A." maxItems: Int) on ARGUMENT_DEFINITION
"#;

#[test]
fn a_description_states_the_numbers_of_the_constraint() {
    for (description, argument, expected) in [
        (
            "1 to 255 characters, not blank.",
            "text: String @constraint(minLength: 1, maxLength: 255)",
            "",
        ),
        (
            "Up to 1,000 characters.",
            "text: String @constraint(maxLength: 1000)",
            "",
        ),
        (
            "Up to 200 characters.",
            "text: String @constraint(maxLength: 255)",
            "at most 200 in its description, but maxLength is 255",
        ),
        (
            "Between 2 and 255 letters.",
            "text: String @constraint(minLength: 1)",
            "at least 2 in its description, but minLength is 1",
        ),
        // What has no number in the constraint is stated only in words.
        (
            "1 to 255 characters.",
            "text: String @constraint(maxLength: 255)",
            "",
        ),
        // A number without a unit is not a length.
        (
            "A date from 1000 to 9999.",
            "text: String @constraint(maxLength: 10)",
            "",
        ),
        (
            "The version, at least 2.",
            "text: Int @constraint(min: 1)",
            "at least 2 in its description, but min is 1",
        ),
        (
            "From 0 (nothing) to the limit (1000 by default).",
            "text: Int @constraint(min: 0)",
            "",
        ),
        (
            "From 1 to the limit.",
            "text: Int @constraint(min: 0)",
            "at least 1 in its description, but min is 0",
        ),
        ("At most -1.5.", "text: Float @constraint(max: -1.5)", ""),
        (
            "At most 3.",
            "text: [Int!] @constraint(maxItems: 2)",
            "at most 3 in its description, but maxItems is 2",
        ),
        (
            "1 to 3 items of at most 10 characters.",
            "text: [String] @constraint(maxItems: 3, maxLength: 9)",
            "at most 10 in its description, but maxLength is 9",
        ),
    ] {
        let sdl = with(
            "count: Int",
            &format!("count: Int, {description:?} {argument}"),
        ) + CONSTRAINT;
        let found = findings(&sdl);
        let messages: Vec<_> = found
            .iter()
            .map(|finding| finding.message.as_str())
            .collect();
        if expected.is_empty() {
            assert_eq!(messages, [""; 0], "{description}");
        } else {
            assert_eq!(messages, [format!("says {expected}: correct one of them")]);
            assert_eq!(found[0].rule, Rule::Constraint);
        }
    }
}

#[test]
fn types_are_reachable_through_interfaces_unions_and_directives() {
    let sdl = with(
        "state: State",
        "seat: Seat \"A.\" part: Part \"A.\" state: State",
    ) + r#"
        "A." interface Seat { "A." soft: Boolean } "A." type Chair implements Seat { "A." soft: Boolean }
        "A." union Part = Wheel "A." type Wheel { "A." size("A." filter: Filter): Int }
        "A." input Filter { "A." unit: Unit } "A." scalar Unit
        "A." enum Day { "A." MONDAY } "A." directive @on("A." day: Day) on OBJECT
    "#;
    assert_eq!(found(&sdl), []);
}

#[test]
fn the_field_that_returns_a_connection_is_bounded() {
    let connection = r#" "A." type BookConnection { "A." nodes: [Book] } "#;
    let sdl = with(
        "books(\"How many at most.\" count: Int): [Book]",
        "books: BookConnection",
    );
    assert_eq!(
        found(&(sdl + connection)),
        [(Rule::ListBounded, "Query.books".to_owned())]
    );
    let sdl = with("count: Int): [Book]", "first: Int): BookConnection");
    assert_eq!(found(&(sdl + connection)), []);
}

#[test]
fn an_allowance_applies_to_the_element_below_it_and_its_parts() {
    let two = GOOD.replace("\"How far it is.\"", "");
    let two = two.replace("  \"The id of the book.\"\n  id: ID!", "  id: ID!");
    assert_eq!(found(&two).len(), 2);
    let allow = "# lint:allow described reason: the names say it\n";
    let above_the_type = two.replace("\"A book.\"", &format!("{allow}\"A book.\""));
    assert_eq!(found(&above_the_type), []);
    let above_one_field = two.replace("  id: ID!\n", &format!("  {allow}  # More.\n  id: ID!\n"));
    assert_eq!(
        found(&above_one_field),
        [(Rule::Described, "Book.state".to_owned())]
    );
    let for_the_file = format!("{two}# lint:allow-file described reason: the names say it");
    assert_eq!(found(&for_the_file), []);
    let of_another_rule = two.replace(
        "\"A book.\"",
        "# lint:allow type-name reason: x\n\"A book.\"",
    );
    assert_eq!(found(&of_another_rule).len(), 3);
}

#[test]
fn an_allowance_applies_to_an_extension() {
    let sdl = format!(
        "{GOOD}# lint:allow described reason: the names say it\nextend type Book {{ size: Int }}"
    );
    assert_eq!(found(&sdl), []);
}

#[test]
fn ignores_allowances_in_descriptions() {
    let block = "\"\"\"\n# lint:allow nonsense\n\\\"\"\" # lint:allow nonsense\n\"\"\"";
    assert_eq!(found(&with("\"A book.\"", block)), []);
    assert_eq!(
        found(&with("\"A book.\"", "\"\\\"# lint:allow nonsense\"")),
        []
    );
}

#[test]
fn an_invalid_allowance_is_a_finding() {
    for (comment, message) in [
        ("# lint:allow described", "the reason is missing"),
        ("# lint:allow described reason:  ", "the reason is missing"),
        (
            "# lint:allow described because it is so",
            "the reason is missing",
        ),
        (
            "# lint:allow decribed reason: x",
            "constraint; did you mean \"described\"?",
        ),
        (
            "# lint:allow allowance reason: x",
            "is not a rule that can be disabled",
        ),
        (
            "# lint:permit described reason: x",
            "unknown keyword \"lint:permit\": write # lint:allow RULE reason: WHY",
        ),
        (
            "# lint:allow described reason: x",
            "the rule described has no finding here: remove the allowance",
        ),
        (
            "# lint:allow-file described reason: x",
            "the rule described has no finding here: remove the allowance",
        ),
    ] {
        let findings = findings(&with("\"A book.\"", &format!("{comment}\n\"A book.\"")));
        assert_eq!(findings.len(), 1, "{comment}: {findings:#?}");
        assert_eq!(
            (findings[0].rule, findings[0].severity),
            (Rule::Allowance, Severity::Error)
        );
        assert_eq!(findings[0].coordinate, "books.graphql:13");
        assert!(
            findings[0].message.contains(message),
            "{comment}: {}",
            findings[0].message
        );
    }
    let behind = with(
        "type Book {",
        "type Book { # lint:allow described reason: x",
    );
    assert!(
        findings(&behind)[0]
            .message
            .contains("is not on its own line")
    );
    let nothing_below = format!("{GOOD}# lint:allow described reason: x");
    assert!(
        findings(&nothing_below)[0]
            .message
            .contains("remove the allowance")
    );
}

#[test]
fn lints_an_introspected_contract_without_locations() {
    let response = serde_json::json!({ "__schema": {
        "queryType": { "name": "Query" }, "mutationType": null, "subscriptionType": null, "directives": [],
        "types": [
            { "kind": "SCALAR", "name": "Int", "description": null },
            { "kind": "OBJECT", "name": "Query", "description": "Asked.", "interfaces": [], "fields": [{
                "name": "The_Answer", "description": "A number.", "args": [],
                "type": { "kind": "SCALAR", "name": "Int", "ofType": null },
                "isDeprecated": false, "deprecationReason": null }] },
        ],
    } });
    let schema = Schema::from_introspection("http://127.0.0.1/graphql", &response).unwrap();
    let findings = lint(&schema);
    assert_eq!(findings[0].coordinate, "Query.The_Answer");
    assert_eq!(findings[0].location, None);
}
