//! Negotiation of response types, and recognition of request types.

use super::{HTML, OPEN_METRICS, ResponseType, is_json, lists};

const NEW: Option<ResponseType> = Some(ResponseType::GraphqlResponse);
const LEGACY: Option<ResponseType> = Some(ResponseType::Json);
const NONE: Option<ResponseType> = None;

#[test]
fn negotiates_the_media_type() {
    let table = [
        ("", LEGACY),
        ("  ", LEGACY),
        ("*/*", LEGACY),
        ("application/*", LEGACY),
        ("application/json", LEGACY),
        ("Application/JSON ; Charset=\"UTF-8\"", LEGACY),
        ("application/graphql-response+json", NEW),
        ("application/graphql-response+json;charset=utf-8", NEW),
        (
            "application/graphql-response+json, application/json;q=0.9",
            NEW,
        ),
        (
            "application/graphql-response+json,application/json;q=0.9",
            NEW,
        ),
        ("application/graphql-response+json, application/json", NEW),
        (
            "application/graphql-response+json; charset=utf-8, application/json; charset=utf-8",
            NEW,
        ),
        ("application/json, application/graphql-response+json", NEW),
        (
            "application/json, application/graphql-response+json;q=0.999",
            LEGACY,
        ),
        ("application/graphql-response+json;q=0.5, */*", LEGACY),
        ("application/graphql-response+json, */*;q=0.1", NEW),
        ("application/json, text/plain, */*", LEGACY),
        ("application/json;q=0, */*", NEW),
        ("application/*;q=0.2, application/json;q=0.1", NEW),
        (
            "text/html, application/xhtml+xml, application/xml;q=0.9, */*;q=0.8",
            LEGACY,
        ),
        (
            "text/plain; note=\"a, application/json\", application/graphql-response+json",
            NEW,
        ),
        ("text/html", NONE),
        ("application/xml", NONE),
        ("application/json;q=0", NONE),
        ("*/*;q=0.000", NONE),
        ("application/json;q=2", NONE),
        ("application/json;q=1.001", NONE),
        ("application/json;charset=iso-8859-1", NONE),
        ("*/json", NONE),
        ("json", NONE),
    ];
    for (accept, expected) in table {
        assert_eq!(ResponseType::negotiate(accept), expected, "{accept:?}");
        // The fast path has the same result.
        assert_eq!(
            ResponseType::negotiate_ranges(accept),
            expected,
            "{accept:?}"
        );
    }
}

#[test]
fn finds_a_type_that_is_listed_itself() {
    for (accept, media_type, expected) in [
        (
            "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
            HTML,
            true,
        ),
        ("*/*", HTML, false),
        ("text/html;q=0, */*", HTML, false),
        ("", HTML, false),
        (
            "application/openmetrics-text;version=1.0.0;q=0.5,text/plain;q=0.3",
            OPEN_METRICS,
            true,
        ),
        ("text/plain;version=0.0.4", OPEN_METRICS, false),
        (
            "application/openmetrics-text;q=0, text/plain",
            OPEN_METRICS,
            false,
        ),
        ("*/*", OPEN_METRICS, false),
        ("", OPEN_METRICS, false),
    ] {
        assert_eq!(lists(accept, media_type), expected, "{accept}");
    }
}

#[test]
fn accepts_only_json_in_utf8() {
    for text in [
        "application/json",
        "APPLICATION/JSON;charset=UTF-8",
        "application/json; charset=\"utf-8\"",
        "application/json;",
    ] {
        assert!(is_json(text), "{text:?}");
    }
    for text in [
        "",
        "text/plain",
        "application/graphql",
        "application/json; charset=utf-16",
        "application/*",
        "*/*",
        "application/jsonp",
        "application/ld+json",
    ] {
        assert!(!is_json(text), "{text:?}");
    }
}
