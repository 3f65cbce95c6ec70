//! The settings about what an operator sees of the service.

use std::time::Duration;

use clap::Args;

use reqwest::Url;

use super::checked::{Checked, number, value};
use crate::{
    telemetry::{LogFormat, LogLevel},
    trace::TraceSettings,
};

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

    /// Where spans are sent with OTLP over HTTP, in JSON: none, or the whole address of a collector,
    /// which nearly always ends with /v1/traces
    #[arg(
        global = true,
        long,
        env = "CATALOGUE_TRACE_ENDPOINT",
        value_name = "ADDRESS"
    )]
    #[arg(default_value = "none", value_parser = endpoint(), help_heading = "Log and metrics")]
    trace_endpoint: Endpoint,

    /// Of 1000 requests that bring no traceparent along, how many begin a trace, from 0 to 1000
    #[arg(
        global = true,
        long,
        env = "CATALOGUE_TRACE_SAMPLE",
        value_name = "REQUESTS"
    )]
    #[arg(default_value = "1000", value_parser = number(0..=1000), help_heading = "Log and metrics")]
    trace_sample: u32,
}

/// Where spans are sent.
#[derive(Debug, Clone)]
enum Endpoint {
    /// Nowhere.
    None,
    /// To a collector.
    At(Url),
}

impl TelemetrySettings {
    /// From when on an operation is slow, if any is.
    pub fn slow_operation_threshold(&self) -> Option<Duration> {
        let threshold_ms = self.slow_operation_threshold_ms;
        (threshold_ms > 0).then(|| Duration::from_millis(threshold_ms.into()))
    }

    /// Where spans are sent and which, if they are.
    pub fn traces(&self) -> Option<TraceSettings> {
        match &self.trace_endpoint {
            Endpoint::None => None,
            Endpoint::At(url) => Some(TraceSettings {
                endpoint: url.clone(),
                sample: self.trace_sample,
            }),
        }
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

fn endpoint() -> Checked<Endpoint> {
    let must_be = "none, or a URL of http or https without user and password, such as \
         http://127.0.0.1:4318/v1/traces";
    value(must_be, |text| match text {
        "none" => Some(Endpoint::None),
        text => {
            let url = Url::parse(text).ok()?;
            let is_web = matches!(url.scheme(), "http" | "https") && url.has_host();
            let is_public = url.username().is_empty() && url.password().is_none();
            (is_web && is_public).then_some(Endpoint::At(url))
        }
    })
}

fn log_format() -> Checked<LogFormat> {
    value("auto, human or json", |text| match text {
        "auto" => Some(LogFormat::Auto),
        "human" => Some(LogFormat::Human),
        "json" => Some(LogFormat::Json),
        _ => None,
    })
}
