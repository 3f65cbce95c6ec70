//! Requests whose length two readers could understand differently: a proxy in front might take the
//! rest of one for a request of somebody else.

use crate::service::{CREATE, QUERY, Service, head, post};

/// The statuses of all answers.
fn statuses(answers: &str) -> Vec<&str> {
    let answers = answers.split("HTTP/1.1 ").skip(1);
    answers.map(|answer| &answer[..3]).collect()
}

/// A request that is hidden behind another.
fn hidden() -> Vec<u8> {
    post(CREATE, "Connection: close\r\n")
}

/// Sends a request with these lines in its head and this body, and a hidden one behind it.
fn smuggled(service: &Service, lines: &str, body: &str) -> String {
    let request = format!("{}{lines}\r\n{body}", head());
    service.exchange(&[request.as_bytes(), &hidden()].concat())
}

#[test]
fn a_length_that_is_no_plain_number_is_refused() {
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
        let answers = smuggled(&service, &format!("Content-Length: {wrong}\r\n"), QUERY);
        assert_eq!(statuses(&answers), ["400"], "{wrong}: {answers}");
    }
    service.assert_unharmed();
}

#[test]
fn two_lengths_are_refused() {
    let service = Service::start(&[]);
    let lengths = format!("Content-Length: {}\r\nContent-Length: 5\r\n", QUERY.len());
    let answers = smuggled(&service, &lengths, QUERY);
    assert_eq!(statuses(&answers), ["400"], "{answers}");
    service.assert_unharmed();
}

/// RFC 9112, 6.3: the encoding counts, and the connection ends.
#[test]
fn a_length_beside_chunks_ends_the_connection() {
    let service = Service::start(&[]);
    let chunked = format!("{:x}\r\n{QUERY}\r\n0\r\n\r\n", QUERY.len());
    for lines in [
        "Content-Length: 4\r\nTransfer-Encoding: chunked\r\n",
        "Transfer-Encoding: chunked\r\nContent-Length: 4\r\n",
        "Transfer-Encoding: chunked\r\nContent-Length: 99999999999999999999\r\n",
    ] {
        let answers = smuggled(&service, lines, &chunked);
        let statuses = statuses(&answers);
        assert!(
            statuses == ["200"] || statuses == ["400"],
            "{lines}: {answers}"
        );
    }
    service.assert_unharmed();
}

#[test]
fn encodings_that_do_not_end_in_chunks_are_refused() {
    let service = Service::start(&[]);
    let chunked = format!("{:x}\r\n{QUERY}\r\n0\r\n\r\n", QUERY.len());
    for lines in [
        "Transfer-Encoding: identity\r\n",
        "Transfer-Encoding: chunked, identity\r\n",
        "Transfer-Encoding: xchunked\r\n",
        "Transfer-Encoding: \"chunked\"\r\n",
        "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n",
    ] {
        let answers = smuggled(&service, lines, &chunked);
        assert_eq!(statuses(&answers), ["400"], "{lines}: {answers}");
    }
    let old = head().replace("HTTP/1.1", "HTTP/1.0");
    let request = format!("{old}Transfer-Encoding: chunked\r\n\r\n{chunked}");
    let answers = service.exchange(&[request.as_bytes(), &hidden()].concat());
    assert_eq!(statuses(&answers), ["400"], "{answers}");
    service.assert_unharmed();
}

#[test]
fn heads_that_readers_could_split_differently_are_refused() {
    let service = Service::start(&[]);
    let length = QUERY.len();
    for lines in [
        // A line that goes on in the next.
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
        let answers = smuggled(&service, &lines, QUERY);
        assert_eq!(statuses(&answers), ["400"], "{lines:?}: {answers}");
    }
    service.assert_unharmed();
}

/// RFC 9112, 2.2 permits to take a line feed alone for the end of a line: then it is one for every
/// line, and nothing is hidden between two of them.
#[test]
fn line_feeds_alone_hide_nothing() {
    let service = Service::start(&[]);
    let request = format!("{}Content-Length: {}\r\n\r\n", head(), QUERY.len());
    let request = request.replace("\r\n", "\n") + QUERY;
    let answers =
        service.exchange(&[request.as_bytes(), &post(QUERY, "Connection: close\r\n")].concat());
    let statuses = statuses(&answers);
    assert!(
        statuses == ["200", "200"] || statuses == ["400"],
        "{answers}"
    );
    service.assert_unharmed();
}

#[test]
fn chunks_that_readers_could_measure_differently_end_the_connection() {
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
        let answers = smuggled(&service, "Transfer-Encoding: chunked\r\n", &body);
        assert_eq!(statuses(&answers), ["400"], "{body:?}: {answers}");
    }
    service.assert_unharmed();
}

/// What proves that the other tests would see a second request: an honest one is answered.
#[test]
fn requests_one_after_the_other_are_all_answered() {
    let service = Service::start(&[]);
    let both = [post(QUERY, ""), hidden()].concat();
    let answers = service.exchange(&both);
    assert_eq!(statuses(&answers), ["200", "200"], "{answers}");
    assert!(answers.contains("createVehicle"), "{answers}");
}
