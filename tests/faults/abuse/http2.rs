//! The known attacks on HTTP/2: each closes the connection, with bounded memory and work.

use std::{io::Write, net::TcpStream, thread};

use testkit::http2::{
    CONTINUATION, DATA, END_HEADERS, END_STREAM, HEADERS, PING, RST_STREAM, SETTINGS, connect, frame, go_away, header,
    post_head, read_frame,
};

use super::service::Service;

testkit::tests![
    closes_the_connection_on_rapid_resets,
    closes_the_connection_on_an_endless_head,
    closes_the_connection_on_empty_continuations,
    refuses_a_head_that_decompresses_to_megabytes,
    bounds_the_memory_of_endless_settings_and_pings,
    closes_the_connection_on_empty_data_frames,
];

const MIB: u64 = 1024 * 1024;

/// Error codes: RFC 9113, section 7.
const ENHANCE_YOUR_CALM: u32 = 11;
const CANCEL: [u8; 4] = [0, 0, 0, 8];

/// Writes up to `times` times until the connection is closed, and returns the number of writes.
fn flood(stream: &mut TcpStream, times: u32, mut part: impl FnMut(u32) -> Vec<u8>) -> u32 {
    for number in 0..times {
        if stream.write_all(&part(number)).is_err() {
            return number;
        }
    }
    times
}

/// CVE-2023-44487: streams that are opened and reset at once.
fn closes_the_connection_on_rapid_resets() {
    let service = Service::start(&[]);
    let before = service.memory();
    let mut stream = connect(&service, &[]);
    // Read concurrently, since the reset of the closed connection discards unread frames.
    let mut read_half = stream.try_clone().unwrap();
    let ended = thread::spawn(move || go_away(&mut read_half));
    let written = flood(&mut stream, 2_000_000, |number| {
        let id = 2 * number + 1;
        let mut frames = frame(HEADERS, END_HEADERS, id, &post_head("localhost"));
        frames.extend(frame(RST_STREAM, 0, id, &CANCEL));
        frames
    });
    assert_eq!(ended.join().unwrap(), Some(ENHANCE_YOUR_CALM));
    assert!(written < 2_000_000, "all of it was written");
    let grown = service.memory().saturating_sub(before);
    assert!(grown < 32 * MIB, "{grown} bytes");
    service.assert_unaffected();
}

/// A head with endless CONTINUATION frames (CVE-2024-27316 and others).
fn closes_the_connection_on_an_endless_head() {
    let service = Service::start(&[]);
    let before = service.memory();
    let mut stream = connect(&service, &[]);
    stream.write_all(&frame(HEADERS, 0, 1, &post_head("localhost"))).unwrap();
    let line = header("x-bomb", &"x".repeat(8000));
    let written = flood(&mut stream, 20_000, |_| frame(CONTINUATION, 0, 1, &line));
    assert!(written < 20_000, "all of it was written");
    let grown = service.memory().saturating_sub(before);
    assert!(grown < 32 * MIB, "{grown} bytes");
    service.assert_unaffected();
}

/// The same with empty frames, which do not count towards any limit of bytes.
fn closes_the_connection_on_empty_continuations() {
    let service = Service::start(&[]);
    let mut stream = connect(&service, &[]);
    stream.write_all(&frame(HEADERS, 0, 1, &post_head("localhost"))).unwrap();
    let empty = frame(CONTINUATION, 0, 1, &[]).repeat(1000);
    let written = flood(&mut stream, 6000, |_| empty.clone());
    assert!(written < 6000, "all of it was written");
    service.assert_unaffected();
}

/// Small on the wire, large in memory: one header in the HPACK table, referenced thousands of times.
fn refuses_a_head_that_decompresses_to_megabytes() {
    let service = Service::start(&[]);
    let before = service.memory();
    let mut stream = connect(&service, &[]);
    let mut head = post_head("localhost");
    // With indexing (RFC 7541, 6.2.1), then 12,000 times by its index.
    let mut line = header("x-bomb", &"x".repeat(4000));
    line[0] = 0x40;
    head.extend(line);
    head.extend([0xbe].repeat(12_000));
    stream.write_all(&frame(HEADERS, END_HEADERS | END_STREAM, 1, &head)).unwrap();
    let refused = loop {
        match read_frame(&mut stream) {
            // The status is not 200 (0x88): 431 is not in the static table.
            Ok((HEADERS, _, 1, payload)) => {
                break payload.windows(3).any(|part| part == b"431") || payload[0] != 0x88;
            }
            Ok((RST_STREAM, ..)) | Err(_) => break true,
            Ok(_) => {}
        }
    };
    assert!(refused, "it was executed");
    let grown = service.memory().saturating_sub(before);
    assert!(grown < 16 * MIB, "{grown} bytes");
    service.assert_unaffected();
}

/// Frames that require an acknowledgement, from a client that reads none.
fn bounds_the_memory_of_endless_settings_and_pings() {
    for (kind, payload) in [(SETTINGS, [0, 3, 0, 0, 0, 100].as_slice()), (PING, &[0; 8])] {
        let service = Service::start(&[]);
        let before = service.memory();
        let mut stream = connect(&service, &[]);
        stream.set_write_timeout(Some(std::time::Duration::from_secs(1))).unwrap();
        let frames = frame(kind, 0, 0, payload).repeat(1000);
        // 2 million frames, unless the service stops reading or closes the connection.
        flood(&mut stream, 2000, |_| frames.clone());
        let grown = service.memory().saturating_sub(before);
        assert!(grown < 32 * MIB, "{kind}: {grown} bytes");
        service.assert_unaffected();
    }
}

/// Empty DATA frames do not count towards any limit of bytes.
fn closes_the_connection_on_empty_data_frames() {
    let service = Service::start(&[]);
    let before = service.memory();
    let mut stream = connect(&service, &[]);
    stream.write_all(&frame(HEADERS, END_HEADERS, 1, &post_head("localhost"))).unwrap();
    let empty = frame(DATA, 0, 1, &[]).repeat(1000);
    let written = flood(&mut stream, 500_000, |_| empty.clone());
    assert!(written < 500_000, "500 million of them were written");
    let grown = service.memory().saturating_sub(before);
    assert!(grown < 32 * MIB, "{grown} bytes");
    service.assert_unaffected();
}
