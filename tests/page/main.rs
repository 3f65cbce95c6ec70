//! GraphiQL in a real browser that can reach nothing but the service.
//!
//! Without Chromium the tests are listed as ignored; with `TEST_REQUIRE_ALL=1` they fail.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a test that cannot go on fails"
)]

mod browser;
mod devtools;
mod graphiql;
#[path = "../it/support/http.rs"]
mod http;
mod proxy;
mod service;
mod tests;

use std::{path::PathBuf, pin::Pin, time::Duration};

use libtest_mimic::{Arguments, Failed, Trial};
use tokio::{runtime::Builder, time::timeout};

const TEST_TIMEOUT: Duration = Duration::from_mins(2);

/// A test and its name, which is a sentence about the page.
pub(crate) struct Test {
    name: &'static str,
    run: fn(PathBuf) -> Pin<Box<dyn Future<Output = ()>>>,
}

fn main() {
    let arguments = Arguments::from_args();
    let chromium = browser::installed();
    if chromium.is_none() {
        tell_that_there_is_no_browser();
    }
    let trials = tests::TESTS
        .iter()
        .map(|test| trial(test, chromium.clone()));
    libtest_mimic::run(&arguments, trials.collect()).exit();
}

fn trial(test: &'static Test, chromium: Option<PathBuf>) -> Trial {
    let ignored = chromium.is_none() && !everything_is_required();
    let run = move || {
        let chromium = chromium.ok_or("Chromium is not installed")?;
        let runtime = Builder::new_multi_thread()
            .worker_threads(2)
            .enable_all()
            .build()?;
        runtime
            .block_on(async { timeout(TEST_TIMEOUT, (test.run)(chromium)).await })
            .map_err(|_| Failed::from(format!("it hangs: no end after {TEST_TIMEOUT:?}")))
    };
    Trial::test(test.name, run).with_ignored_flag(ignored)
}

#[expect(
    clippy::disallowed_methods,
    reason = "tests have settings of their own"
)]
fn everything_is_required() -> bool {
    std::env::var("TEST_REQUIRE_ALL").is_ok_and(|value| value == "1")
}

#[expect(
    clippy::print_stderr,
    reason = "who reads the summary has to know why tests were left out"
)]
fn tell_that_there_is_no_browser() {
    eprintln!("the tests of the page cannot run: Chromium is not installed");
}
