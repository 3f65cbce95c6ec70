//! Keeps tests of different groups apart.

use std::sync::{Condvar, Mutex, PoisonError};

/// How many tests of a kind run at the same time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Concurrency {
    /// As many as `--test-threads` permits.
    Parallel,
    /// One, because the tests share servers that are sensitive to load.
    OneByOne,
}

/// Lets tests of one group in at a time, and no more of them than permitted.
pub(crate) struct Gate {
    limit: usize,
    running: Mutex<Running>,
    left: Condvar,
}

/// The group that is running, and how many of its tests.
#[derive(Default)]
struct Running {
    group: usize,
    all: usize,
    one_by_one: usize,
}

/// Held while a test runs.
pub(crate) struct Pass<'a> {
    gate: &'a Gate,
    concurrency: Concurrency,
}

impl Gate {
    /// A gate for at most `limit` tests at a time.
    pub(crate) fn new(limit: usize) -> Self {
        Self { limit, running: Mutex::default(), left: Condvar::new() }
    }

    /// The maximum number of tests at a time.
    pub(crate) fn limit(&self) -> usize {
        self.limit
    }

    /// Waits until a test of this group may run.
    pub(crate) fn enter(&self, group: usize, concurrency: Concurrency) -> Pass<'_> {
        let must_wait = |running: &mut Running| {
            running.all >= self.limit
                || (running.all > 0 && running.group != group)
                || (concurrency == Concurrency::OneByOne && running.one_by_one > 0)
        };
        let running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        let waited = self.left.wait_while(running, must_wait);
        let mut running = waited.unwrap_or_else(PoisonError::into_inner);
        running.group = group;
        running.all += 1;
        running.one_by_one += usize::from(concurrency == Concurrency::OneByOne);
        Pass { gate: self, concurrency }
    }
}

impl Drop for Pass<'_> {
    fn drop(&mut self) {
        let running = self.gate.running.lock();
        let mut running = running.unwrap_or_else(PoisonError::into_inner);
        running.all -= 1;
        running.one_by_one -= usize::from(self.concurrency == Concurrency::OneByOne);
        self.gate.left.notify_all();
    }
}
