//! HTTP/2 frames (RFC 9113), encoded without a client library, which would hide them and permit no attack.

use std::{
    io::{self, Read, Write},
    net::TcpStream,
};

use crate::Running;

/// What a client sends first.
const PREFACE: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

/// A type of frame.
pub const DATA: u8 = 0;
/// A type of frame.
pub const HEADERS: u8 = 1;
/// A type of frame.
pub const RST_STREAM: u8 = 3;
/// A type of frame.
pub const SETTINGS: u8 = 4;
/// A type of frame.
pub const PING: u8 = 6;
/// A type of frame.
pub const GO_AWAY: u8 = 7;
/// A type of frame.
pub const CONTINUATION: u8 = 9;

/// A flag of `DATA` and `HEADERS`.
pub const END_STREAM: u8 = 1;
/// A flag of `HEADERS`.
pub const END_HEADERS: u8 = 4;

/// An encoded frame.
pub fn frame(kind: u8, flags: u8, stream: u32, payload: &[u8]) -> Vec<u8> {
    let length = u32::try_from(payload.len()).unwrap().to_be_bytes();
    let mut frame = length[1..].to_vec();
    frame.extend([kind, flags]);
    frame.extend(stream.to_be_bytes());
    frame.extend(payload);
    frame
}

/// A literal header without indexing (RFC 7541, 6.2.2).
pub fn header(name: &str, value: &str) -> Vec<u8> {
    let mut line = vec![0];
    for text in [name, value] {
        line.extend(length(text.len()));
        line.extend(text.as_bytes());
    }
    line
}

/// An integer with a 7-bit prefix (RFC 7541, 5.1).
fn length(mut value: usize) -> Vec<u8> {
    if value < 127 {
        return vec![u8::try_from(value).unwrap()];
    }
    let mut bytes = vec![127];
    value -= 127;
    while value >= 128 {
        bytes.push(u8::try_from(value % 128).unwrap() | 128);
        value /= 128;
    }
    bytes.push(u8::try_from(value).unwrap());
    bytes
}

/// The head of `POST /graphql` with this host.
pub fn post_head(host: &str) -> Vec<u8> {
    let lines = [
        (":method", "POST"),
        (":scheme", "http"),
        (":authority", host),
        (":path", "/graphql"),
        ("content-type", "application/json"),
    ];
    lines.iter().flat_map(|(name, value)| header(name, value)).collect()
}

/// A connection on which the preface and these settings are sent.
pub fn connect(service: &Running, settings: &[u8]) -> TcpStream {
    let mut stream = service.connect();
    stream.write_all(PREFACE).unwrap();
    stream.write_all(&frame(SETTINGS, 0, 0, settings)).unwrap();
    stream
}

/// The next frame: its kind, its flags, its stream and its payload.
pub fn read_frame(stream: &mut TcpStream) -> io::Result<(u8, u8, u32, Vec<u8>)> {
    let mut head = [0; 9];
    stream.read_exact(&mut head)?;
    let length = u32::from_be_bytes([0, head[0], head[1], head[2]]);
    let mut payload = vec![0; length as usize];
    stream.read_exact(&mut payload)?;
    let id = u32::from_be_bytes([head[5], head[6], head[7], head[8]]);
    Ok((head[3], head[4], id, payload))
}

/// Reads until a GOAWAY frame, and returns its error code; `None` if the connection ends without one.
pub fn go_away(stream: &mut TcpStream) -> Option<u32> {
    loop {
        let (kind, _, _, payload) = read_frame(stream).ok()?;
        if kind == GO_AWAY {
            return Some(u32::from_be_bytes(payload[4..8].try_into().unwrap()));
        }
    }
}
