//! Bounds of heap memory, counted by the allocator: caches, and every input of the fuzzing corpora.

#![allow(
    missing_docs,
    clippy::expect_used,
    clippy::print_stderr,
    reason = "a test fails by panicking, and the measured values are printed"
)]

mod caches;
mod replay;

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use peak_alloc::PeakAlloc;
use vehicle_catalogue::store::{DatabaseUrl, Settings};

#[global_allocator]
static HEAP: PeakAlloc = PeakAlloc;

/// Serializes the tests, because the allocator counts for the whole process.
fn exclusive() -> MutexGuard<'static, ()> {
    static LOCK: Mutex<()> = Mutex::new(());
    LOCK.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A database in memory, with time-outs longer than any operation.
fn in_memory() -> Settings {
    let timeout = Duration::from_mins(5);
    Settings {
        url: DatabaseUrl::memory(),
        pool_size: 1,
        held_connections: 0,
        timeout,
        connect_timeout: timeout,
        migration_lock_timeout: timeout,
    }
}
