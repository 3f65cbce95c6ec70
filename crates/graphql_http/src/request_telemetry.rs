//! A middleware that logs requests and counts them in metrics: a line for each request, and one for each cause of a
//! masked error.
//!
//! The lines contain operation names and types, error codes and durations, and never documents, variables, responses or
//! credentials.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use engine::ErrorCode;
use poem::{Request, Response, http::HeaderValue};
use telemetry::{
    log::{self, AccessEntry, milliseconds},
    metrics::{CallSource, GaugeGuard, Metrics},
};

use super::{
    client,
    middleware::{Changed, EarlyResponse, Hooks, hooks},
    report::OperationReport,
    request_id::{self, RequestContext},
    routes::GRAPHQL,
};

/// Logs and counts GraphQL requests and refusals.
#[derive(Clone)]
pub struct RequestTelemetry {
    schema_hash: Arc<str>,
    metrics: Arc<Metrics>,
    slow: Option<Duration>,
}

impl RequestTelemetry {
    /// Logs requests with the beginning of the hash of the contract, and counts them in these metrics. Operations that
    /// take longer than `slow` are logged and counted as slow, too.
    pub fn new(schema_hash: &str, metrics: Arc<Metrics>, slow: Option<Duration>) -> Self {
        // Enough digits to distinguish the versions in a log.
        let schema_hash = schema_hash.get(..12).unwrap_or(schema_hash).into();
        Self {
            schema_hash,
            metrics,
            slow,
        }
    }
}

hooks!(RequestTelemetry);

impl Hooks for RequestTelemetry {
    type Context = Record;

    fn before(&self, request: &mut Request) -> Result<Record, EarlyResponse<'_>> {
        let headers = request.headers();
        let is_graphql = request.uri().path() == GRAPHQL;
        let in_flight = || (self.metrics.request_in_flight(), Arc::clone(&self.metrics));
        Ok(Record {
            context: request_id::context(request),
            client_name: client::client_name(headers),
            source: client::call_source(headers),
            app_version: client::app_version(headers),
            started: Instant::now(),
            in_flight: is_graphql.then(in_flight),
        })
    }

    fn after(&self, mut record: Record, response: Response) -> Changed<'_> {
        record.in_flight = None;
        if let Some(report) = response.data::<Arc<OperationReport>>() {
            let elapsed = report.elapsed.unwrap_or_else(|| record.started.elapsed());
            record.count(self, report, elapsed);
            record.log(self, report, elapsed, response.status().as_u16());
        }
        response.into()
    }
}

/// A request in flight.
pub(super) struct Record {
    context: Arc<RequestContext>,
    client_name: Option<HeaderValue>,
    source: CallSource,
    app_version: Option<HeaderValue>,
    started: Instant,
    /// `None` when it is answered. A client that disconnects drops it before.
    in_flight: Option<(GaugeGuard, Arc<Metrics>)>,
}

impl Record {
    fn count(&self, telemetry: &RequestTelemetry, report: &OperationReport, elapsed: Duration) {
        let RequestTelemetry { metrics, slow, .. } = telemetry;
        let code = report.code().map(ErrorCode::as_str);
        metrics.record_response(report.metrics_operation(), self.client(), code, elapsed);
        if let Some(limit) = report.limit() {
            metrics.record_limit_refused(limit);
        }
        if report.is_slower_than(*slow) {
            metrics.record_slow();
        }
    }

    /// The name of the client, else its kind. A name that is not text is an invalid one, as the empty name.
    fn client(&self) -> Option<&str> {
        match &self.client_name {
            Some(name) => Some(name.to_str().unwrap_or_default()),
            None => client::known_source(self.source),
        }
    }

    fn log(
        &self,
        telemetry: &RequestTelemetry,
        report: &OperationReport,
        elapsed: Duration,
        status: u16,
    ) {
        let request_id = self.context.id();
        for (code, cause) in report.causes() {
            tracing::error!(
                request_id,
                reference = cause.reference,
                code = code.as_str(),
                cause = cause.chain,
                "request failed"
            );
        }
        if let Some(threshold) = telemetry.slow
            && report.is_slower_than(telemetry.slow)
        {
            tracing::warn!(
                request_id,
                trace_id = self.context.trace_id(),
                operation_type = report.kind(),
                operation_name = report.name(),
                duration_ms = milliseconds(elapsed),
                threshold_ms = milliseconds(threshold),
                "slow operation"
            );
        }
        let code = report.code().map_or("OK", ErrorCode::as_str);
        log::access(|| AccessEntry {
            operation_type: report.kind(),
            operation_name: report.name(),
            status: Some(status),
            limit: report.limit(),
            schema_hash: Some(&telemetry.schema_hash),
            ..self.entry("request completed", elapsed, code)
        });
    }

    fn entry(
        &self,
        message: &'static str,
        duration: Duration,
        code: &'static str,
    ) -> AccessEntry<'_> {
        let app_version = self.app_version.as_ref();
        AccessEntry {
            message,
            request_id: self.context.id(),
            trace_id: self.context.trace_id(),
            caller: client::known_source(self.source),
            app_version: app_version.and_then(|version| version.to_str().ok()),
            duration,
            code,
            ..AccessEntry::default()
        }
    }
}

impl Drop for Record {
    fn drop(&mut self) {
        if let Some((_, metrics)) = &self.in_flight {
            metrics.record_abandoned();
            let message = "abandoned: the client disconnected, or the service stopped";
            log::access(|| self.entry(message, self.started.elapsed(), "ABANDONED"));
        }
    }
}
