//! The largest GraphiQL asset, requested many times on one connection and never read.

use std::{fs, io::Write, net::TcpStream, path::Path};

use super::{
    frames::{END_HEADERS, END_STREAM, HEADERS, connect, frame, header, read_frame},
    service::Service,
};

testkit::tests![buffers_unread_assets_in_bounded_memory,];

const MIB: u64 = 1024 * 1024;

/// Below the limit of concurrent streams.
const STREAMS: u32 = 120;

/// Values of `Accept-Encoding`: assets are stored in gzip.
pub(crate) const CODINGS: [&str; 4] = ["gzip", "", "br", "zstd"];

/// The path of the largest asset.
fn largest_asset() -> String {
    let folder =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("crates/graphql_http/graphiql/dist/assets");
    let files = fs::read_dir(folder).unwrap().map(Result::unwrap);
    let largest = files.max_by_key(|file| file.metadata().unwrap().len());
    let name = largest.unwrap().file_name().into_string().unwrap();
    format!("/graphiql/assets/{}", name.trim_end_matches(".gz"))
}

/// A connection that requests the largest asset in every stream, with a window of zero bytes.
/// The headers of every response are received.
pub(crate) fn unread(service: &Service, coding: &str) -> TcpStream {
    let path = largest_asset();
    let lines = [
        (":method", "GET"),
        (":scheme", "http"),
        (":authority", "127.0.0.1"),
        (":path", &path),
        ("accept-encoding", coding),
    ];
    let head: Vec<u8> = lines
        .iter()
        .flat_map(|(name, value)| header(name, value))
        .collect();
    // SETTINGS_INITIAL_WINDOW_SIZE 0.
    let mut stream = connect(service, &[0, 4, 0, 0, 0, 0]);
    for number in 0..STREAMS {
        let flags = END_HEADERS | END_STREAM;
        let request = frame(HEADERS, flags, 2 * number + 1, &head);
        stream.write_all(&request).unwrap();
    }
    let mut responses = 0;
    while responses < STREAMS {
        let (kind, ..) = read_frame(&mut stream).unwrap();
        responses += u32::from(kind == HEADERS);
    }
    stream
}

fn buffers_unread_assets_in_bounded_memory() {
    for coding in CODINGS {
        let service = Service::start(&[]);
        let before = service.memory();
        let connections: Vec<TcpStream> = (0..5).map(|_| unread(&service, coding)).collect();
        let grown = service.memory().saturating_sub(before);
        println!("{coding:?}: {grown} bytes");
        assert!(grown < 32 * MIB, "{coding:?}: {grown} bytes");
        service.assert_unaffected();
        drop(connections);
    }
}
