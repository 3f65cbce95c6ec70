//! The access log: one line per request, in the format of `tracing_subscriber`.
//!
//! JSON is written without an event of `tracing`, which passes each field through several dynamic calls.

use std::{
    cell::Cell,
    sync::{Arc, OnceLock},
    time::{Duration, SystemTime},
};

use chrono::{DateTime, SecondsFormat, Utc};
use serde::{Serialize, Serializer};
use tracing::Level;

use super::non_blocking_writer::NonBlockingWriter;

/// The target of the access log, for the log level.
pub(super) const TARGET: &str = "access";

/// Set if entries are written as JSON, else they are events for the subscribers of `tracing`.
static JSON: OnceLock<Arc<NonBlockingWriter>> = OnceLock::new();

/// A request in the access log. The line omits what is absent.
#[derive(Debug, Default, Serialize)]
pub struct AccessEntry<'r> {
    /// What happened.
    pub message: &'static str,
    /// The request id.
    pub request_id: &'r str,
    /// The trace id of the client.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trace_id: Option<&'r str>,
    /// Query, mutation or subscription.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub operation_type: Option<&'static str>,
    /// The name of the operation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub operation_name: Option<&'r str>,
    /// The kind of client.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub caller: Option<&'static str>,
    /// The version of the client.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub app_version: Option<&'r str>,
    /// The time since the start of the request.
    #[serde(rename = "duration_ms", serialize_with = "serialize_milliseconds")]
    pub duration: Duration,
    /// The HTTP status.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<u16>,
    /// The error code, or `OK`.
    pub code: &'static str,
    /// The name of the exceeded limit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<&'static str>,
    /// The hash of the served schema.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub schema_hash: Option<&'r str>,
}

/// The line of an entry.
#[derive(Serialize)]
struct Line<'e, 'r> {
    timestamp: String,
    level: &'static str,
    #[serde(flatten)]
    entry: &'e AccessEntry<'r>,
    target: &'static str,
}

/// Writes entries as JSON from now on.
pub(super) fn write_json(writer: Arc<NonBlockingWriter>) {
    let _ = JSON.set(writer);
}

/// Logs a request. The entry is created only if the access log is enabled.
pub fn access<'r>(entry: impl FnOnce() -> AccessEntry<'r>) {
    if let Some(writer) = JSON.get() {
        let mut text = LINE.take();
        text.clear();
        if entry().write_line(&mut text).is_ok() {
            writer.push(&text);
        }
        LINE.set(text);
    } else if tracing::enabled!(target: TARGET, Level::INFO) {
        entry().dispatch();
    }
}

/// A duration in milliseconds, in microsecond precision.
pub fn milliseconds(duration: Duration) -> f64 {
    let microseconds = u32::try_from(duration.as_micros()).unwrap_or(u32::MAX);
    f64::from(microseconds) / 1000.0
}

fn serialize_milliseconds<S: Serializer>(
    duration: &Duration,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.serialize_f64(milliseconds(*duration))
}

thread_local! {
    /// The buffer of the line.
    static LINE: Cell<Vec<u8>> = const { Cell::new(Vec::new()) };
}

impl AccessEntry<'_> {
    fn write_line(&self, text: &mut Vec<u8>) -> serde_json::Result<()> {
        let now = DateTime::<Utc>::from(SystemTime::now());
        let line = Line {
            timestamp: now.to_rfc3339_opts(SecondsFormat::Micros, true),
            level: "INFO",
            entry: self,
            target: TARGET,
        };
        serde_json::to_writer(&mut *text, &line)?;
        text.push(b'\n');
        Ok(())
    }

    fn dispatch(&self) {
        tracing::info!(
            target: TARGET,
            message = self.message,
            request_id = self.request_id,
            trace_id = self.trace_id,
            operation_type = self.operation_type,
            operation_name = self.operation_name,
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

#[cfg(test)]
mod tests {
    use std::io;

    use chrono::SubsecRound;
    use proptest::prelude::*;
    use tracing_subscriber::{fmt, layer::SubscriberExt, registry};

    use super::*;

    /// The line of an entry.
    fn line(entry: &AccessEntry<'_>) -> String {
        let mut text = Vec::new();
        entry.write_line(&mut text).unwrap();
        String::from_utf8(text).unwrap()
    }

    /// The line of the event of an entry, as `tracing_subscriber` writes it.
    fn line_of_event(entry: &AccessEntry<'_>) -> String {
        let (log, writer) = io::pipe().unwrap();
        let layer = fmt::layer().json().flatten_event(true);
        let layer = layer.with_writer(Arc::new(writer));
        tracing::subscriber::with_default(registry().with(layer), || entry.dispatch());
        io::read_to_string(log).unwrap()
    }

    /// Splits the timestamp off a line.
    fn without_timestamp(line: &str) -> (String, String) {
        let start = "{\"timestamp\":\"".len();
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
            request_id in text(),
            is_present: [bool; 7],
            odd in text(),
            microseconds in prop_oneof![0..20_000_u64, any::<u64>()],
            status: Option<u16>,
        ) {
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
                caller,
                app_version,
                duration: Duration::from_micros(microseconds),
                status,
                code: "OK",
                limit,
                schema_hash,
            };
            let lines = [line(&entry), line_of_event(&entry)];
            let [actual, expected] = lines.map(|line| without_timestamp(&line).1);
            prop_assert_eq!(actual, expected);
        }
    }

    #[test]
    fn the_timestamp_is_the_time_of_the_entry_in_utc() {
        let now = || DateTime::<Utc>::from(SystemTime::now());
        let before = now().trunc_subsecs(6);
        let (timestamp, _) = without_timestamp(&line(&AccessEntry::default()));
        assert!(timestamp.ends_with('Z'), "{timestamp}");
        let time: DateTime<Utc> = timestamp.parse().unwrap();
        assert!(before <= time && time <= now(), "{before}: {timestamp}");
    }
}
