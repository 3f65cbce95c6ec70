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
    timestamp::{decimal_digit, write_time},
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

/// A request in the access log. The line omits what is absent. Static texts need no escape.
#[derive(Debug, Default)]
pub struct AccessEntry<'r> {
    /// What happened.
    pub message: &'static str,
    /// The request id.
    pub request_id: &'r str,
    /// The trace id of the client.
    pub trace_id: Option<&'r str>,
    /// Query, mutation or subscription.
    pub operation_type: Option<&'static str>,
    /// The name of the operation.
    pub operation_name: Option<&'r str>,
    /// The position of the operation in its batch.
    pub position: Option<u32>,
    /// The kind of client.
    pub caller: Option<&'static str>,
    /// The version of the client.
    pub app_version: Option<&'r str>,
    /// The time since the start of the request.
    pub duration: Duration,
    /// The HTTP status.
    pub status: Option<u16>,
    /// The error code, or `OK`.
    pub code: &'static str,
    /// The name of the exceeded limit.
    pub limit: Option<&'static str>,
    /// The hash of the served schema, which needs no escape.
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
        if write_line(self.format, &mut text, entry).is_ok() {
            self.writer.push(&text);
        }
        LINE.set(text);
    }
}

fn write_line(format: LogFormat, text: &mut Vec<u8>, entry: &AccessEntry<'_>) -> io::Result<()> {
    match format {
        LogFormat::Human => Line::<false>(text).write(entry),
        LogFormat::Json => Line::<true>(text).write(entry),
    }
}

/// The name of a field as each format writes it.
macro_rules! key {
    ($name:literal) => {
        [concat!(" ", $name, "="), concat!(",\"", $name, "\":")]
    };
}

/// A constant text of the human and of the JSON format.
type PerFormat = [&'static str; 2];

/// A line in the JSON format, or in the human one. The format is constant, so that constant texts are copied without a
/// call.
struct Line<'t, const JSON: bool>(&'t mut Vec<u8>);

impl<const JSON: bool> Line<'_, JSON> {
    fn write(&mut self, entry: &AccessEntry<'_>) -> io::Result<()> {
        self.push(["", "{\"timestamp\":\""]);
        write_time(self.0)?;
        self.push(["  INFO access: ", "\",\"level\":\"INFO\",\"message\":\""]);
        self.0.extend_from_slice(entry.message.as_bytes());
        self.push(["", "\""]);
        self.string(key!("request_id"), Some(entry.request_id))?;
        self.string(key!("trace_id"), entry.trace_id)?;
        self.plain(key!("operation_type"), entry.operation_type);
        self.string(key!("operation_name"), entry.operation_name)?;
        if let Some(position) = entry.position {
            self.push(key!("position"));
            self.number(position);
        }
        self.plain(key!("caller"), entry.caller);
        self.string(key!("app_version"), entry.app_version)?;
        self.push(key!("duration_ms"));
        self.milliseconds(microseconds(entry.duration));
        if let Some(status) = entry.status {
            self.push(key!("status"));
            self.number(status.into());
        }
        self.plain(key!("code"), Some(entry.code));
        self.plain(key!("limit"), entry.limit);
        self.plain(key!("schema_hash"), entry.schema_hash);
        self.push(["\n", ",\"target\":\"access\"}\n"]);
        Ok(())
    }

    /// Appends the text of the format.
    #[inline]
    fn push(&mut self, text: PerFormat) {
        self.0.extend_from_slice(text[usize::from(JSON)].as_bytes());
    }

    /// Appends a field whose value needs no escape.
    #[inline]
    fn plain(&mut self, key: PerFormat, value: Option<&str>) {
        if let Some(value) = value {
            self.push(key);
            self.0.push(b'"');
            self.0.extend_from_slice(value.as_bytes());
            self.0.push(b'"');
        }
    }

    fn string(&mut self, key: PerFormat, value: Option<&str>) -> io::Result<()> {
        let Some(text) = value.filter(|value| !is_plain(value)) else {
            self.plain(key, value);
            return Ok(());
        };
        self.push(key);
        if JSON {
            Ok(serde_json::to_writer(&mut *self.0, text)?)
        } else {
            write!(self.0, "{text:?}")
        }
    }

    fn number(&mut self, number: u32) {
        let mut digits = itoa::Buffer::new();
        self.0.extend_from_slice(digits.format(number).as_bytes());
    }

    /// Appends the shortest decimal number, as `f64` is written, with at least one decimal place.
    fn milliseconds(&mut self, microseconds: u32) {
        self.number(microseconds / 1000);
        self.0.push(b'.');
        let mut fraction = microseconds % 1000;
        for unit in [100, 10, 1] {
            self.0.push(decimal_digit(fraction / unit));
            fraction %= unit;
            if fraction == 0 {
                break;
            }
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
        let mut text = Vec::new();
        write_line(format, &mut text, entry).unwrap();
        String::from_utf8(text).unwrap()
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
        ) {
            let format = if is_json { LogFormat::Json } else { LogFormat::Human };
            let [trace_id, operation_name, app_version] =
                [0, 1, 2].map(|field| is_present[field].then_some(odd.as_str()));
            let [operation_type, caller, limit, schema_hash] =
                [3, 4, 5, 6].map(|field| is_present[field].then_some("static"));
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
                code: "OK",
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
