//! Large responses that are compressed: they wait for a processor, which is slower than the execution of
//! their queries. They are small once they are compressed, so their clients need not read slowly.

use std::{fmt::Write as _, io::Write, net::TcpStream};

use testkit::Started;

use super::{
    frames::{
        DATA, END_HEADERS, END_STREAM, HEADERS, connect, frame, header, post_head, read_frame,
    },
    service::{Service, post, read_to_end},
};

testkit::tests![
    bounds_the_memory_of_responses_that_wait_for_compression_on_http_1,
    bounds_the_memory_of_responses_that_wait_for_compression_on_http_2,
];

const MIB: u64 = 1024 * 1024;

/// Maximum memory that responses of 930 MiB take in addition to that of the process before: `--response-memory-bytes`, and
/// what two responses that are executed, two codecs and the allocator take: 150 to 221 MiB in all were measured.
const MAX_MORE_MEMORY: u64 = 256 * MIB;

const CONNECTIONS: usize = 120;

/// The content codings of the service.
const CODINGS: [&str; 3] = ["br", "gzip", "zstd"];

/// Number of vehicles.
const VEHICLES: usize = 124;

/// A query of 62 kB with long aliases, whose response repeats them for each vehicle: 7.8 MB, slightly less
/// than the default of `--response-limit-bytes`.
fn query() -> String {
    let padding = "a".repeat(1000);
    let mut query = "{ vehicles {".to_owned();
    for number in 10..72 {
        write!(query, " {padding}{number}: modelCode").unwrap();
    }
    format!(r#"{{"query":"{query} }} }}"}}"#)
}

/// A service with default settings, and vehicles.
fn service() -> Service {
    // Limited, so that a defect cannot exhaust the memory of the machine.
    let service = Service::start_with_memory(4 * 1024 * MIB, &[]);
    let mut creates = "mutation {".to_owned();
    for number in 0..VEHICLES / 4 {
        write!(
            creates,
            r#" a{number}: createVehicle(type: \"a\", modelCode: \"b\") {{ id }}"#
        )
        .unwrap();
    }
    creates.push_str(" }");
    for _ in 0..4 {
        let response = service.post_query(&creates);
        assert!(!response.contains("errors"), "{response}");
    }
    service
}

/// Panics unless memory was bounded, responses were sent, and others are still served.
fn check(service: &Service, idle: u64, attack: &str, sent: usize) {
    let more = Started::memory(service, "VmHWM") - idle;
    println!(
        "{attack}: {sent} of {CONNECTIONS} sent, {} MiB more than when idle, {} MiB",
        more / MIB,
        idle / MIB
    );
    assert!(sent > 0, "{attack}: none was sent");
    assert!(more < MAX_MORE_MEMORY, "{attack}: {more} bytes");
    assert!(service.post_query("{ __typename }").contains("Query"));
}

fn bounds_the_memory_of_responses_that_wait_for_compression_on_http_1() {
    let service = service();
    let idle = Started::memory(&service, "VmRSS");
    let query = query();
    for coding in CODINGS {
        let lines = format!("Accept-Encoding: {coding}\r\nConnection: close\r\n");
        let request = post(&query, &lines);
        let mut streams = send_all(&service, &request);
        let is_sent = |stream| {
            let response = read_to_end(stream);
            let is_sent = response.starts_with("HTTP/1.1 200 ");
            let is_encoded = response.contains(&format!("\ncontent-encoding: {coding}\r\n"));
            assert!(if is_sent {
                is_encoded
            } else {
                is_refusal(&response)
            });
            is_sent
        };
        let sent = streams.iter_mut().map(is_sent).filter(|sent| *sent).count();
        check(&service, idle, coding, sent);
    }
}

fn bounds_the_memory_of_responses_that_wait_for_compression_on_http_2() {
    let service = service();
    let idle = Started::memory(&service, "VmRSS");
    let query = query();
    for coding in CODINGS {
        let request = http_2_request(&query, coding);
        let mut streams: Vec<_> = (0..CONNECTIONS)
            .map(|_| {
                let mut stream = connect(&service, &[]);
                stream.write_all(&request).unwrap();
                stream
            })
            .collect();
        let sent = streams
            .iter_mut()
            .map(is_sent_on_http_2)
            .filter(|sent| *sent)
            .count();
        check(&service, idle, coding, sent);
    }
}

/// Sends a request on each of many connections.
fn send_all(service: &Service, request: &[u8]) -> Vec<TcpStream> {
    let streams = (0..CONNECTIONS).map(|_| {
        let mut stream = service.connect();
        stream.write_all(request).unwrap();
        stream
    });
    streams.collect()
}

/// A request as frames, the body in several, since a frame has at most 16 KiB.
fn http_2_request(body: &str, coding: &str) -> Vec<u8> {
    let head = [post_head(), header("accept-encoding", coding)].concat();
    let mut frames = frame(HEADERS, END_HEADERS, 1, &head);
    for chunk in body.as_bytes().chunks(16 * 1024) {
        frames.extend(frame(DATA, 0, 1, chunk));
    }
    frames.extend(frame(DATA, END_STREAM, 1, &[]));
    frames
}

/// Whether the response in the first stream has the status 200 or is refused; it is read to its end.
fn is_sent_on_http_2(stream: &mut TcpStream) -> bool {
    let (mut is_sent, mut content) = (false, Vec::new());
    loop {
        let (kind, flags, id, payload) = read_frame(stream).unwrap();
        match (kind, id) {
            // Status 200 in the static table.
            (HEADERS, 1) => is_sent = payload[0] == 0x88,
            (DATA, 1) => content.extend(payload),
            _ => continue,
        }
        if flags & END_STREAM != 0 {
            assert!(is_sent || is_refusal(&String::from_utf8(content).unwrap()));
            return is_sent;
        }
    }
}

fn is_refusal(response: &str) -> bool {
    response.contains(r#""code":"SERVICE_UNAVAILABLE""#)
        && response.contains("response-memory-bytes")
}
