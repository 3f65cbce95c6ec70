//! Samples requests, and flushes their spans when the service stops.

use std::sync::{
    Arc,
    atomic::{AtomicU64, Ordering::Relaxed},
};

use opentelemetry::{InstrumentationScope, KeyValue, trace::TracerProvider as _};
use opentelemetry_otlp::ExporterBuildError;
use opentelemetry_sdk::trace::{SdkTracer, SdkTracerProvider};
use tokio::task::spawn_blocking;

use super::{
    export::{Counters, EXPORT_TIMEOUT, provider},
    recording::Recording,
    root_span::{RootSpan, TraceParent},
    settings::TraceSettings,
};

/// Samples requests and queues their spans for export.
#[derive(Debug)]
pub struct Tracer {
    sample: u64,
    candidates: AtomicU64,
    provider: SdkTracerProvider,
    sdk: SdkTracer,
    counters: Arc<Counters>,
    /// The attributes of statements.
    database: Arc<[KeyValue]>,
}

impl Tracer {
    /// Starts the export of spans, in the current runtime.
    pub fn new(settings: TraceSettings) -> Result<Self, ExporterBuildError> {
        let scope = InstrumentationScope::builder(settings.service_name)
            .with_version(settings.service_version)
            .build();
        let sample = settings.sample.into();
        let counters = Arc::default();
        let database = settings.database.clone().attributes();
        let provider = provider(settings, &counters)?;
        Ok(Self {
            sample,
            candidates: AtomicU64::new(0),
            sdk: provider.tracer_with_scope(scope),
            provider,
            counters,
            database,
        })
    }

    /// Starts the root span of a request if it is sampled: never if the client does not record the trace,
    /// always if the client does and is trusted, else at the sample rate.
    pub fn start_request(
        &self,
        parent: Option<TraceParent>,
        is_trusted: impl FnOnce() -> bool,
    ) -> Option<RootSpan> {
        let is_sampled = match parent {
            Some(parent) if !parent.is_sampled => false,
            Some(_) => is_trusted() || self.is_next_sampled(),
            None => self.is_next_sampled(),
        };
        is_sampled.then(|| {
            let (counters, database) = (Arc::clone(&self.counters), Arc::clone(&self.database));
            let recording = Recording::new(self.sdk.clone(), counters, database);
            RootSpan::new(&self.sdk, recording, parent)
        })
    }

    /// Whether the next request is sampled, at the sample rate.
    fn is_next_sampled(&self) -> bool {
        // Evenly distributed: 250 samples every fourth request.
        (self.candidates.fetch_add(1, Relaxed) * self.sample) % 1000 < self.sample
    }

    /// Number of spans since the start by result: those accepted by the collector, and those beyond a limit or not
    /// accepted.
    pub fn spans(&self) -> [(&'static str, u64); 2] {
        let Counters {
            exported, dropped, ..
        } = &*self.counters;
        [
            ("exported", exported.load(Relaxed)),
            ("dropped", dropped.load(Relaxed)),
        ]
    }

    /// Exports what is queued, within the export timeout. Later spans are not recorded.
    pub async fn shutdown(&self) {
        let provider = self.provider.clone();
        let flushed = spawn_blocking(move || provider.shutdown_with_timeout(EXPORT_TIMEOUT)).await;
        if !matches!(flushed, Ok(Ok(()))) {
            tracing::warn!("the trace collector did not accept the last spans in time");
        }
    }
}

#[cfg(test)]
mod tests {
    use std::thread;

    use super::*;
    use crate::trace::{
        export::{MAX_BATCH, QUEUE_CAPACITY},
        recording::{in_span, span},
    };

    fn tracer() -> Tracer {
        Tracer::new(TraceSettings::test()).unwrap()
    }

    /// In a runtime with one thread, an export waits until the test awaits.
    #[tokio::test]
    async fn spans_beyond_the_queue_are_dropped_and_counted() {
        let tracer = tracer();
        let record = |spans| {
            for _ in 0..spans {
                let root = tracer.start_request(None, || true);
                drop(root);
            }
        };
        record(4 * MAX_BATCH);
        while tracer.counters.queued.load(Relaxed) > 0 {
            thread::yield_now();
        }
        record(4 * (QUEUE_CAPACITY + 3));
        assert_eq!(tracer.spans(), [("exported", 0), ("dropped", 3)]);
    }

    #[tokio::test]
    async fn spans_of_a_request_beyond_the_limit_are_dropped_and_counted() {
        let tracer = tracer();
        let root = tracer.start_request(None, || true).unwrap();
        let spans = async { (0..300).filter_map(|_| span("part")).count() };
        let whole = root.record(async { in_span("whole", spans).await });
        assert_eq!(whole.await, 255);
        assert_eq!(tracer.spans(), [("exported", 0), ("dropped", 45)]);
        drop(root);
        tracer.shutdown().await;
        let recorded = 1 + 1 + 300;
        assert_eq!(tracer.spans(), [("exported", 0), ("dropped", recorded)]);
    }
}
