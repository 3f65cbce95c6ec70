//! The timestamp of log lines.

use std::{
    cell::Cell,
    fmt,
    io::{self, Write as _},
    ops::Range,
    str,
    time::{SystemTime, UNIX_EPOCH},
};

use chrono::DateTime;
use tracing_subscriber::fmt::{format::Writer, time::FormatTime};

/// Writes the time in UTC with microseconds (RFC 3339).
pub(super) struct UtcTime;

/// `2026-11-22T20:15:00.000000Z`
type Timestamp = [u8; 27];

/// Where the microseconds are.
const MICROSECONDS: Range<usize> = 20..26;

thread_local! {
    /// The last second and its text, since most lines are written in the same second as the one before.
    static LAST_SECOND: Cell<(u64, Timestamp)> = const { Cell::new((u64::MAX, [0; 27])) };
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
        write!(
            &mut text[..],
            "{}",
            time.format("%Y-%m-%dT%H:%M:%S.000000Z")
        )?;
        LAST_SECOND.set((second, text));
    }
    let mut microseconds = now.subsec_micros();
    for digit in text[MICROSECONDS].iter_mut().rev() {
        *digit = decimal_digit(microseconds % 10);
        microseconds /= 10;
    }
    line.extend_from_slice(&text);
    Ok(())
}

/// The digit of a number below ten.
pub(super) fn decimal_digit(number: u32) -> u8 {
    b"0123456789"[number as usize]
}
