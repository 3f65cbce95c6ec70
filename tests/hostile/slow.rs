//! Clients that send a byte at a time, or never take what they asked for: each loses its connection,
//! and costs nobody else anything meanwhile.

use std::{
    io::{Read, Write},
    thread,
    time::{Duration, Instant},
};

use crate::service::{PATIENCE, QUERY, Service, head, post, until};

/// Short, so that the end of the patience is seen.
const FLAGS: &[&str] = &["--read-timeout-seconds=2"];

/// Sends these bytes slowly and for ever, until the connection ends; answers what was answered.
fn dribbled(service: &Service, beginning: &[u8], bytes: &[u8]) -> String {
    let mut stream = service.connect();
    stream.write_all(beginning).unwrap();
    let mut back = stream.try_clone().unwrap();
    let reader = thread::spawn(move || {
        let mut answer = Vec::new();
        // A reset is an end too.
        let _ = back.read_to_end(&mut answer);
        String::from_utf8_lossy(&answer).into_owned()
    });
    let started = Instant::now();
    for byte in bytes.iter().cycle() {
        if reader.is_finished() || stream.write_all(&[*byte]).is_err() {
            break;
        }
        assert!(started.elapsed() < PATIENCE, "it stays connected");
        thread::sleep(Duration::from_millis(100));
    }
    reader.join().unwrap()
}

#[test]
fn slow_heads_and_bodies_lose_their_connection() {
    let service = Service::start(FLAGS);
    let in_head = head().as_bytes().to_vec();
    let in_body = format!("{}Content-Length: 1000\r\n\r\n", head()).into_bytes();
    let in_chunk = format!("{}Transfer-Encoding: chunked\r\n\r\n1000\r\n", head()).into_bytes();
    let in_size = format!("{}Transfer-Encoding: chunked\r\n\r\n", head()).into_bytes();
    thread::scope(|scope| {
        for (beginning, bytes, status) in [
            (&in_head, b"X-Slow: a\r\n".as_slice(), None),
            (&in_body, b" ".as_slice(), Some("HTTP/1.1 408 ")),
            (&in_chunk, b" ".as_slice(), Some("HTTP/1.1 408 ")),
            (&in_size, b"1\r\n \r\n".as_slice(), Some("HTTP/1.1 408 ")),
        ] {
            let service = &service;
            scope.spawn(move || {
                let answer = dribbled(service, beginning, bytes);
                let expected = status.unwrap_or("");
                assert!(answer.starts_with(expected), "{answer}");
                assert!(!answer.contains(" 200 "), "{answer}");
            });
        }
    });
    service.assert_unharmed();
}

/// Whether the connection of this question is the only one that the service has open.
fn is_alone(service: &Service) -> bool {
    let get = b"GET /metrics HTTP/1.1\r\nHost: catalogue\r\nConnection: close\r\n\r\n";
    let metrics = service.exchange(get);
    assert!(
        metrics.contains("\ncatalogue_connections_open "),
        "{metrics}"
    );
    metrics.contains("\ncatalogue_connections_open 1.0\n")
}

#[test]
fn clients_that_never_take_their_answers_lose_their_connection() {
    const CLIENTS: usize = 8;
    const VEHICLES: usize = 1000;
    let service = Service::start(&[
        "--read-timeout-seconds=2",
        "--compression-threshold-bytes=4294967295",
    ]);
    let name = "x".repeat(255);
    let creates: Vec<_> = (0..50)
        .map(|number| format!(r#"a{number}: createVehicle(type: \"{name}\", modelCode: \"{name}\", brandName: \"{name}\") {{ id }}"#))
        .collect();
    let creates = format!("mutation {{ {} }}", creates.join(" "));
    for _ in 0..VEHICLES / 50 {
        let answer = service.ask(&creates);
        assert!(!answer.contains("errors"), "{answer}");
    }
    let before = service.memory();
    let asking = post(
        r#"{"query":"{ vehicles { id type modelCode brandName } }"}"#,
        "",
    );
    let streams: Vec<_> = (0..CLIENTS)
        .map(|_| {
            let mut stream = service.connect();
            // Many requests in a row: only one answer is made before the last is taken.
            for _ in 0..20 {
                stream.write_all(&asking).unwrap();
            }
            stream
        })
        .collect();
    assert_eq!(
        service.ask("{ vehicle(id: 1) { id } }"),
        r#"{"data":{"vehicle":{"id":"1"}}}"#
    );
    let grown = service.memory().saturating_sub(before);
    // An answer has about 800 KiB.
    assert!(grown < 64 * 1024 * 1024, "{grown} bytes");
    until("they lose their connections", || is_alone(&service));
    drop(streams);
}

#[test]
fn a_client_that_says_nothing_after_its_answer_loses_its_connection() {
    let service = Service::start(FLAGS);
    let answer = service.exchange(&post(QUERY, ""));
    assert!(answer.starts_with("HTTP/1.1 200 "), "{answer}");
}
