//! GraphQL over HTTP: methods, media types, status codes, bodies and URLs.

use reqwest::{Method, RequestBuilder};
use serde_json::json;
use vehicle_catalogue::graphql::CONTRACT;

use crate::support::{TestApp, http, tests};

tests![
    more_than_100_header_lines_are_refused_in_both_protocols,
    only_the_legacy_media_type_has_the_status_200_for_an_invalid_document,
    get_reads_the_parameters_of_the_url,
    a_malformed_url_has_the_status_400,
    a_url_that_is_not_utf_8_has_the_status_400,
    a_mutation_by_get_is_refused_and_stores_nothing,
    an_unsupported_method_is_refused_with_the_allowed_ones,
];

const NEW: &str = "application/graphql-response+json";
const LEGACY: &str = "application/json";
const MUTATION: &str = r#"mutation M { createVehicle(type: "SUV", modelCode: "XC60") { id } }"#;

async fn more_than_100_header_lines_are_refused_in_both_protocols(app: TestApp) {
    let http_1 = http::client().http1_only().build().unwrap();
    let http_2 = http::client().http2_prior_knowledge().build().unwrap();
    for client in [http_1, http_2] {
        // With `Host` of HTTP/1.1 they are 98 and 101.
        for (more, status) in [(90, 200), (101, 431), (300, 431)] {
            let mut request = client.get(app.url("/graphql?query={__typename}"));
            for number in 0..more {
                request = request.header(format!("x-{number}"), "1");
            }
            let response = request.send().await.unwrap();
            assert_eq!(response.status(), status, "{more} {response:?}");
        }
    }
}

async fn only_the_legacy_media_type_has_the_status_200_for_an_invalid_document(app: TestApp) {
    for (document, code) in [
        ("{", "GRAPHQL_PARSE_FAILED"),
        ("{ nothing }", "GRAPHQL_VALIDATION_FAILED"),
        ("{ vehicles(count: \"2\") { id } }", "GRAPHQL_VALIDATION_FAILED"),
        ("query A { a: __typename } query B { b: __typename }", "OPERATION_RESOLUTION_FAILURE"),
    ] {
        for (accept, status) in [(NEW, 400), (LEGACY, 200)] {
            let body = json!({ "query": document }).to_string();
            let response = app.send(document, post(&app, accept, &body)).await;
            assert_eq!(response.status(), status, "{accept} {response}");
            response.assert_not_executed(&[code]);
            assert_eq!(response.header("schema-hash"), CONTRACT.hash().to_string(), "{response}");
        }
    }
    // The data of a field error is null.
    let body = r#"{"query":"{ vehicle { id } }"}"#;
    let response = app.send(body, post(&app, NEW, body)).await;
    assert_eq!(response.status(), 200, "{response}");
    assert_eq!(response.json()["data"], json!({ "vehicle": null }));
}

async fn get_reads_the_parameters_of_the_url(app: TestApp) {
    let document = "query A($t: Boolean!) { a: __typename ... @include(if: $t) { b: __typename } }
        query B { c: __typename }";
    let named = |name| {
        let variables = ("variables", r#"{"t":true}"#);
        app.get_request(&[("query", document), ("operationName", name), variables])
    };
    let response = app.send("A", named("A")).await;
    assert_eq!(response.data(), json!({ "a": "Query", "b": "Query" }));
    assert_eq!(app.send("B", named("B")).await.data(), json!({ "c": "Query" }));

    let empty = [("query", "{ c: __typename }"), ("variables", ""), ("extensions", "")];
    let response = app.send("empty", app.get_request(&empty)).await;
    assert_eq!(response.data(), json!({ "c": "Query" }));

    let unknown = app.send("documentId", app.get_request(&[("documentId", "unknown")])).await;
    unknown.assert_not_executed(&["PERSISTED_QUERY_NOT_FOUND"]);

    app.given_vehicle("XC60").await;
    let response = app.get("/graphql?query=%7Bvehicles%7Bid+modelCode%7D%7D").await;
    let expected = json!({ "vehicles": [{ "id": "1", "modelCode": "XC60" }] });
    assert_eq!(response.data(), expected);
    assert_eq!(response.status(), 200);
}

async fn a_malformed_url_has_the_status_400(app: TestApp) {
    for (parameters, parameter) in [
        (&[][..], "query"),
        (&[("variables", "{}")], "query"),
        (&[("query", "{a}"), ("query", "{b}")], "query"),
        (&[("query", "{ __typename }"), ("variables", "{")], "variables"),
        (&[("query", "{ __typename }"), ("variables", "[]")], "variables"),
    ] {
        for accept in [NEW, LEGACY] {
            let request = app.get_request(parameters).header("accept", accept);
            let message = refusal_message(&app, 400, request).await;
            assert!(message.contains(&format!("`{parameter}`")), "{message}");
        }
    }
}

async fn a_url_that_is_not_utf_8_has_the_status_400(app: TestApp) {
    for (query, number) in [
        ("query=%7B__typename%7D%FF", 1),
        ("query=%7B__typename%7D&operationName=%C3", 2),
        ("query=%7B__typename%7D&variables=%7B%22v%22:%22%ED%A0%80%22%7D", 2),
        ("query=%7B__typename%7D&%C3(=", 2),
    ] {
        for accept in [NEW, LEGACY, "text/html, */*"] {
            let request = app.request(Method::GET, &format!("/graphql?{query}"));
            let message = refusal_message(&app, 400, request.header("accept", accept)).await;
            assert_eq!(
                message,
                format!("parameter {number} of the URL is not UTF-8 after percent-decoding"),
                "{query}"
            );
        }
    }
    let response = app.get("/graphql?query=%7B__typename%7D%23%C3%A9").await;
    assert_eq!(response.data(), json!({ "__typename": "Query" }));
}

async fn a_mutation_by_get_is_refused_and_stores_nothing(app: TestApp) {
    let several = format!("query Q {{ __typename }} {MUTATION}");
    for parameters in [&[("query", MUTATION)][..], &[("query", several.as_str()), ("operationName", "M")]] {
        for accept in [NEW, LEGACY] {
            let request = app.get_request(parameters).header("accept", accept);
            let response = app.send(MUTATION, request).await;
            assert_eq!(response.status(), 405, "{response}");
            assert_eq!(response.header("allow"), "POST", "{response}");
            response.assert_not_executed(&["BAD_REQUEST"]);
        }
    }
    let named = [("query", several.as_str()), ("operationName", "Q")];
    let response = app.send(&several, app.get_request(&named)).await;
    assert_eq!(response.data(), json!({ "__typename": "Query" }));
    let head = app.request(Method::HEAD, "/graphql?query=mutation%7B__typename%7D");
    assert_eq!(app.send("HEAD", head).await.status(), 405);
    assert_eq!(app.stored_vehicles().await, 0, "nothing was stored");
    let body = json!({ "query": MUTATION }).to_string();
    app.post(body).await.data();
    assert_eq!(app.stored_vehicles().await, 1);
}

async fn an_unsupported_method_is_refused_with_the_allowed_ones(app: TestApp) {
    for (method, status) in [("PUT", 405), ("DELETE", 405), ("OPTIONS", 204)] {
        let request = app.request(method.parse().unwrap(), "/graphql");
        let response = app.send(method, request).await;
        assert_eq!(response.status(), status, "{response}");
        assert_eq!(response.header("allow"), "GET, HEAD, POST, OPTIONS", "{response}");
        assert_eq!(response.header("schema-hash"), CONTRACT.hash().to_string(), "{response}");
    }
}

fn post(app: &TestApp, accept: &str, body: &str) -> RequestBuilder {
    app.post_request(body).header("accept", accept)
}

/// The error message for a request that is not a valid GraphQL request.
async fn refusal_message(app: &TestApp, status: u16, request: RequestBuilder) -> String {
    let label = format!("{request:?}");
    let response = app.send(&label, request).await;
    assert_eq!(response.status(), status, "{response}");
    let media_type = response.header("content-type");
    assert!(media_type.ends_with("json; charset=utf-8"), "{response}");
    response.assert_not_executed(&["BAD_REQUEST"]);
    let message = response.error()["message"].as_str().map(str::to_owned);
    message.unwrap_or_else(|| panic!("the error has no message: {response}"))
}
