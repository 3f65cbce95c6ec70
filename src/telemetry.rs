//! Where the log goes: to stderr, so that stdout holds only what a command answers.

use std::{io, panic};

use tracing::level_filters::LevelFilter;
use tracing_subscriber::{
    Layer,
    filter::Targets,
    fmt,
    layer::SubscriberExt,
    util::{SubscriberInitExt, TryInitError},
};

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

/// Starts logging for the whole process; panics are logged like any other event.
///
/// A second call changes nothing.
pub fn start(log_level: &LogLevel) {
    if subscribe(log_level).is_ok() {
        panic::set_hook(Box::new(|panic| {
            let place = panic.location().map(ToString::to_string);
            tracing::error!(
                place = place.as_deref().unwrap_or("unknown"),
                "panic: {}",
                panic.payload_as_str().unwrap_or("without a text")
            );
        }));
    }
}

fn subscribe(log_level: &LogLevel) -> Result<(), TryInitError> {
    let lines = fmt::layer()
        .with_writer(io::stderr)
        .with_ansi(io::IsTerminal::is_terminal(&io::stderr()))
        .with_filter(log_level.0.clone());
    tracing_subscriber::registry().with(lines).try_init()
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
