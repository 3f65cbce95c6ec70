//! Bodies that grow when they are unpacked: none is ever unpacked.

use std::io::Write;

use flate2::{Compression, write::GzEncoder};

use crate::service::{QUERY, Service, head};

#[test]
fn a_compressed_body_is_refused_whatever_it_would_grow_to() {
    let service = Service::start(&[]);
    let before = service.memory();
    let mut bomb = GzEncoder::new(Vec::new(), Compression::fast());
    for _ in 0..64 {
        bomb.write_all(&vec![b' '; 1024 * 1024]).unwrap();
    }
    let bomb = bomb.finish().unwrap();
    assert!(bomb.len() < 1024 * 1024, "it is below the limit of bodies");
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
        let answer = service.exchange(&request);
        assert!(answer.starts_with("HTTP/1.1 415 "), "{encoding}: {answer}");
        let accepts = answer.lines().map(str::to_ascii_lowercase);
        assert_eq!(
            accepts
                .filter(|line| line == "accept-encoding: identity")
                .count(),
            1,
            "{answer}"
        );
    }
    let grown = service.memory().saturating_sub(before);
    assert!(grown < 32 * 1024 * 1024, "{grown} bytes");
    service.assert_unharmed();
}

/// hyper unpacks no transfer encoding but chunks, and says so.
#[test]
fn a_compressed_transfer_is_refused() {
    let service = Service::start(&[]);
    let lines = "Connection: close\r\nTransfer-Encoding: gzip, chunked\r\n\r\n";
    let body = format!("{:x}\r\n{QUERY}\r\n0\r\n\r\n", QUERY.len());
    let answer = service.exchange(format!("{}{lines}{body}", head()).as_bytes());
    // Nothing is unpacked: the body is taken as it is, or refused.
    assert!(
        answer.starts_with("HTTP/1.1 200 ")
            || answer.starts_with("HTTP/1.1 4")
            || answer.starts_with("HTTP/1.1 501"),
        "{answer}"
    );
    service.assert_unharmed();
}
