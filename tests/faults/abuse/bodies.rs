//! Decompression bombs: request bodies are never decompressed.

use std::io::Write;

use flate2::{Compression, write::GzEncoder};

use super::service::{QUERY, Service, head};

testkit::tests![
    refuses_compressed_bodies,
    never_decodes_compressed_transfer_codings,
];

fn refuses_compressed_bodies() {
    let service = Service::start(&[]);
    let before = service.memory();
    let mut bomb = GzEncoder::new(Vec::new(), Compression::fast());
    for _ in 0..64 {
        bomb.write_all(&vec![b' '; 1024 * 1024]).unwrap();
    }
    let bomb = bomb.finish().unwrap();
    assert!(bomb.len() < 1024 * 1024, "it is below the body limit");
    for encoding in [
        "gzip",
        "x-gzip",
        "deflate",
        "br",
        "zstd",
        "GZIP",
        "identity, gzip",
        "gzip, gzip",
    ] {
        let lines = format!(
            "Connection: close\r\nContent-Encoding: {encoding}\r\nContent-Length: {}\r\n\r\n",
            bomb.len()
        );
        let request = [head().as_bytes(), lines.as_bytes(), &bomb].concat();
        let response = service.exchange(&request);
        assert!(
            response.starts_with("HTTP/1.1 415 "),
            "{encoding}: {response}"
        );
        let accepts = response.lines().map(str::to_ascii_lowercase);
        assert_eq!(
            accepts
                .filter(|line| line == "accept-encoding: identity")
                .count(),
            1,
            "{response}"
        );
    }
    let grown = service.memory().saturating_sub(before);
    assert!(grown < 32 * 1024 * 1024, "{grown} bytes");
    service.assert_unaffected();
}

/// Chunked is the only transfer coding that is decoded.
fn never_decodes_compressed_transfer_codings() {
    let service = Service::start(&[]);
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(QUERY.as_bytes()).unwrap();
    let compressed = encoder.finish().unwrap();
    for (body, status, expected) in [
        (
            compressed.as_slice(),
            "400",
            "the request body is not UTF-8",
        ),
        (
            QUERY.as_bytes(),
            "200",
            r#"{"data":{"__typename":"Query"}}"#,
        ),
    ] {
        let lines = "Connection: close\r\nTransfer-Encoding: gzip, chunked\r\n\r\n";
        let beginning = format!("{}{lines}{:x}\r\n", head(), body.len());
        let request = [beginning.as_bytes(), body, b"\r\n0\r\n\r\n"].concat();
        let response = service.exchange(&request);
        assert!(
            response.starts_with(&format!("HTTP/1.1 {status} ")),
            "{response}"
        );
        assert!(response.contains(expected), "{response}");
    }
    service.assert_unaffected();
}
