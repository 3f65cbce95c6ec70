//! All memory attacks in sequence against one process, so that leaked memory accumulates.

use std::{fmt::Write as _, io::Write, net::TcpStream, thread};

use sha2::{Digest, Sha256};

use testkit::Started;

use super::{
    assets,
    service::{Service, post, read_to_end, wait_until},
    unfinished::{UNFINISHED, heads_on_http_1, heads_on_http_2},
};

testkit::tests![bounds_the_peak_memory_of_all_attacks_in_sequence,];

const MIB: u64 = 1024 * 1024;

/// Maximum peak memory of the process: 100 MiB for a release build. The code of a debug build is larger
/// by about 20 MiB, and so are its futures.
const MAX_PEAK_MEMORY: u64 = if cfg!(debug_assertions) {
    140 * MIB
} else {
    100 * MIB
};

/// Operations per batch.
const BATCH: usize = 1000;

/// The name of an attack, and the attack.
type Attack = (&'static str, fn(&Service));

fn bounds_the_peak_memory_of_all_attacks_in_sequence() {
    // Limited, so that a defect cannot exhaust the memory of the machine.
    let service = Service::start_with_memory(
        4 * 1024 * MIB,
        &["--batch-limit=1000", "--read-timeout-seconds=30"],
    );
    let attacks: [Attack; 6] = [
        ("unfinished bodies", unfinished_bodies),
        ("unread assets", unread_assets),
        ("small documents", small_documents),
        ("persisted queries", persisted_queries),
        ("large lists", large_lists),
        ("introspection", introspection),
    ];
    for (name, attack) in attacks {
        attack(&service);
        assert!(
            service.post_query("{ __typename }").contains("Query"),
            "{name}"
        );
        let peak = Started::memory(&service, "VmHWM");
        println!("{name}: peak memory {} MiB", peak / MIB);
        assert!(peak < MAX_PEAK_MEMORY, "{name}: {peak} bytes");
    }
}

/// Nested fragments, each of which multiplies the size of the response by ten.
fn introspection(service: &Service) {
    let mut fragments = String::from("fragment F0 on __Type { name }");
    for number in 1..=6 {
        let within = number - 1;
        write!(fragments, " fragment F{number} on __Type {{").unwrap();
        for alias in 0..10 {
            write!(fragments, " a{alias}: fields {{ type {{ ...F{within} }} }}").unwrap();
        }
        fragments.push_str(" }");
    }
    let query = format!(r#"{{ __type(name: \"__Type\") {{ ...F6 }} }} {fragments}"#);
    let response = service.exchange(&request(&query));
    assert!(
        response.contains("LIMIT_EXCEEDED"),
        "{}",
        beginning(&response)
    );
}

fn unfinished_bodies(service: &Service) {
    let all = [heads_on_http_1(service), heads_on_http_2(service)];
    let all_open = || service.count("catalogue_requests_in_flight") >= UNFINISHED;
    wait_until("all of them are open", all_open);
    drop(all);
}

/// Documents of 20 bytes, each of which may be cached.
fn small_documents(service: &Service) {
    send_operations(service, 40_000, |number| {
        format!(r#"{{"query":"{{a{number:06}:__typename}}"}}"#)
    });
}

fn persisted_queries(service: &Service) {
    send_operations(service, 60_000, |number| {
        let query = format!("{{p{number:06}:__typename}}");
        let hash = Sha256::digest(&query);
        let hash = hash.iter().fold(String::new(), |mut text, byte| {
            write!(text, "{byte:02x}").unwrap();
            text
        });
        format!(
            r#"{{"query":"{query}","extensions":{{"persistedQuery":{{"version":1,"sha256Hash":"{hash}"}}}}}}"#
        )
    });
}

/// Sends operations in batches, on two concurrent connections.
fn send_operations(service: &Service, count: usize, operation: impl Fn(usize) -> String + Sync) {
    thread::scope(|scope| {
        for half in 0..2 {
            let operation = &operation;
            scope.spawn(move || {
                for batch in (0..count / BATCH).filter(|batch| batch % 2 == half) {
                    let numbers = batch * BATCH..(batch + 1) * BATCH;
                    let list: Vec<_> = numbers.map(operation).collect();
                    let list = format!("[{}]", list.join(","));
                    let response = service.exchange(&post(&list, "Connection: close\r\n"));
                    assert!(!response.contains("errors"), "{}", beginning(&response));
                    assert_eq!(response.matches(r#":"Query"}"#).count(), BATCH);
                }
            });
        }
    });
}

fn unread_assets(service: &Service) {
    let connections: Vec<TcpStream> = assets::CODINGS
        .iter()
        .map(|coding| assets::unread(service, coding))
        .collect();
    drop(connections);
}

/// A thousand vehicles with texts of maximum length, which JSON escapes lengthen by a factor of six,
/// listed 25 times in one request.
fn large_lists(service: &Service) {
    let text = r"\u0001".repeat(255);
    let query =
        "mutation ($t: String!) { createVehicle(type: $t, modelCode: $t, brandName: $t) { id } }";
    let create = format!(r#"{{"query":"{query}","variables":{{"t":"{text}"}}}}"#);
    for _ in 0..4 {
        let list = vec![create.as_str(); 250].join(",");
        let response = service.exchange(&post(&format!("[{list}]"), "Connection: close\r\n"));
        assert!(!response.contains("errors"), "{}", beginning(&response));
    }
    let mut query = "{".to_owned();
    for alias in 0..25 {
        write!(query, " a{alias}: vehicles {{ type modelCode brandName }}").unwrap();
    }
    query.push_str(" }");
    let mut stream = service.connect();
    stream.write_all(&request(&query)).unwrap();
    let response = read_to_end(&mut stream);
    assert!(
        response.contains("LIMIT_EXCEEDED"),
        "{}",
        beginning(&response)
    );
}

/// A request with this document, after which the connection is closed.
fn request(query: &str) -> Vec<u8> {
    post(
        &format!(r#"{{"query":"{query}"}}"#),
        "Connection: close\r\n",
    )
}

fn beginning(response: &str) -> String {
    response.chars().take(1000).collect()
}
