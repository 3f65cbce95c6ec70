//! Clients that never finish a body: their memory is bounded, and other clients are served meanwhile.

use std::{io::Write, net::TcpStream};

use testkit::http::get;

use testkit::http2::{DATA, END_HEADERS, END_STREAM, HEADERS, connect, frame, post_head, read_frame};

use super::service::{QUERY, Service, head, wait_until};

testkit::tests![serves_other_requests_while_bodies_are_unfinished, bounds_the_memory_of_large_bodies,];

/// More than the default of `--concurrency-limit`.
const UNFINISHED: usize = 1200;

/// Streams of an HTTP/2 connection, the limit of concurrent streams.
const STREAMS: usize = 24;

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
            let head = frame(HEADERS, END_HEADERS, id, &post_head("localhost"));
            stream.write_all(&head).unwrap();
        }
        stream
    });
    connections.collect()
}

/// The response to a query in a new HTTP/2 connection.
fn query_on_http_2(service: &Service) -> Vec<u8> {
    let mut stream = connect(service, &[]);
    let head = frame(HEADERS, END_HEADERS, 1, &post_head("localhost"));
    let body = frame(DATA, END_STREAM, 1, QUERY.as_bytes());
    stream.write_all(&[head, body].concat()).unwrap();
    loop {
        if let (DATA, _, 1, payload) = read_frame(&mut stream).unwrap() {
            return payload;
        }
    }
}

fn serves_other_requests_while_bodies_are_unfinished() {
    let service = Service::start(&[]);
    let unfinished = [heads_on_http_1(&service), heads_on_http_2(&service)];
    let all_open = || service.count("catalogue_requests_in_flight") >= 2 * UNFINISHED;
    wait_until("all of them are open", all_open);
    for _ in 0..20 {
        assert!(service.post_query("{ __typename }").contains("Query"));
        assert_eq!(query_on_http_2(&service), br#"{"data":{"__typename":"Query"}}"#);
    }
    assert!(all_open(), "some were refused meanwhile");
    drop(unfinished);
    service.assert_unaffected();
}

fn bounds_the_memory_of_large_bodies() {
    const CLIENTS: usize = 160;
    const BYTES: usize = 900_000;
    let service = Service::start(&["--body-limit-bytes=1000000"]);
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
    let refused = r#"catalogue_limits_refused_total{limit="unfinished-body-bytes"}"#;
    wait_until("more than half of them are refused", || {
        let (_, metrics) = get(service.addr, "/metrics");
        metrics.contains(refused) && service.count(refused) > CLIENTS / 2
    });
    service.assert_unaffected();
    let grown = service.memory().saturating_sub(before);
    println!("{grown} bytes for {CLIENTS} bodies of {BYTES}");
    // The service keeps 64 MiB of them, besides a buffer of at most 408 KiB for each connection.
    assert!(grown < 160 * 1024 * 1024, "{grown} bytes");
    drop(large);
}
