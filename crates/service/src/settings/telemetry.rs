//! The settings of the log, metrics and traces.

use std::time::Duration;

use super::DatabaseArguments;
use crate::Definition;
use ::settings::{Optional, choice, masked_url, milliseconds, number, secret, size, value};
use clap::{Args, builder::TypedValueParser};
use reqwest::Url;
use schema::suggestion;
use telemetry::{
    log::{LogFormat, LogLevel},
    trace::{TraceSettings, TracedDatabase},
};

/// Poem logs every closed connection at `info`.
const DEFAULT_LEVELS: &str = "poem=warn";

/// Targets of the database driver whose messages can contain stored values: PostgreSQL notices
/// and errors of abandoned statements; and the migrations, which the crate `database` logs.
const NEVER_LOGGED: [&str; 3] = [
    "sqlx::postgres::notice",
    "sqlx_core::pool::connection",
    "sea_orm_migration",
];

/// The first parts of the targets of this program; those of libraries are not listed.
const TARGETS: [&str; 7] = [
    "access",
    "auth",
    "database",
    "engine",
    "graphql_http",
    "service",
    "telemetry",
];

/// Logs, metrics and traces.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Log and metrics")]
pub struct TelemetryArguments {
    /// Log level: off, error, warn, info, debug or trace; TARGET=LEVEL for single targets, such as
    /// access=off for the access log; the rest is info unless a level is given
    #[arg(long, default_value = "info", value_parser = log_level())]
    pub log_level: LogLevel,

    /// Log format: human, json (one object per line), or auto (human on a terminal, else json)
    #[arg(long, default_value = "auto")]
    #[arg(value_parser = choice([("auto", None), ("human", Some(LogFormat::Human)), ("json", Some(LogFormat::Json))]))]
    pub log_format: Optional<LogFormat>,

    /// Duration from which an operation is logged as slow, from 0 (disabled) to 3600000 milliseconds
    #[arg(long, default_value = "1000", value_parser = slow_operation_threshold())]
    pub slow_operation_threshold_ms: Optional<Duration>,

    /// Maximum number of operation names in metrics, from 0 to 10000; further names count as
    /// (other) until a name has been unused for an hour
    #[arg(long, value_name = "NAMES", default_value = "100", value_parser = size(0..=10_000))]
    pub metrics_operation_limit: usize,

    /// OTLP endpoint for traces (HTTP, JSON): none, or the full URL, usually ending with /v1/traces
    #[arg(long, value_name = "ADDRESS", hide_env_values = true)]
    #[arg(default_value = "none", value_parser = trace_endpoint())]
    pub(crate) trace_endpoint: Optional<Url>,

    /// Requests sampled for traces out of 1000, from 0 to 1000, unless traceparent says not
    /// sampled, or a trusted proxy says sampled
    #[arg(long, value_name = "REQUESTS", default_value = "1000", value_parser = number(0..=1000))]
    trace_sample: u32,
}

impl TelemetryArguments {
    /// The settings of the trace exporter, if it is enabled.
    pub(crate) fn traces(
        &self,
        service: &Definition,
        database: &DatabaseArguments,
    ) -> Option<TraceSettings> {
        let url = &database.database_url;
        let server = url.server();
        Some(TraceSettings {
            service_name: service.application.name,
            service_version: service.version,
            database: TracedDatabase {
                system: url.system(),
                namespace: url.database_name().map(str::to_owned),
                server: server.map(|(host, port)| (host.to_owned(), port)),
            },
            endpoint: self.trace_endpoint.clone()?,
            sample: self.trace_sample,
        })
    }

    /// A warning for each target of the log level that looks like a misspelt one of this program, since no event has it.
    pub(crate) fn unknown_targets(&self) -> impl Iterator<Item = String> {
        self.log_level.targets().filter_map(|target| {
            let name = target.split("::").next().unwrap_or_default();
            // The level of a target is that of all targets that begin with it.
            let is_known = |known: &&str| *known == name || known.starts_with(target);
            if TARGETS.iter().any(is_known) {
                return None;
            }
            let similar = suggestion(name, TARGETS);
            (!similar.is_empty()).then(|| format!("unknown log target {target:?}{similar}"))
        })
    }
}

fn log_level() -> impl TypedValueParser<Value = LogLevel> {
    let must_be = "off, error, warn, info, debug or trace, with TARGET=LEVEL for single targets, \
         separated by commas";
    value(must_be, parse_log_level)
}

fn parse_log_level(text: &str) -> Option<LogLevel> {
    let log_level = LogLevel::parse(&format!("{DEFAULT_LEVELS},{text}"))?;
    Some(NEVER_LOGGED.into_iter().fold(log_level, LogLevel::without))
}

fn slow_operation_threshold() -> impl TypedValueParser<Value = Optional<Duration>> {
    milliseconds(0..=3_600_000).map(|threshold| (!threshold.is_zero()).then_some(threshold))
}

fn trace_endpoint() -> impl TypedValueParser<Value = Optional<Url>> {
    let must_be = "none, or a URL of http or https without user and password, such as \
         http://127.0.0.1:4318/v1/traces";
    // A refused URL may contain a password.
    secret(must_be, |text| {
        if text == "none" {
            return Ok(None);
        }
        let is_valid = |url: &Url| {
            let is_web = matches!(url.scheme(), "http" | "https") && url.has_host();
            is_web && url.username().is_empty() && url.password().is_none()
        };
        match Url::parse(text).ok().filter(is_valid) {
            Some(url) => Ok(Some(url)),
            None if text.contains('@') => Err("it has a user or a password".to_owned()),
            None => Err(format!("it is {:?}", masked_url(text))),
        }
    })
}

#[cfg(test)]
mod tests {
    use std::{fs, path::Path};

    use tracing::Level;

    use super::{NEVER_LOGGED, TARGETS, parse_log_level};

    #[test]
    fn poem_logs_warnings_unless_its_level_is_set() {
        let log_level = parse_log_level("debug").unwrap();
        assert!(!log_level.would_enable("poem", Level::INFO));
        let log_level = parse_log_level("warn, poem=info").unwrap();
        assert!(log_level.would_enable("poem", Level::INFO));
    }

    #[test]
    fn targets_with_database_values_cannot_be_enabled() {
        for text in ["trace", "sqlx=trace", "sqlx::postgres::notice=trace"] {
            let log_level = parse_log_level(text).unwrap();
            for target in NEVER_LOGGED {
                assert!(!log_level.would_enable(target, Level::ERROR), "{text}");
            }
        }
    }

    #[test]
    fn the_targets_are_those_of_the_crates_that_log() {
        let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
        let manifest =
            |name: &str| fs::read_to_string(crates.join(name).join("Cargo.toml")).unwrap();
        let service = manifest("service");
        let dependencies = service.lines().filter_map(|line| line.split('.').next());
        let parts = dependencies.filter(|name| crates.join(name).join("Cargo.toml").exists());
        let logs = |name: &&str| manifest(name).contains("\ntracing = ");
        let mut logging: Vec<_> = parts.chain(["service"]).filter(logs).collect();
        logging.push("access");
        logging.sort_unstable();
        assert_eq!(logging, TARGETS);
    }

    #[test]
    fn an_unknown_level_is_rejected() {
        for text in ["", "inof", "info,", "=info"] {
            assert!(parse_log_level(text).is_none(), "{text:?}");
        }
    }
}
