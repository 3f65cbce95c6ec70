//! The progress of a command: messages on stderr, and a progress bar if stderr is a terminal.

use std::io::{self, Write};

use indicatif::{ProgressBar, ProgressStyle};

pub(super) fn without_end() -> ProgressBar {
    ProgressBar::new_spinner().with_style(style("{spinner}  {msg}"))
}

pub(super) fn set_end(bar: &ProgressBar, end: u64) {
    bar.set_style(style("{bar:32} {percent:>3} %  {msg}  {eta} left"));
    bar.set_length(end);
}

fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).expect("the templates have only keys that indicatif knows")
}

/// Writes a line above the bar.
pub(super) fn print(bar: &ProgressBar, line: &str) {
    bar.suspend(|| {
        // A closed stderr is not a failure of the command.
        let _ = writeln!(io::stderr().lock(), "{line}");
    });
}

/// Writes the last line below the finished bar, with the elapsed time and the `rows` per second.
pub(super) fn print_summary(bar: &ProgressBar, line: &str, rows: u64) {
    let elapsed = bar.elapsed();
    let seconds = elapsed.as_secs_f64();
    let rate = u128::from(rows) * 1000 / elapsed.as_millis().max(1);
    let end_of_bar = if bar.is_hidden() { "" } else { "\n" };
    // A closed stderr is not a failure of the command.
    let _ = writeln!(io::stderr().lock(), "{end_of_bar}{line} in {seconds:.1} s ({rate} rows/s)");
}
