//! HTTP for tests: a client without proxies, and requests written byte by byte.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::Arc;
use std::time::Instant;

use reqwest::{Client, ClientBuilder};
use tokio_rustls::rustls::{ClientConfig, RootCertStore, crypto::ring};

use crate::TIMEOUT;

/// A client builder with its own crypto provider. Without one, reqwest requires a process-wide provider
/// even for unencrypted connections.
pub fn client() -> ClientBuilder {
    let config = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .expect("ring has them")
        .with_root_certificates(RootCertStore::empty())
        .with_no_client_auth();
    Client::builder().no_proxy().tls_backend_preconfigured(config)
}

/// A new connection with timeouts.
pub fn connect(addr: SocketAddr) -> TcpStream {
    let stream = TcpStream::connect(addr).unwrap();
    stream.set_read_timeout(Some(TIMEOUT)).unwrap();
    stream.set_write_timeout(Some(TIMEOUT)).unwrap();
    stream
}

/// Sends these bytes on a new connection, and returns everything that is received until the server
/// closes it. The write side stays open.
pub fn exchange(addr: SocketAddr, bytes: &[u8]) -> String {
    let mut stream = connect(addr);
    // The connection may be closed before everything is written.
    let _ = stream.write_all(bytes);
    read_to_end(&mut stream)
}

/// The status and the whole text of the response to a GET request.
pub fn get(addr: SocketAddr, path: &str) -> (u16, String) {
    let request = format!("GET {path} HTTP/1.1\r\nHost: {addr}\r\nConnection: close\r\n\r\n");
    let response = exchange(addr, request.as_bytes());
    let status = response.split(' ').nth(1).and_then(|status| status.parse().ok());
    (status.unwrap_or_else(|| panic!("no status: {response}")), response)
}

/// The head of a GraphQL request, without `Content-Length` and without its end.
pub fn post_head() -> &'static str {
    "POST /graphql HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
}

/// A GraphQL request with additional header lines, each with its line end.
pub fn post(body: &str, lines: &str) -> Vec<u8> {
    let (head, length) = (post_head(), body.len());
    format!("{head}Content-Length: {length}\r\n{lines}\r\n{body}").into_bytes()
}

/// Reads until the server closes the connection, within the timeout.
pub fn read_to_end(stream: &mut TcpStream) -> String {
    let mut bytes = Vec::new();
    let started = Instant::now();
    // The connection may end with a reset.
    let _ = stream.read_to_end(&mut bytes);
    assert!(started.elapsed() < TIMEOUT, "the connection stays open");
    String::from_utf8_lossy(&bytes).into_owned()
}
