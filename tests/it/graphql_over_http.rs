//! How a GraphQL request is carried: methods, media types, statuses, bodies and URLs.

use reqwest::{Method, RequestBuilder};
use serde_json::json;

use crate::support::{TestApp, tests};

tests![
    the_accept_header_chooses_the_media_type_of_the_answer,
    only_the_legacy_media_type_says_200_for_a_document_that_is_refused,
    an_error_of_a_field_has_the_status_200_in_both_media_types,
    other_media_types_are_refused_with_what_is_supported,
    get_reads_the_parameters_of_the_url,
    get_takes_any_text_in_its_variables,
    a_malformed_url_has_the_status_400,
    a_mutation_needs_post_and_stores_nothing_without,
    get_executes_the_query_beside_a_mutation,
    other_methods_are_told_the_right_ones,
    options_tells_the_methods,
    a_required_variable_that_is_null_is_refused_before_execution,
];

pub(super) const NEW: &str = "application/graphql-response+json";
pub(super) const LEGACY: &str = "application/json";
const TYPENAME: &str = r#"{"query":"{ __typename }"}"#;
const MUTATION: &str = r#"mutation M { createVehicle(type: "SUV", modelCode: "XC60") { id } }"#;

async fn the_accept_header_chooses_the_media_type_of_the_answer(app: TestApp) {
    for accept in [NEW, LEGACY] {
        let answer = app.send(accept, post(&app, accept, TYPENAME)).await;
        assert_eq!(answer.status(), 200, "{answer}");
        let expected = format!("{accept}; charset=utf-8");
        assert_eq!(answer.header("content-type"), expected);
        assert_eq!(answer.header("vary"), "Accept, Accept-Encoding");
        assert_eq!(answer.data(), json!({ "__typename": "Query" }));
    }
    let legacy = format!("{LEGACY}; charset=utf-8");
    assert_eq!(app.post(TYPENAME).await.header("content-type"), legacy);
}

async fn only_the_legacy_media_type_says_200_for_a_document_that_is_refused(app: TestApp) {
    for (document, code) in [
        ("{", "GRAPHQL_PARSE_FAILED"),
        ("{ nothing }", "GRAPHQL_VALIDATION_FAILED"),
        (
            "{ vehicles(count: \"2\") { id } }",
            "GRAPHQL_VALIDATION_FAILED",
        ),
        (
            "query A { a: __typename } query B { b: __typename }",
            "OPERATION_RESOLUTION_FAILURE",
        ),
    ] {
        for (accept, status) in [(NEW, 400), (LEGACY, 200)] {
            let body = json!({ "query": document }).to_string();
            let answer = app.send(document, post(&app, accept, &body)).await;
            assert_eq!(answer.status(), status, "{accept} {answer}");
            answer.assert_not_executed(&[code]);
        }
    }
}

async fn an_error_of_a_field_has_the_status_200_in_both_media_types(app: TestApp) {
    for accept in [NEW, LEGACY] {
        let body = r#"{"query":"{ vehicle { id } }"}"#;
        let answer = app.send(body, post(&app, accept, body)).await;
        assert_eq!(answer.status(), 200, "{accept} {answer}");
        assert_eq!(answer.error_code(), "BAD_USER_INPUT", "{answer}");
        assert_eq!(answer.json()["data"], json!({ "vehicle": null }));
    }
}

async fn other_media_types_are_refused_with_what_is_supported(app: TestApp) {
    let bare = || app.request(Method::POST, "/graphql").body(TYPENAME);
    for request in [
        bare(),
        bare().header("content-type", "text/plain"),
        bare().header("content-type", "application/graphql"),
        bare().header("content-type", "application/x-www-form-urlencoded"),
        bare().header("content-type", "multipart/form-data; boundary=x"),
        bare().header("content-type", "application/json; charset=utf-16"),
        post(&app, LEGACY, TYPENAME).header("content-encoding", "gzip"),
    ] {
        refused(&app, 415, request).await;
    }
    for accept in ["text/html", "application/json;q=0", "image/*"] {
        let message = refused(&app, 406, post(&app, accept, TYPENAME)).await;
        assert!(
            message.contains(NEW) && message.contains(LEGACY),
            "{message}"
        );
    }
}

async fn get_reads_the_parameters_of_the_url(app: TestApp) {
    let document = "query A($t: Boolean!) { a: __typename ... @include(if: $t) { b: __typename } }
        query B { c: __typename }";
    let named = |name| {
        let variables = ("variables", r#"{"t":true}"#);
        app.getting(&[("query", document), ("operationName", name), variables])
    };
    let answer = app.send("A", named("A")).await;
    assert_eq!(answer.data(), json!({ "a": "Query", "b": "Query" }));
    assert_eq!(
        app.send("B", named("B")).await.data(),
        json!({ "c": "Query" })
    );

    app.given_vehicle("XC60").await;
    let answer = app
        .get("/graphql?query=%7Bvehicles%7Bid+modelCode%7D%7D")
        .await;
    let expected = json!({ "vehicles": [{ "id": "1", "modelCode": "XC60" }] });
    assert_eq!(answer.data(), expected);
    assert_eq!(answer.status(), 200);
}

async fn get_takes_any_text_in_its_variables(app: TestApp) {
    let document = "query ($id: ID) { vehicle(id: $id) { id } }";
    for text in [
        "+1",
        " 1",
        "%31",
        "&query={__typename}",
        "😀",
        "'; DROP TABLE vehicle; --",
    ] {
        let variables = json!({ "id": text }).to_string();
        let request = app.getting(&[("query", document), ("variables", &variables)]);
        let answer = app.send(text, request).await;
        assert_eq!(answer.data(), json!({ "vehicle": null }), "{answer}");
    }
}

async fn a_malformed_url_has_the_status_400(app: TestApp) {
    for (parameters, word) in [
        (&[][..], "query"),
        (&[("variables", "{}")], "query"),
        (&[("query", "{a}"), ("query", "{b}")], "query"),
        (
            &[("query", "{ __typename }"), ("variables", "{")],
            "variables",
        ),
        (
            &[("query", "{ __typename }"), ("variables", "[]")],
            "variables",
        ),
    ] {
        for accept in [NEW, LEGACY] {
            let request = app.getting(parameters).header("accept", accept);
            let message = refused(&app, 400, request).await;
            assert!(message.contains(&format!("`{word}`")), "{message}");
        }
    }
}

async fn a_mutation_needs_post_and_stores_nothing_without(app: TestApp) {
    let several = format!("query Q {{ __typename }} {MUTATION}");
    for parameters in [
        &[("query", MUTATION)][..],
        &[("query", several.as_str()), ("operationName", "M")],
    ] {
        for accept in [NEW, LEGACY] {
            let request = app.getting(parameters).header("accept", accept);
            let answer = app.send(MUTATION, request).await;
            assert_eq!(answer.status(), 405, "{answer}");
            assert_eq!(answer.header("allow"), "POST", "{answer}");
            answer.assert_not_executed(&["BAD_REQUEST"]);
        }
    }
    assert_eq!(app.stored_vehicles().await, 0, "nothing was stored");
    let body = json!({ "query": MUTATION }).to_string();
    app.post(body).await.data();
    assert_eq!(app.stored_vehicles().await, 1);
}

async fn get_executes_the_query_beside_a_mutation(app: TestApp) {
    let several = format!("query Q {{ __typename }} {MUTATION}");
    let request = app.getting(&[("query", &several), ("operationName", "Q")]);
    let answer = app.send(&several, request).await;
    assert_eq!(answer.data(), json!({ "__typename": "Query" }));
    assert_eq!(app.stored_vehicles().await, 0, "nothing was stored");
}

async fn other_methods_are_told_the_right_ones(app: TestApp) {
    for method in ["PUT", "DELETE", "PATCH", "HEAD"] {
        let request = app.request(method.parse().unwrap(), "/graphql");
        let answer = app.send(method, request).await;
        assert_eq!(answer.status(), 405, "{answer}");
        assert_eq!(answer.header("allow"), "GET, POST, OPTIONS", "{answer}");
    }
}

async fn options_tells_the_methods(app: TestApp) {
    let request = app.request(Method::OPTIONS, "/graphql");
    let answer = app.send("OPTIONS", request).await;
    assert_eq!(answer.status(), 204, "{answer}");
    assert_eq!(answer.header("allow"), "GET, POST, OPTIONS");
    assert_eq!(answer.text(), "");
}

async fn a_required_variable_that_is_null_is_refused_before_execution(app: TestApp) {
    let body =
        r#"{"query":"query CoerceFailure($id: ID!) { __typename }","variables":{"id":null}}"#;
    for (accept, status) in [(NEW, 400), (LEGACY, 200)] {
        let answer = app.send(body, post(&app, accept, body)).await;
        assert_eq!(answer.status(), status, "{accept} {answer}");
        answer.assert_refused();
    }
}

pub(super) fn post(app: &TestApp, accept: &str, body: &str) -> RequestBuilder {
    app.posting(body).header("accept", accept)
}

/// The message of a request that never was one of GraphQL.
pub(super) async fn refused(app: &TestApp, status: u16, request: RequestBuilder) -> String {
    let asked = format!("{request:?}");
    let answer = app.send(&asked, request).await;
    assert_eq!(answer.status(), status, "{answer}");
    let media_type = answer.header("content-type");
    assert!(media_type.ends_with("json; charset=utf-8"), "{answer}");
    answer.assert_not_executed(&["BAD_REQUEST"]);
    let message = answer.error()["message"].as_str().map(str::to_owned);
    message.unwrap_or_else(|| panic!("the error has no message: {answer}"))
}
