//! The log of the started process: what its lines have, and what they never have.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::{
    io::{BufRead, BufReader, Read, Write},
    net::TcpStream,
    process::{Child, ChildStdout, Command, Stdio},
    time::Duration,
};

use serde_json::{Value, json};
use tempfile::TempDir;

/// What must not be in any log, wherever a client or an operator has put it.
const CANARY: &str = "canary-7f3a";

/// A service with a database of its own, killed when a test ends without stopping it.
struct Running {
    process: Child,
    addr: String,
    /// Open as long as the service may write to it.
    _stdout: BufReader<ChildStdout>,
    _folder: TempDir,
}

impl Running {
    fn start(arguments: &[&str]) -> Self {
        let folder = TempDir::new().unwrap();
        let mut process = Command::new(env!("CARGO_BIN_EXE_vehicle-catalogue"))
            .env_clear()
            .current_dir(folder.path())
            .args(["--listen=127.0.0.1:0"])
            .args(arguments)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut stdout = BufReader::new(process.stdout.take().unwrap());
        let mut line = String::new();
        stdout.read_line(&mut line).unwrap();
        let mut parts = line.split('/');
        let addr = parts.find(|part| part.starts_with("127.")).unwrap();
        Self {
            addr: addr.to_owned(),
            process,
            _stdout: stdout,
            _folder: folder,
        }
    }

    /// Sends a request on a connection of its own and answers the response.
    fn post(&self, headers: &str, body: &Value) -> String {
        let mut stream = TcpStream::connect(&self.addr).unwrap();
        let patience = Some(Duration::from_secs(30));
        stream.set_read_timeout(patience).unwrap();
        let (body, headers) = (body.to_string(), headers.replace('\n', "\r\n"));
        let length = body.len();
        write!(
            stream,
            "POST /graphql HTTP/1.1\r\nHost: catalogue\r\nConnection: close\r\n\
             Content-Type: application/json\r\nContent-Length: {length}\r\n{headers}\r\n{body}"
        )
        .unwrap();
        let mut response = String::new();
        stream.read_to_string(&mut response).unwrap();
        assert!(response.starts_with("HTTP/1.1 "), "{response}");
        response
    }

    /// Stops the service and answers all that it has logged.
    fn stop(mut self) -> String {
        let id = self.process.id().to_string();
        let killed = Command::new("kill").args(["-TERM", &id]).status();
        assert!(killed.unwrap().success());
        let mut log = String::new();
        let mut stderr = self.process.stderr.take().unwrap();
        stderr.read_to_string(&mut log).unwrap();
        assert_eq!(self.process.wait().unwrap().code(), Some(0), "{log}");
        log
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // It has ended already where a test has stopped it.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// The lines with this message, each as the JSON that it must be.
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

#[test]
fn a_request_is_one_line_of_json() {
    let running = Running::start(&[]);
    running.post(
        "X-Request-Id: mine\ntraceparent: 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01\n\
         Call-Source: IOS\nApp-Version: 4.2\n",
        &query("query Hello { __typename }"),
    );
    running.post("Call-Source: FRIDGE\n", &query("{ vehicle { id } }"));
    running.post("", &query("nonsense"));
    let log = running.stop();
    let lines = lines(&log, "answered");
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
    for absent in [
        "operation_name",
        "operation_type",
        "caller",
        "app_version",
        "trace_id",
    ] {
        assert!(lines[2].get(absent).is_none(), "{}", lines[2]);
    }
}

#[test]
fn people_are_written_to_in_another_form() {
    let running = Running::start(&["--log-format=human"]);
    running.post("X-Request-Id: mine\n", &query("{ __typename }"));
    let log = running.stop();
    let line = log.lines().find(|line| line.contains("answered")).unwrap();
    assert!(
        line.contains(r#"request_id="mine""#) && !line.starts_with('{'),
        "{line}"
    );
    assert!(!log.contains('\u{1b}'), "colours are for terminals: {log}");
}

#[test]
fn the_line_of_each_request_can_be_left_out() {
    let running = Running::start(&["--log-level=info,access=off"]);
    running.post("", &query("{ __typename }"));
    let log = running.stop();
    assert_eq!(lines(&log, "answered").len(), 0, "{log}");
    assert_eq!(lines(&log, "serving").len(), 1, "{log}");
}

#[test]
fn what_a_client_sends_and_a_password_are_in_no_line() {
    let running = Running::start(&[
        "--log-level=trace,h2=off",
        "--slow-operation-threshold-ms=1",
    ]);
    let create = "mutation M($code: String!) { createVehicle(type: \"canary-7f3a\", modelCode: $code) { id } }";
    let body = json!({ "query": create, "operationName": "M", "variables": { "code": CANARY } });
    let headers =
        format!("Authorization: Bearer {CANARY}\nX-Token: {CANARY}\nCall-Source: {CANARY}\n");
    let answer = running.post(&headers, &body);
    assert!(answer.contains("\"id\":\"1\""), "{answer}");
    let invalid = format!("{{ vehicle(id: \"{CANARY}\") {{ id canary }} }} # {CANARY}");
    running.post(&headers, &query(&invalid));
    let body =
        json!({ "query": "{ __typename }", "operationName": format!("not a name {CANARY}") });
    running.post(&headers, &body);
    let wrong = json!({ "query": create, "variables": { "code": [CANARY] } });
    running.post(&headers, &wrong);
    let log = running.stop();
    assert!(log.lines().count() > 3, "{log}");
    assert!(!log.contains(CANARY), "{log}");

    let url = format!("--database-url=postgres://user:{CANARY}@127.0.0.1:9/none");
    let output = Command::new(env!("CARGO_BIN_EXE_vehicle-catalogue"))
        .env_clear()
        .args(["--listen=127.0.0.1:0", "--log-level=trace", &url])
        .args([
            "--database-connect-timeout-seconds=1",
            "--database-timeout-seconds=1",
        ])
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(!said.contains(CANARY), "{said}");
}

#[test]
fn a_slow_operation_is_told_with_its_name() {
    // So many questions take longer than a millisecond, wherever this is run.
    let field = |number: u32| format!("a{number}: __schema {{ types {{ name }} }}");
    let fields: Vec<String> = (0..2000).map(field).collect();
    let document = format!("query Slow {{ {} }}", fields.join(" "));
    let running = Running::start(&[
        "--slow-operation-threshold-ms=1",
        "--alias-limit=100000",
        "--root-field-limit=100000",
        "--token-limit=1000000",
        "--query-limit-bytes=16777216",
    ]);
    running.post("X-Request-Id: mine\n", &query(&document));
    let log = running.stop();
    let lines = lines(&log, "an operation was slow");
    assert_eq!(lines.len(), 1, "{log}");
    assert_eq!(lines[0]["operation_name"], "Slow", "{log}");
    assert_eq!(lines[0]["request_id"], "mine", "{log}");
    assert_eq!(lines[0]["level"], "WARN", "{log}");
    assert_eq!(lines[0]["threshold_ms"], 1.0, "{log}");
    assert!(lines[0]["duration_ms"].as_f64().unwrap() > 1.0, "{log}");
}

#[test]
fn a_failure_is_found_by_its_reference_and_by_its_request() {
    let running = Running::start(&["--migrate=never"]);
    let answer = running.post("X-Request-Id: mine\n", &query("{ vehicle(id: 1) { id } }"));
    let (_, body) = answer.split_once("\r\n\r\n").unwrap();
    let body: Value = serde_json::from_str(body).unwrap();
    let reference = &body["errors"][0]["extensions"]["reference"];
    let log = running.stop();
    let lines = lines(&log, "a request failed");
    assert_eq!(lines.len(), 1, "{log}");
    assert_eq!(&lines[0]["reference"], reference, "{log}");
    assert_eq!(lines[0]["request_id"], "mine", "{log}");
    assert_eq!(lines[0]["code"], "INTERNAL_SERVER_ERROR", "{log}");
    assert!(
        lines[0]["cause"]
            .as_str()
            .unwrap()
            .contains("no such table"),
        "{log}"
    );
}

#[test]
fn a_client_that_goes_away_is_told_of() {
    let running = Running::start(&[]);
    let mut stream = TcpStream::connect(&running.addr).unwrap();
    let head = "POST /graphql HTTP/1.1\r\nHost: catalogue\r\nX-Request-Id: mine\r\n\
         Expect: 100-continue\r\nContent-Type: application/json\r\nContent-Length: 10\r\n\r\n";
    stream.write_all(head.as_bytes()).unwrap();
    // The service says so once it waits for the body: the request is in flight from here on.
    let mut start = [0; 12];
    stream.read_exact(&mut start).unwrap();
    assert_eq!(&start, b"HTTP/1.1 100");
    drop(stream);
    let log = running.stop();
    assert!(log.contains("\"request_id\":\"mine\""), "{log}");
}
