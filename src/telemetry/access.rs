//! The access log: one line for each GraphQL request, in the form of `tracing_subscriber`.
//!
//! JSON is written without an event of `tracing`, which passes each field through several dynamic calls. It never has
//! documents, variables, responses or credentials.

use std::{
    io::Write,
    sync::OnceLock,
    time::{Duration, SystemTime},
};

use chrono::{DateTime, SecondsFormat, Utc};
use serde::Serialize;
use tracing_appender::non_blocking::NonBlocking;

/// The target of the access log, for the log level.
pub(crate) const TARGET: &str = "access";

/// Set if entries are written as JSON; else they are events.
static JSON: OnceLock<NonBlocking> = OnceLock::new();

/// A request in the access log. The line omits what is absent.
#[derive(Debug, Default, Serialize)]
pub(crate) struct AccessEntry<'r> {
    /// Set when the line is written.
    pub timestamp: String,
    pub level: &'static str,
    pub message: &'static str,
    pub request_id: &'r str,
    /// The trace id of the client.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trace_id: Option<&'r str>,
    /// Query, mutation or subscription.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub operation_type: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub operation_name: Option<&'r str>,
    /// The kind of client.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub caller: Option<&'static str>,
    /// The version of the client.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub app_version: Option<&'r str>,
    /// Since the start of the request.
    pub duration_ms: f64,
    /// Of HTTP.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<u16>,
    /// The error code, or `OK`.
    pub code: &'static str,
    /// The name of the exceeded limit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<&'static str>,
    /// The beginning of the hash of the contract.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub schema_hash: Option<&'r str>,
    /// [`TARGET`].
    pub target: &'static str,
}

/// Writes entries as JSON from now on.
pub(super) fn write_json(writer: NonBlocking) {
    let _ = JSON.set(writer);
}

/// Logs a request.
pub(crate) fn access(mut entry: AccessEntry<'_>) {
    let Some(writer) = JSON.get() else {
        return entry.dispatch();
    };
    entry.timestamp = DateTime::<Utc>::from(SystemTime::now()).to_rfc3339_opts(SecondsFormat::Micros, true);
    let mut text = Vec::with_capacity(512);
    if serde_json::to_writer(&mut text, &entry).is_ok() {
        text.push(b'\n');
        // A line that finds no space is dropped and counted by the writer.
        let _ = writer.clone().write_all(&text);
    }
}

/// A duration in milliseconds, in microsecond precision.
pub(crate) fn milliseconds(duration: Duration) -> f64 {
    f64::from(u32::try_from(duration.as_micros()).unwrap_or(u32::MAX)) / 1000.0
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
            caller = self.caller,
            app_version = self.app_version,
            duration_ms = self.duration_ms,
            status = self.status,
            code = self.code,
            limit = self.limit,
            schema_hash = self.schema_hash,
        );
    }
}
