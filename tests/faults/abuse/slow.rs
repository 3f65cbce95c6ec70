//! Clients that send a byte at a time, or never finish a body: their connections are closed, their memory is bounded, and
//! other clients are served meanwhile.

use std::{
    io::{Read, Write},
    net::TcpStream,
    thread,
    time::{Duration, Instant},
};

use super::{
    frames::{DATA, END_HEADERS, END_STREAM, HEADERS, connect, frame, post_head, read_frame},
    service::{QUERY, Service, TIMEOUT, head, wait_until},
};

testkit::tests![
    closes_connections_with_slow_heads_and_bodies,
    serves_other_requests_while_bodies_are_unfinished,
    bounds_the_memory_of_large_bodies,
];

/// More than the default of `--concurrency-limit`.
const UNFINISHED: usize = 1200;

/// Streams of an HTTP/2 connection, below the limit of concurrent streams.
const STREAMS: usize = 30;

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
    let service = Service::start(&["--read-timeout-seconds=2"]);
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

/// HTTP/1.1 connections on which only the head of a request is sent.
fn heads_on_http_1(service: &Service) -> Vec<TcpStream> {
    let request_head = format!("{}Content-Length: 10\r\n\r\n", head());
    let streams = (0..UNFINISHED).map(|_| {
        let mut stream = service.connect();
        stream.write_all(request_head.as_bytes()).unwrap();
        stream
    });
    streams.collect()
}

/// The same as streams of a few HTTP/2 connections.
fn heads_on_http_2(service: &Service) -> Vec<TcpStream> {
    let connections = (0..UNFINISHED / STREAMS).map(|_| {
        let mut stream = connect(service, &[]);
        for number in 0..STREAMS {
            let id = u32::try_from(2 * number + 1).unwrap();
            let head = frame(HEADERS, END_HEADERS, id, &post_head());
            stream.write_all(&head).unwrap();
        }
        stream
    });
    connections.collect()
}

/// The response to a query in a new HTTP/2 connection.
fn query_on_http_2(service: &Service) -> Vec<u8> {
    let mut stream = connect(service, &[]);
    let head = frame(HEADERS, END_HEADERS, 1, &post_head());
    let body = frame(DATA, END_STREAM, 1, QUERY.as_bytes());
    stream.write_all(&[head, body].concat()).unwrap();
    loop {
        if let (DATA, _, 1, payload) = read_frame(&mut stream).unwrap() {
            return payload;
        }
    }
}

fn serves_other_requests_while_bodies_are_unfinished() {
    // Long, so that all of them are open at the end even on a loaded machine.
    let service = Service::start(&["--body-timeout-seconds=60"]);
    let unfinished = [heads_on_http_1(&service), heads_on_http_2(&service)];
    let all_open = || service.count("catalogue_requests_in_flight") >= 2 * UNFINISHED;
    wait_until("all of them are open", all_open);
    for _ in 0..20 {
        assert!(service.post_query("{ __typename }").contains("Query"));
        assert_eq!(
            query_on_http_2(&service),
            br#"{"data":{"__typename":"Query"}}"#
        );
    }
    assert!(all_open(), "some were refused meanwhile");
    drop(unfinished);
    service.assert_unaffected();
}

fn bounds_the_memory_of_large_bodies() {
    const CLIENTS: usize = 60;
    const BYTES: usize = 900_000;
    let service = Service::start(&["--body-memory-bytes=1048576", "--body-limit-bytes=1000000"]);
    let before = service.memory();
    let beginning = format!("{}Content-Length: 1000000\r\n\r\n", head());
    let beginning = [beginning.into_bytes(), vec![b' '; BYTES]].concat();
    let large = (0..CLIENTS).map(|_| {
        let mut stream = service.connect();
        // A refused client may be reset while it sends.
        let _ = stream.write_all(&beginning);
        stream
    });
    let large: Vec<TcpStream> = large.collect();
    service.assert_unaffected();
    let grown = service.memory().saturating_sub(before);
    println!("{grown} bytes for {CLIENTS} bodies of {BYTES}");
    assert!(grown < 32 * 1024 * 1024, "{grown} bytes");
    let refused = service.count(r#"catalogue_limits_refused_total{limit="body-memory-bytes"}"#);
    assert!(refused > CLIENTS / 2, "{refused} were refused");
    drop(large);
}
