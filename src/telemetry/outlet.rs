//! The way of log lines out of the process: a thread of its own writes them, many at once.
//!
//! A request never waits for whoever reads the log. When the reader stands still, lines are kept up to
//! a bound; what comes after that is dropped, counted and told. Nothing is held back otherwise: the
//! thread writes as soon as there is a line, and the process waits for it at its end.

use std::{
    io::{self, Write},
    mem,
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError},
    thread,
    time::{Duration, Instant},
};

use tracing_subscriber::fmt::MakeWriter;

/// The most bytes that wait to be written.
const WAITING_BYTES: usize = 8 * 1024 * 1024;

/// Where log lines are handed in. Clones lead to the same thread.
#[derive(Clone)]
pub(super) struct Outlet(Arc<Shared>);

#[derive(Default)]
struct Shared {
    state: Mutex<State>,
    filled: Condvar,
    emptied: Condvar,
}

#[derive(Default)]
struct State {
    waiting: Vec<u8>,
    writing: bool,
    sleeping: bool,
    /// Lines that were dropped, and how many of them have been told.
    dropped: u64,
    told: u64,
}

impl Outlet {
    /// Starts the thread that writes to `target`.
    pub(super) fn open(target: impl Write + Send + 'static) -> io::Result<Self> {
        let outlet = Self(Arc::default());
        let shared = Arc::clone(&outlet.0);
        let thread = thread::Builder::new().name("log".to_owned());
        thread.spawn(move || shared.write_to(target))?;
        Ok(outlet)
    }

    /// Waits until everything handed in before is written, but no longer than `patience`.
    pub(super) fn flush(&self, patience: Duration) {
        let deadline = Instant::now() + patience;
        let mut state = self.0.state();
        while state.writing || !state.waiting.is_empty() {
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return;
            }
            let waited = self.0.emptied.wait_timeout(state, left);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// How many lines were dropped since the start.
    pub(super) fn dropped_lines(&self) -> u64 {
        self.0.state().dropped
    }

    fn take(&self, line: &[u8]) {
        let mut state = self.0.state();
        if state.waiting.len() + line.len() > WAITING_BYTES {
            state.dropped += 1;
            return;
        }
        state.waiting.extend_from_slice(line);
        if mem::take(&mut state.sleeping) {
            self.0.filled.notify_one();
        }
    }
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        // Whoever panicked here has left whole lines.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn write_to(&self, mut target: impl Write) {
        let mut batch = Vec::new();
        loop {
            let untold = self.next(&mut batch);
            // Whoever does not read the log can't be told in the log.
            let _ = target.write_all(&batch).and_then(|()| target.flush());
            batch.clear();
            if untold > 0 {
                // It comes back through `take`.
                tracing::warn!(
                    lines = untold,
                    "log lines were dropped: the log is not read fast enough"
                );
            }
        }
    }

    /// Waits for lines and swaps them into `batch`. Answers how many were dropped before.
    fn next(&self, batch: &mut Vec<u8>) -> u64 {
        let mut state = self.state();
        state.writing = false;
        if state.waiting.is_empty() {
            self.emptied.notify_all();
        }
        while state.waiting.is_empty() {
            state.sleeping = true;
            let woken = self.filled.wait(state);
            state = woken.unwrap_or_else(PoisonError::into_inner);
        }
        state.sleeping = false;
        state.writing = true;
        mem::swap(&mut state.waiting, batch);
        let untold = state.dropped - state.told;
        state.told = state.dropped;
        untold
    }
}

/// Takes one line: a formatter writes each event with one call.
pub(super) struct Line<'a>(&'a Outlet);

impl Write for Line<'_> {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        self.0.take(line);
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl<'a> MakeWriter<'a> for Outlet {
    type Writer = Line<'a>;

    fn make_writer(&'a self) -> Line<'a> {
        Line(self)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::{Receiver, Sender, channel};

    use super::*;

    const PATIENCE: Duration = Duration::from_secs(20);

    /// A reader of the log that takes a batch only when it is told to.
    struct Reader {
        permits: Receiver<()>,
        batches: Sender<Vec<u8>>,
    }

    impl Write for Reader {
        fn write(&mut self, batch: &[u8]) -> io::Result<usize> {
            let _ = self.permits.recv();
            let _ = self.batches.send(batch.to_vec());
            Ok(batch.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    fn outlet() -> (Outlet, Sender<()>, Receiver<Vec<u8>>) {
        let (permit, permits) = channel();
        let (batches, batch) = channel();
        let outlet = Outlet::open(Reader { permits, batches }).unwrap();
        (outlet, permit, batch)
    }

    #[test]
    fn every_line_is_written_in_order_before_a_flush_ends() {
        let (outlet, permit, batches) = outlet();
        drop(permit);
        let mut expected = Vec::new();
        for number in 0..10_000 {
            let line = format!("line {number}\n");
            outlet.make_writer().write_all(line.as_bytes()).unwrap();
            expected.extend_from_slice(line.as_bytes());
        }
        outlet.flush(PATIENCE);
        let written: Vec<u8> = batches.try_iter().flatten().collect();
        assert!(written == expected, "{} bytes", written.len());
    }

    #[test]
    fn whoever_logs_does_not_wait_for_a_reader_that_stands_still() {
        let (outlet, permit, batches) = outlet();
        let line = [b'x'; 1024];
        let fitting = WAITING_BYTES / line.len();
        outlet.take(&line);
        // The first line is on its way, so that it takes no room among those that wait.
        while !outlet.0.state().writing {
            thread::yield_now();
        }
        for _ in 0..fitting + 3 {
            outlet.take(&line);
        }
        assert_eq!(outlet.dropped_lines(), 3);
        outlet.flush(Duration::from_millis(1));
        drop(permit);
        outlet.flush(PATIENCE);
        let written: usize = batches.try_iter().map(|batch| batch.len()).sum();
        assert_eq!(written, (fitting + 1) * line.len());
    }
}
