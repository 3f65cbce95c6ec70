//! Request size limits: each error names the limit, its value and the value of the request.

use reqwest::RequestBuilder;
use serde_json::{Value, json};

use crate::support::{Response, TestApp, tests};

tests![
    the_body_limit_counts_received_bytes,
    a_chunked_body_is_counted_while_it_is_read,
    the_url_length_is_limited,
];

const TYPENAME: &str = r#"{"query":"{ __typename }"}"#;

/// Asserts that a request is refused with an error that reports this limit.
async fn assert_limit_exceeded(
    app: &TestApp,
    status: u16,
    limit: Value,
    request: RequestBuilder,
) -> Response {
    let label = format!("{limit}");
    let response = app.send(&label, request).await;
    assert_eq!(response.status(), status, "{response}");
    response.assert_not_executed(&["LIMIT_EXCEEDED"]);
    let error = response.error();
    assert_eq!(error["extensions"]["limit"], limit, "{response}");
    let message = error["message"].as_str().unwrap();
    assert!(
        message.contains(limit["name"].as_str().unwrap()),
        "{response}"
    );
    assert!(message.contains(&limit["value"].to_string()), "{response}");
    response
}

async fn the_body_limit_counts_received_bytes(app: TestApp) {
    let app = app.restart_with(&["--body-limit-bytes=2048"]).await;
    let fitting = format!("{TYPENAME}{}", " ".repeat(2048 - TYPENAME.len()));
    assert_eq!(app.post(fitting.clone()).await.status(), 200);
    let limit = json!({ "name": "body-limit-bytes", "value": 2048, "actual": 2049 });
    assert_limit_exceeded(&app, 413, limit, app.post_request(&format!("{fitting} "))).await;
}

async fn a_chunked_body_is_counted_while_it_is_read(app: TestApp) {
    let app = app.restart_with(&["--body-limit-bytes=2048"]).await;
    let chunked = |bytes: usize| {
        let chunks = vec![
            Ok::<_, std::io::Error>(TYPENAME.to_owned()),
            Ok(" ".repeat(bytes)),
        ];
        let body = reqwest::Body::wrap_stream(futures_util::stream::iter(chunks));
        app.post_request("").body(body)
    };
    let fitting = app.send("chunks", chunked(2048 - TYPENAME.len())).await;
    assert_eq!(fitting.status(), 200, "{fitting}");
    let limit = json!({ "name": "body-limit-bytes", "value": 2048 });
    assert_limit_exceeded(&app, 413, limit, chunked(2049 - TYPENAME.len())).await;
}

async fn the_url_length_is_limited(app: TestApp) {
    let url = |length: usize| {
        let start = "/graphql?query={__typename}&x=";
        format!("{start}{}", "x".repeat(length - start.len()))
    };
    assert_eq!(app.get(&url(8192)).await.status(), 200);
    let limit = json!({ "name": "url-limit-bytes", "value": 8192, "actual": 8193 });
    let request = app.request(reqwest::Method::GET, &url(8193));
    let response = assert_limit_exceeded(&app, 414, limit, request).await;
    assert_eq!(
        response.header("content-type"),
        "application/json; charset=utf-8"
    );
}
