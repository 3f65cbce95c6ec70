//! Bounds of heap memory, counted by the allocator: caches, responses, and every input of the fuzzing
//! corpora.

#![allow(
    missing_docs,
    clippy::expect_used,
    clippy::print_stderr,
    reason = "a test fails by panicking, and the measured values are printed"
)]

mod caches;
#[path = "../support/new_vehicle.rs"]
mod new_vehicle;
mod replay;

use std::sync::{Mutex, MutexGuard, PoisonError};

use peak_alloc::PeakAlloc;

#[global_allocator]
static HEAP: PeakAlloc = PeakAlloc;

/// Serializes the tests, because the allocator counts for the whole process.
fn exclusive() -> MutexGuard<'static, ()> {
    static LOCK: Mutex<()> = Mutex::new(());
    LOCK.lock().unwrap_or_else(PoisonError::into_inner)
}
