//! Records each request: log lines, metrics and spans.
//!
//! They contain operation names and types, error codes and durations, and never documents, variables,
//! responses or credentials.

use std::{
    sync::{Arc, atomic::AtomicU64},
    time::{Duration, Instant},
};

use auth::TrustedProxies;
use poem::Response;
use telemetry::{
    log::{self, AccessEntry, milliseconds},
    metrics::{GaugeGuard, Metrics},
    trace::{RootSpan, Tracer},
};

use super::{
    metadata::{REQUEST_ID, RequestMetadata, TraceContext},
    outcome::{OperationReport, Outcome},
    request_span,
};
use engine::ErrorCode;

/// Records the metrics, log lines and spans of requests.
pub(super) struct RequestObserver {
    /// The metrics of requests.
    pub(super) metrics: Arc<Metrics>,
    /// Slower operations are logged as slow; `None` logs none.
    pub(super) slow: Option<Duration>,
    /// Records spans, if tracing is enabled.
    pub(super) traces: Option<Arc<Tracer>>,
    /// Proxies whose sampling decision in `traceparent` is respected.
    pub(super) trusted_proxies: TrustedProxies,
    /// The first digits of the schema hash, for the log.
    pub(super) schema_hash: String,
    /// The name of the span attribute of the request id.
    pub(super) request_id_attribute: &'static str,
}

/// A request in flight, with its metadata. Dropping it before its end records it as abandoned.
pub(super) struct RequestRecord<'o> {
    pub(super) metadata: Box<RequestMetadata>,
    /// `None` where requests are not recorded: on the listener for operators and while the service starts.
    observer: Option<&'o RequestObserver>,
    started: Instant,
    /// Set for a GraphQL request until it has a response.
    in_flight: Option<GaugeGuard<&'o AtomicU64>>,
    /// Set if tracing is enabled and the request is sampled.
    pub(super) span: Option<Box<RootSpan>>,
}

impl<'o> RequestRecord<'o> {
    pub(super) fn begin(
        observer: Option<&'o RequestObserver>,
        metadata: Box<RequestMetadata>,
    ) -> Self {
        let of_graphql = observer.filter(|_| metadata.is_graphql);
        let mut record = Self {
            metadata,
            observer,
            started: Instant::now(),
            in_flight: of_graphql.map(|observer| observer.metrics.request_in_flight()),
            span: None,
        };
        record.span = of_graphql.and_then(|observer| record.begin_span(observer));
        record
    }

    fn begin_span(&self, observer: &RequestObserver) -> Option<Box<RootSpan>> {
        let tracer = observer.traces.as_ref()?;
        let parent = self.metadata.trace_context.as_ref();
        let is_trusted = || observer.trusted_proxies.trusts(self.metadata.peer);
        let root = tracer.start_request(parent.and_then(TraceContext::parent), is_trusted)?;
        Some(Box::new(root))
    }

    /// Adds the request id to the response and records it.
    pub(super) fn end(mut self, outcome: Outcome) -> Response {
        let Outcome {
            mut response,
            operations,
            ..
        } = outcome;
        let status = response.status().as_u16();
        if let (Some(span), Some(observer)) = (self.span.take(), self.observer) {
            let request_id = (observer.request_id_attribute, self.metadata.request_id());
            let method = &self.metadata.method;
            request_span::end(*span, method, request_id, status, &operations);
        }
        let id = self.metadata.request_id.clone();
        response.headers_mut().insert(REQUEST_ID, id);
        self.in_flight = None;
        let is_batch = operations.len() > 1;
        if let Some(observer) = self.observer {
            for (position, operation) in (1_u32..).zip(&operations) {
                self.record(observer, operation, status, is_batch.then_some(position));
            }
        }
        response
    }

    fn record(
        &self,
        observer: &RequestObserver,
        operation: &OperationReport,
        status: u16,
        position: Option<u32>,
    ) {
        let metadata = &self.metadata;
        let elapsed = operation.elapsed.unwrap_or_else(|| self.started.elapsed());
        let code = operation.code();
        observer.metrics.record_response(
            operation.metrics_operation(),
            metadata.call_source,
            code.map(ErrorCode::as_str),
            elapsed,
        );
        let limit = operation.limit();
        if let Some(limit) = limit {
            observer.metrics.record_limit_refused(limit);
        }
        for (code, cause) in operation.causes() {
            tracing::error!(
                request_id = metadata.request_id(),
                reference = cause.reference,
                code = code.as_str(),
                cause = cause.chain,
                "request failed"
            );
        }
        for exceeded in &operation.exceeded {
            tracing::warn!(
                request_id = metadata.request_id(),
                limit = exceeded.name,
                value = exceeded.value,
                actual = exceeded.actual,
                "a limit is exceeded"
            );
        }
        // A refused request was not executed, so only its client can have been slow.
        let slow = |threshold: &Duration| operation.elapsed.is_some_and(|took| took > *threshold);
        if let Some(threshold) = observer.slow.filter(slow) {
            observer.metrics.record_slow();
            tracing::warn!(
                request_id = metadata.request_id(),
                trace_id = metadata.trace_id(),
                operation_type = operation.kind(),
                operation_name = operation.name(),
                duration_ms = milliseconds(elapsed),
                threshold_ms = milliseconds(threshold),
                "slow operation"
            );
        }
        log::access(|| AccessEntry {
            operation_type: operation.kind(),
            operation_name: operation.name(),
            position,
            status: Some(status),
            limit,
            schema_hash: Some(&observer.schema_hash),
            ..self.access_entry(
                "request completed",
                elapsed,
                code.map_or("OK", ErrorCode::as_str),
            )
        });
    }

    /// The entry of the access log with the metadata of the request.
    fn access_entry(
        &self,
        message: &'static str,
        duration: Duration,
        code: &'static str,
    ) -> AccessEntry<'_> {
        AccessEntry {
            message,
            request_id: self.metadata.request_id(),
            trace_id: self.metadata.trace_id(),
            caller: self.metadata.logged_caller(),
            app_version: self.metadata.app_version.as_deref(),
            duration,
            code,
            ..AccessEntry::default()
        }
    }
}

impl Drop for RequestRecord<'_> {
    /// A client that disconnects drops the future of its request at any point.
    fn drop(&mut self) {
        if let (Some(_), Some(observer)) = (&self.in_flight, self.observer) {
            observer.metrics.record_abandoned();
            let message = "abandoned: the client disconnected, or the service stopped";
            log::access(|| self.access_entry(message, self.started.elapsed(), "ABANDONED"));
        }
    }
}
