//! Checks every input of the fuzzing corpora, and random mutations of them: each of the seeds 0, 1, 2 …
//! determines one input. `FUZZ_SEED=N` checks only one seed, and `FUZZ_SEEDS=N` sets the number of seeds.
//!
//! The heap memory and the time of each check are limited.

#[expect(unreachable_pub, reason = "the file is the root of a library")]
#[path = "../../../fuzz/src/lib.rs"]
mod fuzz;
mod introspection;
mod mutation;
mod random;

use std::panic::catch_unwind;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use std::{env, fs};

use random::Random;

use super::{HEAP, exclusive};

/// The maximum heap memory of one check: documents take up to 160 times their size.
const HEAP_BUDGET: usize = 16 * 1024 * 1024;

/// The maximum duration of one check, on a busy machine.
const TIME_BUDGET: Duration = Duration::from_secs(30);

#[test]
fn http() {
    replay("http", 800, fuzz::http);
}

#[test]
fn codegen() {
    replay("codegen", 800, fuzz::codegen);
}

#[test]
fn diff() {
    replay("diff", 800, fuzz::diff);
}

#[test]
fn values() {
    replay("values", 20_000, fuzz::values);
}

fn replay(target: &str, seeds: u64, check: fn(&[u8])) {
    let _guard = exclusive();
    let check = |input: &[u8]| within_budget(input, check);
    let corpus = corpus(target);
    assert!(!corpus.is_empty(), "{target} has a corpus");
    let inputs: Vec<&[u8]> = corpus.iter().map(|(_, input)| &**input).collect();
    if let Some(seed) = env_number("FUZZ_SEED") {
        return check(&generate(&inputs, target, seed));
    }
    for (path, input) in &corpus {
        let passed = catch_unwind(|| check(input)).is_ok();
        assert!(passed, "{} breaks it", path.display());
    }
    for seed in 0..env_number("FUZZ_SEEDS").unwrap_or(seeds) {
        let input = generate(&inputs, target, seed);
        // A stack overflow can't be caught: the file contains the input that caused it.
        fs::write(last_input_path(target), &input)
            .expect("the folder for temporary files can be written");
        let passed = catch_unwind(|| check(&input)).is_ok();
        assert!(
            passed,
            "seed {seed} breaks it: FUZZ_SEED={seed} cargo test --test memory replay::{target}\n{}",
            input.escape_ascii()
        );
    }
}

/// Checks an input within the limits of memory and time.
fn within_budget(input: &[u8], check: fn(&[u8])) {
    let before = HEAP.current_usage();
    HEAP.reset_peak_usage();
    let started = Instant::now();
    check(input);
    let (elapsed, bytes) = (started.elapsed(), HEAP.peak_usage().saturating_sub(before));
    assert!(bytes <= HEAP_BUDGET, "it takes {bytes} bytes of memory");
    assert!(elapsed <= TIME_BUDGET, "it takes {elapsed:?}");
}

/// The input of a seed; one fifth of the requests are introspection.
fn generate(inputs: &[&[u8]], target: &str, seed: u64) -> Vec<u8> {
    let mut random = Random::new(seed);
    if target == "http" && random.below(5) == 0 {
        return introspection::random_body(&mut random);
    }
    mutation::mutate(inputs, target, &mut random)
}

/// The file of the last input.
fn last_input_path(target: &str) -> PathBuf {
    let name = format!("last-{target}");
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(name)
}

/// The committed inputs, sorted by file name. Inputs that libFuzzer adds have names without an extension.
fn corpus(target: &str) -> Vec<(PathBuf, Vec<u8>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("fuzz/corpus")
        .join(target);
    let files = fs::read_dir(folder).expect("the corpus is there");
    let mut paths: Vec<_> = files
        .map(|file| file.expect("it can be read").path())
        .collect();
    paths.retain(|path| path.extension().is_some());
    paths.sort();
    let read = |path: PathBuf| {
        let input = fs::read(&path).expect("it can be read");
        (path, input)
    };
    paths.into_iter().map(read).collect()
}

#[expect(clippy::disallowed_methods, reason = "not a setting of the service")]
fn env_number(variable: &str) -> Option<u64> {
    let text = env::var(variable).ok()?;
    Some(text.parse().expect("it is a number"))
}
