//! Logging to stderr, so that stdout contains only the output of a command.

mod access;
mod non_blocking_writer;

use std::{
    io::{self, IsTerminal},
    panic,
    sync::{Arc, OnceLock},
    time::Duration,
};

use tracing::{Level, level_filters::LevelFilter};
use tracing_subscriber::{
    Layer, Registry, filter::Targets, fmt, layer::SubscriberExt, util::SubscriberInitExt,
};

pub use self::access::{AccessEntry, access, milliseconds};
use self::non_blocking_writer::NonBlockingWriter;

/// Maximum time that the exiting process waits for the log to be written.
const FLUSH_TIMEOUT: Duration = Duration::from_secs(2);

static WRITER: OnceLock<Arc<NonBlockingWriter>> = OnceLock::new();

/// The format of log lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LogFormat {
    /// Readable text.
    Human,
    /// One JSON object per line.
    Json,
}

/// The log level, with optional levels for single targets.
#[derive(Debug, Clone, PartialEq)]
pub struct LogLevel(Targets);

impl LogLevel {
    /// Parses a comma-separated list of levels and `target=level` pairs. The last one for a target applies; the level of
    /// targets that are not listed is `info`, unless the list has a level.
    pub fn parse(text: &str) -> Option<Self> {
        let mut targets = Targets::new().with_default(LevelFilter::INFO);
        for directive in text.split(',').map(str::trim) {
            targets = match directive.split_once('=') {
                None => targets.with_default(level(directive)?),
                Some(("", _)) => return None,
                Some((target, name)) => targets.with_target(target.trim(), level(name.trim())?),
            };
        }
        Some(Self(targets))
    }

    /// The same without any event of a target.
    #[must_use]
    pub fn without(self, target: &'static str) -> Self {
        Self(self.0.with_target(target, LevelFilter::OFF))
    }

    /// The targets that have a level of their own.
    pub fn targets(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|(target, _)| target)
    }

    /// Whether events of this target and level are logged.
    pub fn would_enable(&self, target: &str, level: Level) -> bool {
        self.0.would_enable(target, &level)
    }
}

/// Waits until the log is written when it is dropped.
#[must_use = "the last lines are lost unless it is dropped at the end of the process"]
pub struct FlushGuard(());

impl Drop for FlushGuard {
    fn drop(&mut self) {
        if let Some(writer) = WRITER.get() {
            writer.flush(FLUSH_TIMEOUT);
        }
    }
}

/// Starts logging for the whole process, including panics. The default format is [`LogFormat::Human`] on a terminal,
/// else [`LogFormat::Json`]. A second call has no effect.
pub fn start(log_level: &LogLevel, format: Option<LogFormat>) -> io::Result<FlushGuard> {
    let writer = NonBlockingWriter::open(io::stderr())?;
    if WRITER.set(Arc::clone(&writer)).is_ok() {
        let terminal = io::stderr().is_terminal();
        let default = if terminal {
            LogFormat::Human
        } else {
            LogFormat::Json
        };
        let format = format.unwrap_or(default);
        let layer = layer(log_level, format, terminal, Arc::clone(&writer));
        // A test may have installed its own subscriber.
        let is_installed = tracing_subscriber::registry()
            .with(layer)
            .try_init()
            .is_ok();
        // Only events have the spans of libraries, which are below the level `info`.
        let has_spans = LevelFilter::current() > LevelFilter::INFO;
        let is_enabled = log_level.would_enable(access::TARGET, Level::INFO);
        if is_installed && format == LogFormat::Json && is_enabled && !has_spans {
            access::write_json(writer);
        }
        panic::set_hook(Box::new(|panic| {
            let location = panic.location().map(ToString::to_string);
            tracing::error!(
                place = location.as_deref().unwrap_or("unknown"),
                "panic: {}",
                panic.payload_as_str().unwrap_or("without a text")
            );
        }));
    }
    Ok(FlushGuard(()))
}

/// Number of log lines dropped since the start.
pub(crate) fn dropped_lines() -> u64 {
    WRITER.get().map_or(0, |writer| writer.dropped_lines())
}

fn layer(
    log_level: &LogLevel,
    format: LogFormat,
    terminal: bool,
    writer: Arc<NonBlockingWriter>,
) -> Box<dyn Layer<Registry> + Send + Sync> {
    let layer = fmt::layer().with_writer(writer);
    let filter = log_level.0.clone();
    match format {
        LogFormat::Human => layer.with_ansi(terminal).with_filter(filter).boxed(),
        LogFormat::Json => layer.json().flatten_event(true).with_filter(filter).boxed(),
    }
}

fn level(name: &str) -> Option<LevelFilter> {
    // `LevelFilter` also parses numbers and an empty text.
    let is_name = name.starts_with(|first: char| first.is_ascii_alphabetic());
    name.parse().ok().filter(|_| is_name)
}

#[cfg(test)]
mod tests {
    use tracing::Level;

    use super::LogLevel;

    #[test]
    fn a_target_can_have_its_own_level() {
        let log_level = LogLevel::parse("http=warn, warn, sqlx=debug,http=info").unwrap();
        assert!(!log_level.would_enable("service", Level::INFO));
        assert!(log_level.would_enable("sqlx", Level::DEBUG));
        assert!(log_level.would_enable("http", Level::INFO));
    }

    #[test]
    fn the_level_of_other_targets_is_info() {
        let log_level = LogLevel::parse("access=off").unwrap();
        assert!(!log_level.would_enable("access", Level::ERROR));
        assert!(log_level.would_enable("service", Level::INFO));
        assert!(!log_level.would_enable("service", Level::DEBUG));
    }

    #[test]
    fn a_disabled_target_cannot_be_enabled() {
        for text in ["trace", "driver=trace", "info,driver::rows=trace"] {
            let log_level = LogLevel::parse(text).unwrap().without("driver::rows");
            assert!(
                !log_level.would_enable("driver::rows", Level::ERROR),
                "{text}"
            );
            assert!(log_level.would_enable("driver", Level::ERROR), "{text}");
        }
    }
}
