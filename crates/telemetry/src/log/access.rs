//! The access log: one line per request, in the format of `tracing_subscriber`.
//!
//! Entries are written directly, because an event of `tracing` passes each field through several dynamic calls.

use std::{
    cell::Cell,
    io::{self, Write as _},
    sync::{Arc, OnceLock},
    time::Duration,
};

use tracing::Level;

use super::{
    format::LogFormat,
    non_blocking_writer::NonBlockingWriter,
    timestamp::{write_number, write_time},
};

/// The target of the access log, for the log level.
pub(super) const TARGET: &str = "access";

/// Set if entries are written directly, else they are events for the subscribers of `tracing`.
static DIRECT: OnceLock<DirectLog> = OnceLock::new();

/// Where and how entries are written directly.
struct DirectLog {
    format: LogFormat,
    writer: Arc<NonBlockingWriter>,
}

/// A request in the access log. The line omits what is absent.
#[derive(Debug, Default)]
pub struct AccessEntry<'r> {
    /// What happened, in text that needs no escape.
    pub message: &'static str,
    /// The request id.
    pub request_id: &'r str,
    /// The trace id of the client.
    pub trace_id: Option<&'r str>,
    /// Query, mutation or subscription.
    pub operation_type: Option<&'r str>,
    /// The name of the operation.
    pub operation_name: Option<&'r str>,
    /// The position of the operation in its batch.
    pub position: Option<u32>,
    /// The kind of client.
    pub caller: Option<&'r str>,
    /// The version of the client.
    pub app_version: Option<&'r str>,
    /// The time since the start of the request.
    pub duration: Duration,
    /// The HTTP status.
    pub status: Option<u16>,
    /// The error code, or `OK`.
    pub code: &'r str,
    /// The name of the exceeded limit.
    pub limit: Option<&'r str>,
    /// The hash of the served schema.
    pub schema_hash: Option<&'r str>,
}

/// Writes entries directly from now on.
pub(super) fn write_directly(format: LogFormat, writer: Arc<NonBlockingWriter>) {
    let _ = DIRECT.set(DirectLog { format, writer });
}

/// Logs a request. The entry is created only if the access log is enabled.
pub fn access<'r>(entry: impl FnOnce() -> AccessEntry<'r>) {
    if let Some(log) = DIRECT.get() {
        log.write(&entry());
    } else if tracing::enabled!(target: TARGET, Level::INFO) {
        entry().dispatch();
    }
}

/// A duration in milliseconds, in microsecond precision.
pub fn milliseconds(duration: Duration) -> f64 {
    f64::from(microseconds(duration)) / 1000.0
}

fn microseconds(duration: Duration) -> u32 {
    u32::try_from(duration.as_micros()).unwrap_or(u32::MAX)
}

impl AccessEntry<'_> {
    fn dispatch(&self) {
        tracing::info!(
            target: TARGET,
            message = self.message,
            request_id = self.request_id,
            trace_id = self.trace_id,
            operation_type = self.operation_type,
            operation_name = self.operation_name,
            position = self.position,
            caller = self.caller,
            app_version = self.app_version,
            duration_ms = milliseconds(self.duration),
            status = self.status,
            code = self.code,
            limit = self.limit,
            schema_hash = self.schema_hash,
        );
    }
}

thread_local! {
    /// The buffer of the line.
    static LINE: Cell<Vec<u8>> = const { Cell::new(Vec::new()) };
}

impl DirectLog {
    fn write(&self, entry: &AccessEntry<'_>) {
        let mut text = LINE.take();
        text.clear();
        let format = self.format;
        let mut line = Line { text, format };
        if line.write(entry).is_ok() {
            self.writer.push(&line.text);
        }
        LINE.set(line.text);
    }
}

/// The name of a field as each format writes it.
macro_rules! key {
    ($name:literal) => {
        &[concat!(" ", $name, "="), concat!(",\"", $name, "\":")]
    };
}

/// A constant text of each format, in the order of [`LogFormat`].
type PerFormat = &'static [&'static str; 2];

/// A line in a format.
struct Line {
    text: Vec<u8>,
    format: LogFormat,
}

impl Line {
    fn write(&mut self, entry: &AccessEntry<'_>) -> io::Result<()> {
        self.push(&["", "{\"timestamp\":\""]);
        write_time(&mut self.text)?;
        self.push(&["  INFO access: ", "\",\"level\":\"INFO\",\"message\":\""]);
        self.text.extend_from_slice(entry.message.as_bytes());
        self.push(&["", "\""]);
        self.string(key!("request_id"), Some(entry.request_id))?;
        self.string(key!("trace_id"), entry.trace_id)?;
        self.string(key!("operation_type"), entry.operation_type)?;
        self.string(key!("operation_name"), entry.operation_name)?;
        if let Some(position) = entry.position {
            self.push(key!("position"));
            write_number(&mut self.text, position, 1);
        }
        self.string(key!("caller"), entry.caller)?;
        self.string(key!("app_version"), entry.app_version)?;
        self.push(key!("duration_ms"));
        self.milliseconds(microseconds(entry.duration));
        if let Some(status) = entry.status {
            self.push(key!("status"));
            write_number(&mut self.text, status.into(), 1);
        }
        self.string(key!("code"), Some(entry.code))?;
        self.string(key!("limit"), entry.limit)?;
        self.string(key!("schema_hash"), entry.schema_hash)?;
        self.push(&["\n", ",\"target\":\"access\"}\n"]);
        Ok(())
    }

    /// Appends the text of the format.
    fn push(&mut self, text: PerFormat) {
        let text = text[self.format as usize];
        self.text.extend_from_slice(text.as_bytes());
    }

    fn string(&mut self, key: PerFormat, value: Option<&str>) -> io::Result<()> {
        let Some(value) = value else { return Ok(()) };
        self.push(key);
        if is_plain(value) {
            self.text.push(b'"');
            self.text.extend_from_slice(value.as_bytes());
            self.text.push(b'"');
            return Ok(());
        }
        match self.format {
            LogFormat::Human => write!(self.text, "{value:?}"),
            LogFormat::Json => Ok(serde_json::to_writer(&mut self.text, value)?),
        }
    }

    /// Appends the shortest decimal number, as `f64` is written, with at least one decimal place.
    fn milliseconds(&mut self, microseconds: u32) {
        write_number(&mut self.text, microseconds / 1000, 1);
        self.text.push(b'.');
        write_number(&mut self.text, microseconds % 1000, 3);
        while self.text.ends_with(b"0") && !self.text.ends_with(b".0") {
            self.text.pop();
        }
    }
}

/// Whether the text needs no escape in any format, as nearly every text.
fn is_plain(text: &str) -> bool {
    let needs_none = |byte: u8| matches!(byte, b' '..=b'~') && byte != b'"' && byte != b'\\';
    // Without an early end, the compiler checks several bytes at once.
    text.bytes()
        .fold(true, |plain, byte| plain & needs_none(byte))
}

#[cfg(test)]
mod tests {
    use std::time::SystemTime;

    use chrono::{DateTime, SubsecRound, Utc};
    use proptest::prelude::*;
    use tracing_subscriber::{fmt, layer::SubscriberExt, registry};

    use super::*;

    /// The line of an entry.
    fn line(format: LogFormat, entry: &AccessEntry<'_>) -> String {
        let text = Vec::new();
        let mut line = Line { text, format };
        line.write(entry).unwrap();
        String::from_utf8(line.text).unwrap()
    }

    /// The line of the event of an entry, as `tracing_subscriber` writes it.
    fn line_of_event(format: LogFormat, entry: &AccessEntry<'_>) -> String {
        let (log, writer) = io::pipe().unwrap();
        let layer = fmt::layer().with_ansi(false).with_writer(Arc::new(writer));
        let event = || entry.dispatch();
        match format {
            LogFormat::Human => tracing::subscriber::with_default(registry().with(layer), event),
            LogFormat::Json => {
                let layer = layer.json().flatten_event(true);
                tracing::subscriber::with_default(registry().with(layer), event);
            }
        }
        io::read_to_string(log).unwrap()
    }

    /// Splits the timestamp off a line.
    fn without_timestamp(format: LogFormat, line: &str) -> (String, String) {
        let start = match format {
            LogFormat::Human => 0,
            LogFormat::Json => "{\"timestamp\":\"".len(),
        };
        let end = start + "2026-11-22T20:15:00.000000Z".len();
        (
            line[start..end].to_owned(),
            format!("{}{}", &line[..start], &line[end..]),
        )
    }

    fn text() -> impl Strategy<Value = String> {
        prop_oneof![
            "[ -~]{0,40}",
            "[\\x00-\\x1f\"\\\\\\x7f-\\xa0\u{301}\u{2028}é]{0,8}",
            any::<String>(),
        ]
    }

    proptest! {
        #[test]
        fn a_line_is_that_of_tracing_subscriber(
            is_json: bool,
            request_id in text(),
            is_present: [bool; 7],
            odd in text(),
            position: Option<u32>,
            microseconds in prop_oneof![0..20_000_u64, any::<u64>()],
            status: Option<u16>,
            code in text(),
        ) {
            let format = if is_json { LogFormat::Json } else { LogFormat::Human };
            let [trace_id, operation_type, operation_name, caller, app_version, limit, schema_hash] =
                is_present.map(|is_present| is_present.then_some(odd.as_str()));
            let entry = AccessEntry {
                message: "request completed",
                request_id: &request_id,
                trace_id,
                operation_type,
                operation_name,
                position,
                caller,
                app_version,
                duration: Duration::from_micros(microseconds),
                status,
                code: &code,
                limit,
                schema_hash,
            };
            let lines = [line(format, &entry), line_of_event(format, &entry)];
            let [actual, expected] = lines.map(|line| without_timestamp(format, &line).1);
            prop_assert_eq!(actual, expected);
        }
    }

    #[test]
    fn the_timestamp_is_the_time_of_the_entry_in_utc() {
        for format in [LogFormat::Human, LogFormat::Json, LogFormat::Json] {
            let now = || DateTime::<Utc>::from(SystemTime::now());
            let before = now().trunc_subsecs(6);
            let line = line(format, &AccessEntry::default());
            let (timestamp, _) = without_timestamp(format, &line);
            assert!(timestamp.ends_with('Z'), "{timestamp}");
            let time: DateTime<Utc> = timestamp.parse().unwrap();
            assert!(before <= time && time <= now(), "{before}: {timestamp}");
        }
    }
}
