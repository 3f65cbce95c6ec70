//! Documents that are read, and documents that are refused.

use proptest::prelude::*;

use super::*;
use crate::graphql::SCHEMA;

fn documents() -> Documents {
    Documents::new(SCHEMA, DocumentLimits::default(), 1 << 18)
}

fn refused(text: &str) -> (ErrorCode, String) {
    let rejected = documents()
        .read(text)
        .err()
        .expect("the document is refused");
    let messages = rejected.errors.iter().map(|error| error.message.clone());
    (rejected.code, messages.collect::<Vec<_>>().join("; "))
}

#[test]
fn a_document_is_parsed_and_validated_once() {
    let documents = documents();
    let first = documents.read("{ vehicles { id } }").expect("it is valid");
    let second = documents.read("{ vehicles { id } }").expect("it is valid");
    assert!(Arc::ptr_eq(&first, &second));
}

#[test]
fn every_limit_names_itself_its_value_and_that_of_the_request() {
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
        let message = format!("{name} is {limit} at this server, the query has {actual}");
        assert_eq!(refused(&text), (ErrorCode::LimitExceeded, message));
    }
}

#[test]
fn deep_nesting_is_refused_before_it_can_hurt() {
    for text in [
        "{a".repeat(100_000),
        format!("{{ vehicles(count: {}", "[".repeat(100_000)),
        format!("{{ vehicles(count: {}", "{a:".repeat(100_000)),
        format!("query ($a: {}", "[".repeat(100_000)),
    ] {
        let limits = DocumentLimits {
            query_bytes: u32::MAX,
            tokens: 1_000_000,
            ..DocumentLimits::default()
        };
        assert!(Documents::new(SCHEMA, limits, 1 << 18).read(&text).is_err());
    }
}

#[test]
fn fragments_in_fragments_do_not_take_exponential_time() {
    let fragment = |number: usize| {
        format!(
            "fragment F{number} on Query {{ ...F{0} ...F{0} }}",
            number + 1
        )
    };
    let fragments: Vec<String> = (0..60).map(fragment).collect();
    let text = format!(
        "{{ ...F0 }} {} fragment F60 on Query {{ vehicles {{ id }} }}",
        fragments.join(" ")
    );
    let (code, _) = refused(&text);
    assert_eq!(code, ErrorCode::LimitExceeded);
}

#[test]
fn limits_can_be_measured_without_being_enforced() {
    let limits = DocumentLimits {
        aliases: 0,
        mode: LimitsMode::Log,
        ..DocumentLimits::default()
    };
    assert!(
        Documents::new(SCHEMA, limits, 1 << 18)
            .read("{ a: vehicles { id } }")
            .is_ok()
    );
}

proptest! {
    #[test]
    fn no_text_makes_reading_panic(text in "[{}()\\[\\]:!$@.\"\\\\ a-zA-Z0-9_,#\n\u{0}é]{0,200}") {
        let _ = documents().read(&text);
    }

    #[test]
    fn no_mutation_of_a_query_makes_reading_panic(at in 0..100_usize, inserted in ".{0,4}") {
        let mut text: String = "query Q($c: Int = 5, $i: ID!) { vehicles(count: $c) { id ...F } v: vehicle(id: $i) @skip(if: true) { type } } fragment F on Vehicle { brandName }".to_owned();
        let at = (0..=at).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
        text.insert_str(at, &inserted);
        let _ = documents().read(&text);
    }
}
