//! Requests with unfinished bodies: other requests are served meanwhile, and the memory of received
//! parts is bounded.

use std::{
    io::{Read, Write},
    net::TcpStream,
    thread,
    time::{Duration, Instant},
};

use super::{
    frames::{DATA, END_HEADERS, END_STREAM, HEADERS, connect, frame, post_head, read_frame},
    service::{QUERY, Service, head, post, read_to_end, wait_until},
};

testkit::tests![
    serves_other_requests_while_bodies_are_unfinished,
    refuses_a_client_that_sends_no_body_within_seconds,
    serves_a_client_that_is_only_slow,
    bounds_the_memory_of_large_bodies_and_serves_small_ones,
];

/// More than the default of `--concurrency-limit`.
pub(crate) const UNFINISHED: usize = 1200;

/// Streams of an HTTP/2 connection, below the limit of concurrent streams.
const STREAMS: usize = 120;

/// HTTP/1.1 connections on which only the head of a request is sent.
pub(crate) fn heads_on_http_1(service: &Service) -> Vec<TcpStream> {
    let request_head = format!("{}Content-Length: 10\r\n\r\n", head());
    let streams = (0..UNFINISHED).map(|_| {
        let mut stream = service.connect();
        stream.write_all(request_head.as_bytes()).unwrap();
        stream
    });
    streams.collect()
}

/// The same as streams of a few HTTP/2 connections.
pub(crate) fn heads_on_http_2(service: &Service) -> Vec<TcpStream> {
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

/// Sends a request in a new HTTP/2 stream, and returns the response.
fn query_on_http_2(stream: &mut TcpStream, id: u32, body: &str) -> String {
    let head = frame(HEADERS, END_HEADERS, id, &post_head());
    let body = frame(DATA, END_STREAM, id, body.as_bytes());
    stream.write_all(&[head, body].concat()).unwrap();
    response_on_http_2(stream, id)
}

/// The first data of the response in a stream.
fn response_on_http_2(stream: &mut TcpStream, id: u32) -> String {
    loop {
        if let (DATA, _, response_id, payload) = read_frame(stream).unwrap()
            && response_id == id
        {
            return String::from_utf8(payload).unwrap();
        }
    }
}

fn serves_other_requests_while_bodies_are_unfinished() {
    type Open = fn(&Service) -> Vec<TcpStream>;
    for (protocol, open) in [
        ("HTTP/1.1", heads_on_http_1 as Open),
        ("HTTP/2", heads_on_http_2),
    ] {
        // Long, so that all of them are open at the end even on a loaded machine.
        let service = Service::start(&["--body-timeout-seconds=60"]);
        let unfinished = open(&service);
        let all_open = || service.count("catalogue_requests_in_flight") >= UNFINISHED;
        wait_until("all of them are open", all_open);
        for _ in 0..20 {
            assert!(
                service.post_query("{ __typename }").contains("Query"),
                "{protocol}"
            );
            let response = query_on_http_2(&mut connect(&service, &[]), 1, QUERY);
            assert_eq!(response, r#"{"data":{"__typename":"Query"}}"#, "{protocol}");
        }
        assert!(all_open(), "{protocol}: some were refused meanwhile");
        drop(unfinished);
        service.assert_unaffected();
    }
}

/// The read timeout has its default of more than a minute.
fn refuses_a_client_that_sends_no_body_within_seconds() {
    let service = Service::start(&["--body-timeout-seconds=1"]);
    let started = Instant::now();
    let mut http_1 = service.connect();
    let request_head = format!("{}Content-Length: 10\r\n\r\n", head());
    http_1.write_all(request_head.as_bytes()).unwrap();
    let mut http_2 = connect(&service, &[]);
    let head = frame(HEADERS, END_HEADERS, 1, &post_head());
    http_2.write_all(&head).unwrap();

    let response = read_to_end(&mut http_1);
    assert!(response.starts_with("HTTP/1.1 408 "), "{response}");
    let limit = r#"{"name":"body-timeout-seconds","value":1}"#;
    assert!(response.contains(limit), "{response}");
    let response = response_on_http_2(&mut http_2, 1);
    assert!(response.contains(limit), "{response}");
    let elapsed = started.elapsed();
    assert!(elapsed < Duration::from_secs(20), "{elapsed:?}");
    // The other streams of the connection are not affected.
    let response = query_on_http_2(&mut http_2, 3, QUERY);
    assert_eq!(response, r#"{"data":{"__typename":"Query"}}"#);
}

/// 5 KiB per second, ten times the required rate, for twice the timeout.
fn serves_a_client_that_is_only_slow() {
    let service = Service::start(&["--body-timeout-seconds=2"]);
    let request = post(
        &format!("{QUERY}{}", " ".repeat(20 * 1024)),
        "Connection: close\r\n",
    );
    let mut stream = service.connect();
    for part in request.chunks(512) {
        stream.write_all(part).unwrap();
        thread::sleep(Duration::from_millis(100));
    }
    let response = read_to_end(&mut stream);
    assert!(response.starts_with("HTTP/1.1 200 "), "{response}");
}

fn bounds_the_memory_of_large_bodies_and_serves_small_ones() {
    const CLIENTS: usize = 60;
    const BYTES: usize = 900_000;
    let service = Service::start(&["--body-memory-bytes=1048576", "--body-limit-bytes=1000000"]);
    let before = service.memory();
    let beginning = format!("{}Content-Length: 1000000\r\n\r\n", head());
    let beginning = [beginning.into_bytes(), vec![b' '; BYTES]].concat();
    let large: Vec<_> = (0..CLIENTS)
        .map(|_| {
            let mut stream = service.connect();
            stream.write_all(&beginning).unwrap();
            stream
        })
        .collect();
    let grown = service.memory().saturating_sub(before);
    println!("{grown} bytes for {CLIENTS} bodies of {BYTES}");
    assert!(grown < 32 * 1024 * 1024, "{grown} bytes");
    // In two parts, so that it is unfinished at first, too.
    let request = post(
        &format!("{QUERY}{}", " ".repeat(8000)),
        "Connection: close\r\n",
    );
    let mut small = service.connect();
    let (first, second) = request.split_at(4000);
    small.write_all(first).unwrap();
    thread::sleep(Duration::from_millis(100));
    small.write_all(second).unwrap();
    let response = read_to_end(&mut small);
    assert!(response.starts_with("HTTP/1.1 200 "), "{response}");

    let refused = large.into_iter().map(|mut stream| {
        let mut status = [0; 12];
        stream.read_exact(&mut status).unwrap();
        status == *b"HTTP/1.1 503"
    });
    let refused = refused.filter(|refused| *refused).count();
    assert!(refused > CLIENTS / 2, "{refused} were refused");
    service.assert_unaffected();
}
