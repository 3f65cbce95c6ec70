//! Where the log goes: to stderr, so that stdout holds only what a command answers.

use std::{
    io::{self, IsTerminal},
    panic,
    sync::OnceLock,
    time::Duration,
};

use tracing::level_filters::LevelFilter;
use tracing_subscriber::{
    Layer, Registry, filter::Targets, fmt, layer::SubscriberExt, util::SubscriberInitExt,
};

use super::outlet::Outlet;

/// How long the end of the process waits for the log to be written.
const LAST_WORDS: Duration = Duration::from_secs(2);

static OUTLET: OnceLock<Outlet> = OnceLock::new();

/// What a log line looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LogFormat {
    /// For people on a terminal, else JSON.
    Auto,
    /// For people.
    Human,
    /// One JSON object a line.
    Json,
}

/// Which events are logged: a level, and for single targets another one.
#[derive(Debug, Clone, PartialEq)]
pub struct LogLevel(Targets);

impl LogLevel {
    /// A level for everything, `target=level` for single targets, or several of both with commas.
    pub fn parse(text: &str) -> Option<Self> {
        // Poem reports every connection that it closes at `info`.
        let mut targets = Targets::new().with_target("poem", LevelFilter::WARN);
        for directive in text.split(',').map(str::trim) {
            targets = match directive.split_once('=') {
                None => targets.with_default(level(directive)?),
                Some(("", _)) => return None,
                Some((target, name)) => targets.with_target(target.trim(), level(name.trim())?),
            };
        }
        Some(Self(targets))
    }
}

/// A log that is being written. Its end waits for the lines that are on their way.
#[must_use = "the last lines are lost when nobody waits for them"]
pub struct Logging(());

impl Drop for Logging {
    fn drop(&mut self) {
        flush();
    }
}

/// Starts logging for the whole process; panics are logged like any other event. A second call
/// changes nothing.
pub fn start(log_level: &LogLevel, format: LogFormat) -> io::Result<Logging> {
    let outlet = Outlet::open(io::stderr())?;
    if OUTLET.set(outlet.clone()).is_ok() {
        let subscriber = tracing_subscriber::registry().with(lines(log_level, format, outlet));
        // Somebody else's subscriber, in a test, has the events then.
        let _ = subscriber.try_init();
        panic::set_hook(Box::new(|panic| {
            let place = panic.location().map(ToString::to_string);
            tracing::error!(
                place = place.as_deref().unwrap_or("unknown"),
                "panic: {}",
                panic.payload_as_str().unwrap_or("without a text")
            );
        }));
    }
    Ok(Logging(()))
}

/// Waits for the log to be written: for those who end the process without returning from `main`.
pub fn flush() {
    if let Some(outlet) = OUTLET.get() {
        outlet.flush(LAST_WORDS);
    }
}

/// How many lines were dropped since the start.
pub(super) fn dropped_lines() -> u64 {
    OUTLET.get().map_or(0, Outlet::dropped_lines)
}

fn lines(
    log_level: &LogLevel,
    format: LogFormat,
    outlet: Outlet,
) -> Box<dyn Layer<Registry> + Send + Sync> {
    let terminal = io::stderr().is_terminal();
    let lines = fmt::layer().with_writer(outlet);
    let json = match format {
        LogFormat::Auto => !terminal,
        LogFormat::Human => false,
        LogFormat::Json => true,
    };
    let filter = log_level.0.clone();
    if json {
        lines.json().flatten_event(true).with_filter(filter).boxed()
    } else {
        lines.with_ansi(terminal).with_filter(filter).boxed()
    }
}

fn level(name: &str) -> Option<LevelFilter> {
    match name.to_ascii_lowercase().as_str() {
        "off" => Some(LevelFilter::OFF),
        "error" => Some(LevelFilter::ERROR),
        "warn" => Some(LevelFilter::WARN),
        "info" => Some(LevelFilter::INFO),
        "debug" => Some(LevelFilter::DEBUG),
        "trace" => Some(LevelFilter::TRACE),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use tracing::Level;

    use super::LogLevel;

    #[test]
    fn one_word_is_the_level_of_every_target() {
        let LogLevel(targets) = LogLevel::parse("debug").unwrap();
        assert!(targets.would_enable("vehicle_catalogue", &Level::DEBUG));
        assert!(!targets.would_enable("vehicle_catalogue", &Level::TRACE));
    }

    #[test]
    fn a_target_can_have_a_level_of_its_own() {
        let LogLevel(targets) = LogLevel::parse("warn, sqlx=debug,poem=info").unwrap();
        assert!(!targets.would_enable("vehicle_catalogue", &Level::INFO));
        assert!(targets.would_enable("sqlx", &Level::DEBUG));
        assert!(targets.would_enable("poem", &Level::INFO));
    }

    #[test]
    fn a_word_that_is_no_level_is_refused() {
        for text in [
            "",
            "inof",
            "verbose",
            "info,",
            "=info",
            "sqlx=",
            "info;debug",
        ] {
            assert!(LogLevel::parse(text).is_none(), "{text:?}");
        }
    }
}
