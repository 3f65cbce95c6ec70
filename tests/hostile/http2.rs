//! The known attacks on HTTP/2: each ends the connection, with bounded memory and work.

use std::{io::Write, net::TcpStream};

use crate::{
    frames::{
        ACK, CONTINUATION, DATA, END_HEADERS, END_STREAM, HEADERS, PING, RST_STREAM, SETTINGS,
        connect, frame, goodbye, header, next, posting,
    },
    service::{QUERY, Service, post, until},
};

const MIB: u64 = 1024 * 1024;

/// Most streams at once.
const STREAMS: u32 = 128;

/// Why connections end: RFC 9113, section 7.
const ENHANCE_YOUR_CALM: u32 = 11;
const CANCEL: [u8; 4] = [0, 0, 0, 8];

/// Writes until the service has had enough, at most so many times; answers how often it took it.
fn flood(stream: &mut TcpStream, times: u32, mut part: impl FnMut(u32) -> Vec<u8>) -> u32 {
    for number in 0..times {
        if stream.write_all(&part(number)).is_err() {
            return number;
        }
    }
    times
}

/// CVE-2023-44487: streams that are opened and given up at once.
#[test]
fn rapid_resets_end_the_connection() {
    let service = Service::start(&[]);
    let before = service.memory();
    let mut stream = connect(&service, &[]);
    let taken = flood(&mut stream, 200_000, |number| {
        let id = 2 * number + 1;
        let mut both = frame(HEADERS, END_HEADERS, id, &posting());
        both.extend(frame(RST_STREAM, 0, id, &CANCEL));
        both
    });
    assert_eq!(
        goodbye(&mut stream).unwrap_or(ENHANCE_YOUR_CALM),
        ENHANCE_YOUR_CALM
    );
    assert!(taken < 200_000, "all of it was taken");
    let grown = service.memory().saturating_sub(before);
    assert!(grown < 32 * MIB, "{grown} bytes");
    service.assert_unharmed();
}

/// A head that goes on in one frame after the other (CVE-2024-27316 and others).
#[test]
fn a_head_without_end_ends_the_connection() {
    let service = Service::start(&[]);
    let before = service.memory();
    let mut stream = connect(&service, &[]);
    stream.write_all(&frame(HEADERS, 0, 1, &posting())).unwrap();
    let line = header("x-bomb", &"x".repeat(8000));
    let taken = flood(&mut stream, 20_000, |_| frame(CONTINUATION, 0, 1, &line));
    assert!(taken < 20_000, "all of it was taken");
    let grown = service.memory().saturating_sub(before);
    assert!(grown < 32 * MIB, "{grown} bytes");
    service.assert_unharmed();
}

/// The same with frames that hold nothing, which no bound of bytes ends.
#[test]
fn empty_continuations_end_the_connection() {
    let service = Service::start(&[]);
    let mut stream = connect(&service, &[]);
    stream.write_all(&frame(HEADERS, 0, 1, &posting())).unwrap();
    let empty = frame(CONTINUATION, 0, 1, &[]).repeat(1000);
    let taken = flood(&mut stream, 2000, |_| empty.clone());
    assert!(taken < 2000, "all of it was taken");
    service.assert_unharmed();
}

/// Small on the wire, large in memory: one line in the table of HPACK, named thousands of times.
#[test]
fn a_head_that_unpacks_to_megabytes_is_refused() {
    let service = Service::start(&[]);
    let before = service.memory();
    let mut stream = connect(&service, &[]);
    let mut head = posting();
    // With indexing (RFC 7541, 6.2.1), then 12,000 times by its index.
    let mut line = header("x-bomb", &"x".repeat(4000));
    line[0] = 0x40;
    head.extend(line);
    head.extend([0xbe].repeat(12_000));
    stream
        .write_all(&frame(HEADERS, END_HEADERS | END_STREAM, 1, &head))
        .unwrap();
    let answered = loop {
        match next(&mut stream) {
            // An answer is a refusal: 431 stands in no static table.
            Ok((HEADERS, _, 1, payload)) => {
                break payload.windows(3).any(|part| part == b"431") || payload[0] != 0x88;
            }
            Ok((RST_STREAM, ..)) | Err(_) => break true,
            Ok(_) => {}
        }
    };
    assert!(answered, "it was executed");
    let grown = service.memory().saturating_sub(before);
    assert!(grown < 16 * MIB, "{grown} bytes");
    service.assert_unharmed();
}

/// Frames that want to be acknowledged, by a client that takes no acknowledgement.
#[test]
fn settings_and_pings_without_end_take_bounded_memory() {
    for (kind, payload) in [(SETTINGS, [0, 3, 0, 0, 0, 100].as_slice()), (PING, &[0; 8])] {
        let service = Service::start(&["--read-timeout-seconds=2"]);
        let before = service.memory();
        let mut stream = connect(&service, &[]);
        stream
            .set_write_timeout(Some(std::time::Duration::from_secs(1)))
            .unwrap();
        let many = frame(kind, 0, 0, payload).repeat(1000);
        // 2 million of them, unless the service stops to read, or has enough.
        flood(&mut stream, 2000, |_| many.clone());
        let grown = service.memory().saturating_sub(before);
        assert!(grown < 32 * MIB, "{kind}: {grown} bytes");
        service.assert_unharmed();
    }
}

/// Parts of a body that hold nothing count as nothing towards any limit of bytes.
#[test]
fn empty_parts_of_a_body_end_with_the_patience() {
    let service = Service::start(&["--read-timeout-seconds=2"]);
    let before = service.memory();
    let mut stream = connect(&service, &[]);
    stream
        .write_all(&frame(HEADERS, END_HEADERS, 1, &posting()))
        .unwrap();
    let empty = frame(DATA, 0, 1, &[]).repeat(1000);
    let taken = flood(&mut stream, 20_000, |_| empty.clone());
    assert!(taken < 20_000, "20 million of them were taken");
    let grown = service.memory().saturating_sub(before);
    assert!(grown < 32 * MIB, "{grown} bytes");
    service.assert_unharmed();
}

#[test]
fn more_streams_than_permitted_are_refused() {
    let service = Service::start(&[]);
    let mut stream = connect(&service, &[]);
    for number in 0..500 {
        stream
            .write_all(&frame(HEADERS, END_HEADERS, 2 * number + 1, &posting()))
            .unwrap();
    }
    let mut refused = 0;
    while refused < 500 - STREAMS {
        match next(&mut stream).unwrap() {
            (RST_STREAM, ..) => refused += 1,
            (SETTINGS, flags, ..) if flags & ACK == 0 => {
                stream.write_all(&frame(SETTINGS, ACK, 0, &[])).unwrap();
            }
            _ => {}
        }
    }
    // The first of them is answered all the same.
    stream
        .write_all(&frame(DATA, END_STREAM, 1, QUERY.as_bytes()))
        .unwrap();
    loop {
        if let (DATA, _, 1, payload) = next(&mut stream).unwrap() {
            assert_eq!(payload, br#"{"data":{"__typename":"Query"}}"#);
            break;
        }
    }
    service.assert_unharmed();
}

/// A client that opens no window takes no answer: its connection must not stay for ever, however
/// often it asks for something small.
#[test]
fn a_client_that_opens_no_window_loses_its_connection() {
    let service = Service::start(&["--read-timeout-seconds=2"]);
    // SETTINGS_INITIAL_WINDOW_SIZE 0.
    let mut stream = connect(&service, &[0, 4, 0, 0, 0, 0]);
    for number in 0..100 {
        let id = 2 * number + 1;
        let head = frame(HEADERS, END_HEADERS, id, &posting());
        let body = frame(DATA, END_STREAM, id, QUERY.as_bytes());
        stream.write_all(&[head, body].concat()).unwrap();
    }
    until("the connection ends", || {
        goodbye(&mut stream).is_some() || next(&mut stream).is_err()
    });
    service.assert_unharmed();
}

/// Lists that nobody takes are kept for as many streams as are permitted, and no longer than their connection.
#[test]
fn long_lists_that_nobody_takes_have_a_bound() {
    let service = Service::start(&["--read-timeout-seconds=2", "--batch-limit=1000"]);
    let text = "x".repeat(100);
    let create = format!(
        r#"{{"query":"mutation {{ createVehicle(type: \"{text}\", modelCode: \"{text}\") {{ id }} }}"}}"#
    );
    let all = vec![create; 1000].join(",");
    let created = service.exchange(&post(&format!("[{all}]"), "Connection: close\r\n"));
    assert!(created.contains(r#""id":"1000""#), "{created}");
    let query = r#"{"query":"{ vehicles(count: 1000) { id type modelCode } }"}"#;
    let list = service.exchange(&post(query, "Connection: close\r\n"));
    let bound = u64::from(STREAMS) * list.len() as u64 + 32 * MIB;

    let before = service.memory();
    let mut most = 0;
    for _ in 0..3 {
        let mut stream = connect(&service, &[0, 4, 0, 0, 0, 0]);
        for number in 0..STREAMS {
            let id = 2 * number + 1;
            let head = frame(HEADERS, END_HEADERS, id, &posting());
            let body = frame(DATA, END_STREAM, id, query.as_bytes());
            stream.write_all(&[head, body].concat()).unwrap();
        }
        let mut begun = 0;
        while begun < STREAMS {
            let (kind, ..) = next(&mut stream).unwrap();
            begun += u32::from(kind == HEADERS);
        }
        most = most.max(service.memory().saturating_sub(before));
        until("the connection ends", || next(&mut stream).is_err());
    }
    println!("{most} bytes for lists of {} bytes", list.len());
    assert!(most < bound, "{most} bytes, {bound} at most");
    assert!(service.ask("{ __typename }").contains("Query"));
}
