//! Checks every input of the corpora, within limits of heap memory and time.

#![allow(
    clippy::expect_used,
    clippy::print_stderr,
    reason = "a test fails by panicking, and the last printed file is the input that fails"
)]

use std::fs;
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use peak_alloc::PeakAlloc;

#[global_allocator]
static HEAP: PeakAlloc = PeakAlloc;

/// Serializes the tests, because the allocator counts for the whole process.
static LOCK: Mutex<()> = Mutex::new(());

/// The maximum heap memory of one check: documents take up to 160 times their size.
const HEAP_BUDGET: usize = 16 * 1024 * 1024;

/// The maximum duration of one check, on a busy machine.
const TIME_BUDGET: Duration = Duration::from_secs(30);

#[test]
fn http() {
    replay("http", fuzz_checks::http);
}

#[test]
fn codegen() {
    replay("codegen", fuzz_checks::codegen);
}

#[test]
fn diff() {
    replay("diff", fuzz_checks::diff);
}

#[test]
fn values() {
    replay("values", fuzz_checks::values);
}

fn replay(target: &str, check: fn(&[u8])) {
    let _guard = LOCK.lock().unwrap_or_else(PoisonError::into_inner);
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../corpus").join(target);
    let mut checked = 0;
    for file in fs::read_dir(folder).expect("the corpus is there") {
        let path = file.expect("it can be read").path();
        // Inputs that libFuzzer adds have names without an extension.
        if path.extension().is_none() {
            continue;
        }
        eprintln!("{}", path.display());
        let input = fs::read(&path).expect("it can be read");
        let before = HEAP.current_usage();
        HEAP.reset_peak_usage();
        let started = Instant::now();
        check(&input);
        let (elapsed, bytes) = (started.elapsed(), HEAP.peak_usage().saturating_sub(before));
        assert!(bytes <= HEAP_BUDGET, "it takes {bytes} bytes of memory");
        assert!(elapsed <= TIME_BUDGET, "it takes {elapsed:?}");
        checked += 1;
    }
    assert!(checked > 0, "{target} has a corpus");
}
