//! Keeps tests of different groups apart.

use std::sync::{Condvar, Mutex, PoisonError};

/// How many tests of a group run at the same time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Concurrency {
    /// As many as the harness has threads.
    Parallel,
    /// One, because measurements or timeouts are sensitive to load.
    OneByOne,
}

/// Lets tests of one group in at a time.
#[derive(Default)]
pub(crate) struct Gate {
    /// The group that is running, and how many of its tests.
    running: Mutex<(usize, usize)>,
    left: Condvar,
}

/// Held while a test runs.
pub(crate) struct Pass<'a>(&'a Gate);

impl Gate {
    /// Waits until a test of this group may run.
    pub(crate) fn enter(&self, group: usize, concurrency: Concurrency) -> Pass<'_> {
        let may_not_enter = |(current, count): &mut (usize, usize)| {
            *count > 0 && (*current != group || concurrency == Concurrency::OneByOne)
        };
        let running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        let waited = self.left.wait_while(running, may_not_enter);
        let mut running = waited.unwrap_or_else(PoisonError::into_inner);
        *running = (group, running.1 + 1);
        Pass(self)
    }
}

impl Drop for Pass<'_> {
    fn drop(&mut self) {
        let running = self.0.running.lock();
        running.unwrap_or_else(PoisonError::into_inner).1 -= 1;
        self.0.left.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::thread;

    use super::*;

    #[test]
    fn tests_of_different_groups_do_not_overlap() {
        let gate = Gate::default();
        let running = [const { AtomicUsize::new(0) }; 2];
        thread::scope(|scope| {
            for number in 0..40 {
                let (gate, running) = (&gate, &running);
                scope.spawn(move || {
                    let group = number % 2;
                    let concurrency = [Concurrency::Parallel, Concurrency::OneByOne][group];
                    let _pass = gate.enter(group, concurrency);
                    let own = running[group].fetch_add(1, Ordering::SeqCst) + 1;
                    assert_eq!(running[1 - group].load(Ordering::SeqCst), 0);
                    assert!(concurrency == Concurrency::Parallel || own == 1);
                    thread::yield_now();
                    running[group].fetch_sub(1, Ordering::SeqCst);
                });
            }
        });
    }
}
