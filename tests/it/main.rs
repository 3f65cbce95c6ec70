//! The service in this process, over HTTP.
//!
//! Tests of operations run on every database and are named `DATABASE::FILE::SENTENCE`; those of HTTP and of
//! the execution of GraphQL run on SQLite and are named `FILE::SENTENCE`. Any part of a name is a filter:
//! `cargo test --test it postgres::vehicle`.

#![recursion_limit = "256"]
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that cannot go on fails")]

mod browser_security;
mod caching;
mod client;
mod client_operations;
mod concurrent_updates;
mod constraints;
mod create_vehicle;
mod create_vehicles;
mod database_failures;
mod delete_vehicle;
mod examples;
mod field_requests;
mod graphql_over_http;
mod health;
mod idempotency_key;
mod introspection;
mod launch_date;
mod metrics;
mod pages;
mod quotes;
mod request_ids;
mod support;
mod text;
mod triggers;
mod update_vehicle;
mod variables;
mod vehicle;
mod vehicles;
mod vehicles_connection;

use std::time::Duration;

use testkit::{Concurrency::Parallel, Harness, Module};

/// The operations, which run on every database. The compiler reports a list of tests that is missing here as dead code.
const OPERATIONS: &[Module] = &[
    ("concurrent_updates", concurrent_updates::TESTS),
    ("create_vehicle", create_vehicle::TESTS),
    ("create_vehicles", create_vehicles::TESTS),
    ("database_failures", database_failures::TESTS),
    ("delete_vehicle", delete_vehicle::TESTS),
    ("health", health::TESTS),
    ("idempotency_key", idempotency_key::TESTS),
    ("launch_date", launch_date::TESTS),
    ("text", text::TESTS),
    ("triggers", triggers::TESTS),
    ("update_vehicle", update_vehicle::TESTS),
    ("vehicle", vehicle::TESTS),
    ("vehicles", vehicles::TESTS),
    ("vehicles_connection", vehicles_connection::TESTS),
    ("vehicles_connection_loops", vehicles_connection::loops::TESTS),
];

/// HTTP and the execution of GraphQL, which run once, on SQLite.
const HTTP: &[Module] = &[
    ("browser_security", browser_security::TESTS),
    ("caching", caching::TESTS),
    ("client", client::TESTS),
    ("client_operations", client_operations::TESTS),
    ("constraints", constraints::TESTS),
    ("examples", examples::TESTS),
    ("field_requests", field_requests::TESTS),
    ("graphql_over_http", graphql_over_http::TESTS),
    ("introspection", introspection::TESTS),
    ("metrics", metrics::TESTS),
    ("pages", pages::TESTS),
    ("quotes", quotes::TESTS),
    ("request_ids", request_ids::TESTS),
    ("variables", variables::TESTS),
    ("vehicles_connection_refusals", vehicles_connection::refusals::TESTS),
];

/// A hanging service fails its test.
const TIME_LIMIT: Duration = Duration::from_mins(1);

fn main() {
    let mut harness = Harness::from_args();
    harness.group("", Parallel).time_limit(TIME_LIMIT).on_databases(OPERATIONS);
    harness.beside("", Parallel).time_limit(TIME_LIMIT).add(HTTP);
    harness.run().exit();
}
