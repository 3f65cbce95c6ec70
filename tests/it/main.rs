//! The service through its front door: every test on every database.
//!
//! Tests are named `DATABASE::OPERATION::SENTENCE`, and any part of that is a filter:
//! `cargo test --test it postgres::vehicle`.

#![recursion_limit = "256"]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a test that cannot go on fails"
)]

mod batches;
mod bodies;
mod browsers;
mod caching;
mod client;
mod compression;
mod connections;
mod create_vehicle;
mod document_cache;
mod graphql_over_http;
mod health;
mod identity;
mod introspection;
mod launch_date;
mod limits;
mod metrics;
mod operations;
mod pages;
mod persisted_queries;
mod query_limits;
mod request_ids;
mod storage;
mod support;
mod text;
mod tls;
mod trouble;
mod variables;
mod vehicle;
mod vehicles;

use support::harness::{self, Module};

/// A list of tests that is missing here is dead code, as is a test that is missing in its list.
const MODULES: &[Module] = &[
    ("batches", batches::TESTS),
    ("bodies", bodies::TESTS),
    ("browsers", browsers::TESTS),
    ("caching", caching::TESTS),
    ("client", client::TESTS),
    ("compression", compression::TESTS),
    ("connections", connections::TESTS),
    ("create_vehicle", create_vehicle::TESTS),
    ("document_cache", document_cache::TESTS),
    ("graphql_over_http", graphql_over_http::TESTS),
    ("health", health::TESTS),
    ("identity", identity::TESTS),
    ("introspection", introspection::TESTS),
    ("launch_date", launch_date::TESTS),
    ("limits", limits::TESTS),
    ("metrics", metrics::TESTS),
    ("operations", operations::TESTS),
    ("pages", pages::TESTS),
    ("persisted_queries", persisted_queries::TESTS),
    ("query_limits", query_limits::TESTS),
    ("request_ids", request_ids::TESTS),
    ("storage", storage::TESTS),
    ("text", text::TESTS),
    ("tls", tls::TESTS),
    ("trouble", trouble::TESTS),
    ("variables", variables::TESTS),
    ("vehicle", vehicle::TESTS),
    ("vehicles", vehicles::TESTS),
];

fn main() {
    harness::run(MODULES).exit();
}
