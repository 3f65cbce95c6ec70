//! Non-blocking log writer: a dedicated thread writes buffered lines in batches.
//!
//! A request never blocks on a slow reader of the log. Lines are buffered up to a limit; further lines
//! are dropped, counted and reported. The thread writes a line at once if it has written none shortly before,
//! else together with those that follow within a write interval. The process flushes the buffer before it exits.

use std::{
    io::{self, Write},
    mem,
    sync::Arc,
    thread,
    time::{Duration, Instant},
};

use parking_lot::{Condvar, Mutex};

/// Maximum size of the buffer.
const MAX_BUFFERED_BYTES: usize = 8 * 1024 * 1024;

/// Time between two writes: waking the thread and a system call for each line would cost more than the line.
const WRITE_INTERVAL: Duration = Duration::from_millis(10);

/// Buffered bytes that are written before the interval ends.
const BATCH_BYTES: usize = 64 * 1024;

/// Buffers log lines for the writer thread.
#[derive(Default)]
pub(super) struct NonBlockingWriter {
    state: Mutex<State>,
    filled: Condvar,
    emptied: Condvar,
}

#[derive(Default)]
struct State {
    buffer: Vec<u8>,
    writing: bool,
    /// The size of the buffer that wakes the thread; `None` while it is awake.
    wake_at: Option<usize>,
    /// Dropped lines, and how many of them have been reported.
    dropped: u64,
    reported: u64,
}

impl NonBlockingWriter {
    /// Starts the thread that writes to `target`.
    pub(super) fn open(target: impl Write + Send + 'static) -> io::Result<Arc<Self>> {
        let writer = Arc::<Self>::default();
        let buffered = Arc::clone(&writer);
        let thread = thread::Builder::new().name("log".to_owned());
        thread.spawn(move || buffered.write_to(target))?;
        Ok(writer)
    }

    /// Waits until all buffered lines are written, at most `timeout`.
    pub(super) fn flush(&self, timeout: Duration) {
        let deadline = Instant::now() + timeout;
        let mut state = self.state.lock();
        let is_pending = |state: &mut State| state.writing || !state.buffer.is_empty();
        self.filled.notify_one();
        self.emptied
            .wait_while_until(&mut state, is_pending, deadline);
    }

    /// Number of lines dropped since the start.
    pub(super) fn dropped_lines(&self) -> u64 {
        self.state.lock().dropped
    }

    /// Buffers a line.
    pub(super) fn push(&self, line: &[u8]) {
        let mut state = self.state.lock();
        if state.buffer.len() + line.len() > MAX_BUFFERED_BYTES {
            state.dropped += 1;
            return;
        }
        state.buffer.extend_from_slice(line);
        let buffered = state.buffer.len();
        if state.wake_at.take_if(|bytes| buffered >= *bytes).is_some() {
            self.filled.notify_one();
        }
    }

    fn write_to(&self, mut target: impl Write) {
        let mut batch = Vec::new();
        loop {
            let unreported = self.next(&mut batch);
            // A failed write of the log cannot be logged.
            let _ = target.write_all(&batch).and_then(|()| target.flush());
            batch.clear();
            if unreported > 0 {
                // This line is buffered by `push`.
                tracing::warn!(
                    lines = unreported,
                    "log lines were dropped: stderr is not read fast enough"
                );
            }
        }
    }

    /// Waits for lines and swaps them into `batch`. Returns how many were dropped since the last call.
    fn next(&self, batch: &mut Vec<u8>) -> u64 {
        let mut state = self.state.lock();
        state.writing = false;
        if state.buffer.is_empty() {
            self.emptied.notify_all();
        }
        if state.buffer.len() < BATCH_BYTES {
            state.wake_at = Some(BATCH_BYTES);
            self.filled.wait_for(&mut state, WRITE_INTERVAL);
        }
        while state.buffer.is_empty() {
            state.wake_at = Some(0);
            self.filled.wait(&mut state);
        }
        state.wake_at = None;
        state.writing = true;
        mem::swap(&mut state.buffer, batch);
        let unreported = state.dropped - state.reported;
        state.reported = state.dropped;
        unreported
    }
}

/// Buffers each write as one line, because the formatter writes each event with one call.
impl Write for &NonBlockingWriter {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        self.push(line);
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::{Receiver, Sender, channel};

    use super::*;

    const TIMEOUT: Duration = Duration::from_secs(20);

    /// A write target that blocks until it has a permit for the next batch.
    struct BlockingTarget {
        permits: Receiver<()>,
        batches: Sender<Vec<u8>>,
    }

    impl Write for BlockingTarget {
        fn write(&mut self, batch: &[u8]) -> io::Result<usize> {
            let _ = self.permits.recv();
            let _ = self.batches.send(batch.to_vec());
            Ok(batch.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    fn blocking_writer() -> (Arc<NonBlockingWriter>, Sender<()>, Receiver<Vec<u8>>) {
        let (permit, permits) = channel();
        let (batches, batch) = channel();
        let writer = NonBlockingWriter::open(BlockingTarget { permits, batches }).unwrap();
        (writer, permit, batch)
    }

    #[test]
    fn every_line_is_written_in_order_before_a_flush_ends() {
        let (writer, permit, batches) = blocking_writer();
        drop(permit);
        let mut expected = Vec::new();
        for number in 0..10_000 {
            let line = format!("line {number}\n");
            (&*writer).write_all(line.as_bytes()).unwrap();
            expected.extend_from_slice(line.as_bytes());
        }
        writer.flush(TIMEOUT);
        let written: Vec<u8> = batches.try_iter().flatten().collect();
        assert!(written == expected, "{} bytes", written.len());
    }

    #[test]
    fn logging_does_not_block_on_a_stalled_reader() {
        let (writer, permit, batches) = blocking_writer();
        let line = [b'x'; 1024];
        let capacity = MAX_BUFFERED_BYTES / line.len();
        writer.push(&line);
        // The first line has left the buffer when the thread is writing.
        while !writer.state.lock().writing {
            thread::yield_now();
        }
        for _ in 0..capacity + 3 {
            writer.push(&line);
        }
        assert_eq!(writer.dropped_lines(), 3);
        writer.flush(Duration::from_millis(1));
        drop(permit);
        writer.flush(TIMEOUT);
        let written: usize = batches.try_iter().map(|batch| batch.len()).sum();
        assert_eq!(written, (capacity + 1) * line.len());
    }
}
