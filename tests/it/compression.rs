//! Content coding of responses, negotiated by `Accept-Encoding`.

use std::io::Read;

use reqwest::RequestBuilder;

use crate::support::{Response, TestApp, tests};

tests![
    a_response_has_the_negotiated_content_coding,
    a_small_response_is_not_compressed,
];

/// A query with a response of several kilobytes.
const LARGE: &str = "{ __schema { types { name description fields { name description } } } }";

fn large_request(app: &TestApp) -> RequestBuilder {
    app.get_request(&[("query", LARGE)])
}

async fn query(app: &TestApp, accept_encoding: &str) -> Response {
    let request = large_request(app).header("accept-encoding", accept_encoding);
    app.send(accept_encoding, request).await
}

fn decompressed(response: &Response) -> Vec<u8> {
    let (bytes, mut plain) = (response.bytes(), Vec::new());
    match response.header("content-encoding") {
        "gzip" => flate2::read::GzDecoder::new(bytes).read_to_end(&mut plain),
        "br" => brotli::Decompressor::new(bytes, 4096).read_to_end(&mut plain),
        "zstd" => zstd::stream::read::Decoder::new(bytes)
            .unwrap()
            .read_to_end(&mut plain),
        other => panic!("{other:?}: {response}"),
    }
    .unwrap();
    plain
}

async fn a_response_has_the_negotiated_content_coding(app: TestApp) {
    let plain = app.send("plain", large_request(&app)).await;
    assert_eq!(plain.header("content-encoding"), "", "{plain}");
    for (accept_encoding, coding) in [
        ("gzip", "gzip"),
        ("br", "br"),
        ("zstd", "zstd"),
        ("gzip, deflate, br, zstd", "zstd"),
        ("gzip;q=1.0, br;q=0.2", "gzip"),
        ("zstd;q=0, br", "br"),
    ] {
        let response = query(&app, accept_encoding).await;
        assert_eq!(
            response.header("content-encoding"),
            coding,
            "{accept_encoding}"
        );
        assert_eq!(decompressed(&response), plain.bytes(), "{accept_encoding}");
        assert!(
            response.bytes().len() < plain.bytes().len() / 2,
            "{accept_encoding}"
        );
        let length = response.bytes().len().to_string();
        assert_eq!(
            response.header("content-length"),
            length,
            "{accept_encoding}"
        );
    }
    for accept_encoding in ["identity", "gzip;q=0", "deflate", "compress, *;q=0"] {
        let response = query(&app, accept_encoding).await;
        assert_eq!(response.header("content-encoding"), "", "{accept_encoding}");
        assert_eq!(response.bytes(), plain.bytes(), "{accept_encoding}");
    }
}

async fn a_small_response_is_not_compressed(app: TestApp) {
    let request = app.post_request(r#"{"query":"{ __typename }"}"#);
    let request = request.header("accept-encoding", "gzip");
    let response = app.send("small", request).await;
    assert_eq!(response.header("content-encoding"), "", "{response}");
}
