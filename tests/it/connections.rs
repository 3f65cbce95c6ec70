//! Connections and their clients: too many, too slow, silent, or of HTTP/2.

use std::time::Duration;

use reqwest::Version;
use serde_json::json;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
    time::timeout,
};

use crate::support::{TestApp, http, tests};

tests![
    beyond_the_concurrency_limit_requests_are_refused_at_once,
    beyond_the_connection_limit_clients_wait,
    a_connection_without_a_request_is_closed,
    a_head_that_comes_too_slowly_closes_the_connection,
    a_body_that_comes_too_slowly_is_refused,
    the_read_timeout_does_not_concern_clients_that_keep_asking,
    http_2_needs_no_tls,
];

const BODY: &str = r#"{"query":"{ __typename }"}"#;
const PREFACE: &str = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

fn head(more: &str) -> String {
    let length = BODY.len();
    format!(
        "POST /graphql HTTP/1.1\r\nHost: catalogue\r\nContent-Type: application/json\r\nContent-Length: {length}\r\n{more}\r\n"
    )
}

/// What is received up to `end`, or up to the end of the connection.
async fn read_until(stream: &mut TcpStream, end: &str) -> String {
    let mut text = String::new();
    while !text.ends_with(end) {
        match stream.read_u8().await {
            Ok(byte) => text.push(char::from(byte)),
            Err(_) => break,
        }
    }
    text
}

/// Everything that is received until the service closes the connection.
async fn read_to_the_end(stream: &mut TcpStream) -> String {
    let mut bytes = Vec::new();
    // A reset is an end too.
    let _ = stream.read_to_end(&mut bytes).await;
    String::from_utf8_lossy(&bytes).into_owned()
}

/// A connection with a request in flight whose body the service waits for.
async fn in_flight(app: &TestApp) -> TcpStream {
    let mut stream = app.connect().await;
    let head = head("Expect: 100-continue\r\n");
    stream.write_all(head.as_bytes()).await.unwrap();
    let answer = read_until(&mut stream, "\r\n\r\n").await;
    assert_eq!(answer, "HTTP/1.1 100 Continue\r\n\r\n");
    stream
}

async fn beyond_the_concurrency_limit_requests_are_refused_at_once(app: TestApp) {
    let app = app.restart_with(&["--concurrency-limit=1"]).await;
    let mut busy = in_flight(&app).await;
    for request in [
        app.posting(BODY),
        app.getting(&[("query", "{ __typename }")]),
    ] {
        let answer = app.send("one too many", request).await;
        assert_eq!(answer.status(), 503, "{answer}");
        assert_eq!(answer.header("retry-after"), "1", "{answer}");
        answer.assert_not_executed(&["SERVICE_UNAVAILABLE"]);
        let limit = json!({ "name": "concurrency-limit", "value": 1 });
        assert_eq!(answer.error()["extensions"]["limit"], limit, "{answer}");
    }
    assert_eq!(
        app.get("/limits").await.status(),
        200,
        "only GraphQL is limited"
    );
    busy.write_all(BODY.as_bytes()).await.unwrap();
    let answer = read_until(&mut busy, "\"Query\"}}").await;
    assert!(answer.starts_with("HTTP/1.1 200 OK"), "{answer}");
    assert_eq!(app.post(BODY).await.status(), 200);
}

async fn beyond_the_connection_limit_clients_wait(app: TestApp) {
    let app = app.restart_with(&["--connection-limit=1"]).await;
    let first = in_flight(&app).await;
    let mut second = app.connect().await;
    let request = format!("{}{BODY}", head(""));
    second.write_all(request.as_bytes()).await.unwrap();
    let unanswered = timeout(Duration::from_millis(200), second.read_u8()).await;
    assert!(unanswered.is_err(), "{unanswered:?}");
    drop(first);
    let answer = read_until(&mut second, "\"Query\"}}").await;
    assert!(answer.starts_with("HTTP/1.1 200 OK"), "{answer}");
}

async fn a_connection_without_a_request_is_closed(app: TestApp) {
    let app = app.restart_with(&["--read-timeout-seconds=1"]).await;
    let request = format!("{}{BODY}", head(""));
    let received = async |beginning: &str| {
        let mut stream = app.connect().await;
        stream.write_all(beginning.as_bytes()).await.unwrap();
        read_to_the_end(&mut stream).await
    };
    let (silent, letter, preface, used) = tokio::join!(
        received(""),
        received("P"),
        received(PREFACE),
        received(&request)
    );
    for received in [silent, letter, preface] {
        assert!(!received.contains("200 OK"), "{received}");
    }
    assert!(used.starts_with("HTTP/1.1 200 OK"), "{used}");
}

async fn a_head_that_comes_too_slowly_closes_the_connection(app: TestApp) {
    let app = app.restart_with(&["--read-timeout-seconds=1"]).await;
    let (mut from, mut to) = app.connect().await.into_split();
    let dribble = async move {
        let head = format!("{}X-Slow: ", head("").trim_end());
        for byte in head.bytes().chain(std::iter::repeat(b'x')) {
            if to.write_all(&[byte]).await.is_err() {
                break;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    let mut received = Vec::new();
    tokio::select! {
        _ = from.read_to_end(&mut received) => {}
        () = dribble => {}
    }
    assert!(!String::from_utf8_lossy(&received).contains("200 OK"));
}

async fn a_body_that_comes_too_slowly_is_refused(app: TestApp) {
    let app = app.restart_with(&["--read-timeout-seconds=1"]).await;
    let mut stream = in_flight(&app).await;
    stream.write_all(&BODY.as_bytes()[..5]).await.unwrap();
    let answer = read_to_the_end(&mut stream).await;
    assert!(answer.starts_with("HTTP/1.1 408 "), "{answer}");
    assert!(answer.contains("LIMIT_EXCEEDED"), "{answer}");
    assert!(
        answer.contains(r#"{"name":"read-timeout-seconds","value":1}"#),
        "{answer}"
    );
}

async fn the_read_timeout_does_not_concern_clients_that_keep_asking(app: TestApp) {
    let app = app.restart_with(&["--read-timeout-seconds=1"]).await;
    let mut stream = app.connect().await;
    for _ in 0..8 {
        let request = format!("{}{BODY}", head(""));
        stream.write_all(request.as_bytes()).await.unwrap();
        let answer = read_until(&mut stream, "\"Query\"}}").await;
        assert!(answer.starts_with("HTTP/1.1 200 OK"), "{answer}");
        tokio::time::sleep(Duration::from_millis(400)).await;
    }
}

async fn http_2_needs_no_tls(app: TestApp) {
    let client = http::client().http2_prior_knowledge();
    let client = client.build().unwrap();
    let asking = (0..20).map(|_| {
        let request = client.post(app.address("/graphql"));
        request
            .header("content-type", "application/json")
            .body(BODY)
            .send()
    });
    for response in futures_util::future::join_all(asking).await {
        let response = response.unwrap();
        assert_eq!(response.version(), Version::HTTP_2);
        assert_eq!(response.status(), 200);
    }
}
