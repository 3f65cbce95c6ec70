//! Formats the events of the access log, one per request, in the format of `tracing_subscriber` but without
//! its cost.

use std::{
    cell::Cell,
    fmt::{self, Debug},
    io::{self, Write as _},
    str,
    time::{SystemTime, UNIX_EPOCH},
};

use chrono::DateTime;
use serde_json::Value;
use tracing::{
    Event, Subscriber,
    field::{Field, Visit},
};
use tracing_subscriber::{
    fmt::{FmtContext, FormatEvent, FormatFields, format::Writer, time::FormatTime},
    registry::LookupSpan,
};

/// The target of the events of the access log.
const ACCESS: &str = "access";

/// The syntax of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Syntax {
    /// Readable text.
    Human,
    /// A JSON object.
    Json,
}

/// Formats events of the access log as `format` would, and all others with `format`.
pub(super) struct AccessFormat<F> {
    pub(super) format: F,
    pub(super) syntax: Syntax,
}

impl<S, N, F> FormatEvent<S, N> for AccessFormat<F>
where
    S: Subscriber + for<'lookup> LookupSpan<'lookup>,
    N: for<'writer> FormatFields<'writer> + 'static,
    F: FormatEvent<S, N>,
{
    fn format_event(
        &self,
        context: &FmtContext<'_, S, N>,
        mut writer: Writer<'_>,
        event: &Event<'_>,
    ) -> fmt::Result {
        let is_access = event.metadata().target() == ACCESS;
        // Only a terminal gets colours, and only libraries at the level `trace` have spans.
        if !is_access || writer.has_ansi_escapes() || context.lookup_current().is_some() {
            return self.format.format_event(context, writer, event);
        }
        let mut line = LINE.take();
        line.clear();
        let written = write_line(&mut line, self.syntax, event);
        let text = written.and_then(|()| str::from_utf8(&line).map_err(io::Error::other));
        let result = text
            .map_err(|_| fmt::Error)
            .and_then(|text| writer.write_str(text));
        LINE.set(line);
        result
    }
}

thread_local! {
    /// The buffer of the line, kept because writing each part with dynamic dispatch costs more than the part.
    static LINE: Cell<Vec<u8>> = const { Cell::new(Vec::new()) };
}

fn write_line(line: &mut Vec<u8>, syntax: Syntax, event: &Event<'_>) -> io::Result<()> {
    let level = event.metadata().level().as_str();
    match syntax {
        Syntax::Human => {
            write_time(line)?;
            write!(line, " {level:>5} {ACCESS}:")?;
        }
        Syntax::Json => {
            line.extend_from_slice(b"{\"timestamp\":\"");
            write_time(line)?;
            for part in ["\",\"level\":\"", level, "\""] {
                line.extend_from_slice(part.as_bytes());
            }
        }
    }
    let mut fields = Fields {
        line,
        syntax,
        result: Ok(()),
    };
    event.record(&mut fields);
    fields.result?;
    match syntax {
        Syntax::Human => line.push(b'\n'),
        Syntax::Json => {
            for part in [",\"target\":\"", ACCESS, "\"}\n"] {
                line.extend_from_slice(part.as_bytes());
            }
        }
    }
    Ok(())
}

/// Writes the fields of an event.
struct Fields<'l> {
    line: &'l mut Vec<u8>,
    syntax: Syntax,
    result: io::Result<()>,
}

impl Fields<'_> {
    fn write(
        &mut self,
        field: &Field,
        write_value: impl FnOnce(&mut Vec<u8>, Syntax) -> io::Result<()>,
    ) {
        let name = field.name();
        let key = match self.syntax {
            Syntax::Human if name == "message" => [" ", "", ""],
            Syntax::Human => [" ", name, "="],
            Syntax::Json => [",\"", name, "\":"],
        };
        for part in key {
            self.line.extend_from_slice(part.as_bytes());
        }
        if let Err(error) = write_value(self.line, self.syntax) {
            self.result = Err(error);
        }
    }

    fn write_scalar(&mut self, field: &Field, value: impl Debug + Into<Value>) {
        self.write(field, |line, syntax| match syntax {
            Syntax::Human => write!(line, "{value:?}"),
            Syntax::Json => Ok(serde_json::to_writer(line, &value.into())?),
        });
    }
}

impl Visit for Fields<'_> {
    fn record_str(&mut self, field: &Field, value: &str) {
        let is_message = field.name() == "message";
        self.write(field, |line, syntax| match syntax {
            Syntax::Human if is_message => {
                line.extend_from_slice(value.as_bytes());
                Ok(())
            }
            _ if is_plain(value) => {
                for part in ["\"", value, "\""] {
                    line.extend_from_slice(part.as_bytes());
                }
                Ok(())
            }
            Syntax::Human => write!(line, "{value:?}"),
            Syntax::Json => Ok(serde_json::to_writer(line, value)?),
        });
    }

    fn record_f64(&mut self, field: &Field, value: f64) {
        self.write_scalar(field, value);
    }

    fn record_i64(&mut self, field: &Field, value: i64) {
        self.write_scalar(field, value);
    }

    fn record_u64(&mut self, field: &Field, value: u64) {
        self.write_scalar(field, value);
    }

    fn record_bool(&mut self, field: &Field, value: bool) {
        self.write_scalar(field, value);
    }

    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        self.write(field, |line, syntax| match syntax {
            Syntax::Human => write!(line, "{value:?}"),
            Syntax::Json => {
                line.push(b'"');
                write!(JsonContent(line), "{value:?}")?;
                line.push(b'"');
                Ok(())
            }
        });
    }
}

/// Writes text as the content of a JSON string.
struct JsonContent<'l>(&'l mut Vec<u8>);

impl io::Write for JsonContent<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let text = str::from_utf8(bytes).map_err(io::Error::other)?;
        if is_plain(text) {
            self.0.extend_from_slice(bytes);
        } else {
            let quoted = Value::from(text).to_string();
            self.0
                .extend_from_slice(&quoted.as_bytes()[1..quoted.len() - 1]);
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Whether the text needs no escape in any syntax, as nearly every text.
fn is_plain(text: &str) -> bool {
    let needs_none = |byte: u8| matches!(byte, b' '..=b'~') && byte != b'"' && byte != b'\\';
    // Without an early end, the compiler checks several bytes at once.
    text.bytes()
        .fold(true, |plain, byte| plain & needs_none(byte))
}

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

fn write_time(line: &mut Vec<u8>) -> io::Result<()> {
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
    let microseconds = now.subsec_micros();
    for place in [100_000, 10_000, 1_000, 100, 10, 1] {
        let digit = u8::try_from(microseconds / place % 10).expect("a digit fits");
        line.push(b'0' + digit);
    }
    line.push(b'Z');
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::{
        io,
        sync::{Arc, Mutex},
    };

    use chrono::{SubsecRound, Utc};
    use proptest::{option, prelude::*};
    use tracing_subscriber::{fmt, layer::SubscriberExt, registry};

    use super::*;

    #[derive(Default)]
    struct Log(Mutex<Vec<u8>>);

    impl io::Write for &Log {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().unwrap().write(bytes)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    /// The line of an event in the format of `tracing_subscriber`, and in that of this module.
    fn lines(syntax: Syntax, event: impl Fn()) -> [String; 2] {
        let layer = |log: &Arc<Log>| fmt::layer().with_ansi(false).with_writer(Arc::clone(log));
        let (expected, actual) = (Arc::<Log>::default(), Arc::<Log>::default());
        match syntax {
            Syntax::Human => {
                let format = |format| AccessFormat { format, syntax };
                let formatted = registry().with(layer(&actual).map_event_format(format));
                tracing::subscriber::with_default(registry().with(layer(&expected)), &event);
                tracing::subscriber::with_default(formatted, &event);
            }
            Syntax::Json => {
                let layer = |log| layer(log).json().flatten_event(true);
                let format = |format| AccessFormat { format, syntax };
                let formatted = registry().with(layer(&actual).map_event_format(format));
                tracing::subscriber::with_default(registry().with(layer(&expected)), &event);
                tracing::subscriber::with_default(formatted, &event);
            }
        }
        [expected, actual].map(|log| String::from_utf8(log.0.lock().unwrap().clone()).unwrap())
    }

    /// Splits the timestamp off a line.
    fn without_timestamp(syntax: Syntax, line: &str) -> (String, String) {
        let start = match syntax {
            Syntax::Human => 0,
            Syntax::Json => "{\"timestamp\":\"".len(),
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
            name in option::of(text()),
            position: Option<u64>,
            change: i64,
            elapsed_us: u32,
            share: f64,
        ) {
            let syntax = if is_json { Syntax::Json } else { Syntax::Human };
            let [expected, actual] = lines(syntax, || {
                tracing::info!(
                    target: "access",
                    message = "request completed",
                    request_id = request_id.as_str(),
                    operation_name = name.as_deref(),
                    position,
                    change,
                    duration_ms = f64::from(elapsed_us) / 1000.0,
                    share,
                    is_json,
                    list = ?[&request_id],
                );
            });
            let [expected, actual] = [expected, actual].map(|line| without_timestamp(syntax, &line).1);
            prop_assert_eq!(actual, expected);
        }
    }

    #[test]
    fn other_events_are_formatted_by_tracing_subscriber() {
        for syntax in [Syntax::Human, Syntax::Json] {
            let [expected, actual] = lines(syntax, || {
                tracing::warn!(limit = 3, "too many");
                let _span = tracing::info_span!("request", id = 7).entered();
                tracing::info!(target: "access", status = 200, "request {}", "completed");
            });
            let without_timestamps = |log: &str| -> Vec<_> {
                log.lines()
                    .map(|line| without_timestamp(syntax, line).1)
                    .collect()
            };
            assert_eq!(without_timestamps(&actual), without_timestamps(&expected));
            assert_eq!(actual.lines().count(), 2, "{actual}");
        }
    }

    #[test]
    fn the_timestamp_is_the_time_of_the_event_in_utc() {
        for syntax in [Syntax::Human, Syntax::Json, Syntax::Json] {
            let now = || DateTime::<Utc>::from(SystemTime::now());
            let before = now().trunc_subsecs(6);
            let [_, line] = lines(
                syntax,
                || tracing::info!(target: "access", "request completed"),
            );
            let (timestamp, _) = without_timestamp(syntax, &line);
            assert!(timestamp.ends_with('Z'), "{timestamp}");
            let time: DateTime<Utc> = timestamp.parse().unwrap();
            assert!(before <= time && time <= now(), "{before}: {timestamp}");
        }
    }
}
