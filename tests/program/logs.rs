//! Log lines of the running service: their fields, and values that must never be logged.

use std::{io::Write, net::TcpStream, thread, time::Duration};

use sea_orm::{ConnectionTrait, DatabaseConnection};
use serde_json::{Value, json};
use testkit::{
    Running,
    http::{self, get},
    wait_until,
};

use crate::support::{program, serve_in};

testkit::tests![
    a_request_is_one_line_of_json,
    request_values_are_never_logged,
    a_line_quotes_at_most_64_characters_of_a_request,
    a_slow_operation_is_logged_with_its_name,
    a_failure_is_logged_with_its_reference_and_request_id,
    an_abandoned_request_is_logged,
    a_refused_preflight_request_is_logged,
];

/// A value that must not be in any log line, wherever a client or an operator sends it.
const CANARY: &str = "canary-7f3a";

/// Sends a request on a new connection and returns the response.
fn post(running: &Running, headers: &str, body: &Value) -> String {
    let lines = format!("Connection: close\n{headers}").replace('\n', "\r\n");
    let response = running.exchange(&http::post(&body.to_string(), &lines));
    assert!(response.starts_with("HTTP/1.1 "), "{response}");
    response
}

/// Opens a connection and sends a request.
fn send(running: &Running, request: &str) -> TcpStream {
    let mut stream = running.connect();
    stream.write_all(request.as_bytes()).unwrap();
    stream
}

/// Waits until a line of the metrics starts with `prefix`.
fn until_metric(running: &Running, prefix: &str) {
    wait_until(prefix, || {
        let (_, metrics) = get(running.addr, "/metrics");
        metrics.lines().any(|line| line.starts_with(prefix))
    });
}

/// Sends two requests with HTTP/2, one with this body and one with an invalid URL, and returns the
/// response to the first.
fn post_with_http_2(running: &Running, body: &Value) -> String {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let client = http::client().http2_prior_knowledge().build().unwrap();
    let url = running.url("/graphql");
    let with_secrets = |request: reqwest::RequestBuilder| {
        let request = request.bearer_auth(CANARY).header("x-token", CANARY);
        request.header("call-source", CANARY)
    };
    runtime.block_on(async {
        let get = client.get(format!("{url}?{CANARY}={CANARY}"));
        let refused = with_secrets(get).send().await.unwrap();
        assert_eq!(refused.status(), 400);
        let post = client.post(&url).json(body);
        let response = with_secrets(post).send().await.unwrap();
        response.text().await.unwrap()
    })
}

/// The lines with this message, parsed as JSON.
fn lines(log: &str, message: &str) -> Vec<Value> {
    let lines = log.lines().map(|line| {
        let line: Result<Value, _> = serde_json::from_str(line);
        line.unwrap_or_else(|error| panic!("{error}: {log}"))
    });
    lines.filter(|line| line["message"] == message).collect()
}

fn query(text: &str) -> Value {
    json!({ "query": text })
}

fn a_request_is_one_line_of_json() {
    let running = serve_in(program(), &[]);
    post(
        &running,
        "X-Request-Id: mine\ntraceparent: 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01\n\
         Call-Source: IOS\nApp-Version: 4.2\n",
        &query("query Hello { __typename }"),
    );
    post(&running, "Call-Source: FRIDGE\n", &query("{ vehicle { id } }"));
    post(&running, "", &query("nonsense"));
    let log = running.stop();
    let lines = lines(&log, "request completed");
    assert_eq!(lines.len(), 3, "{log}");
    for (line, expected) in lines.iter().zip([
        json!({
            "level": "INFO", "target": "access", "request_id": "mine",
            "trace_id": "4bf92f3577b34da6a3ce929d0e0e4736", "operation_type": "query",
            "operation_name": "Hello", "caller": "IOS", "app_version": "4.2", "status": 200,
            "code": "OK",
        }),
        json!({ "operation_type": "query", "caller": "OTHER", "code": "BAD_USER_INPUT" }),
        json!({ "status": 200, "code": "GRAPHQL_PARSE_FAILED" }),
    ]) {
        for (name, value) in expected.as_object().unwrap() {
            assert_eq!(line[name], *value, "{name} in {line}");
        }
        let duration_ms = line["duration_ms"].as_f64().unwrap();
        assert!((0.0..30_000.0).contains(&duration_ms), "{line}");
        let contract = line["schema_hash"].as_str().unwrap();
        let serving = self::lines(&log, "serving")[0]["schema_hash"].clone();
        assert_eq!(contract.len(), 12);
        assert!(serving.as_str().unwrap().starts_with(contract), "{serving}");
    }
    for absent in ["operation_name", "operation_type", "caller", "app_version", "trace_id"] {
        assert!(lines[2].get(absent).is_none(), "{}", lines[2]);
    }
}

fn request_values_are_never_logged() {
    let running = serve_in(program(), &["--log-level=trace"]);
    let create = "mutation M($code: String!) { createVehicle(type: \"canary-7f3a\", modelCode: $code) { id } }";
    let valid = json!({ "query": create, "operationName": "M", "variables": { "code": CANARY } });
    let headers = format!("Authorization: Bearer {CANARY}\nX-Token: {CANARY}\nCall-Source: {CANARY}\n");
    let response = post(&running, &headers, &valid);
    assert!(response.contains("\"id\":\"1\""), "{response}");
    let invalid = format!("{{ vehicle(id: \"{CANARY}\") {{ id canary }} }} # {CANARY}");
    post(&running, &headers, &query(&invalid));
    let body = json!({ "query": "{ __typename }", "operationName": format!("not a name {CANARY}") });
    post(&running, &headers, &body);
    let wrong = json!({ "query": create, "variables": { "code": [CANARY] } });
    post(&running, &headers, &wrong);
    let response = post_with_http_2(&running, &valid);
    assert!(response.contains("\"id\":\"2\""), "{response}");
    let log = running.stop();
    assert_eq!(lines(&log, "request completed").len(), 6, "{log}");
    // HTTP/2 libraries log at this level and could log sent values.
    assert!(log.contains(r#""target":"h2::"#), "{log}");
    assert!(!log.contains(CANARY), "{log}");
}

fn a_line_quotes_at_most_64_characters_of_a_request() {
    let running = serve_in(program(), &[]);
    let name = "Z".repeat(9000);
    for body in [
        query(&format!("query {name} {{ __typename }}")),
        json!({ "query": "{ __typename }", "operationName": name }),
        query(&format!("{{ {name} }}")),
        json!({ "documentId": name }),
    ] {
        post(&running, "", &body);
    }
    let log = running.stop();
    assert_eq!(lines(&log, "request completed").len(), 4, "{log}");
    assert!(log.contains(&name[..64]), "the name is logged: {log}");
    assert!(!log.contains(&name[..65]), "{log}");
}

/// A write lock of another connection, which blocks mutations until it is closed.
async fn lock(running: &Running) -> DatabaseConnection {
    let file = running.program().path("vehicle-catalogue.db");
    let database = testkit::connect(&format!("sqlite:{}", file.display())).await;
    let lock = "BEGIN IMMEDIATE";
    database.execute_unprepared(lock).await.unwrap();
    database
}

fn a_slow_operation_is_logged_with_its_name() {
    let running = serve_in(program(), &[]);
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let lock = runtime.block_on(lock(&running));
    let unlocked = thread::spawn(move || {
        thread::sleep(Duration::from_millis(1500));
        runtime.block_on(lock.close()).unwrap();
    });
    let create = "mutation Slow { createVehicle(type: \"SUV\", modelCode: \"XC60\") { id } }";
    post(&running, "X-Request-Id: mine\n", &query(create));
    unlocked.join().unwrap();
    let log = running.stop();
    let lines = lines(&log, "slow operation");
    assert_eq!(lines.len(), 1, "{log}");
    assert_eq!(lines[0]["operation_name"], "Slow", "{log}");
    assert_eq!(lines[0]["request_id"], "mine", "{log}");
    assert_eq!(lines[0]["level"], "WARN", "{log}");
    assert_eq!(lines[0]["threshold_ms"], 1000.0, "{log}");
    assert!(lines[0]["duration_ms"].as_f64().unwrap() > 1000.0, "{log}");
}

fn a_failure_is_logged_with_its_reference_and_request_id() {
    let running = serve_in(program(), &["--migrate=never"]);
    let response = post(&running, "X-Request-Id: mine\n", &query("{ vehicle(id: 1) { id } }"));
    let (_, body) = response.split_once("\r\n\r\n").unwrap();
    let body: Value = serde_json::from_str(body).unwrap();
    let reference = &body["errors"][0]["extensions"]["reference"];
    let log = running.stop();
    let lines = lines(&log, "request failed");
    assert_eq!(lines.len(), 1, "{log}");
    assert_eq!(&lines[0]["reference"], reference, "{log}");
    assert_eq!(lines[0]["request_id"], "mine", "{log}");
    assert_eq!(lines[0]["code"], "INTERNAL_SERVER_ERROR", "{log}");
    assert!(lines[0]["cause"].as_str().unwrap().contains("no such table"), "{log}");
}

fn an_abandoned_request_is_logged() {
    let running = serve_in(program(), &["--database-timeout-seconds=60"]);
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let lock = runtime.block_on(lock(&running));
    let body = r#"{"query":"mutation Late { createVehicle(type: \"SUV\", modelCode: \"1\") { id } }"}"#;
    let length = body.len();
    let stream = send(
        &running,
        &format!(
            "POST /graphql HTTP/1.1\r\nHost: localhost\r\nX-Request-Id: mine\r\n\
         traceparent: 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01\r\n\
         Call-Source: IOS\r\nApp-Version: 4.2\r\nContent-Type: application/json\r\n\
         Content-Length: {length}\r\n\r\n{body}"
        ),
    );
    until_metric(&running, "catalogue_requests_in_flight 1");
    drop(stream);
    until_metric(&running, "catalogue_requests_abandoned_total 1");
    runtime.block_on(lock.close()).unwrap();
    let log = running.stop();
    assert_eq!(lines(&log, "request completed"), [Value::Null; 0], "{log}");
    let abandoned = "abandoned: the client disconnected, or the service stopped";
    let lines = lines(&log, abandoned);
    assert_eq!(lines.len(), 1, "{log}");
    for (name, value) in [
        ("level", "INFO"),
        ("target", "access"),
        ("request_id", "mine"),
        ("trace_id", "4bf92f3577b34da6a3ce929d0e0e4736"),
        ("caller", "IOS"),
        ("app_version", "4.2"),
        ("code", "ABANDONED"),
    ] {
        assert_eq!(lines[0][name], value, "{name}: {log}");
    }
    let duration_ms = lines[0]["duration_ms"].as_f64().unwrap();
    assert!((0.0..60_000.0).contains(&duration_ms), "{log}");
}

fn a_refused_preflight_request_is_logged() {
    let running = serve_in(program(), &["--cors-origins=https://a.example"]);
    for origin in ["https://a.example", "http://localhost:3000"] {
        running.exchange(
            format!(
                "OPTIONS /graphql HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nOrigin: {origin}\r\n\
                 Access-Control-Request-Method: POST\r\n\r\n"
            )
            .as_bytes(),
        );
    }
    let log = running.stop();
    let message = "refused a preflight request: cors-origins does not name this origin";
    let found = lines(&log, message);
    assert_eq!(found.len(), 1, "{log}");
    assert_eq!(found[0]["origin"], "http://localhost:3000");
}
