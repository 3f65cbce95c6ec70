//! Request heads that are too large.

use std::{io::Write, time::Duration};

use super::service::{Service, head, read_to_end};

testkit::tests![refuses_an_endless_head_in_bounded_memory, buffers_many_unfinished_heads_in_bounded_memory,];

fn refuses_an_endless_head_in_bounded_memory() {
    let service = Service::start(&[]);
    let before = service.memory();
    for beginning in [format!("{}X-Bomb: ", head()), "GET /graphql?query=".to_owned(), "X".to_owned()] {
        let mut stream = service.connect();
        stream.write_all(beginning.as_bytes()).unwrap();
        let part = vec![b'x'; 64 * 1024];
        // 64 MiB, of which the service must read only a small part.
        let mut written = 0;
        while written < 1024 && stream.write_all(&part).is_ok() {
            written += 1;
        }
        assert!(written < 1024, "{beginning}: all of it was read");
        let response = read_to_end(&mut stream);
        let refused = ["", "HTTP/1.1 431", "HTTP/1.1 414", "HTTP/1.1 400"];
        assert!(refused.contains(&response.get(..12).unwrap_or("")), "{beginning}: {response}");
    }
    let grown = service.memory().saturating_sub(before);
    assert!(grown < 16 * 1024 * 1024, "{grown} bytes");
    service.assert_unaffected();
}

/// Unfinished heads are buffered: their memory is bounded by the head limit times the connections.
fn buffers_many_unfinished_heads_in_bounded_memory() {
    const CLIENTS: usize = 200;
    let service = Service::start(&[]);
    let before = service.memory();
    let part = vec![b'x'; 1024 * 1024];
    let mut streams = Vec::new();
    for _ in 0..CLIENTS {
        let mut stream = service.connect();
        stream.write_all(head().as_bytes()).unwrap();
        stream.set_write_timeout(Some(Duration::from_millis(10))).unwrap();
        let _ = stream.write_all(b"X-Bomb: ").and(stream.write_all(&part));
        streams.push(stream);
    }
    service.assert_unaffected();
    let grown = service.memory().saturating_sub(before);
    assert!(grown < 64 * 1024 * 1024, "{grown} bytes");
}
