//! What was logged in the process of a test, printed when it fails.

use std::io::{self, Write};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use tracing::{Dispatch, level_filters::LevelFilter};

/// The maximum number of lines of a printed log.
const MAX_LINES: usize = 200;

/// The lines logged by the threads that dispatch to it; printed when it is dropped because of a panic.
#[derive(Default)]
pub(crate) struct Log(Mutex<Vec<u8>>);

/// Prints the log of a failed test.
pub(crate) struct PrintOnPanic(pub(crate) Arc<Log>);

impl Log {
    /// A dispatcher to this log.
    pub(crate) fn dispatch(self: &Arc<Self>) -> Dispatch {
        let subscriber = tracing_subscriber::fmt()
            .with_max_level(LevelFilter::INFO)
            .with_ansi(false)
            .with_writer(Arc::clone(self))
            .finish();
        Dispatch::new(subscriber)
    }

    /// What was logged so far.
    pub(crate) fn text(&self) -> String {
        let log = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        String::from_utf8_lossy(&log).into_owned()
    }
}

impl Write for &Log {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut log = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        log.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Drop for PrintOnPanic {
    fn drop(&mut self) {
        if thread::panicking() {
            print("the process of the test", &self.0.text());
        }
    }
}

/// Prints the last lines of a log to stderr.
pub(crate) fn print(source: &str, log: &str) {
    let lines: Vec<_> = log.lines().collect();
    let omitted = lines.len().saturating_sub(MAX_LINES);
    eprintln!("--- log of {source} ({omitted} earlier lines omitted)");
    for line in &lines[omitted..] {
        eprintln!("{line}");
    }
    eprintln!("--- end of the log");
}
