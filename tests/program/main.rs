//! The started program: its commands, settings, log, traces and lifecycle.
//!
//! Tests are named `FILE::SENTENCE`, or `DATABASE::FILE::SENTENCE` where they run on every database. Each
//! group runs when the one before it has ended, because several are sensitive to load.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a test that cannot continue panics"
)]

mod auth;
mod import_export;
mod lifecycle;
mod logs;
mod process;
mod settings;
#[path = "../support/mod.rs"]
mod support;
mod traces;

use testkit::{Concurrency::Parallel, Harness};

fn main() {
    let mut harness = Harness::from_args();
    harness.group("process", Parallel).add(process::MODULES);
    harness.group("settings", Parallel).add(settings::MODULES);
    harness.group("logs", Parallel).add(&[("", logs::TESTS)]);
    harness.group("auth", Parallel).add(auth::MODULES);
    let mut traces = harness.group("traces", Parallel);
    traces.add(&[("", traces::TESTS)]);
    traces.on_databases(&[("batches", traces::batches::TESTS)]);
    harness
        .group("import_export", Parallel)
        .on_databases(import_export::MODULES);
    let mut lifecycle = harness.group("lifecycle", Parallel);
    lifecycle.on_databases(lifecycle::MODULES);
    lifecycle.on_own_servers(lifecycle::WITH_OWN_SERVER);
    harness.run().exit();
}
