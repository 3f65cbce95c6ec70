//! The findings of lint, and allowances.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test fails by panicking")]

use std::fmt::Write;

use expect_test::expect_file;
use graphql_schema_review::lint::{Finding, Rule, Severity, lint};
use graphql_sdl::Schema;

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

/// Changes to [`GOOD`]: the rule and coordinate of the one expected finding, the replaced text, and the replacement.
const BROKEN: &str = r#"
described Book: "A book." -> " "
described Book.state: "How far it is." ->
described Query.books(count:): "How many at most." ->
described State.SOLD: "The book is sold." ->
described @d: "A book." -> directive @d on OBJECT "A book."
described @d(a:): "A book." -> "D." directive @d(a: Int) on OBJECT "A book."
comment-description Book.state: "How far it is." -> # How far it is.
comment-description Book: "A book." -> # A book.
built-in-scalar ID: "A book." -> scalar ID "A book."
type-name date: "A book." -> "A." scalar date extend type Book { "A." on: date } "A book."
field-name Query.all_books: books( -> all_books(
field-name Query.books(After:): count: Int -> count: Int, "A." After: Int
field-name @D: "A book." -> "D." directive @D on OBJECT "A book."
enum-value-name State.Sold: SOLD -> Sold
mutation-verb Mutation.bookshelfRemoval: removeBook( -> bookshelfRemoval(
deprecation-reason Book.state: (reason: "every book is sold; use nothing instead") ->
deprecation-reason Book.state: "every book is sold; use nothing instead" -> " "
unused-type Date: "A book." -> "Unused." scalar Date "A book."
id-name Book.owner: "How far it is." -> "A." owner: ID "How far it is."
id-name Book.owners: "How far it is." -> "A." owners: [ID!] "How far it is."
id-name Book.id: id: ID!\n  "How -> id: Int!\n  "How
list-bounded Query.books: count: Int -> after: Int
list-bounded Query.books: count: Int -> count: String
constraint Query.books(count:): "How many at most." count: Int -> "From 0 to 100." count: Int @constraint(min: 0, max: 99)
constraint Query.books(count:): count: Int -> count: Int @constraint(min: 9, max: 1)
"#;

/// A connection without findings.
const CONNECTION: &str = r#"
extend type Query { "The books, page by page." pages(first: Int, after: String, last: Int, before: String): BookConnection }
type BookConnection { edges: [BookEdge!] nodes: [Book] pageInfo: PageInfo! }
type BookEdge { cursor: String! node: Book }
type PageInfo { hasNextPage: Boolean! hasPreviousPage: Boolean! startCursor: String endCursor: String }
"#;

/// Changes to [`CONNECTION`], in the form of [`BROKEN`].
const BROKEN_CONNECTIONS: &str = r#"
relay-connection BookConnection: edges: [BookEdge!] nodes: [Book] pageInfo: PageInfo! }\ntype BookEdge { cursor: String! node: Book } -> nodes: [Book] pageInfo: PageInfo! }
relay-connection BookConnection: [BookEdge!] -> BookEdge
relay-connection BookConnection: pageInfo: PageInfo! -> "A." info: PageInfo!
relay-connection BookConnection: PageInfo! } -> PageInfo }
relay-edge BookEdge: cursor: String! ->
relay-edge BookEdge: cursor: String! -> cursor: [String]
relay-edge BookEdge: cursor: String! -> cursor: Book
relay-edge BookEdge: node: Book ->
relay-edge BookEdge: node: Book -> node: [Book]
relay-arguments Query.pages: first: Int, after: String, last: Int -> first: Int
relay-arguments Query.pages: (first: Int, after: String, last: Int, before: String) ->
relay-page-info PageInfo: hasPreviousPage: Boolean! ->
relay-page-info PageInfo: hasNextPage: Boolean! -> hasNextPage: Boolean
relay-page-info PageInfo: endCursor: String -> endCursor: String!
relay-page-info PageInfo: startCursor: String ->
"#;

fn findings(sdl: &str) -> Vec<Finding> {
    let schema = Schema::parse("books.graphql", sdl).unwrap_or_else(|problems| panic!("{problems}\n{sdl}"));
    lint(&schema)
}

fn found(sdl: &str) -> Vec<(Rule, String)> {
    let findings = findings(sdl).into_iter();
    findings.map(|finding| (finding.rule, finding.coordinate)).collect()
}

#[track_caller]
fn with(from: &str, to: &str) -> String {
    assert!(GOOD.contains(from), "{from}");
    GOOD.replacen(from, to, 1)
}

#[test]
fn every_rule_finds_its_violations() {
    assert_eq!(found(&(GOOD.to_owned() + CONNECTION)), []);
    // They have tests of their own.
    let mut tested = vec![Rule::Allowance, Rule::DeprecationDate, Rule::EnumValueUnique, Rule::FieldPrefix];
    for (base, rest, cases) in [(GOOD, CONSTRAINT, BROKEN), (CONNECTION, GOOD, BROKEN_CONNECTIONS)] {
        for case in cases.lines().skip(1) {
            let (finding, edit) = case.split_once(": ").expect(case);
            let (from, to) = edit
                .replace("\\n", "\n")
                .split_once(" ->")
                .map(|(from, to)| (from.to_owned(), to.trim().to_owned()))
                .expect(case);
            assert!(base.contains(&from), "{case}");
            let found = found(&(base.replacen(&from, &to, 1) + rest));
            let found: Vec<_> = found
                .iter()
                .map(|(rule, coordinate)| {
                    tested.push(*rule);
                    format!("{rule} {coordinate}")
                })
                .collect();
            assert_eq!(found, [finding], "{case}");
        }
    }
    for rule in Rule::ALL {
        assert!(tested.contains(&rule), "{rule} is not tested");
    }
}

#[test]
fn a_comment_that_is_no_sentence_is_no_description() {
    for comment in [
        "# ---- Books ----",
        "# old: Int @deprecated",
        "# type Old {",
        "# import Book from 'book.graphql'",
        "# A sentence about all of this.\n",
    ] {
        let sdl = with("\"How far it is.\"", comment);
        let expected = [(Rule::Described, "Book.state".to_owned())];
        assert_eq!(found(&sdl), expected, "{comment}");
    }
    let above_a_description = with("\"A book.\"", "# A book.\n\"A book.\"");
    assert_eq!(found(&above_a_description), []);
}

#[test]
fn enum_values_differ_in_more_than_case() {
    let sdl = with("SOLD", "SOLD \"A.\" Sold \"A.\" SOLD_OUT");
    let findings = findings(&sdl);
    let unique = findings.iter().find(|finding| finding.rule == Rule::EnumValueUnique);
    let unique = unique.expect("it is found");
    assert_eq!(unique.coordinate, "State.Sold");
    assert_eq!(unique.message, "differs from SOLD only in case: generated code can have one name for both");
    assert_eq!(findings.len(), 2, "the other one is the case of Sold");
}

#[test]
fn a_list_is_bounded_where_it_can_grow() {
    let item = r#" "A." type Item { "A." id: ID! } "A." type Part { "A." name: String } "A." union Any = Part | Item
        "A." input Page { "A." limit: PositiveInt } "A." input Filter { "A." paging: Paging } "A." input Paging { "A." page: Int "A." perpage: Int } "A." scalar PositiveInt "A." type Searched { "A." nodes: [Item] "A." pageInfo: PageInfo! }
        "A." type ItemPayload { "A." items: [Item] "A." errors: [Part!]! } extend type Mutation { "A." addItem: ItemPayload "A." addItems: [Item] }"#;
    for (field, is_found) in [
        ("list: [Item!]!", true),
        ("list: [[Item]]", true),
        ("list: [Any]", true),
        ("list(pageSize: String): [Item]", true),
        // Values are parts of their object.
        ("list: [Part]", false),
        ("list: [State!]!", false),
        ("list: [String]", false),
        ("list(pageSize: PositiveInt): [Item]", false),
        ("list(page: Page): [Item]", false),
        ("list(filter: Filter): [Item]", false),
        // One item for each of what is given.
        ("list(ids: [ID!]!): [Item]", false),
        ("list(ids: [ID!]): [Item]", true),
        // The page is bounded where it is returned.
        ("list(first: Int): Searched", false),
    ] {
        let sdl = with("  id: ID!\n", &format!("  id: ID!\n \"A.\" {field}\n"));
        let used = r#" extend type Book { "A." used: Any "A." searched: Searched "A." page("A." of: Page, "A." filter: Filter): Part }"#;
        let field = field.replace("pageSize", "\"A.\" pageSize");
        let sdl = sdl + item + CONNECTION + used;
        let sdl = ["ids:", "page:", "filter:", "pageSize:", "first:"]
            .iter()
            .fold(sdl, |sdl, name| sdl.replace(&format!("list({name}"), &format!("list(\"A.\" {name}")));
        let expected = [(Rule::ListBounded, "Book.list".to_owned())];
        assert_eq!(found(&sdl), if is_found { &expected[..] } else { &[] }, "{field}");
    }
    let sdl = with("type Query {", "type Query { \"A.\" parts: [Part]") + "\"A.\" type Part { \"A.\" name: String }";
    assert_eq!(found(&sdl), [(Rule::ListBounded, "Query.parts".to_owned())]);
}

#[test]
fn identifiers_are_recognized_by_their_names() {
    for field in ["ownerID: ID", "ownerIDs: [ID]", "uuid: ID!", "id_: ID", "cursor: ID", "sessionUserUuid: ID"] {
        let sdl = with("  id: ID!\n", &format!("  id: ID!\n \"A.\" {field}\n"));
        let findings = found(&sdl).into_iter();
        let findings: Vec<_> = findings.filter(|(rule, _)| *rule == Rule::IdName).collect();
        assert_eq!(findings, [], "{field}");
    }
    let filter = r#" "A." input Where { "A." id: IDFilter "A." AND: [Where!] "A." OR: [Where!] "A." NOT: Where "A." order: Order }
        "A." input IDFilter { "A." equals: ID "A." in: [ID!] "A." not: IDFilter } "A." input Order { "A." id: Direction } "A." enum Direction { "A." ASC }"#;
    let sdl = with("ownerId: ID", "where: Where, \"The owner.\" owner: ID");
    assert_eq!(found(&(sdl + filter)), []);
    assert_eq!(
        found(&with("ownerId: ID", "owner: ID, \"A.\" id: String").replace("\"The id of the book.\" id: ID, ", "")),
        [(Rule::IdName, "Query.book(id:)".to_owned())]
    );
}

#[test]
fn what_federation_defines_has_no_findings() {
    let sdl = GOOD.to_owned()
        + r#"
        scalar _Any union _Entity = Book type _Service { sdl: String } scalar FieldSet scalar link__Import
        directive @key(fields: FieldSet!) on OBJECT directive @link(import: [link__Import]) on SCHEMA
        extend type Query { _entities(representations: [_Any!]!): [_Entity]! _service: _Service! }
        "An entity, which other subgraphs return." type Shelf @key(fields: "id") { "A." id: ID! }
    "#;
    assert_eq!(found(&sdl), []);
    let other = with("\"A book.\"", "directive @key on OBJECT \"A book.\"");
    assert_eq!(found(&other), [(Rule::Described, "@key".to_owned())]);
}

#[test]
fn a_mutation_has_its_verb_in_any_place() {
    for (name, is_found) in [("bookRemove(", false), ("unresolveBook(", false), ("_(", true), ("bookshelf(", true)] {
        let findings = found(&with("removeBook(", name));
        let is_in = findings.iter().any(|(rule, _)| *rule == Rule::MutationVerb);
        assert_eq!(is_in, is_found, "{name}");
    }
}

#[test]
fn mutations_can_be_in_a_namespace_and_return_the_identifier_of_a_job() {
    let sdl = with("removeBook(", "books: BookMutations \"Starts it.\" startExport: ID! \"Removes it.\" removeBook(");
    let namespace = r#" "The mutations of books." type BookMutations { "Adds books." addAll("How many." count: Int): Added "Adds all." add: [Book] "Imports them." import: ID }
        "What was added." type Added { "The books." books: [Book] }"#;
    assert_eq!(found(&(sdl.clone() + namespace)), []);
    let other = namespace.replace("(\"How many.\" count: Int)", "");
    assert!(found(&(sdl + &other)).contains(&(Rule::MutationVerb, "Mutation.books".to_owned())));
}

#[test]
fn a_finding_has_a_location_and_a_correction() {
    let finding = findings(&with("books(", "all_books(")).remove(0);
    let location = finding.location.expect("it was read from a file");
    assert_eq!(location.to_string(), "books.graphql:4:3");
    assert_eq!(finding.severity, Severity::Error);
    assert_eq!(finding.message, "is not camelCase: rename the field to allBooks");
}

#[test]
fn the_list_of_rules_has_every_rule_with_its_level() {
    let (start, _) = include_str!("../LINT.md").split_once("|---").expect("the table has a head");
    let mut rules = format!("{start}|---|---|---|\n");
    for rule in Rule::ALL {
        let level = rule.severity().map_or("off", Severity::name);
        let _ = writeln!(rules, "| `{rule}` | {level} | {} |", rule.meaning());
    }
    expect_file!["../LINT.md"].assert_eq(&rules);
}

const CONSTRAINT: &str = r#"
    "A rule." directive @constraint("A." minLength: Int, "A." maxLength: Int, "A." min: Float, "A." max: Float,
        "A." minItems: Int, "A." maxItems: Int) on ARGUMENT_DEFINITION
"#;

#[test]
fn a_description_states_the_numbers_of_the_constraint() {
    // What has no number in the constraint is stated only in words, and a number without a unit is not a length.
    for case in r"
1 to 255 characters, not blank. | text: String @constraint(minLength: 1, maxLength: 255) |
1 to 255 characters. | text: String @constraint(maxLength: 255) |
Up to 1,000 characters. | text: String @constraint(maxLength: 1000) |
Up to 200 characters. | text: String @constraint(maxLength: 255) | at most 200 in its description, but maxLength is 255
Between 2 and 255 letters. | text: String @constraint(minLength: 1) | at least 2 in its description, but minLength is 1
A date from 1000 to 9999. | text: String @constraint(maxLength: 10) |
The version, at least 2. | text: Int @constraint(min: 1) | at least 2 in its description, but min is 1
From 0 (nothing) to the limit (1000 by default). | text: Int @constraint(min: 0) |
At most -1.5. | text: Float @constraint(max: -1.5) |
At most 3. | text: [Int!] @constraint(maxItems: 2) | at most 3 in its description, but maxItems is 2
1 to 3 items of at most 10 characters. | text: [String] @constraint(maxItems: 3, maxLength: 9) | at most 10 in its description, but maxLength is 9"
        .lines()
        .skip(1)
    {
        let parts: Vec<_> = case.split('|').map(str::trim).collect();
        let [description, argument, expected] = parts[..] else {
            panic!("{case}");
        };
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
    let sdl = with("state: State", "seat: Seat \"A.\" part: Part \"A.\" state: State")
        + r#"
        "A." interface Seat { "A." soft: Boolean } "A." type Chair implements Seat { "A." soft: Boolean }
        "A." union Part = Wheel "A." type Wheel { "A." size("A." filter: Filter): Int }
        "A." input Filter { "A." unit: Unit } "A." scalar Unit
        "A." enum Day { "A." MONDAY } "A." directive @on("A." day: Day) on OBJECT
        "The body of a webhook." type BookWebhookPayload { "A." of: Sale } "A." type Sale { "A." a: Int }
    "#;
    assert_eq!(found(&sdl), []);
}

#[test]
fn the_field_that_returns_a_connection_is_bounded() {
    let connection = r#" "A." type BookConnection { "A." nodes: [Book] } "#;
    let sdl = with("books(\"How many at most.\" count: Int): [Book]", "books: BookConnection");
    assert_eq!(found(&(sdl + connection)), [(Rule::ListBounded, "Query.books".to_owned())]);
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
    assert_eq!(found(&above_one_field), [(Rule::Described, "Book.state".to_owned())]);
    let for_the_file = format!("{two}# lint:allow-file described reason: the names say it");
    assert_eq!(found(&for_the_file), []);
    let of_another_rule = two.replace("\"A book.\"", "# lint:allow type-name reason: x\n\"A book.\"");
    assert_eq!(found(&of_another_rule).len(), 3);
    let above_an_extension = format!("{GOOD}{allow}extend type Book {{ size: Int }}");
    assert_eq!(found(&above_an_extension), []);
}

#[test]
fn ignores_allowances_in_descriptions() {
    let block = "\"\"\"\n# lint:allow nonsense\n\\\"\"\" # lint:allow nonsense\n\"\"\"";
    assert_eq!(found(&with("\"A book.\"", block)), []);
    assert_eq!(found(&with("\"A book.\"", "\"\\\"# lint:allow nonsense\"")), []);
}

#[test]
fn an_invalid_allowance_is_a_finding() {
    for case in r#"
allow described | the reason is missing
allow described because it is so | the reason is missing
allow decribed reason: x | constraint; did you mean "described"?
allow allowance reason: x | is not a rule that can be disabled
permit described reason: x | unknown keyword "lint:permit": write # lint:allow RULE reason: WHY
allow described reason: x | the rule described has no finding here: remove the allowance
allow-file described reason: x | the rule described has no finding here: remove the allowance"#
        .lines()
        .skip(1)
    {
        let (comment, message) = case.split_once(" | ").expect(case);
        let comment = format!("# lint:{comment}");
        let findings = findings(&with("\"A book.\"", &format!("{comment}\n\"A book.\"")));
        assert_eq!(findings.len(), 1, "{comment}: {findings:#?}");
        assert_eq!((findings[0].rule, findings[0].severity), (Rule::Allowance, Severity::Error));
        assert_eq!(findings[0].coordinate, "books.graphql:13");
        assert!(findings[0].message.contains(message), "{comment}: {}", findings[0].message);
    }
    let behind = with("type Book {", "type Book { # lint:allow described reason: x");
    assert!(findings(&behind)[0].message.contains("is not on its own line"));
    let nothing_below = format!("{GOOD}# lint:allow described reason: x");
    assert!(findings(&nothing_below)[0].message.contains("remove the allowance"));
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
