//! A middleware that logs requests: a line for each operation, and one for each cause of a masked error.
//!
//! The lines contain operation names and types, error codes and durations, and never documents, variables, responses or
//! credentials.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use engine::ErrorCode;
use futures_util::FutureExt;
use poem::{Endpoint, Request, Response, http::HeaderValue};
use telemetry::log::{self, AccessEntry, milliseconds};

use super::{
    client,
    handled::Around,
    into_response::into_response,
    report::{OperationReport, Reports},
    request_id::{self, RequestContext},
    routes::GRAPHQL,
};

/// Logs GraphQL requests and refusals.
#[derive(Clone)]
pub struct AccessLog {
    schema_hash: Arc<str>,
    slow: Option<Duration>,
}

impl AccessLog {
    /// Logs requests with the beginning of the hash of the contract. Operations that take longer than `slow` are logged
    /// as slow, too.
    pub fn new(schema_hash: &str, slow: Option<Duration>) -> Self {
        // Enough digits to distinguish the versions in a log.
        let schema_hash = schema_hash.get(..12).unwrap_or(schema_hash).into();
        Self { schema_hash, slow }
    }
}

impl Around for AccessLog {
    fn around<E: Endpoint>(
        &self,
        endpoint: &E,
        request: Request,
    ) -> impl Future<Output = poem::Result<Response>> + Send {
        let mut record = Record::of(&request);
        endpoint.call(request).map(move |result| {
            let response = into_response(result);
            record.is_answered = true;
            let Some(reports) = response.data::<Reports>() else {
                return Ok(response);
            };
            let status = response.status().as_u16();
            let is_batch = reports.len() > 1;
            for (position, report) in (1_u32..).zip(&**reports) {
                let position = is_batch.then_some(position);
                record.write(self, report, status, position);
            }
            Ok(response)
        })
    }
}

/// A request in flight. A client that disconnects drops it before it is answered.
struct Record {
    context: Arc<RequestContext>,
    caller: Option<&'static str>,
    app_version: Option<HeaderValue>,
    started: Instant,
    is_answered: bool,
}

impl Record {
    fn of(request: &Request) -> Self {
        let headers = request.headers();
        Self {
            context: request_id::context(request),
            caller: client::known_source(client::call_source(headers)),
            app_version: client::app_version(headers),
            started: Instant::now(),
            is_answered: request.uri().path() != GRAPHQL,
        }
    }

    fn write(&self, log: &AccessLog, report: &OperationReport, status: u16, position: Option<u32>) {
        let request_id = self.context.id();
        let elapsed = report.elapsed.unwrap_or_else(|| self.started.elapsed());
        for (code, cause) in report.causes() {
            tracing::error!(
                request_id,
                reference = cause.reference,
                code = code.as_str(),
                cause = cause.chain,
                "request failed"
            );
        }
        for exceeded in &report.exceeded {
            tracing::warn!(
                request_id,
                limit = exceeded.name,
                value = exceeded.value,
                actual = exceeded.actual,
                "a limit is exceeded"
            );
        }
        if let Some(threshold) = log.slow
            && report.is_slower_than(log.slow)
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
            position,
            status: Some(status),
            limit: report.limit(),
            schema_hash: Some(&log.schema_hash),
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
            caller: self.caller,
            app_version: app_version.and_then(|version| version.to_str().ok()),
            duration,
            code,
            ..AccessEntry::default()
        }
    }
}

impl Drop for Record {
    fn drop(&mut self) {
        if !self.is_answered {
            let message = "abandoned: the client disconnected, or the service stopped";
            log::access(|| self.entry(message, self.started.elapsed(), "ABANDONED"));
        }
    }
}
