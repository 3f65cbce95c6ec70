//! Exports spans to the collector in batches from a bounded queue; a request never waits for it.

use std::{
    sync::{
        Arc,
        atomic::{
            AtomicBool, AtomicU64, AtomicUsize,
            Ordering::{AcqRel, Relaxed},
        },
    },
    time::Duration,
};

use opentelemetry::{Context, KeyValue};
use opentelemetry_otlp::{ExporterBuildError, Protocol, WithExportConfig, WithHttpConfig};
use opentelemetry_sdk::{
    Resource,
    error::OTelSdkResult,
    trace::{
        BatchConfigBuilder, BatchSpanProcessor, IdGenerator, RandomIdGenerator, Sampler,
        SdkTracerProvider, Span, SpanData, SpanExporter, SpanLimits, SpanProcessor,
    },
};
use reqwest::{Client, redirect::Policy};
use tokio::runtime::Handle;
use tokio_rustls::rustls::crypto::ring;

use super::settings::TraceSettings;

/// Maximum number of queued spans; further ones are dropped.
pub(super) const QUEUE_CAPACITY: usize = 8192;

/// Maximum number of spans in an export request.
pub(super) const MAX_BATCH: usize = 512;

/// Maximum time that a span waits for others of its batch.
const BATCH_DELAY: Duration = Duration::from_secs(1);

/// Timeout of an export request.
pub(super) const EXPORT_TIMEOUT: Duration = Duration::from_secs(5);

/// Counters of spans since the start.
#[derive(Debug, Default)]
pub(super) struct Counters {
    /// Spans accepted by the collector.
    pub(super) exported: AtomicU64,
    /// Spans beyond a limit or not accepted by the collector.
    pub(super) dropped: AtomicU64,
    /// Spans in the queue.
    pub(super) queued: AtomicUsize,
}

/// The provider of spans that are exported. The options that are set here have precedence over the variables of the environment.
pub(super) fn provider(
    settings: TraceSettings,
    counters: &Arc<Counters>,
) -> Result<SdkTracerProvider, ExporterBuildError> {
    let exporter = Exporter::new(settings, Arc::clone(counters))?;
    let batches = BatchConfigBuilder::default()
        .with_max_queue_size(QUEUE_CAPACITY)
        .with_max_export_batch_size(MAX_BATCH)
        .with_scheduled_delay(BATCH_DELAY);
    let queue = Queue {
        spans: BatchSpanProcessor::new(exporter, batches.build()),
        counters: Arc::clone(counters),
    };
    let provider = SdkTracerProvider::builder()
        .with_sampler(Sampler::AlwaysOn)
        .with_span_limits(SpanLimits::default())
        .with_span_processor(queue);
    Ok(provider.build())
}

/// The queue of the SDK, which does not tell how many spans it drops.
#[derive(Debug)]
struct Queue {
    spans: BatchSpanProcessor,
    counters: Arc<Counters>,
}

impl SpanProcessor for Queue {
    fn on_start(&self, _: &mut Span, _: &Context) {}

    fn on_end(&self, span: SpanData) {
        if self.counters.queued.fetch_add(1, AcqRel) < QUEUE_CAPACITY {
            self.spans.on_end(span);
        } else {
            self.counters.queued.fetch_sub(1, AcqRel);
            self.counters.dropped.fetch_add(1, Relaxed);
        }
    }

    fn force_flush(&self) -> OTelSdkResult {
        self.spans.force_flush()
    }

    fn shutdown_with_timeout(&self, timeout: Duration) -> OTelSdkResult {
        self.spans.shutdown_with_timeout(timeout)
    }
}

/// Counts what the exporter of the library sends, and logs its failures.
#[derive(Debug)]
struct Exporter {
    otlp: Arc<opentelemetry_otlp::SpanExporter>,
    /// The queue is read by a thread outside of the runtime, which the client needs.
    runtime: Handle,
    counters: Arc<Counters>,
    is_failing: AtomicBool,
}

impl Exporter {
    fn new(settings: TraceSettings, counters: Arc<Counters>) -> Result<Self, ExporterBuildError> {
        // An error means that the same provider is installed already.
        let _ = ring::default_provider().install_default();
        let client = Client::builder()
            .timeout(EXPORT_TIMEOUT)
            .redirect(Policy::none())
            // Proxy variables of the environment must not redirect spans.
            .no_proxy()
            .build()
            .map_err(|error| ExporterBuildError::InternalFailure(error.to_string()))?;
        let mut otlp = opentelemetry_otlp::SpanExporter::builder()
            .with_http()
            .with_http_client(client)
            .with_protocol(Protocol::HttpJson)
            .with_endpoint(settings.endpoint)
            .with_timeout(EXPORT_TIMEOUT)
            .build()?;
        let resource = Resource::builder_empty().with_attributes([
            KeyValue::new("service.name", settings.service_name),
            KeyValue::new("service.version", settings.service_version),
            KeyValue::new(
                "service.instance.id",
                RandomIdGenerator::default().new_trace_id().to_string(),
            ),
        ]);
        otlp.set_resource(&resource.build());
        Ok(Self {
            otlp: Arc::new(otlp),
            runtime: Handle::current(),
            counters,
            is_failing: AtomicBool::new(false),
        })
    }

    /// Logs changes between success and failure, not every batch.
    fn log(&self, failure: Option<String>) {
        let was_failing = self.is_failing.swap(failure.is_some(), Relaxed);
        match failure {
            Some(error) if !was_failing => tracing::warn!(
                error,
                "the trace collector does not accept spans: they are dropped"
            ),
            None if was_failing => tracing::info!("the trace collector accepts spans again"),
            _ => {}
        }
    }
}

impl SpanExporter for Exporter {
    async fn export(&self, batch: Vec<SpanData>) -> OTelSdkResult {
        self.counters.queued.fetch_sub(batch.len(), AcqRel);
        let count = batch.len() as u64;
        let otlp = Arc::clone(&self.otlp);
        let sent = self.runtime.spawn(async move { otlp.export(batch).await });
        let failure = match sent.await {
            Ok(Ok(())) => None,
            Ok(Err(error)) => Some(error.to_string()),
            Err(ended) => Some(ended.to_string()),
        };
        let counter = match failure {
            None => &self.counters.exported,
            Some(_) => &self.counters.dropped,
        };
        counter.fetch_add(count, Relaxed);
        self.log(failure);
        Ok(())
    }
}
