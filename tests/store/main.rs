//! The store on every database, for guarantees that no request can show: `cargo test --test store postgres::migrations`.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that cannot go on fails")]

mod faults;
mod migrations;
mod plans;
mod schema_check;
mod support;
mod upgrade;

use std::time::Duration;

use testkit::{Concurrency::Parallel, Harness, Module};

/// The tests of each file.
const MODULES: &[Module] = &[
    ("faults", faults::TESTS),
    ("migrations", migrations::TESTS),
    ("plans", plans::TESTS),
    ("schema_check", schema_check::TESTS),
    ("upgrade", upgrade::TESTS),
];

/// A store that hangs fails its test.
const TIME_LIMIT: Duration = Duration::from_mins(2);

fn main() {
    let mut harness = Harness::from_args();
    let group = harness.group("", Parallel);
    group.time_limit(TIME_LIMIT).on_databases(MODULES);
    harness.run().exit();
}
