//! Connections of HTTP/2, frame by frame (RFC 9113): graceful shutdown, refused requests.

use std::{io::Write as _, net::TcpStream};

use testkit::{
    Context,
    http2::{DATA, END_HEADERS, END_STREAM, GO_AWAY, HEADERS, PING, RST_STREAM, connect, frame, post_head, read_frame},
    wait_until,
};

use crate::support::{program, serve_in};

testkit::tests![
    an_http_2_client_receives_goaway_and_its_response on Sqlite,
    the_stream_of_a_refused_request_is_not_reset_with_an_error on Sqlite,
];

/// The code in `RST_STREAM`.
const NO_ERROR: [u8; 4] = [0; 4];

/// `:status: 200` in the static table of HPACK (RFC 7541).
const OK: u8 = 0x88;

/// Acknowledges a PING, after which the server closes the connection in order.
fn acknowledge(stream: &mut TcpStream, kind: u8, flags: u8, payload: &[u8]) {
    const ACK: u8 = 1;
    if kind == PING && flags & ACK == 0 {
        stream.write_all(&frame(PING, ACK, 0, payload)).unwrap();
    }
}

fn an_http_2_client_receives_goaway_and_its_response(_: &Context) {
    let mut running = serve_in(program(), &[]);
    let mut stream = connect(&running, &[]);
    let head = frame(HEADERS, END_HEADERS, 1, &post_head("localhost"));
    stream.write_all(&head).unwrap();
    wait_until("the request is in flight", || running.count("catalogue_requests_in_flight") == 1);
    running.signal("TERM");
    loop {
        let (kind, flags, _, payload) = read_frame(&mut stream).expect("GOAWAY precedes the end");
        assert_ne!(kind, HEADERS, "the request has no body yet");
        acknowledge(&mut stream, kind, flags, &payload);
        if kind == GO_AWAY {
            break;
        }
    }
    let body = br#"{"query":"mutation { createVehicle(type: \"SUV\", modelCode: \"XC60\") { id } }"}"#;
    stream.write_all(&frame(DATA, END_STREAM, 1, body)).unwrap();
    let (mut status, mut response) = (None, Vec::new());
    while let Ok((kind, flags, _, payload)) = read_frame(&mut stream) {
        acknowledge(&mut stream, kind, flags, &payload);
        match kind {
            HEADERS => status = payload.first().copied(),
            DATA => response.extend(payload),
            _ => {}
        }
    }
    assert_eq!(status, Some(OK));
    let response = String::from_utf8(response).unwrap();
    assert_eq!(response, r#"{"data":{"createVehicle":{"id":"1"}}}"#);
    assert_eq!(running.wait().code(), Some(0), "{}", running.log());
}

/// A server may ask a client not to send the rest of a request whose response is complete (RFC 9113, section 8.1).
fn the_stream_of_a_refused_request_is_not_reset_with_an_error(_: &Context) {
    let running = serve_in(program(), &[]);
    let mut stream = connect(&running, &[]);
    let head = post_head("other.example");
    stream.write_all(&frame(HEADERS, END_HEADERS, 1, &head)).unwrap();
    loop {
        let (kind, _, _, payload) = read_frame(&mut stream).expect("the request is refused");
        assert_ne!(kind, RST_STREAM, "{payload:?}");
        if kind == DATA && String::from_utf8_lossy(&payload).contains("is not allowed") {
            break;
        }
    }
    let rest = [frame(DATA, END_STREAM, 1, b"{}"), frame(PING, 0, 0, b"87654321")];
    stream.write_all(&rest.concat()).unwrap();
    loop {
        let (kind, _, _, payload) = read_frame(&mut stream).expect("the connection is kept");
        assert!(kind != RST_STREAM || payload == NO_ERROR, "{payload:?}");
        if payload == b"87654321" {
            return;
        }
    }
}
