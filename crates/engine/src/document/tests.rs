//! Valid documents, and documents that are refused.

use proptest::prelude::*;

use super::*;
use crate::{error_facts::ErrorFacts, testing::CONTRACT};

fn documents() -> DocumentCache {
    let limits = DocumentLimits::default();
    DocumentCache::new(&CONTRACT, limits, 1 << 18, Introspection::On)
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
            DocumentCache::new(&CONTRACT, limits, 1 << 18, Introspection::On)
                .get_or_parse(&text)
                .is_err()
        );
    }
}

proptest! {
    #[test]
    fn never_panics_on_any_text(text in "[{}()\\[\\]:!$@.\"\\\\ a-zA-Z0-9_,#\n\u{0}é]{0,200}") {
        let _ = documents().get_or_parse(&text);
    }
}
