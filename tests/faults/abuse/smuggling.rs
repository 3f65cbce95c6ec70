//! Request smuggling: requests whose length a proxy and the service could interpret differently, so
//! that a part of one becomes a request of another client.

use super::service::{CREATE, QUERY, Service, head, post};

testkit::tests![
    refuses_a_content_length_that_is_not_a_plain_number,
    refuses_two_content_lengths,
    closes_the_connection_on_content_length_with_chunks,
    refuses_transfer_encodings_that_do_not_end_in_chunked,
    refuses_heads_with_ambiguous_lines,
    accepts_bare_line_feeds_for_every_line,
    closes_the_connection_on_ambiguous_chunks,
    serves_pipelined_requests,
];

/// The statuses of all responses.
fn statuses(responses: &str) -> Vec<&str> {
    let responses = responses.split("HTTP/1.1 ").skip(1);
    responses.map(|response| &response[..3]).collect()
}

/// A request that follows another.
fn hidden() -> Vec<u8> {
    post(CREATE, "Connection: close\r\n")
}

/// Sends a request with these header lines and this body, followed by a hidden one.
fn smuggled(service: &Service, lines: &str, body: &str) -> String {
    let request = format!("{}{lines}\r\n{body}", head());
    service.exchange(&[request.as_bytes(), &hidden()].concat())
}

fn refuses_a_content_length_that_is_not_a_plain_number() {
    let service = Service::start(&[]);
    let length = QUERY.len();
    for wrong in [
        "-1",
        "0x1a",
        "26,26",
        "26, 27",
        "1e1",
        "26 26",
        "26;",
        "",
        "99999999999999999999",
        "18446744073709551616",
        &format!("+{length}"),
    ] {
        let responses = smuggled(&service, &format!("Content-Length: {wrong}\r\n"), QUERY);
        assert_eq!(statuses(&responses), ["400"], "{wrong}: {responses}");
    }
    service.assert_unaffected();
}

fn refuses_two_content_lengths() {
    let service = Service::start(&[]);
    let lengths = format!("Content-Length: {}\r\nContent-Length: 5\r\n", QUERY.len());
    let responses = smuggled(&service, &lengths, QUERY);
    assert_eq!(statuses(&responses), ["400"], "{responses}");
    service.assert_unaffected();
}

/// RFC 9112, 6.3: `Transfer-Encoding` takes precedence, and the connection is closed.
fn closes_the_connection_on_content_length_with_chunks() {
    let service = Service::start(&[]);
    let chunked = format!("{:x}\r\n{QUERY}\r\n0\r\n\r\n", QUERY.len());
    for lines in [
        "Content-Length: 4\r\nTransfer-Encoding: chunked\r\n",
        "Transfer-Encoding: chunked\r\nContent-Length: 4\r\n",
        "Transfer-Encoding: chunked\r\nContent-Length: 99999999999999999999\r\n",
    ] {
        let responses = smuggled(&service, lines, &chunked);
        assert_eq!(statuses(&responses), ["200"], "{lines}: {responses}");
    }
    service.assert_unaffected();
}

fn refuses_transfer_encodings_that_do_not_end_in_chunked() {
    let service = Service::start(&[]);
    let chunked = format!("{:x}\r\n{QUERY}\r\n0\r\n\r\n", QUERY.len());
    for lines in [
        "Transfer-Encoding: identity\r\n",
        "Transfer-Encoding: chunked, identity\r\n",
        "Transfer-Encoding: xchunked\r\n",
        "Transfer-Encoding: \"chunked\"\r\n",
        "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n",
    ] {
        let responses = smuggled(&service, lines, &chunked);
        assert_eq!(statuses(&responses), ["400"], "{lines}: {responses}");
    }
    let old = head().replace("HTTP/1.1", "HTTP/1.0");
    let request = format!("{old}Transfer-Encoding: chunked\r\n\r\n{chunked}");
    let responses = service.exchange(&[request.as_bytes(), &hidden()].concat());
    assert_eq!(statuses(&responses), ["400"], "{responses}");
    service.assert_unaffected();
}

fn refuses_heads_with_ambiguous_lines() {
    let service = Service::start(&[]);
    let length = QUERY.len();
    for lines in [
        // A folded line.
        format!("X-Folded: a\r\n b\r\nContent-Length: {length}\r\n"),
        format!("Content-Length:\r\n {length}\r\n"),
        // White space before the colon, and before a name.
        format!("Content-Length : {length}\r\n"),
        format!(" Content-Length: {length}\r\n"),
        // A carriage return alone, a NUL, and a line without a colon.
        format!("X-Bare: a\rContent-Length: 5\r\nContent-Length: {length}\r\n"),
        format!("X-Nul: a\0b\r\nContent-Length: {length}\r\n"),
        format!("nonsense\r\nContent-Length: {length}\r\n"),
        format!("X-Nam\u{e9}: a\r\nContent-Length: {length}\r\n"),
    ] {
        let responses = smuggled(&service, &lines, QUERY);
        assert_eq!(statuses(&responses), ["400"], "{lines:?}: {responses}");
    }
    service.assert_unaffected();
}

/// RFC 9112, 2.2 permits a line feed alone as a line terminator. It is one for every line, so that no line is
/// hidden.
fn accepts_bare_line_feeds_for_every_line() {
    let service = Service::start(&[]);
    let request = format!("{}Content-Length: {}\r\n\r\n", head(), QUERY.len());
    let request = request.replace("\r\n", "\n") + QUERY;
    let responses =
        service.exchange(&[request.as_bytes(), &post(QUERY, "Connection: close\r\n")].concat());
    assert_eq!(statuses(&responses), ["200", "200"], "{responses}");
    service.assert_unaffected();
}

fn closes_the_connection_on_ambiguous_chunks() {
    let service = Service::start(&[]);
    let size = QUERY.len();
    for body in [
        format!("ffffffffffffffff1\r\n{QUERY}\r\n0\r\n\r\n"),
        format!("fffffffffffffffff\r\n{QUERY}\r\n0\r\n\r\n"),
        format!("-1\r\n{QUERY}\r\n0\r\n\r\n"),
        format!("+{size:x}\r\n{QUERY}\r\n0\r\n\r\n"),
        format!("0x{size:x}\r\n{QUERY}\r\n0\r\n\r\n"),
        format!("{size:x}\n{QUERY}\r\n0\r\n\r\n"),
        format!("{size:x}\r{QUERY}\r\n0\r\n\r\n"),
        format!("{size:x}\r\n{QUERY}XX0\r\n\r\n"),
        format!("\r\n{size:x}\r\n{QUERY}\r\n0\r\n\r\n"),
        format!("{size:x};a\nb\r\n{QUERY}\r\n0\r\n\r\n"),
    ] {
        let responses = smuggled(&service, "Transfer-Encoding: chunked\r\n", &body);
        assert_eq!(statuses(&responses), ["400"], "{body:?}: {responses}");
    }
    service.assert_unaffected();
}

/// A valid second request has a response, so the other tests would detect a smuggled one.
fn serves_pipelined_requests() {
    let service = Service::start(&[]);
    let both = [post(QUERY, ""), hidden()].concat();
    let responses = service.exchange(&both);
    assert_eq!(statuses(&responses), ["200", "200"], "{responses}");
    assert!(responses.contains("createVehicle"), "{responses}");
}
