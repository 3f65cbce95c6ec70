//! Request smuggling: requests whose length a proxy and the service could interpret differently, so
//! that a part of one becomes a request of another client.

use super::service::{CREATE, QUERY, Service, head, post};

testkit::tests![no_request_hides_another_one, serves_pipelined_requests_with_any_line_terminator,];

/// The statuses of all responses.
fn statuses(responses: &str) -> Vec<&str> {
    let responses = responses.split("HTTP/1.1 ").skip(1);
    responses.map(|response| &response[..3]).collect()
}

/// A request that follows another.
fn hidden() -> Vec<u8> {
    post(CREATE, "Connection: close\r\n")
}

fn no_request_hides_another_one() {
    let service = Service::start(&[]);
    let length = QUERY.len();
    let chunked = format!("{length:x}\r\n{QUERY}\r\n0\r\n\r\n");
    let plain = |lines: String| (lines, QUERY.to_owned(), "400");
    let in_chunks = |lines: &str, status| (format!("{lines}\r\n"), chunked.clone(), status);
    let chunks = |body: String| ("Transfer-Encoding: chunked\r\n".to_owned(), body, "400");
    let mut cases = vec![
        // RFC 9112, 6.3: `Transfer-Encoding` takes precedence, and the connection is closed.
        in_chunks("Content-Length: 4\r\nTransfer-Encoding: chunked", "200"),
        in_chunks("Transfer-Encoding: chunked\r\nContent-Length: 4", "200"),
        in_chunks("Transfer-Encoding: identity", "400"),
        in_chunks("Transfer-Encoding: chunked, identity", "400"),
        in_chunks("Transfer-Encoding: xchunked", "400"),
        in_chunks("Transfer-Encoding: \"chunked\"", "400"),
        in_chunks("Transfer-Encoding: chunked\r\nTransfer-Encoding: identity", "400"),
        plain(format!("Content-Length: {length}\r\nContent-Length: 5\r\n")),
        // A folded line.
        plain(format!("X-Folded: a\r\n b\r\nContent-Length: {length}\r\n")),
        plain(format!("Content-Length:\r\n {length}\r\n")),
        // White space before the colon, and before a name.
        plain(format!("Content-Length : {length}\r\n")),
        plain(format!(" Content-Length: {length}\r\n")),
        // A carriage return alone, a NUL, and a line without a colon.
        plain(format!("X-Bare: a\rContent-Length: 5\r\nContent-Length: {length}\r\n")),
        plain(format!("X-Nul: a\0b\r\nContent-Length: {length}\r\n")),
        plain(format!("nonsense\r\nContent-Length: {length}\r\n")),
        chunks(format!("ffffffffffffffff1\r\n{QUERY}\r\n0\r\n\r\n")),
        chunks(format!("-1\r\n{QUERY}\r\n0\r\n\r\n")),
        chunks(format!("+{length:x}\r\n{QUERY}\r\n0\r\n\r\n")),
        chunks(format!("0x{length:x}\r\n{QUERY}\r\n0\r\n\r\n")),
        chunks(format!("{length:x}\n{QUERY}\r\n0\r\n\r\n")),
        chunks(format!("{length:x}\r{QUERY}\r\n0\r\n\r\n")),
        chunks(format!("{length:x}\r\n{QUERY}XX0\r\n\r\n")),
        chunks(format!("{length:x};a\nb\r\n{QUERY}\r\n0\r\n\r\n")),
    ];
    for wrong in ["-1", "0x1a", "26,26", "26, 27", "26 26", ""] {
        cases.push(plain(format!("Content-Length: {wrong}\r\n")));
    }
    cases.push(plain(format!("Content-Length: +{length}\r\n")));
    cases.push(plain("Content-Length: 18446744073709551616\r\n".to_owned()));
    for (lines, body, status) in cases {
        let request = format!("{}{lines}\r\n{body}", head());
        let responses = service.exchange(&[request.as_bytes(), &hidden()].concat());
        assert_eq!(statuses(&responses), [status], "{lines:?} {body:?}: {responses}");
    }
    service.assert_unaffected();
}

/// A valid second request has a response, so the other test would detect a smuggled one. RFC 9112, 2.2 permits a line feed
/// alone as a line terminator; it is one for every line.
fn serves_pipelined_requests_with_any_line_terminator() {
    let service = Service::start(&[]);
    let first = format!("{}Content-Length: {}\r\n\r\n", head(), QUERY.len());
    for first in [first.clone(), first.replace("\r\n", "\n")] {
        let both = [first.as_bytes(), QUERY.as_bytes(), &hidden()].concat();
        let responses = service.exchange(&both);
        assert_eq!(statuses(&responses), ["200", "200"], "{responses}");
        assert!(responses.contains("createVehicle"), "{responses}");
    }
}
