//! Traces: spans of sampled requests, sent to a collector by OTLP.

use std::{
    sync::atomic::{AtomicU64, Ordering::Relaxed},
    time::Duration,
};

use async_trait::async_trait;
use graphql_sdl::masked_url;
use opentelemetry::{
    Context,
    trace::{SpanContext, TraceContextExt, TraceFlags, TraceId, TraceState, TracerProvider as _},
};
use opentelemetry_http::{Bytes, HttpClient, HttpError, Request, Response};
use opentelemetry_otlp::{ExporterBuildError, Protocol, WithExportConfig, WithHttpConfig};
use opentelemetry_sdk::{
    Resource,
    error::OTelSdkResult,
    trace::{Sampler, SdkTracerProvider, SpanData, SpanExporter},
};
use poem_graphql::TraceParent;
use prometheus_client::metrics::{counter::Counter, family::Family};
use reqwest::{Url, redirect::Policy};
use tracing::{Span, field::Empty, info_span, level_filters::LevelFilter};
use tracing_opentelemetry::OpenTelemetrySpanExt;
use tracing_subscriber::{Layer, filter::Targets, registry::LookupSpan};

use super::{error_chain, metrics::Label};

/// The target of all spans, which the log does not have.
const TARGET: &str = "trace";
const EXPORTED: Label = [("result", "exported")];
const DROPPED: Label = [("result", "dropped")];
const EXPORT_TIMEOUT: Duration = Duration::from_secs(5);

/// Samples requests, and queues their spans for export.
#[derive(Debug)]
pub struct Tracer {
    provider: SdkTracerProvider,
    sample: u64,
    candidates: AtomicU64,
    /// Spans since the start by result: `exported` to the collector, or `dropped`.
    pub(crate) spans: Family<Label, Counter>,
}

impl Tracer {
    /// Starts the export of spans to a collector, of so many requests out of 1000.
    pub fn new(endpoint: &Url, sample: u32) -> Result<Self, ExporterBuildError> {
        let spans = Family::<Label, Counter>::default();
        for result in [EXPORTED, DROPPED] {
            // A counter that begins at zero shows its first increase.
            drop(spans.get_or_create(&result));
        }
        let exporter = opentelemetry_otlp::SpanExporter::builder()
            .with_http()
            .with_http_client(Client::new(endpoint)?)
            .with_protocol(Protocol::HttpBinary)
            .with_endpoint(endpoint.as_str())
            .with_timeout(EXPORT_TIMEOUT)
            .build()?;
        let counted = Counted { exporter, spans: spans.clone() };
        let resource = Resource::builder_empty()
            .with_service_name(env!("CARGO_PKG_NAME"))
            .with_attribute(opentelemetry::KeyValue::new("service.version", env!("CARGO_PKG_VERSION")))
            .build();
        let provider = SdkTracerProvider::builder()
            .with_resource(resource)
            // Requests are sampled before they have a span; the default reads a variable of OpenTelemetry.
            .with_sampler(Sampler::AlwaysOn)
            .with_batch_exporter(counted)
            .build();
        Ok(Self { provider, sample: sample.into(), candidates: AtomicU64::new(0), spans })
    }

    pub(super) fn layer<S: tracing::Subscriber + for<'a> LookupSpan<'a>>(&self) -> impl Layer<S> + use<S> {
        let tracer = self.provider.tracer(env!("CARGO_PKG_NAME"));
        let layer = tracing_opentelemetry::layer().with_tracer(tracer).with_location(false).with_threads(false);
        layer.with_filter(Targets::new().with_target(TARGET, LevelFilter::INFO))
    }

    /// The span of a request: disabled if the client does not record the trace, recorded if the client does and is
    /// trusted, else recorded at the sample rate.
    pub(crate) fn request_span(
        &self,
        name: &str,
        parent: Option<&TraceParent>,
        is_trusted: impl FnOnce() -> bool,
    ) -> Span {
        let is_sampled = match parent {
            Some(parent) if !parent.is_sampled => false,
            Some(_) => is_trusted() || self.is_next_sampled(),
            None => self.is_next_sampled(),
        };
        if !is_sampled {
            return Span::none();
        }
        let span = info_span!(target: TARGET, parent: None, "request", otel.name = name, otel.kind = "server", otel.status_code = Empty);
        if let Some(parent) = parent {
            let remote = SpanContext::new(
                TraceId::from_hex(&parent.trace_id).unwrap_or(TraceId::INVALID),
                parent.span_id.into(),
                TraceFlags::SAMPLED,
                true,
                TraceState::NONE,
            );
            // The parent of a span that has not been entered can be set.
            let _ = span.set_parent(Context::new().with_remote_span_context(remote));
        }
        span
    }

    fn is_next_sampled(&self) -> bool {
        // Evenly distributed: 250 samples every fourth request.
        (self.candidates.fetch_add(1, Relaxed) * self.sample) % 1000 < self.sample
    }

    /// Exports what is queued. Later spans are not recorded.
    pub fn shutdown(&self) {
        if self.provider.shutdown_with_timeout(EXPORT_TIMEOUT).is_err() {
            tracing::warn!("the trace collector did not accept the last spans in time");
        }
    }
}

/// Logs why the collector did not accept spans, which the exporter leaves out.
#[derive(Debug)]
struct Client {
    http: reqwest::blocking::Client,
    endpoint: String,
}

impl Client {
    /// It trusts the certificates of the system.
    fn new(endpoint: &Url) -> Result<Self, ExporterBuildError> {
        // A client for blocking calls must not be made by a thread of the runtime.
        let new = || reqwest::blocking::Client::builder().timeout(EXPORT_TIMEOUT).redirect(Policy::none()).build();
        let built = std::thread::spawn(new).join().expect("building a client does not panic");
        let http = built.map_err(|error| ExporterBuildError::InternalFailure(error.to_string()))?;
        let endpoint = masked_url(endpoint.as_str());
        Ok(Self { http, endpoint })
    }
}

#[async_trait]
impl HttpClient for Client {
    async fn send_bytes(&self, request: Request<Bytes>) -> Result<Response<Bytes>, HttpError> {
        let response = self.http.send_bytes(request).await;
        let cause = match &response {
            Ok(success) if success.status().is_success() => return response,
            Ok(response) => format!("status {}", response.status()),
            Err(error) => error_chain(&**error),
        };
        let endpoint = &self.endpoint;
        tracing::warn!(endpoint, cause, "the trace collector did not accept spans");
        response
    }
}

/// Counts spans by result.
#[derive(Debug)]
struct Counted {
    exporter: opentelemetry_otlp::SpanExporter,
    spans: Family<Label, Counter>,
}

impl SpanExporter for Counted {
    async fn export(&self, batch: Vec<SpanData>) -> OTelSdkResult {
        let spans = batch.len() as u64;
        let result = self.exporter.export(batch).await;
        let outcome = if result.is_ok() { EXPORTED } else { DROPPED };
        self.spans.get_or_create(&outcome).inc_by(spans);
        result
    }

    fn set_resource(&mut self, resource: &Resource) {
        self.exporter.set_resource(resource);
    }
}
