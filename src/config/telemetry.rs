//! The settings about what an operator sees of the service.

use std::time::Duration;

use clap::Args;

use super::checked::{Checked, number, value};
use crate::telemetry::{LogFormat, LogLevel};

/// What an operator sees of the service.
#[derive(Debug, Clone, Args)]
pub struct TelemetrySettings {
    /// What to log: off, error, warn, info, debug or trace; TARGET=LEVEL for single targets, such as
    /// access=off for the line of each request
    #[arg(global = true, long, env = "CATALOGUE_LOG", value_name = "LEVEL")]
    #[arg(default_value = "info", value_parser = log_level(), help_heading = "Log and metrics")]
    pub log_level: LogLevel,

    /// What a log line looks like: human, json (an object a line), or auto (human on a terminal, else json)
    #[arg(
        global = true,
        long,
        env = "CATALOGUE_LOG_FORMAT",
        value_name = "FORMAT"
    )]
    #[arg(default_value = "auto", value_parser = log_format(), help_heading = "Log and metrics")]
    pub log_format: LogFormat,

    /// Operations that take longer are logged with a warning, from 0 (none are) to 3600000 milliseconds
    #[arg(
        global = true,
        long,
        env = "CATALOGUE_SLOW_OPERATION_THRESHOLD_MS",
        value_name = "MILLISECONDS"
    )]
    #[arg(default_value = "1000", value_parser = number(0..=3_600_000), help_heading = "Log and metrics")]
    slow_operation_threshold_ms: u32,

    /// Most names of operations that metrics tell apart, from 0 to 10000; the names beyond count as one
    #[arg(
        global = true,
        long,
        env = "CATALOGUE_METRICS_OPERATION_LIMIT",
        value_name = "NAMES"
    )]
    #[arg(default_value = "100", value_parser = number(0..=10_000), help_heading = "Log and metrics")]
    metrics_operation_limit: u32,
}

impl TelemetrySettings {
    /// From when on an operation is slow, if any is.
    pub fn slow_operation_threshold(&self) -> Option<Duration> {
        let threshold_ms = self.slow_operation_threshold_ms;
        (threshold_ms > 0).then(|| Duration::from_millis(threshold_ms.into()))
    }

    /// Most names of operations that metrics tell apart.
    pub fn metrics_operation_limit(&self) -> usize {
        self.metrics_operation_limit as usize
    }
}

fn log_level() -> Checked<LogLevel> {
    let must_be = "off, error, warn, info, debug or trace, with TARGET=LEVEL for single targets, \
         separated by commas";
    value(must_be, LogLevel::parse)
}

fn log_format() -> Checked<LogFormat> {
    value("auto, human or json", |text| match text {
        "auto" => Some(LogFormat::Auto),
        "human" => Some(LogFormat::Human),
        "json" => Some(LogFormat::Json),
        _ => None,
    })
}
