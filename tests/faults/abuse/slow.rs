//! Clients that send a byte at a time, or never read their responses: their connections are closed, and
//! other clients are served meanwhile.

use std::{
    io::{Read, Write},
    thread,
    time::{Duration, Instant},
};

use super::service::{QUERY, Service, TIMEOUT, head, post, wait_until};

testkit::tests![
    closes_connections_with_slow_heads_and_bodies,
    closes_connections_that_read_a_response_slowly,
    closes_connections_with_unread_responses,
    closes_idle_connections,
];

/// A short timeout, so that the tests reach it.
const FLAGS: &[&str] = &["--read-timeout-seconds=2"];

/// Sends these bytes slowly and repeatedly until the connection is closed, and returns the response.
fn send_slowly(service: &Service, beginning: &[u8], bytes: &[u8]) -> String {
    let mut stream = service.connect();
    stream.write_all(beginning).unwrap();
    let mut read_half = stream.try_clone().unwrap();
    let reader = thread::spawn(move || {
        let mut response = Vec::new();
        // The connection may end with a reset.
        let _ = read_half.read_to_end(&mut response);
        String::from_utf8_lossy(&response).into_owned()
    });
    let started = Instant::now();
    for byte in bytes.iter().cycle() {
        if reader.is_finished() || stream.write_all(&[*byte]).is_err() {
            break;
        }
        assert!(started.elapsed() < TIMEOUT, "the connection stays open");
        thread::sleep(Duration::from_millis(100));
    }
    reader.join().unwrap()
}

fn closes_connections_with_slow_heads_and_bodies() {
    let service = Service::start(FLAGS);
    let in_head = head().as_bytes().to_vec();
    let in_body = format!("{}Content-Length: 1000\r\n\r\n", head()).into_bytes();
    let in_chunk = format!("{}Transfer-Encoding: chunked\r\n\r\n1000\r\n", head()).into_bytes();
    let in_size = format!("{}Transfer-Encoding: chunked\r\n\r\n", head()).into_bytes();
    thread::scope(|scope| {
        for (beginning, bytes, status) in [
            // An unfinished head has no response.
            (&in_head, b"X-Slow: a\r\n".as_slice(), ""),
            (&in_body, b" ".as_slice(), "HTTP/1.1 408"),
            (&in_chunk, b" ".as_slice(), "HTTP/1.1 408"),
            (&in_size, b"1\r\n \r\n".as_slice(), "HTTP/1.1 408"),
        ] {
            let service = &service;
            scope.spawn(move || {
                let response = send_slowly(service, beginning, bytes);
                assert_eq!(
                    response.get(..12).unwrap_or(&response),
                    status,
                    "{response}"
                );
                assert!(!response.contains(" 200 "), "{response}");
            });
        }
    });
    service.assert_unaffected();
}

/// A service whose response to [`vehicles`] has about 800 KiB.
fn with_large_responses() -> Service {
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
        let response = service.post_query(&creates);
        assert!(!response.contains("errors"), "{response}");
    }
    service
}

fn vehicles() -> Vec<u8> {
    post(
        r#"{"query":"{ vehicles { id type modelCode brandName } }"}"#,
        "",
    )
}

fn closes_connections_with_unread_responses() {
    const CLIENTS: usize = 8;
    let service = with_large_responses();
    let before = service.memory();
    let request = vehicles();
    let streams: Vec<_> = (0..CLIENTS)
        .map(|_| {
            let mut stream = service.connect();
            // Pipelined requests: the next is executed only after the response of the last is written.
            for _ in 0..20 {
                stream.write_all(&request).unwrap();
            }
            stream
        })
        .collect();
    assert_eq!(
        service.post_query("{ vehicle(id: 1) { id } }"),
        r#"{"data":{"vehicle":{"id":"1"}}}"#
    );
    let grown = service.memory().saturating_sub(before);
    assert!(grown < 64 * 1024 * 1024, "{grown} bytes");
    wait_until("their connections are closed", || {
        // The connection that reads the metric.
        service.count("catalogue_connections_open") == 1
    });
    drop(streams);
}

fn closes_connections_that_read_a_response_slowly() {
    let service = with_large_responses();
    let mut stream = service.connect();
    // Larger than the buffers of the operating system.
    let aliases: Vec<_> = (0..10)
        .map(|number| format!("a{number}: vehicles {{ id type modelCode brandName }}"))
        .collect();
    let aliases = aliases.join(" ");
    let request = post(&format!(r#"{{"query":"{{ {aliases} }}"}}"#), "");
    for _ in 0..20 {
        stream.write_all(&request).unwrap();
    }
    let mut bytes = vec![0; 64 * 1024];
    wait_until("the connection is closed", || {
        // Fast enough that writes do not wait for the timeout, and too slow for a response.
        let read = stream.read(&mut bytes);
        thread::sleep(Duration::from_millis(50));
        matches!(read, Ok(0) | Err(_)) || service.count("catalogue_connections_open") == 1
    });
}

fn closes_idle_connections() {
    let service = Service::start(FLAGS);
    let response = service.exchange(&post(QUERY, ""));
    assert!(response.starts_with("HTTP/1.1 200 "), "{response}");
}
