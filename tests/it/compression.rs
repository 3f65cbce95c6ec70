//! Compression of answers, as far as the client takes it.

use std::io::Read;

use reqwest::RequestBuilder;
use serde_json::Value;

use crate::support::{Answer, TestApp, tests};

tests![
    an_answer_is_compressed_as_the_client_takes_it,
    a_small_answer_is_not_compressed,
    each_encoding_has_a_tag_of_its_own,
    pages_are_compressed_too,
];

/// A query whose answer has some thousand bytes.
const LARGE: &str = "{ __schema { types { name description fields { name description } } } }";

fn large(app: &TestApp) -> RequestBuilder {
    app.getting(&[("query", LARGE)])
}

async fn ask(app: &TestApp, accept_encoding: &str) -> Answer {
    let request = large(app).header("accept-encoding", accept_encoding);
    app.send(accept_encoding, request).await
}

fn decompressed(answer: &Answer) -> Vec<u8> {
    let (bytes, mut plain) = (answer.bytes(), Vec::new());
    match answer.header("content-encoding") {
        "gzip" => flate2::read::GzDecoder::new(bytes).read_to_end(&mut plain),
        "br" => brotli::Decompressor::new(bytes, 4096).read_to_end(&mut plain),
        "zstd" => zstd::stream::read::Decoder::new(bytes)
            .unwrap()
            .read_to_end(&mut plain),
        other => panic!("{other:?}: {answer}"),
    }
    .unwrap();
    plain
}

async fn an_answer_is_compressed_as_the_client_takes_it(app: TestApp) {
    let plain = app.send("plain", large(&app)).await;
    assert_eq!(plain.header("content-encoding"), "", "{plain}");
    for (accept_encoding, coding) in [
        ("gzip", "gzip"),
        ("br", "br"),
        ("zstd", "zstd"),
        ("gzip, deflate, br, zstd", "zstd"),
        ("gzip;q=1.0, br;q=0.2", "gzip"),
        ("zstd;q=0, br", "br"),
    ] {
        let answer = ask(&app, accept_encoding).await;
        assert_eq!(
            answer.header("content-encoding"),
            coding,
            "{accept_encoding}"
        );
        assert_eq!(decompressed(&answer), plain.bytes(), "{accept_encoding}");
        assert!(
            answer.bytes().len() < plain.bytes().len() / 2,
            "{accept_encoding}"
        );
        let length = answer.bytes().len().to_string();
        assert_eq!(answer.header("content-length"), length, "{accept_encoding}");
        assert_eq!(answer.headers("vary"), "Accept, Accept-Encoding");
    }
    for accept_encoding in ["identity", "gzip;q=0", "deflate", "compress, *;q=0"] {
        let answer = ask(&app, accept_encoding).await;
        assert_eq!(answer.header("content-encoding"), "", "{accept_encoding}");
        assert_eq!(answer.bytes(), plain.bytes(), "{accept_encoding}");
    }
}

async fn a_small_answer_is_not_compressed(app: TestApp) {
    let small = |app: &TestApp| {
        let request = app.posting(r#"{"query":"{ __typename }"}"#);
        request.header("accept-encoding", "gzip")
    };
    let answer = app.send("small", small(&app)).await;
    assert_eq!(answer.header("content-encoding"), "", "{answer}");
    let app = app
        .restart_with(&["--compression-threshold-bytes=10"])
        .await;
    let answer = app.send("small", small(&app)).await;
    assert_eq!(answer.header("content-encoding"), "gzip");
    assert!(serde_json::from_slice::<Value>(&decompressed(&answer)).is_ok());
}

async fn each_encoding_has_a_tag_of_its_own(app: TestApp) {
    let plain = app
        .send("plain", large(&app))
        .await
        .header("etag")
        .to_owned();
    let gzip = ask(&app, "gzip").await.header("etag").to_owned();
    assert_ne!(plain, gzip);
    for (tag, status) in [(gzip, 304), (plain, 200)] {
        let request = large(&app).header("accept-encoding", "gzip");
        let answer = app.send(&tag, request.header("if-none-match", &tag)).await;
        assert_eq!(answer.status(), status, "{tag}");
    }
}

async fn pages_are_compressed_too(app: TestApp) {
    let request = app.request(reqwest::Method::GET, "/schema.graphql");
    let answer = app
        .send("/schema.graphql", request.header("accept-encoding", "br"))
        .await;
    assert_eq!(answer.header("content-encoding"), "br");
    let plain = app.get("/schema.graphql").await;
    assert_eq!(decompressed(&answer), plain.bytes());
}
