//! Clients that do not read their responses.

use std::{
    fs,
    io::{Read, Write},
    net::TcpStream,
    path::Path,
    thread,
    time::Duration,
};

use testkit::http2::{END_HEADERS, END_STREAM, HEADERS, RST_STREAM, connect, frame, header, read_frame};

use super::service::{Service, wait_until};

testkit::tests![
    unread_files_take_one_buffer_for_each_connection,
    unread_small_responses_are_bounded_by_the_streams_of_a_connection,
];

const MIB: u64 = 1024 * 1024;

/// How much more memory than when it is idle the service takes, with default settings.
const MAX_GROWTH: u64 = 256 * MIB;

/// The path of the largest file of GraphiQL.
fn largest_asset() -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("crates/poem-graphql/graphiql/dist/assets");
    let files = fs::read_dir(folder).unwrap().map(Result::unwrap);
    let largest = files.max_by_key(|file| file.metadata().unwrap().len());
    let name = largest.unwrap().file_name().into_string().unwrap();
    format!("/graphiql/assets/{}", name.trim_end_matches(".gz"))
}

/// The growth since then, once the memory stays the same for some time.
fn growth(service: &Service, before: u64) -> u64 {
    let mut memory = service.memory();
    wait_until("the memory stays the same", || {
        thread::sleep(Duration::from_millis(500));
        let last = std::mem::replace(&mut memory, service.memory());
        memory <= last
    });
    memory.saturating_sub(before)
}

fn unread_files_take_one_buffer_for_each_connection() {
    const CONNECTIONS: usize = 300;
    let service = Service::start(&[]);
    let request = |lines: &str| {
        let path = largest_asset();
        format!("GET {path} HTTP/1.1\r\nHost: localhost\r\n{lines}\r\n")
    };
    let response = service.exchange(request("Connection: close\r\n").as_bytes());
    assert!(response.len() > 1_000_000, "{} bytes", response.len());
    let before = service.memory();
    let mut unread: Vec<TcpStream> = (0..CONNECTIONS).map(|_| service.connect()).collect();
    for stream in &mut unread {
        stream.write_all(request("").as_bytes()).unwrap();
    }
    for stream in &mut unread {
        let mut status = [0; 12];
        stream.read_exact(&mut status).unwrap();
        assert_eq!(status, *b"HTTP/1.1 200");
    }
    let grown = growth(&service, before);
    println!("{CONNECTIONS} unread files: {} MiB", grown / MIB);
    assert!(grown < MAX_GROWTH, "{grown} bytes");
    service.assert_unaffected();
    drop(unread);
}

fn unread_small_responses_are_bounded_by_the_streams_of_a_connection() {
    const CONNECTIONS: usize = 220;
    /// More than the service accepts at the same time.
    const STREAMS: u32 = 128;
    let service = Service::start(&[]);
    let text = "x".repeat(250);
    let fields = format!(r#"type: \"{text}\", modelCode: \"{text}\", brandName: \"{text}\""#);
    let create = r"mutation { createVehicles(vehicles: [ITEMS]) { id } }";
    let items = format!("{{ {fields} }} ").repeat(20);
    let created = service.post_query(&create.replace("ITEMS", &items));
    assert!(!created.contains("errors"), "{created}");
    let size = service.post_query("{vehicles{type,modelCode,brandName}}");
    let size = size.len();
    assert!((14_000..16_384).contains(&size), "{size} bytes");
    let lines = [
        (":method", "GET"),
        (":scheme", "http"),
        (":authority", "localhost"),
        (":path", "/graphql?query=%7Bvehicles%7Btype,modelCode,brandName%7D%7D"),
    ];
    let head = lines.iter();
    let head: Vec<u8> = head.flat_map(|(name, value)| header(name, value)).collect();

    let before = service.memory();
    let mut executed = 0;
    let connections = (0..CONNECTIONS).map(|_| {
        // SETTINGS_INITIAL_WINDOW_SIZE 0.
        let mut stream = connect(&service, &[0, 4, 0, 0, 0, 0]);
        let flags = END_HEADERS | END_STREAM;
        let requests = (0..STREAMS).map(|number| frame(HEADERS, flags, 2 * number + 1, &head));
        let requests: Vec<Vec<u8>> = requests.collect();
        stream.write_all(&requests.concat()).unwrap();
        let mut ended = 0;
        while ended < STREAMS {
            let (kind, _, _, payload) = read_frame(&mut stream).unwrap();
            ended += u32::from(kind == HEADERS || kind == RST_STREAM);
            // Status 200 in the static table.
            executed += u32::from(kind == HEADERS && payload[0] == 0x88);
        }
        stream
    });
    let connections: Vec<TcpStream> = connections.collect();
    let grown = growth(&service, before);
    println!("{executed} unread responses of {size} bytes: {} MiB", grown / MIB);
    // Others were refused: the unread ones fill their budget of 64 MiB.
    assert!(executed >= 4096, "{executed} responses");
    assert!(grown < MAX_GROWTH, "{grown} bytes");
    assert!(service.post_query("{ __typename }").contains("Query"));
    drop(connections);
}
