//! Valid documents, and documents that are refused.

use proptest::prelude::*;

use super::*;
use crate::{error_facts::ErrorFacts, testing::CONTRACT};

fn documents() -> DocumentCache {
    DocumentCache::new(
        &CONTRACT,
        DocumentLimits::default(),
        1 << 18,
        Introspection::On,
        None,
    )
}

fn refused(text: &str) -> (ErrorCode, String) {
    let refused = documents()
        .get_or_parse(text)
        .err()
        .expect("the document is refused");
    let errors = refused.errors;
    let code = ErrorFacts::of(&errors[0]).expect("it has facts").code;
    let messages = errors.into_iter().map(|error| error.message);
    (code, messages.collect::<Vec<_>>().join("; "))
}

#[test]
fn parses_and_validates_a_document_once() {
    let documents = documents();
    let first = documents
        .get_or_parse("{ books { id } }")
        .expect("it is valid");
    let second = documents
        .get_or_parse("{ books { id } }")
        .expect("it is valid");
    assert!(Arc::ptr_eq(&first, &second));
}

#[test]
fn reports_the_name_and_value_of_an_exceeded_limit_and_the_actual_value() {
    let nested = |depth: usize, field: &str| field.repeat(depth) + "id" + &"}".repeat(depth);
    let cases = [
        (
            "query-limit-bytes",
            65_536,
            65_546,
            format!("{{ id }} # {}", "x".repeat(65_537)),
        ),
        (
            "token-limit",
            4000,
            4001,
            format!("{{ {} }}", "id ".repeat(20_000)),
        ),
        (
            "alias-limit",
            100,
            101,
            format!("{{ {} }}", "a: id ".repeat(101)),
        ),
        (
            "root-field-limit",
            100,
            101,
            format!("{{ {} }}", "id ".repeat(101)),
        ),
        (
            "directive-limit",
            10,
            11,
            format!("{{ id {} }}", "@skip(if: true) ".repeat(11)),
        ),
        (
            "fragment-limit",
            100,
            101,
            format!("{{ {} }}", "... { id } ".repeat(101)),
        ),
        (
            "depth-limit",
            20,
            21,
            format!("{{ {} }}", nested(21, "a {")),
        ),
        (
            "introspection-depth-limit",
            20,
            21,
            format!("{{ __schema {{ {} }} }}", nested(20, "a {")),
        ),
    ];
    for (name, limit, actual, text) in cases {
        let message = format!("the query exceeds {name} ({actual}, limit {limit})");
        assert_eq!(refused(&text), (ErrorCode::LimitExceeded, message));
    }
}

#[test]
fn suggests_the_name_of_the_contract_that_is_similar_to_an_unknown_one() {
    let cases = [
        (
            "{ boks { id } }",
            "type \"Query\" does not have a field \"boks\"; did you mean \"books\"?",
        ),
        (
            "{ books(cont: 1) { id } }",
            "the argument \"cont\" is not supported by \"Query.books\"; did you mean \"count\"?",
        ),
        (
            "{ books @skip(iff: true) { id } }",
            "the required argument \"@skip(if:)\" is not provided; \
             the argument \"iff\" is not supported by \"@skip\"; did you mean \"if\"?",
        ),
        (
            "{ books @skipp(if: true) { id } }",
            "cannot find directive \"@skipp\" in the schema; did you mean \"skip\"?",
        ),
        (
            "mutation { addBooks(books: [{ titel: \"\" }]) { id } }",
            "the required field \"NewBook.title\" is not provided; \
             field \"titel\" does not exist on \"NewBook\"; did you mean \"title\"?",
        ),
        (
            "query ($book: Bok) { book(id: $book) { id } }",
            "cannot find type \"Bok\" in the schema",
        ),
        (
            "query ($id: Id) { book(id: $id) { id } }",
            "cannot find type \"Id\" in the schema; did you mean \"ID\"?",
        ),
        (
            "{ books { ... on Bok { id } } }",
            "type condition \"Bok\" of inline fragment is not a type defined in the schema; did you mean \"Book\"?",
        ),
        (
            "{ __type(name: \"Book\") { kind { id } publisher } }",
            "field selection of enum type \"__TypeKind\" must not have subselections; \
             type \"__Type\" does not have a field \"publisher\"",
        ),
    ];
    for (text, messages) in cases {
        let expected = (ErrorCode::GraphqlValidationFailed, messages.to_owned());
        assert_eq!(refused(text), expected);
    }
    let long = "x".repeat(60_000);
    let (_, message) = refused(&format!("{{ {long} }}"));
    assert!(!message.contains("did you mean"), "{message}");
}

#[test]
fn refuses_deep_nesting_without_a_stack_overflow() {
    for text in [
        "{a".repeat(100_000),
        format!("{{ books(count: {}", "[".repeat(100_000)),
        format!("{{ books(count: {}", "{a:".repeat(100_000)),
        format!("query ($a: {}", "[".repeat(100_000)),
    ] {
        let limits = DocumentLimits {
            query_bytes: u32::MAX,
            tokens: 1_000_000,
            ..DocumentLimits::default()
        };
        assert!(
            DocumentCache::new(&CONTRACT, limits, 1 << 18, Introspection::On, None)
                .get_or_parse(&text)
                .is_err()
        );
    }
}

#[test]
fn measures_nested_fragments_in_linear_time() {
    let fragment = |number: usize| {
        format!(
            "fragment F{number} on Query {{ ...F{0} ...F{0} }}",
            number + 1
        )
    };
    let fragments: Vec<String> = (0..60).map(fragment).collect();
    let text = format!(
        "{{ ...F0 }} {} fragment F60 on Query {{ books {{ id }} }}",
        fragments.join(" ")
    );
    let (code, _) = refused(&text);
    assert_eq!(code, ErrorCode::LimitExceeded);
}

/// Documents with every kind of token: one is valid, one has an invalid variable, one is incomplete.
const DOCUMENTS: [&str; 3] = [
    "query Q($c: Int = 5, $i: [ID!] = [\"1\"]) { books(count: $c) { id } book(id: $i) { id } }",
    "\"\"\"a, b\"\"\" query Q(\"c, d\" $c: Int = -5, $i: ID! = \"e, f\" \"g\" $j: Boolean = true) { # h, i
         list: books(count: $c) { ... on Book { id } ...F @include(if: $j) }
         book(id: $i) @skip(if: false) { title } }
     \"j\" fragment F on Book @skip(if: false) { author }",
    "mutation { addBook(title: \"a, b\", author: \"\"\"c, \"d\" \"\"\") { id } } {",
];

/// The text with the given number of commas before each token.
fn with_commas(text: &str, counts: &[usize]) -> String {
    let tokens = apollo_parser::Lexer::new(text).zip(counts.iter().cycle());
    tokens
        .map(|(token, count)| ",".repeat(*count) + token.expect("it is GraphQL").data())
        .collect()
}

/// The document, or its errors without their locations, which differ between the texts.
fn parse(text: &str) -> Result<String, Vec<String>> {
    match documents().get_or_parse(text) {
        Ok(document) => Ok(document.validated.to_string()),
        Err(refused) => {
            let errors = refused.errors;
            Err(errors.into_iter().map(|error| error.message).collect())
        }
    }
}

proptest! {
    #[test]
    fn ignores_commas_between_any_two_tokens(
        index in 0..DOCUMENTS.len(),
        counts in proptest::collection::vec(0..3_usize, 1..50),
    ) {
        let text = DOCUMENTS[index];
        prop_assert_eq!(parse(&with_commas(text, &counts)), parse(text));
    }

    #[test]
    fn never_panics_on_any_text(text in "[{}()\\[\\]:!$@.\"\\\\ a-zA-Z0-9_,#\n\u{0}é]{0,200}") {
        let _ = documents().get_or_parse(&text);
    }

    #[test]
    fn never_panics_on_a_mutated_query(at in 0..100_usize, inserted in ".{0,4}") {
        let mut text: String = "query Q($c: Int = 5, $i: ID!) { books(count: $c) { id ...F } v: book(id: $i) @skip(if: true) { title } } fragment F on Book { author }".to_owned();
        let at = (0..=at).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
        text.insert_str(at, &inserted);
        let _ = documents().get_or_parse(&text);
    }
}
