//! The running service and programs of others: the audit of GraphQL over HTTP and documented clients on Node,
//! Python and Kotlin, and GraphiQL in Chromium.
//!
//! Tests whose program is missing are listed as ignored; with `TEST_REQUIRE_ALL=1` they fail.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that cannot continue panics")]

mod audit;
mod browser;
mod clients;
mod kotlin;
#[path = "../support/mod.rs"]
mod support;

use std::time::Duration;

use testkit::{Concurrency::Parallel, Harness};

/// A page that does not load fails its test.
const TIME_LIMIT: Duration = Duration::from_mins(2);

fn main() {
    let mut harness = Harness::from_args();
    let (audit, clients, kotlin) = if harness.only_lists() {
        (Ok(()), Ok(()), Ok(()))
    } else {
        (audit::packages().map(drop), clients::install(), kotlin::install())
    };
    harness.group("", Parallel).add_if(&audit, &[("audit", audit::TESTS)]);
    harness.beside("", Parallel).add_if(&clients, &[("clients", clients::TESTS)]);
    harness.beside("", Parallel).add_if(&kotlin, &[("kotlin", kotlin::TESTS)]);
    harness
        .beside("", Parallel)
        .time_limit(TIME_LIMIT)
        .add_if(&browser::availability(), &[("browser", browser::TESTS)]);
    harness.run().exit();
}
