//! The log on stderr, the metrics and the traces.

mod access;
mod message;
mod metrics;
mod traces;

use std::{
    io::{self, BufWriter, IsTerminal, Write},
    panic,
    sync::OnceLock,
};

use tracing::{Level, level_filters::LevelFilter};
use tracing_appender::non_blocking::{NonBlocking, NonBlockingBuilder, WorkerGuard};
use tracing_subscriber::{Layer, Registry, filter::Targets, fmt, layer::SubscriberExt, util::SubscriberInitExt};

/// The media type of the metrics.
pub(crate) const OPEN_METRICS: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

pub(crate) use self::{
    access::{AccessEntry, TARGET as ACCESS_TARGET, access, milliseconds},
    metrics::{Metrics, Sample, Scraped},
};
pub use self::{message::error_chain, traces::Tracer};

/// The level of each target of the log.
pub type Levels = Targets;

/// Poem logs every closed connection at `info`.
const QUIET: &str = "poem";
/// Targets of the database driver whose messages can contain stored values: PostgreSQL notices and errors of abandoned
/// statements; and the migrations, which the store logs.
const NEVER_LOGGED: [&str; 3] = ["sqlx::postgres::notice", "sqlx_core::pool::connection", "sea_orm_migration"];
/// Lines that wait for stderr; further ones are dropped and counted.
const BUFFERED_LINES: usize = 16_384;

/// The queue of lines for stderr.
static WRITER: OnceLock<NonBlocking> = OnceLock::new();

/// Parses a comma-separated list of levels and `target=level` pairs. The last one for a target applies; the level of
/// targets that are not listed is `info`, unless the list has a level.
pub(crate) fn parse_levels(text: &str) -> Option<Levels> {
    let (mut default, mut given) = (LevelFilter::INFO, Vec::new());
    for directive in text.split(',').map(str::trim) {
        match directive.split_once('=') {
            None => default = level(directive)?,
            Some(("", _)) => return None,
            Some((target, name)) => given.push((target.trim(), level(name.trim())?)),
        }
    }
    // The level of a target is also that of targets that begin with its name.
    let quiet = [(QUIET, LevelFilter::WARN), ("poem_graphql", default)];
    let never = NEVER_LOGGED.map(|target| (target, LevelFilter::OFF));
    let targets = quiet.into_iter().chain(given).chain(never);
    Some(Targets::new().with_default(default).with_targets(targets))
}

fn level(name: &str) -> Option<LevelFilter> {
    // `LevelFilter` also parses numbers and an empty text.
    let is_name = name.starts_with(|first: char| first.is_ascii_alphabetic());
    name.parse().ok().filter(|_| is_name)
}

/// Starts the log of the process, panics included: readable on a terminal, else a JSON object on each line. The last
/// lines are written when the guard is dropped.
pub fn start(levels: &Levels, tracer: Option<&Tracer>) -> WorkerGuard {
    let builder = NonBlockingBuilder::default().buffered_lines_limit(BUFFERED_LINES).thread_name("log");
    // The thread flushes when no line waits, so lines that wait share a write.
    let (writer, guard) = builder.finish(BufWriter::new(io::stderr()));
    let _ = WRITER.set(writer.clone());
    let is_terminal = io::stderr().is_terminal();
    let layer = fmt::layer().with_writer(writer.clone()).with_ansi(is_terminal);
    let levels_of_lines = levels.clone();
    let layer: Box<dyn Layer<Registry> + Send + Sync> = if is_terminal {
        layer.with_filter(levels_of_lines).boxed()
    } else {
        let json = layer.json().flatten_event(true);
        json.with_filter(levels_of_lines).boxed()
    };
    let spans = tracer.map(Tracer::layer);
    tracing_subscriber::registry().with(layer).with(spans).init();
    if !is_terminal && levels.would_enable(access::TARGET, &Level::INFO) {
        access::write_json(writer);
    }
    panic::set_hook(Box::new(|panic| {
        let location = panic.location().map(ToString::to_string);
        let place = location.as_deref().unwrap_or("unknown");
        tracing::error!(place, "panic: {}", panic.payload_as_str().unwrap_or("without a text"));
    }));
    guard
}

/// Lines that were dropped since the start, because stderr was not read fast enough.
pub(crate) fn dropped_lines() -> u64 {
    let writer = WRITER.get();
    writer.map_or(0, |writer| writer.error_counter().dropped_lines() as u64)
}

/// Writes a text to stderr behind the lines that are queued, if that is a terminal; returns whether it is.
pub(crate) fn print_after_log(text: &str) -> bool {
    let writer = WRITER.get().filter(|_| io::stderr().is_terminal());
    writer.is_some_and(|writer| writer.clone().write_all(text.as_bytes()).is_ok())
}

#[cfg(test)]
mod tests {
    use tracing::Level;

    use super::{NEVER_LOGGED, parse_levels};

    #[test]
    fn poem_logs_warnings_unless_its_level_is_set() {
        let levels = parse_levels("debug").unwrap();
        assert!(!levels.would_enable("poem::server", &Level::INFO));
        assert!(levels.would_enable("poem_graphql::tls", &Level::DEBUG));
        let levels = parse_levels("poem=info, warn").unwrap();
        assert!(levels.would_enable("poem::server", &Level::INFO));
        assert!(!levels.would_enable("poem_graphql::tls", &Level::INFO));
    }

    #[test]
    fn targets_with_database_values_cannot_be_enabled() {
        for text in ["trace", "sqlx=trace", "sqlx::postgres::notice=trace"] {
            let levels = parse_levels(text).unwrap();
            for target in NEVER_LOGGED {
                assert!(!levels.would_enable(target, &Level::ERROR), "{text}");
            }
        }
    }

    #[test]
    fn an_unknown_level_is_rejected() {
        for text in ["", "inof", "info,", "=info", "3"] {
            assert!(parse_levels(text).is_none(), "{text:?}");
        }
    }
}
