//! What is recorded of each GraphQL request: a line of the log, metrics, and a span if it is sampled.
//!
//! The lines contain operation names and types, error codes and durations, and never documents, variables, responses or
//! credentials.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use async_graphql_strict::ErrorCode;
use poem::{
    Request, Response,
    http::{HeaderMap, HeaderName, HeaderValue, Method, uri::Scheme},
};
use poem_graphql::{Ids, Observer, Report};
use tracing::Span;
use tracing_opentelemetry::OpenTelemetrySpanExt;

use crate::{
    authorization::Authorization,
    graphql::HASH,
    health::Readiness,
    telemetry::{ACCESS_TARGET, AccessEntry, Metrics, Tracer, access, milliseconds},
};

/// The path of the endpoint, whose requests are recorded.
pub(crate) const GRAPHQL: &str = "/graphql";
/// An operation that takes longer is logged as slow.
const SLOW: Duration = Duration::from_secs(1);
/// Digits of the hash of the contract that distinguish its versions in a log.
const HASH_DIGITS: usize = 12;
const MAX_VERSION_CHARACTERS: usize = 64;

/// The headers with the name of a client, in the order of precedence.
const CLIENT_NAMES: [HeaderName; 2] =
    [HeaderName::from_static("graphql-client-name"), HeaderName::from_static("apollographql-client-name")];
const CALL_SOURCE: HeaderName = HeaderName::from_static("call-source");
const APP_VERSION: HeaderName = HeaderName::from_static("app-version");
/// The values of `Call-Source`; any other is `OTHER`.
const SOURCES: [&str; 5] = ["IOS", "ANDROID", "PC", "WECHAT", "WEB"];

#[derive(Clone)]
pub(crate) struct Recorder {
    pub metrics: Arc<Metrics>,
    pub tracer: Option<Arc<Tracer>>,
    pub authorization: Arc<Authorization>,
    pub readiness: Arc<Readiness>,
}

/// A request in flight.
pub(crate) struct Record {
    metrics: Arc<Metrics>,
    ids: Ids,
    span: Span,
    method: Method,
    scheme: Scheme,
    client: Option<HeaderValue>,
    caller: Option<&'static str>,
    app_version: Option<HeaderValue>,
    started: Instant,
    /// Whether it is a GraphQL request without a response.
    is_in_flight: bool,
}

impl Observer for Recorder {
    type Record = Record;

    fn begin(&self, request: &Request, ids: Ids) -> Record {
        let is_in_flight = request.uri().path() == GRAPHQL;
        let span = match &self.tracer {
            Some(tracer) if is_in_flight => {
                let name = format!("{} {GRAPHQL}", known_method(request.method()).1);
                let is_trusted = || self.authorization.is_from_proxy(request);
                tracer.request_span(&name, ids.parent.as_ref(), is_trusted)
            }
            _ => Span::none(),
        };
        if is_in_flight {
            self.metrics.in_flight.inc();
        }
        Record {
            metrics: Arc::clone(&self.metrics),
            ids,
            span,
            method: request.method().clone(),
            scheme: request.scheme().clone(),
            client: CLIENT_NAMES.iter().find_map(|name| request.headers().get(name).cloned()),
            caller: call_source(request.headers()),
            app_version: app_version(request.headers()),
            started: Instant::now(),
            is_in_flight,
        }
    }

    fn span(&self, record: &Record) -> Span {
        record.span.clone()
    }

    fn is_draining(&self) -> bool {
        self.readiness.is_draining()
    }

    fn end(&self, mut record: Record, response: &Response, report: Option<&Report>) {
        record.complete();
        if let Some(report) = report {
            let elapsed = report.elapsed.unwrap_or_else(|| record.started.elapsed());
            record.count(report, elapsed);
            record.log(report, elapsed, response.status().as_u16());
        }
        if !record.span.is_disabled() {
            record.describe(response, report);
        }
    }
}

impl Record {
    fn complete(&mut self) -> bool {
        let was_in_flight = std::mem::take(&mut self.is_in_flight);
        if was_in_flight {
            self.metrics.in_flight.dec();
        }
        was_in_flight
    }

    fn count(&self, report: &Report, elapsed: Duration) {
        let metrics = &self.metrics;
        metrics.record(kind(report), report.name(), code(report), elapsed);
        if let Some(operation) = &report.operation {
            // A value that is not text is an invalid name.
            let name = self.client.as_ref().map(|it| it.to_str().unwrap_or("?\n"));
            let coordinates = operation.coordinates.iter().map(String::as_str);
            metrics.record_fields(name.or(self.caller), coordinates);
        }
        if let Some(limit) = report.limit() {
            metrics.limits.get_or_create(&[("limit", limit)]).inc();
        }
        if is_slow(report) {
            metrics.slow.inc();
        }
    }

    fn log(&self, report: &Report, elapsed: Duration, status: u16) {
        let request_id = self.ids.request();
        for (code, cause) in report.causes() {
            let (reference, code) = (&cause.reference, code.as_str());
            tracing::error!(request_id, reference, code, cause = cause.chain, "request failed");
        }
        if is_slow(report) {
            tracing::warn!(
                request_id,
                trace_id = self.trace_id(),
                operation_type = kind(report),
                operation_name = report.name(),
                duration_ms = milliseconds(elapsed),
                threshold_ms = milliseconds(SLOW),
                "slow operation"
            );
        }
        access(AccessEntry {
            operation_type: kind(report),
            operation_name: report.name(),
            status: Some(status),
            limit: report.limit(),
            schema_hash: HASH.get(..HASH_DIGITS),
            ..self.entry("request completed", elapsed, code(report))
        });
    }

    fn entry(&self, message: &'static str, duration: Duration, code: &'static str) -> AccessEntry<'_> {
        AccessEntry {
            level: "INFO",
            message,
            request_id: self.ids.request(),
            trace_id: self.trace_id(),
            caller: self.caller,
            app_version: self.app_version.as_ref().and_then(|version| version.to_str().ok()),
            duration_ms: milliseconds(duration),
            code,
            target: ACCESS_TARGET,
            ..AccessEntry::default()
        }
    }

    fn trace_id(&self) -> Option<&str> {
        self.ids.parent.as_ref().map(|parent| parent.trace_id.as_str())
    }

    /// Sets the attributes of the span by the semantic conventions of OpenTelemetry.
    fn describe(&self, response: &Response, report: Option<&Report>) {
        let span = &self.span;
        let (method, _) = known_method(&self.method);
        let status = response.status();
        let code = report.and_then(Report::code);
        let is_failure = status.is_server_error() || code.is_some_and(|code| code >= ErrorCode::ServiceUnavailable);
        if is_failure {
            span.record("otel.status_code", "ERROR");
        }
        span.set_attribute("catalogue.request_id", self.ids.request().to_owned());
        span.set_attribute("http.request.method", method.to_owned());
        span.set_attribute("http.route", GRAPHQL);
        span.set_attribute("url.path", GRAPHQL);
        span.set_attribute("url.scheme", self.scheme.to_string());
        span.set_attribute("http.response.status_code", i64::from(status.as_u16()));
        if let Some(code) = code {
            span.set_attribute("error.type", code.as_str());
        }
        if let Some(kind) = report.and_then(kind) {
            span.set_attribute("graphql.operation.type", kind);
        }
        if let Some(name) = report.and_then(Report::name) {
            span.set_attribute("graphql.operation.name", name.to_owned());
        }
    }
}

impl Drop for Record {
    /// The client has disconnected.
    fn drop(&mut self) {
        if self.complete() {
            self.metrics.abandoned.inc();
            self.span.record("otel.status_code", "ERROR");
            let message = "abandoned: the client disconnected, or the service stopped";
            access(self.entry(message, self.started.elapsed(), "ABANDONED"));
        }
    }
}

/// A method for an attribute and for the name of a span; clients choose other methods freely.
fn known_method(method: &Method) -> (&str, &str) {
    match method.as_str() {
        known @ ("GET" | "HEAD" | "POST" | "PUT" | "DELETE" | "CONNECT" | "OPTIONS" | "TRACE" | "PATCH") => {
            (known, known)
        }
        _ => ("_OTHER", "HTTP"),
    }
}

fn kind(report: &Report) -> Option<&'static str> {
    report.operation.as_ref().map(|operation| operation.kind.name())
}

fn code(report: &Report) -> &'static str {
    report.code().map_or("OK", ErrorCode::as_str)
}

/// A refused request was not executed, so only its client can have been slow.
fn is_slow(report: &Report) -> bool {
    report.elapsed.is_some_and(|elapsed| elapsed > SLOW)
}

fn call_source(headers: &HeaderMap) -> Option<&'static str> {
    let given = headers.get(CALL_SOURCE)?.as_bytes();
    Some(SOURCES.into_iter().find(|source| source.as_bytes() == given).unwrap_or("OTHER"))
}

fn app_version(headers: &HeaderMap) -> Option<HeaderValue> {
    let version = headers.get(APP_VERSION)?;
    let length = version.to_str().ok()?.len();
    (1..=MAX_VERSION_CHARACTERS).contains(&length).then(|| version.clone())
}
