//! Checks every input of the fuzzing corpora, within limits of heap memory and time.

#[expect(unreachable_pub, reason = "the file is the root of a library")]
#[path = "../../fuzz/src/lib.rs"]
mod fuzz;

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use super::{HEAP, exclusive};

/// The maximum heap memory of one check: documents take up to 160 times their size.
const HEAP_BUDGET: usize = 16 * 1024 * 1024;

/// The maximum duration of one check, on a busy machine.
const TIME_BUDGET: Duration = Duration::from_secs(30);

#[test]
fn http() {
    replay("http", fuzz::http);
}

#[test]
fn codegen() {
    replay("codegen", fuzz::codegen);
}

#[test]
fn diff() {
    replay("diff", fuzz::diff);
}

#[test]
fn values() {
    replay("values", fuzz::values);
}

fn replay(target: &str, check: fn(&[u8])) {
    let _guard = exclusive();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("fuzz/corpus")
        .join(target);
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
