//! Request bodies: accepted forms, and the error message for each malformed one.

use reqwest::Method;
use serde_json::json;

use crate::{
    graphql_over_http::{LEGACY, NEW, post, refusal_message},
    support::{TestApp, tests},
};

tests![
    a_malformed_body_has_the_status_400_in_both_media_types,
    members_and_variables_are_unicode_in_utf_8,
    wrongly_typed_members_are_named,
    a_persisted_query_hash_may_replace_the_query,
    the_position_of_a_json_error_is_that_in_the_body,
    of_a_repeated_key_in_variables_the_last_counts,
];

async fn a_malformed_body_has_the_status_400_in_both_media_types(app: TestApp) {
    for (body, expected) in [
        ("", "the request body is empty"),
        (" \n", "the request body is empty"),
        ("[]", "the request body is a list"),
        (
            r#"[{"query":"{ __typename }"}]"#,
            "the request body is a list",
        ),
        ("7", "the request body must be a JSON object"),
        ("null", "the request body must be a JSON object"),
        (
            "query={__typename}",
            "the request body cannot be read as JSON",
        ),
        ("{ __typename }", "the request body cannot be read as JSON"),
        ("{\"query\":", "the request body cannot be read as JSON"),
        (
            r#"{"query":"{ __typename }"} more"#,
            "the request body cannot be read as JSON",
        ),
        (
            r#"{"query":"\ud800"}"#,
            "the request body cannot be read as JSON",
        ),
        (
            r#"{"query":"{a}","query":"{b}"}"#,
            "the request body cannot be read as JSON: duplicate field `query`",
        ),
        (
            r#"{"query":"{a}","variables":{"v":1e400}}"#,
            "the request body cannot be read as JSON: number out of range",
        ),
        ("{}", "`query` is missing"),
        (r#"{"query":null}"#, "`query` is missing"),
        (r#"{"query":7}"#, "`query` must be"),
        (
            r#"{"query":"{ __typename }","variables":[7]}"#,
            "`variables` must be",
        ),
        (
            r#"{"query":"{ __typename }","variables":"{}"}"#,
            "`variables` must be",
        ),
        (
            r#"{"query":"{ __typename }","operationName":7}"#,
            "`operationName` must be",
        ),
    ] {
        for accept in [NEW, LEGACY] {
            let message = refusal_message(&app, 400, post(&app, accept, body)).await;
            assert!(message.starts_with(expected), "{body}: {message}");
        }
    }
    let nested = format!(r#"{{"variables":{}"#, "[".repeat(100_000));
    let message = refusal_message(&app, 400, app.post_request(&nested)).await;
    assert!(message.contains("recursion limit"), "{message}");
    let not_utf8 = post(&app, LEGACY, "").body(b"{\"query\":\"\xff\"}".to_vec());
    let message = refusal_message(&app, 400, not_utf8).await;
    assert!(message.contains("not UTF-8"), "{message}");
}

async fn members_and_variables_are_unicode_in_utf_8(app: TestApp) {
    let body = r#"{"query":"query ($name: String!) { a: __type(name: \"Run🏃Swim🏊\") { name } b: __type(name: $name) { name } }","variables":{"name":"🏃"}}"#;
    for content_type in [LEGACY, "application/json; charset=utf-8"] {
        let request = app.request(Method::POST, "/graphql");
        let request = request.header("content-type", content_type);
        let response = app.send(body, request.body(body)).await;
        let expected = json!({ "a": null, "b": null });
        assert_eq!(response.data(), expected, "{response}");
    }
    // Null is equivalent to absent, and unknown members are ignored.
    let body = r#"{"query":"{ __typename }","variables":null,"operationName":null,"extensions":null,"more":[{}]}"#;
    let response = app.post(body).await;
    assert_eq!(response.data(), json!({ "__typename": "Query" }));
}

async fn wrongly_typed_members_are_named(app: TestApp) {
    let wrong = [
        json!({ "obj": "ect" }),
        json!(0),
        json!(false),
        json!(["array"]),
        json!("text"),
    ];
    for member in ["query", "operationName", "variables", "extensions"] {
        for value in &wrong {
            let right = match member {
                "variables" | "extensions" => value.is_object(),
                _ => value.is_string(),
            };
            let mut body = json!({ "query": "{ __typename }" });
            body[member] = value.clone();
            if !right {
                let message = refusal_message(&app, 400, app.post_request(&body.to_string())).await;
                assert!(
                    message.starts_with(&format!("`{member}` must be")),
                    "{message}"
                );
            }
        }
    }
}

async fn a_persisted_query_hash_may_replace_the_query(app: TestApp) {
    let persisted = r#"{"persistedQuery":{"version":1,"sha256Hash":"00"}}"#;
    let body = format!(r#"{{"extensions":{persisted}}}"#);
    for request in [
        app.post_request(&body),
        app.get_request(&[("extensions", persisted)]),
    ] {
        let response = app.send(&body, request).await;
        assert_ne!(response.error_code(), "BAD_REQUEST", "{response}");
    }
    for extensions in ["{}", r#"{"persistedQuery":null}"#] {
        let body = format!(r#"{{"extensions":{extensions}}}"#);
        let message = refusal_message(&app, 400, app.post_request(&body)).await;
        assert!(message.starts_with("`query` is missing"), "{message}");
    }
}

/// Each body has one escape that is not Unicode.
async fn the_position_of_a_json_error_is_that_in_the_body(app: TestApp) {
    const WRONG: &str = r"\ud800";
    for body in [
        r#"{"query":"{ __typename }\ud800"}"#,
        r#"{"query":"{ __typename }","variables":{"a":"\ud800"}}"#,
        r#"{"query":"{ __typename }","variables":{"a":[1.5,{"b":"\ud800"}]}}"#,
        r#"{"query":"{ __typename }","extensions":{"e":1.5,"a":"\ud800"}}"#,
        "{\n \"query\":\n\"{ __typename }\",\n  \"variables\":\n {\"a\":\n   \"\\ud800\"}}",
        "{\n \"query\":\"{ __typename }\",\n  \"operationName\": \"\\ud800\"}",
    ] {
        let before = &body[..body.find(WRONG).unwrap()];
        let line = before.matches('\n').count() + 1;
        let column = before.len() - before.rfind('\n').map_or(0, |end| end + 1);
        let message = refusal_message(&app, 400, app.post_request(body)).await;
        let (_, position) = message.rsplit_once(" at line ").unwrap();
        let within = (0..=WRONG.len() + 1).map(|bytes| format!("{line} column {}", column + bytes));
        let within: Vec<_> = within.collect();
        assert!(
            within.iter().any(|within| within == position),
            "{body}: {message}, not at {line} column {column}"
        );
    }
}

async fn of_a_repeated_key_in_variables_the_last_counts(app: TestApp) {
    let document = "query ($n: String!) { __type(name: $n) { name } }";
    let repeated = r#"{"n":"Query","f":1,"n":"Mutation"}"#;
    for variables in [repeated, &repeated.replace(":1,", ":18446744073709551616,")] {
        let body = format!(r#"{{"query":"{document}","variables":{variables}}}"#);
        for request in [
            app.post_request(&body),
            app.get_request(&[("query", document), ("variables", variables)]),
        ] {
            let response = app.send(variables, request).await;
            assert_eq!(response.data(), json!({ "__type": { "name": "Mutation" } }));
        }
    }
}
