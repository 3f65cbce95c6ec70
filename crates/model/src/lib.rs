//! Model checking of the batcher, compiled from the source of the crate `database`, under a scheduler that
//! chooses the order of all steps. A seed determines the clients, the limits and every step, so a
//! failure can be reproduced by its seed.
//!
//! [`check`] panics unless: every request gets exactly one result; no request joins a started
//! statement; a canceled request is not executed; the queue and the statements respect their limits; no
//! request stays queued while a statement could start; no task or request is left at the end.

// The batcher includes its unit tests, which belong to the crate `database` and need its dependencies.
#![cfg(not(test))]

#[allow(unreachable_pub, reason = "it is public in the crate `database`")]
#[rustfmt::skip]
#[path = "../../database/src/batcher.rs"]
mod batcher;
mod record;
mod scheduling;
mod simulation;

use shuttle::scheduler::{PctScheduler, RandomScheduler, Scheduler};
use shuttle::{Config, FailurePersistence, MaxSteps, Runner};

/// More steps than any plan needs; exceeding them means a livelock.
const MAX_STEPS: usize = 20_000;

/// The number of priority changes of the PCT scheduler, and the number of runs: the first only measures
/// their length.
const PRIORITY_CHANGES: usize = 3;
const RUNS: usize = 3;

/// Runs the plan and the schedule of this seed.
///
/// # Panics
///
/// If a guarantee of the batcher is violated; the message states which.
pub fn check(seed: u64) {
    // A random scheduler finds likely errors, PCT finds starvation.
    let scheduler: Box<dyn Scheduler + Send> = if seed.is_multiple_of(2) {
        Box::new(RandomScheduler::new_from_seed(seed, 1))
    } else {
        Box::new(PctScheduler::new_from_seed(seed, PRIORITY_CHANGES, RUNS))
    };
    let mut config = Config::new();
    config.max_steps = MaxSteps::FailAfter(MAX_STEPS);
    // The seed is enough to reproduce a failure.
    config.failure_persistence = FailurePersistence::None;
    Runner::new(scheduler, config).run(simulation::run);
}
