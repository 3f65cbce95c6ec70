//! The started program: its commands, settings, log, traces and lifecycle.
//!
//! Tests are named `FILE::SENTENCE`, or `DATABASE::FILE::SENTENCE` where they run on every database.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that cannot continue panics")]

mod auth;
mod import_export;
mod lifecycle;
mod logs;
mod process;
mod settings;
#[path = "../support/mod.rs"]
mod support;
mod traces;

use std::{env, process::ExitCode};

use testkit::{Concurrency::Parallel, Harness};

fn main() -> ExitCode {
    // The program belongs to another package, whose programs Cargo does not build for these tests.
    if env::args_os().nth(1).is_some_and(|first| first == process::SCHEMA_REVIEW) {
        return graphql_schema_review::cli::main(env::args_os().skip(1));
    }
    let mut harness = Harness::from_args();
    // The longest tests are started first, and those that mostly wait beside those that do not.
    let mut lifecycle = harness.group("lifecycle", Parallel);
    lifecycle.on_own_servers(lifecycle::WITH_OWN_SERVER);
    harness.beside("import_export", Parallel).on_databases(import_export::MODULES);
    let mut lifecycle = harness.beside("lifecycle", Parallel);
    lifecycle.on_databases(lifecycle::MODULES);
    harness.beside("traces", Parallel).add(&[("", traces::TESTS)]);
    harness.beside("process", Parallel).add(process::MODULES);
    harness.beside("settings", Parallel).add(settings::MODULES);
    harness.beside("logs", Parallel).add(&[("", logs::TESTS)]);
    harness.beside("auth", Parallel).add(auth::MODULES);
    harness.run().exit()
}
