//! Connections: concurrency and connection limits, requests that are not read, HTTP/2.

use std::time::Duration;

use serde_json::json;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
    time::timeout,
};

use crate::support::{TestApp, http, tests};

tests![
    requests_beyond_the_concurrency_limit_are_refused_at_once,
    a_body_that_is_being_read_holds_no_permit,
    connections_beyond_the_connection_limit_wait,
    a_response_to_a_request_that_is_not_read_announces_the_end_of_the_connection,
    a_refused_request_that_is_read_keeps_its_connection,
    more_than_100_header_lines_are_refused_in_both_protocols,
];

const BODY: &str = r#"{"query":"{ __typename }"}"#;

fn head(more: &str) -> String {
    let length = BODY.len();
    format!(
        "POST /graphql HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: {length}\r\n{more}\r\n"
    )
}

/// Reads up to `end` or the end of the connection.
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

/// Reads until the service closes the connection.
async fn read_to_end(stream: &mut TcpStream) -> String {
    let mut bytes = Vec::new();
    // A reset also ends the connection.
    let _ = stream.read_to_end(&mut bytes).await;
    String::from_utf8_lossy(&bytes).into_owned()
}

/// A connection with a request whose body has not been sent.
async fn in_flight(app: &TestApp) -> TcpStream {
    let mut stream = app.connect().await;
    let head = head("Expect: 100-continue\r\n");
    stream.write_all(head.as_bytes()).await.unwrap();
    let response = read_until(&mut stream, "\r\n\r\n").await;
    assert_eq!(response, "HTTP/1.1 100 Continue\r\n\r\n");
    stream
}

async fn requests_beyond_the_concurrency_limit_are_refused_at_once(app: TestApp) {
    let app = app.restart_with(&["--concurrency-limit=1"]).await;
    let lock = app.lock_vehicles().await;
    let arguments = json!({ "type": "SUV", "modelCode": "XC60" });
    let refused = async {
        // After the first refusal the mutation holds the only permit.
        while app.post(BODY).await.status() == 200 {}
        for request in [
            app.post_request(BODY),
            app.get_request(&[("query", "{ __typename }")]),
        ] {
            let response = app.send("one too many", request).await;
            assert_eq!(response.status(), 503, "{response}");
            assert_eq!(response.header("retry-after"), "1", "{response}");
            response.assert_not_executed(&["SERVICE_UNAVAILABLE"]);
            let limit = json!({ "name": "concurrency-limit", "value": 1 });
            assert_eq!(response.error()["extensions"]["limit"], limit, "{response}");
        }
        assert_eq!(
            app.get("/schema.graphql").await.status(),
            200,
            "only GraphQL is limited"
        );
        lock.close().await.unwrap();
    };
    let refused = timeout(Duration::from_secs(15), refused);
    // The first attempts are refused while a query holds the permit.
    let create = async {
        loop {
            let created = app.create_vehicle(arguments.clone()).await;
            if created.status() == 200 {
                break created;
            }
        }
    };
    let (created, refused) = tokio::join!(create, refused);
    refused.expect("the mutation has a permit");
    assert_eq!(created.data()["createVehicle"]["id"], "1", "{created}");
    assert_eq!(app.post(BODY).await.status(), 200);
}

async fn a_body_that_is_being_read_holds_no_permit(app: TestApp) {
    let app = app.restart_with(&["--concurrency-limit=1"]).await;
    let mut unfinished = in_flight(&app).await;
    assert_eq!(app.post(BODY).await.status(), 200);
    unfinished.write_all(BODY.as_bytes()).await.unwrap();
    let response = read_until(&mut unfinished, "\"Query\"}}").await;
    assert!(response.starts_with("HTTP/1.1 200 OK"), "{response}");
}

async fn connections_beyond_the_connection_limit_wait(app: TestApp) {
    let app = app.restart_with(&["--connection-limit=1"]).await;
    let first = in_flight(&app).await;
    let mut second = app.connect().await;
    let request = format!("{}{BODY}", head(""));
    second.write_all(request.as_bytes()).await.unwrap();
    let unanswered = timeout(Duration::from_millis(200), second.read_u8()).await;
    assert!(unanswered.is_err(), "{unanswered:?}");
    drop(first);
    let response = read_until(&mut second, "\"Query\"}}").await;
    assert!(response.starts_with("HTTP/1.1 200 OK"), "{response}");
}

async fn a_response_to_a_request_that_is_not_read_announces_the_end_of_the_connection(
    app: TestApp,
) {
    for expect in ["", "Expect: 100-continue\r\n"] {
        let mut stream = app.connect().await;
        let head = format!(
            "POST /graphql HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n\
             Content-Length: 20000000\r\n{expect}\r\n"
        );
        stream.write_all(head.as_bytes()).await.unwrap();
        let response = read_to_end(&mut stream).await;
        assert!(response.starts_with("HTTP/1.1 413 "), "{response}");
        assert!(response.contains("\r\nconnection: close\r\n"), "{response}");
    }
}

async fn a_refused_request_that_is_read_keeps_its_connection(app: TestApp) {
    let mut stream = app.connect().await;
    for _ in 0..2 {
        let refused = head("").replace("application/json", "text/plain") + BODY;
        stream.write_all(refused.as_bytes()).await.unwrap();
        let response = read_until(&mut stream, "}]}").await;
        assert!(response.starts_with("HTTP/1.1 415 "), "{response}");
        assert!(!response.contains("connection: close"), "{response}");
    }
    let request = head("") + BODY;
    stream.write_all(request.as_bytes()).await.unwrap();
    let response = read_until(&mut stream, "\"Query\"}}").await;
    assert!(response.starts_with("HTTP/1.1 200 "), "{response}");
}

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
