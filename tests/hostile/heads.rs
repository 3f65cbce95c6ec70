//! Heads that are too much: lines, bytes, a URL without end.

use std::{fmt::Write as _, io::Write, time::Duration};

use crate::service::{QUERY, Service, head, post, read_to_the_end};

#[test]
fn too_many_lines_are_refused() {
    let service = Service::start(&[]);
    let mut lines = String::from("Connection: close\r\n");
    for number in 0..1000 {
        write!(lines, "X-Bomb-{number}: 1\r\n").unwrap();
    }
    let answer = service.exchange(&post(QUERY, &lines));
    assert!(answer.starts_with("HTTP/1.1 431 "), "{answer}");
    service.assert_unharmed();
}

#[test]
fn a_head_that_does_not_end_is_refused_before_it_takes_memory() {
    let service = Service::start(&[]);
    let before = service.memory();
    for beginning in [
        format!("{}X-Bomb: ", head()),
        "GET /graphql?query=".to_owned(),
        "X".to_owned(),
    ] {
        let mut stream = service.connect();
        stream.write_all(beginning.as_bytes()).unwrap();
        let part = vec![b'x'; 64 * 1024];
        // 64 MiB, of which the service must not read the most.
        let mut taken = 0;
        while taken < 1024 && stream.write_all(&part).is_ok() {
            taken += 1;
        }
        assert!(taken < 1024, "{beginning}: all of it was read");
        let answer = read_to_the_end(&mut stream);
        let refused = ["", "HTTP/1.1 431", "HTTP/1.1 414", "HTTP/1.1 400"];
        assert!(
            refused.contains(&answer.get(..12).unwrap_or("")),
            "{beginning}: {answer}"
        );
    }
    let grown = service.memory().saturating_sub(before);
    assert!(grown < 16 * 1024 * 1024, "{grown} bytes");
    service.assert_unharmed();
}

/// What is read of unfinished heads is kept until they end: the bound of it times the connections
/// is what they can take.
#[test]
fn many_unfinished_heads_take_bounded_memory() {
    const CLIENTS: usize = 200;
    let service = Service::start(&["--read-timeout-seconds=20"]);
    let before = service.memory();
    let part = vec![b'x'; 1024 * 1024];
    let mut streams = Vec::new();
    for _ in 0..CLIENTS {
        let mut stream = service.connect();
        stream.write_all(head().as_bytes()).unwrap();
        stream
            .set_write_timeout(Some(Duration::from_millis(10)))
            .unwrap();
        let _ = stream.write_all(b"X-Bomb: ").and(stream.write_all(&part));
        streams.push(stream);
    }
    service.assert_unharmed();
    let grown = service.memory().saturating_sub(before);
    assert!(grown < 64 * 1024 * 1024, "{grown} bytes");
}
