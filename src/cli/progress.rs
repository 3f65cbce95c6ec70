//! The progress of a command: messages on stderr, and a progress bar if stderr is a terminal.

use std::{
    io::{self, Write},
    time::Instant,
};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// A progress bar on stderr, which is drawn only on a terminal.
pub(super) struct Progress {
    bar: ProgressBar,
    started: Instant,
}

impl Progress {
    /// Progress up to a position, if the end is known.
    pub(super) fn new(end: Option<u64>) -> Self {
        let (bar, template) = match end {
            Some(end) => {
                let template = "{bar:32} {percent:>3} %  {msg}  {eta} left";
                (ProgressBar::new(end), template)
            }
            None => (ProgressBar::new_spinner(), "{spinner}  {msg}"),
        };
        bar.set_draw_target(ProgressDrawTarget::stderr());
        bar.set_style(ProgressStyle::with_template(template).expect("the template is right"));
        Self {
            bar,
            started: Instant::now(),
        }
    }

    /// Updates the bar.
    pub(super) fn show(&self, position: u64, message: String) {
        self.bar.set_position(position);
        self.bar.set_message(message);
    }

    /// Writes a line above the bar.
    pub(super) fn print(&self, line: &str) {
        self.bar.suspend(|| {
            // A closed stderr is not a failure of the command.
            let _ = writeln!(io::stderr().lock(), "{line}");
        });
    }

    /// Clears the bar and writes the last line, with the elapsed time and the `rows` per second.
    pub(super) fn end(&self, line: &str, rows: u64) {
        self.bar.finish_and_clear();
        let elapsed = self.started.elapsed();
        let seconds = elapsed.as_secs_f64();
        let rate = u128::from(rows) * 1000 / elapsed.as_millis().max(1);
        self.print(&format!("{line} in {seconds:.1} s ({rate} rows/s)"));
    }
}
