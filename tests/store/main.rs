//! The store on every database, for guarantees that no request can show: `cargo test --test store postgres::creates`.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a test that cannot go on fails"
)]

mod changes;
mod creates;
mod faults;
mod imports;
mod migrations;
mod pages;
mod plans;
mod restarts;
mod schema_check;
mod support;
mod transfer;
mod upgrade;

use std::time::Duration;

use testkit::{Concurrency::Parallel, Harness, Module};

/// The tests of each file.
const MODULES: &[Module] = &[
    ("changes", changes::TESTS),
    ("creates", creates::TESTS),
    ("faults", faults::TESTS),
    ("imports", imports::TESTS),
    ("migrations", migrations::TESTS),
    ("pages", pages::TESTS),
    ("plans", plans::TESTS),
    ("schema_check", schema_check::TESTS),
    ("transfer", transfer::TESTS),
    ("upgrade", upgrade::TESTS),
];

/// A store that hangs fails its test.
const TIME_LIMIT: Duration = Duration::from_mins(2);

fn main() {
    let mut harness = Harness::from_args();
    let group = harness.group("", Parallel);
    group.time_limit(TIME_LIMIT).on_databases(MODULES);
    let group = harness.group("", Parallel);
    let mut group = group.time_limit(TIME_LIMIT);
    group.on_own_servers(&[("restarts", restarts::TESTS)]);
    harness.run().exit();
}
