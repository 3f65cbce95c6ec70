//! The started program: its commands, settings, log, traces and lifecycle.
//!
//! Tests are named `FILE::SENTENCE`, or `DATABASE::FILE::SENTENCE` where they run on every database.

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
    // The longest tests are started first, and those that mostly wait beside those that do not.
    let mut lifecycle = harness.group("lifecycle", Parallel);
    lifecycle.on_own_servers(lifecycle::WITH_OWN_SERVER);
    harness
        .beside("import_export", Parallel)
        .on_databases(import_export::MODULES);
    let mut lifecycle = harness.beside("lifecycle", Parallel);
    lifecycle.on_databases(lifecycle::MODULES);
    let mut traces = harness.beside("traces", Parallel);
    traces.add(&[("", traces::TESTS)]);
    traces.on_databases(&[("batches", traces::batches::TESTS)]);
    harness.beside("process", Parallel).add(process::MODULES);
    harness.beside("settings", Parallel).add(settings::MODULES);
    harness.beside("logs", Parallel).add(&[("", logs::TESTS)]);
    harness.beside("auth", Parallel).add(auth::MODULES);
    harness.run().exit();
}
