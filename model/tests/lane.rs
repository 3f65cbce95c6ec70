//! The lane in thousands of orders of its steps. `MODEL_SEED=N` tries the one of that number alone,
//! `MODEL_SEEDS=N` another number of them.

#![allow(missing_docs, reason = "a test")]

use std::env;
use std::panic::catch_unwind;

const SEEDS: u64 = 1_500;

#[test]
fn every_caller_gets_one_answer_in_whatever_order() {
    if let Some(seed) = number("MODEL_SEED") {
        return model::check(seed);
    }
    for seed in 0..number("MODEL_SEEDS").unwrap_or(SEEDS) {
        // What is wrong has been printed by then.
        let kept = catch_unwind(|| model::check(seed)).is_ok();
        assert!(
            kept,
            "seed {seed} breaks it: MODEL_SEED={seed} cargo test -p model"
        );
    }
}

#[expect(clippy::disallowed_methods, reason = "it is no setting of the service")]
fn number(variable: &str) -> Option<u64> {
    let text = env::var(variable).ok()?;
    Some(text.parse().expect("it is a number"))
}
