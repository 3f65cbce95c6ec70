//! Checks the batcher under thousands of schedules. `MODEL_SEED=N` runs one seed, `MODEL_SEEDS=N` sets
//! the number of seeds.

#![allow(missing_docs, reason = "a test")]

use std::env;
use std::panic::catch_unwind;

const SEEDS: u64 = 1_500;

#[test]
fn every_request_gets_one_result_under_every_schedule() {
    if let Some(seed) = variable("MODEL_SEED") {
        return model::check(seed);
    }
    for seed in 0..variable("MODEL_SEEDS").unwrap_or(SEEDS) {
        // The panic message is already printed.
        let passed = catch_unwind(|| model::check(seed)).is_ok();
        assert!(
            passed,
            "seed {seed} breaks it: MODEL_SEED={seed} cargo test -p model"
        );
    }
}

#[expect(clippy::disallowed_methods, reason = "it is no setting of the service")]
fn variable(name: &str) -> Option<u64> {
    let text = env::var(name).ok()?;
    Some(text.parse().expect("it is a number"))
}
