//! How far a command is: a bar where stderr is a terminal, and what it has to say on stderr.

use std::{
    io::{self, Write},
    time::{Duration, Instant},
};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// A bar on stderr, which is not drawn unless that is a terminal.
pub(super) struct Progress {
    bar: ProgressBar,
    started: Instant,
}

impl Progress {
    /// Of something with an end, which `position` will reach.
    pub(super) fn to(end: u64) -> Self {
        Self::new(
            ProgressBar::new(end),
            "{bar:32} {percent:>3} %  {msg}  {eta} left",
        )
    }

    /// Of something whose end is not known.
    pub(super) fn endless() -> Self {
        Self::new(ProgressBar::new_spinner(), "{spinner}  {msg}")
    }

    fn new(bar: ProgressBar, template: &str) -> Self {
        bar.set_draw_target(ProgressDrawTarget::stderr());
        bar.set_style(ProgressStyle::with_template(template).expect("the template is right"));
        Self {
            bar,
            started: Instant::now(),
        }
    }

    /// Shows how far it is.
    pub(super) fn show(&self, position: u64, message: String) {
        self.bar.set_position(position);
        self.bar.set_message(message);
    }

    /// Writes a line above the bar.
    pub(super) fn say(&self, line: &str) {
        self.bar.suspend(|| {
            // Without a stderr nobody is there to be told.
            let _ = writeln!(io::stderr().lock(), "{line}");
        });
    }

    /// Takes the bar away and writes the last line, with the time it took and how many `rows` a second.
    pub(super) fn end(&self, line: &str, rows: u64) {
        self.bar.finish_and_clear();
        let elapsed = self.started.elapsed();
        self.say(&format!(
            "{line} in {:.1} s ({} rows/s)",
            elapsed.as_secs_f64(),
            rate(rows, elapsed)
        ));
    }
}

fn rate(rows: u64, elapsed: Duration) -> u128 {
    u128::from(rows) * 1000 / elapsed.as_millis().max(1)
}
