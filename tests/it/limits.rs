//! Request size limits: each error names the limit, its value and the value of the request.

use std::time::Duration;

use reqwest::RequestBuilder;
use serde_json::{Value, json};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    time::sleep,
};

use crate::support::{Response, TestApp, tests};

tests![
    the_body_limit_counts_received_bytes,
    a_chunked_body_is_counted_while_it_is_read,
    a_far_too_large_body_gets_an_error_response,
    a_client_that_sends_its_whole_body_first_gets_the_error_response,
    a_client_that_sends_its_body_slowly_gets_the_error_response,
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

async fn a_far_too_large_body_gets_an_error_response(app: TestApp) {
    let body = " ".repeat(20_000_000);
    let limit = json!({ "name": "body-limit-bytes", "value": 1_048_576, "actual": 20_000_000 });
    for _ in 0..5 {
        assert_limit_exceeded(&app, 413, limit.clone(), app.post_request(&body)).await;
    }
}

async fn a_client_that_sends_its_whole_body_first_gets_the_error_response(app: TestApp) {
    let mut stream = app.connect().await;
    let body = " ".repeat(20_000_000);
    let request = format!(
        "POST /graphql HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n\
         content-length: {}\r\n\r\n{body}",
        body.len(),
    );
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut response = String::new();
    stream.read_to_string(&mut response).await.unwrap();
    assert!(response.starts_with("HTTP/1.1 413 "), "{response}");
    assert!(response.contains("body-limit-bytes"), "{response}");
}

async fn a_client_that_sends_its_body_slowly_gets_the_error_response(app: TestApp) {
    let mut stream = app.connect().await;
    let head = "POST /graphql HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n\
                content-length: 20000000\r\n\r\n";
    stream.write_all(head.as_bytes()).await.unwrap();
    let part = vec![b' '; 128 * 1024];
    for _ in 0..20 {
        stream.write_all(&part).await.unwrap();
        // Longer than the pauses of the server.
        sleep(Duration::from_millis(50)).await;
    }
    let mut start = [0; 13];
    stream.read_exact(&mut start).await.unwrap();
    assert_eq!(&start, b"HTTP/1.1 413 ");
}

async fn the_url_length_is_limited(app: TestApp) {
    let app = app.restart_with(&["--url-limit-bytes=256"]).await;
    let url = |length: usize| {
        let start = "/graphql?query={__typename}&x=";
        format!("{start}{}", "x".repeat(length - start.len()))
    };
    assert_eq!(app.get(&url(256)).await.status(), 200);
    let limit = json!({ "name": "url-limit-bytes", "value": 256, "actual": 257 });
    let request = app.request(reqwest::Method::GET, &url(257));
    let response = assert_limit_exceeded(&app, 414, limit, request).await;
    assert_eq!(
        response.header("content-type"),
        "application/json; charset=utf-8"
    );
}

