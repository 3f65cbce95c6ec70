//! How much a request may be: each refusal names the limit, its value and that of the request.

use reqwest::RequestBuilder;
use serde_json::{Value, json};

use crate::support::{Answer, TestApp, tests};

tests![
    the_body_limit_counts_the_bytes_that_are_sent,
    a_body_without_an_announced_length_is_counted_while_it_is_read,
    a_body_that_is_far_too_large_is_told_so,
    the_length_of_the_url_is_limited,
    clients_can_read_the_limits,
];

const TYPENAME: &str = r#"{"query":"{ __typename }"}"#;

/// Asserts that a request is refused because of a limit, and that the answer tells of it.
async fn exceeds(app: &TestApp, status: u16, limit: Value, request: RequestBuilder) -> Answer {
    let asked = format!("{limit}");
    let answer = app.send(&asked, request).await;
    assert_eq!(answer.status(), status, "{answer}");
    answer.assert_not_executed(&["LIMIT_EXCEEDED"]);
    let error = answer.error();
    assert_eq!(error["extensions"]["limit"], limit, "{answer}");
    let message = error["message"].as_str().unwrap();
    assert!(
        message.contains(limit["name"].as_str().unwrap()),
        "{answer}"
    );
    assert!(message.contains(&limit["value"].to_string()), "{answer}");
    answer
}

async fn the_body_limit_counts_the_bytes_that_are_sent(app: TestApp) {
    let app = app.restart_with(&["--body-limit-bytes=2048"]).await;
    let fitting = format!("{TYPENAME}{}", " ".repeat(2048 - TYPENAME.len()));
    assert_eq!(app.post(fitting.clone()).await.status(), 200);
    let limit = json!({ "name": "body-limit-bytes", "value": 2048, "actual": 2049 });
    exceeds(&app, 413, limit, app.posting(&format!("{fitting} "))).await;
}

async fn a_body_without_an_announced_length_is_counted_while_it_is_read(app: TestApp) {
    let app = app.restart_with(&["--body-limit-bytes=2048"]).await;
    let chunked = |bytes: usize| {
        let chunks = vec![
            Ok::<_, std::io::Error>(TYPENAME.to_owned()),
            Ok(" ".repeat(bytes)),
        ];
        let body = reqwest::Body::wrap_stream(futures_util::stream::iter(chunks));
        app.posting("").body(body)
    };
    let fitting = app.send("chunks", chunked(2048 - TYPENAME.len())).await;
    assert_eq!(fitting.status(), 200, "{fitting}");
    let limit = json!({ "name": "body-limit-bytes", "value": 2048 });
    exceeds(&app, 413, limit, chunked(2049 - TYPENAME.len())).await;
}

async fn a_body_that_is_far_too_large_is_told_so(app: TestApp) {
    let body = " ".repeat(20_000_000);
    let limit = json!({ "name": "body-limit-bytes", "value": 1_048_576, "actual": 20_000_000 });
    for _ in 0..5 {
        exceeds(&app, 413, limit.clone(), app.posting(&body)).await;
    }
}

async fn the_length_of_the_url_is_limited(app: TestApp) {
    let app = app.restart_with(&["--url-limit-bytes=256"]).await;
    let url = |length: usize| {
        let start = "/graphql?query={__typename}&x=";
        format!("{start}{}", "x".repeat(length - start.len()))
    };
    assert_eq!(app.get(&url(256)).await.status(), 200);
    let limit = json!({ "name": "url-limit-bytes", "value": 256, "actual": 257 });
    let request = app.request(reqwest::Method::GET, &url(257));
    let answer = exceeds(&app, 414, limit, request).await;
    assert_eq!(
        answer.header("content-type"),
        "application/json; charset=utf-8"
    );
}

async fn clients_can_read_the_limits(app: TestApp) {
    let app = app.restart_with(&["--body-limit-bytes=2048"]).await;
    let answer = app.get("/limits").await;
    assert_eq!(answer.status(), 200, "{answer}");
    assert_eq!(
        answer.header("content-type"),
        "application/json; charset=utf-8"
    );
    let json = answer.json();
    let limits = json["limits"].as_array().unwrap();
    for expected in [
        json!({ "name": "body-limit-bytes", "value": 2048, "unit": "bytes" }),
        json!({ "name": "url-limit-bytes", "value": 8192, "unit": "bytes" }),
        json!({ "name": "batch-limit", "value": 0, "unit": "operations" }),
        json!({ "name": "concurrency-limit", "value": 1024, "unit": "requests" }),
        json!({ "name": "connection-limit", "value": 4096, "unit": "connections" }),
        json!({ "name": "read-timeout-seconds", "value": 75, "unit": "seconds" }),
        json!({ "name": "list-limit", "value": 1000, "unit": "vehicles" }),
    ] {
        assert!(limits.contains(&expected), "{expected} {answer}");
    }
}
