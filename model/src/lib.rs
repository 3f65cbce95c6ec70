//! The lane of the service, compiled from its own file, under a scheduler that chooses who takes the
//! next step. A number decides the callers, their limits and every step, so what fails can be
//! replayed by its number.
//!
//! [`check`] panics unless: every caller gets exactly one answer, its own, or the one reason why
//! there is none; nobody joins a statement that has started; who left before leaves no trace; the
//! queue and the statements keep their limits; nobody waits while a statement could start, least of
//! all for ever; nothing is left at the end.

#[rustfmt::skip]
#[path = "../../src/store/lane.rs"]
mod lane;
mod record;
mod scheduling;
mod trace;
mod world;

use shuttle::scheduler::{PctScheduler, RandomScheduler, Scheduler};
use shuttle::{Config, FailurePersistence, MaxSteps, Runner};

/// More steps than any plan needs: who takes more goes round in circles.
const MOST_STEPS: usize = 20_000;

/// How often a scheduler that follows priorities changes them, and how many runs it makes: the first
/// only tells it how long they are.
const CHANGES: usize = 3;
const RUNS: usize = 3;

/// Tries the callers and the order of steps of this number.
///
/// # Panics
///
/// If a promise of the lane is broken, as the message says.
pub fn check(seed: u64) {
    // Fair dice find what is likely, priorities that change seldom find who is left behind.
    let scheduler: Box<dyn Scheduler + Send> = if seed.is_multiple_of(2) {
        Box::new(RandomScheduler::new_from_seed(seed, 1))
    } else {
        Box::new(PctScheduler::new_from_seed(seed, CHANGES, RUNS))
    };
    let mut config = Config::new();
    config.max_steps = MaxSteps::FailAfter(MOST_STEPS);
    // The number is enough to come back.
    config.failure_persistence = FailurePersistence::None;
    Runner::new(scheduler, config).run(world::run);
}
