//! Connections of HTTP/2, frame by frame (RFC 9113): graceful shutdown, refused requests.

use std::time::Duration;

use testkit::{Context, TIMEOUT, until};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
    time::timeout,
};

use crate::support::{Vehicles as _, serve};

testkit::tests![
    an_http_2_client_receives_goaway_and_its_response on Sqlite,
    the_stream_of_a_refused_request_is_not_reset_with_an_error on Sqlite,
];

const PREFACE: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

const DATA: u8 = 0;
const HEADERS: u8 = 1;
const RST_STREAM: u8 = 3;
const SETTINGS: u8 = 4;
const PING: u8 = 6;
const GO_AWAY: u8 = 7;

/// The code in `RST_STREAM`.
const NO_ERROR: [u8; 4] = [0; 4];

/// `END_STREAM` of `DATA` and `HEADERS`, `ACK` of `SETTINGS` and `PING`.
const END_STREAM_OR_ACK: u8 = 1;
const END_HEADERS: u8 = 4;

/// `:status: 200` in the static table of HPACK (RFC 7541).
const OK: u8 = 0x88;

async fn an_http_2_client_receives_goaway_and_its_response(context: Context) {
    let database = context.database();
    let mut running = serve(database.url(), &[]).await;
    let mut stream = TcpStream::connect(running.addr).await.unwrap();
    stream.write_all(PREFACE).await.unwrap();
    send(&mut stream, SETTINGS, 0, 0, b"").await;
    send(
        &mut stream,
        HEADERS,
        END_HEADERS,
        1,
        &request_head("localhost"),
    )
    .await;
    let metrics = format!("http://{}/metrics", running.addr);
    until("the request is in flight", async || {
        let response = running.client.get(&metrics).send().await.unwrap();
        let text = response.text().await.unwrap();
        text.contains("catalogue_requests_in_flight 1")
    })
    .await;
    running.signal("TERM");
    loop {
        let (kind, _) = next(&mut stream).await.expect("GOAWAY precedes the end");
        assert_ne!(kind, HEADERS, "the request has no body yet");
        if kind == GO_AWAY {
            break;
        }
    }
    let body =
        br#"{"query":"mutation { createVehicle(type: \"SUV\", modelCode: \"XC60\") { id } }"}"#;
    send(&mut stream, DATA, END_STREAM_OR_ACK, 1, body).await;
    let (mut status, mut response) = (None, Vec::new());
    while let Some((kind, payload)) = next(&mut stream).await {
        match kind {
            HEADERS => status = payload.first().copied(),
            DATA => response.extend(payload),
            _ => {}
        }
    }
    assert_eq!(status, Some(OK));
    let response = String::from_utf8(response).unwrap();
    assert_eq!(response, r#"{"data":{"createVehicle":{"id":"1"}}}"#);
    assert_eq!(running.ended().await.code(), Some(0), "{}", running.log());
    let stored = serve(database.url(), &[]).await.models().await;
    assert_eq!(stored, ["XC60"]);
}

/// A server may ask a client not to send the rest of a request whose response is complete (RFC 9113, section 8.1).
async fn the_stream_of_a_refused_request_is_not_reset_with_an_error(context: Context) {
    let database = context.database();
    let running = serve(database.url(), &[]).await;
    let mut stream = TcpStream::connect(running.addr).await.unwrap();
    stream.write_all(PREFACE).await.unwrap();
    send(&mut stream, SETTINGS, 0, 0, b"").await;
    let head = request_head("other.example");
    send(&mut stream, HEADERS, END_HEADERS, 1, &head).await;
    loop {
        let (kind, payload) = next(&mut stream).await.expect("the request is refused");
        assert_ne!(kind, RST_STREAM, "{payload:?}");
        if kind == DATA && String::from_utf8_lossy(&payload).contains("is not allowed") {
            break;
        }
    }
    send(&mut stream, DATA, END_STREAM_OR_ACK, 1, b"{}").await;
    send(&mut stream, PING, 0, 0, b"87654321").await;
    loop {
        let (kind, payload) = next(&mut stream).await.expect("the connection is kept");
        assert!(kind != RST_STREAM || payload == NO_ERROR, "{payload:?}");
        if payload == b"87654321" {
            return;
        }
    }
}

/// The headers of `POST /graphql` with a JSON body, in HPACK without compression.
fn request_head(host: &str) -> Vec<u8> {
    let (post, http) = (0x83, 0x86);
    let mut head = vec![post, http];
    let (authority, path, content_type): (&[u8], &[u8], &[u8]) = (&[0x01], &[0x04], &[0x0f, 0x10]);
    for (name, value) in [
        (authority, host),
        (path, "/graphql"),
        (content_type, "application/json"),
    ] {
        head.extend(name);
        head.push(u8::try_from(value.len()).unwrap());
        head.extend(value.as_bytes());
    }
    head
}

async fn send(to: &mut TcpStream, kind: u8, flags: u8, stream: u32, payload: &[u8]) {
    let length = u32::try_from(payload.len()).unwrap().to_be_bytes();
    let mut frame = length[1..].to_vec();
    frame.extend([kind, flags]);
    frame.extend(stream.to_be_bytes());
    frame.extend(payload);
    to.write_all(&frame).await.unwrap();
}

/// Reads the next frame and acknowledges SETTINGS and PING; `None` at the end of the connection.
async fn next(from: &mut TcpStream) -> Option<(u8, Vec<u8>)> {
    let mut head = [0; 9];
    let read = timeout(TIMEOUT + Duration::from_secs(1), from.read_exact(&mut head));
    read.await.expect("a frame arrives in time").ok()?;
    let length = u32::from_be_bytes([0, head[0], head[1], head[2]]);
    let mut payload = vec![0; length as usize];
    from.read_exact(&mut payload).await.unwrap();
    let (kind, flags) = (head[3], head[4]);
    if matches!(kind, SETTINGS | PING) && flags & END_STREAM_OR_ACK == 0 {
        let echo: &[u8] = if kind == PING { &payload } else { b"" };
        send(from, kind, END_STREAM_OR_ACK, 0, echo).await;
    }
    Some((kind, payload))
}
