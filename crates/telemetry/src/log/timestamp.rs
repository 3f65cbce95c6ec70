//! The timestamp of log lines.

use std::{
    cell::Cell,
    fmt,
    io::{self, Write as _},
    iter, str,
    time::{SystemTime, UNIX_EPOCH},
};

use chrono::DateTime;
use tracing_subscriber::fmt::{format::Writer, time::FormatTime};

/// Writes the time in UTC with microseconds (RFC 3339).
pub(super) struct UtcTime;

/// `2026-11-22T20:15:00`
type Second = [u8; 19];

thread_local! {
    /// The last second and its text, since most lines are written in the same second as the one before.
    static LAST_SECOND: Cell<(u64, Second)> = const { Cell::new((u64::MAX, [0; 19])) };
}

impl FormatTime for UtcTime {
    fn format_time(&self, writer: &mut Writer<'_>) -> fmt::Result {
        let mut text = Vec::new();
        write_time(&mut text).map_err(|_| fmt::Error)?;
        writer.write_str(str::from_utf8(&text).map_err(|_| fmt::Error)?)
    }
}

/// Appends the current time.
pub(super) fn write_time(line: &mut Vec<u8>) -> io::Result<()> {
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    let now = now.unwrap_or_default();
    let (mut second, mut text) = LAST_SECOND.get();
    if second != now.as_secs() {
        second = now.as_secs();
        let time = i64::try_from(second).ok();
        let time = time.and_then(|second| DateTime::from_timestamp(second, 0));
        let time = time.ok_or(io::ErrorKind::InvalidData)?;
        write!(&mut text[..], "{}", time.format("%Y-%m-%dT%H:%M:%S"))?;
        LAST_SECOND.set((second, text));
    }
    line.extend_from_slice(&text);
    line.push(b'.');
    write_number(line, now.subsec_micros(), 6);
    line.push(b'Z');
    Ok(())
}

/// Appends a number with at least so many digits.
pub(super) fn write_number(line: &mut Vec<u8>, number: u32, min_digits: usize) {
    let mut buffer = itoa::Buffer::new();
    let digits = buffer.format(number);
    line.extend(iter::repeat_n(
        b'0',
        min_digits.saturating_sub(digits.len()),
    ));
    line.extend_from_slice(digits.as_bytes());
}
