//! The client `graphql-ws` on Node, which subscribes at the bookshop.
//!
//! Without Node the test is listed as ignored; with `TEST_REQUIRE_ALL=1` it fails.

#![allow(clippy::unwrap_used, reason = "a test that cannot continue panics")]

use std::{
    future::pending,
    path::{Path, PathBuf},
};

use serde_json::{Value, json};
use testkit::{Concurrency::Parallel, Harness, npm::Packages};
use tokio::{net::TcpListener, runtime::Runtime};

testkit::tests![a_client_receives_the_books_of_its_genre_that_are_added];

fn a_client_receives_the_books_of_its_genre_that_are_added() {
    let runtime = Runtime::new().unwrap();
    let listener = runtime.block_on(TcpListener::bind("127.0.0.1:0")).unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    runtime.spawn(async { bookshop::serve(listener, pending()).await.unwrap() });
    let printed = packages().unwrap().run("client.js", &[&url]);
    let printed: Value = serde_json::from_slice(&printed).unwrap();
    let books = json!([{ "title": "Gulliver's Travels" }]);
    assert_eq!(printed["queried"], json!([{ "data": { "books": books } }]));
    let messages = printed["added"].as_array().unwrap().iter();
    let messages: Vec<_> = messages.map(|response| response["errors"][0]["message"].as_str()).collect();
    let duplicate = "isbn: the shop has a book with the ISBN 9780141018881; each book has its own";
    assert_eq!(messages, [None, None, Some(duplicate)]);
    let book = json!({ "title": "A Tale of a Tub", "author": { "name": "Jonathan Swift" } });
    let event = json!({ "data": { "bookAdded": book } });
    assert_eq!(printed["event"], event);
    assert_eq!(printed["ended"], true);
    let code = |name: &str| printed[name][0]["errors"][0]["extensions"]["code"].clone();
    assert_eq!(code("invalid"), "GRAPHQL_VALIDATION_FAILED");
    assert_eq!(code("mutation"), "BAD_REQUEST");
}

fn packages() -> Result<Packages, String> {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/web_socket");
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("web_socket");
    Packages::install(&source, &folder)
}

fn main() {
    let mut harness = Harness::from_args();
    let available = if harness.only_lists() { Ok(()) } else { packages().map(drop) };
    let mut group = harness.group("", Parallel);
    group.add_if(&available, &[("graphql_ws", TESTS)]);
    harness.run().exit();
}
