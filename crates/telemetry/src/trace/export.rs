//! Exports spans to the collector in batches through a bounded queue; a request never waits for it.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering::Relaxed},
    },
    time::Duration,
};

use parking_lot::Mutex;
use reqwest::{Client, redirect::Policy};
use tokio::{
    sync::mpsc::{self, Receiver, Sender},
    task::JoinHandle,
    time::{Instant, timeout, timeout_at},
};
use tokio_rustls::rustls::crypto::ring;

use super::{
    otlp,
    recording::{Recorded, Trace},
    settings::TraceSettings,
};

/// Maximum number of queued traces; further ones are dropped.
const QUEUE_CAPACITY: usize = 2048;

/// Maximum number of traces in an export request.
const MAX_BATCH: usize = 256;

/// Maximum time that a trace waits for others of its batch.
const BATCH_DELAY: Duration = Duration::from_secs(1);

/// Timeout of an export request.
const EXPORT_TIMEOUT: Duration = Duration::from_secs(5);

/// Counters of spans since the start.
#[derive(Debug, Default)]
struct Counters {
    /// Spans accepted by the collector.
    exported: AtomicU64,
    /// Spans beyond a limit or not accepted by the collector.
    dropped: AtomicU64,
}

/// Samples requests and queues their spans for export.
#[derive(Debug)]
pub struct Tracer {
    sample: u64,
    candidates: AtomicU64,
    /// `None` once closed.
    queue: Mutex<Option<Sender<Trace>>>,
    counters: Arc<Counters>,
}

/// Exports queued traces to the collector.
pub struct Exporter {
    settings: TraceSettings,
    client: Client,
    queue: Receiver<Trace>,
    counters: Arc<Counters>,
    is_failing: bool,
}

impl Tracer {
    /// Creates the queue; nothing is exported before [`Exporter::run`].
    pub fn new(settings: TraceSettings) -> Result<(Arc<Self>, Exporter), reqwest::Error> {
        // An error means that the same provider is installed already.
        let _ = ring::default_provider().install_default();
        let client = Client::builder()
            .timeout(EXPORT_TIMEOUT)
            .redirect(Policy::none())
            // Proxy variables of the environment must not redirect spans.
            .no_proxy()
            .build()?;
        let (sender, queue) = mpsc::channel(QUEUE_CAPACITY);
        let counters = Arc::new(Counters::default());
        let tracer = Self {
            sample: settings.sample.into(),
            candidates: AtomicU64::new(0),
            queue: Mutex::new(Some(sender)),
            counters: Arc::clone(&counters),
        };
        let exporter = Exporter {
            settings,
            client,
            queue,
            counters,
            is_failing: false,
        };
        Ok((Arc::new(tracer), exporter))
    }

    /// Whether the next request is sampled, at the sample rate.
    pub(super) fn is_next_sampled(&self) -> bool {
        // Evenly distributed: 250 samples every fourth request.
        (self.candidates.fetch_add(1, Relaxed) * self.sample) % 1000 < self.sample
    }

    /// Number of spans since the start by result: those accepted by the collector, and those beyond a limit or not
    /// accepted.
    pub fn spans(&self) -> [(&'static str, u64); 2] {
        let Counters { exported, dropped } = &*self.counters;
        [
            ("exported", exported.load(Relaxed)),
            ("dropped", dropped.load(Relaxed)),
        ]
    }

    /// Closes the queue: the exporter drains it and ends.
    pub fn close(&self) {
        *self.queue.lock() = None;
    }

    /// Queues a trace without waiting; a full queue drops it.
    pub(super) fn export(&self, id: u128, recorded: Recorded) {
        let Recorded { spans, dropped } = recorded;
        let count = spans.len() as u64;
        let queue = self.queue.lock();
        let sent = queue
            .as_ref()
            .map(|queue| queue.try_send(Trace { id, spans }));
        let lost = if let Some(Ok(())) = sent { 0 } else { count };
        self.counters.dropped.fetch_add(dropped + lost, Relaxed);
    }
}

impl Exporter {
    /// Exports batches until the queue is closed and empty.
    pub async fn run(mut self) {
        let mut batch = Vec::with_capacity(MAX_BATCH);
        while let Some(first) = self.queue.recv().await {
            batch.push(first);
            let deadline = Instant::now() + BATCH_DELAY;
            while batch.len() < MAX_BATCH {
                let capacity = MAX_BATCH - batch.len();
                let more = timeout_at(deadline, self.queue.recv_many(&mut batch, capacity)).await;
                // The delay has passed, or the queue is closed.
                if matches!(more, Err(_) | Ok(0)) {
                    break;
                }
            }
            self.send(&batch).await;
            batch.clear();
        }
    }

    /// Waits for a running exporter to drain its queue, at most the export timeout.
    pub async fn drain(exporter: JoinHandle<()>) {
        if timeout(EXPORT_TIMEOUT, exporter).await.is_err() {
            tracing::warn!("the trace collector did not accept the last spans in time");
        }
    }

    async fn send(&mut self, batch: &[Trace]) {
        let body = otlp::request(&self.settings, batch);
        let count: u64 = batch.iter().map(|trace| trace.spans.len() as u64).sum();
        let sent = self
            .client
            .post(self.settings.endpoint.clone())
            .json(&body)
            .send();
        // A redirect is a failure, too, since it is not followed.
        let failure = match sent.await {
            Ok(response) if response.status().is_success() => None,
            Ok(response) => Some((format!("HTTP status {}", response.status()), None)),
            Err(error) => {
                let cause = std::error::Error::source(&error).map(ToString::to_string);
                Some((error.without_url().to_string(), cause))
            }
        };
        let counter = match failure {
            None => &self.counters.exported,
            Some(_) => &self.counters.dropped,
        };
        counter.fetch_add(count, Relaxed);
        // Only changes are logged, not every batch.
        match (failure, self.is_failing) {
            (Some((error, cause)), false) => {
                tracing::warn!(
                    error,
                    cause,
                    "the trace collector does not accept spans: they are dropped"
                );
                self.is_failing = true;
            }
            (None, true) => {
                tracing::info!("the trace collector accepts spans again");
                self.is_failing = false;
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trace::RootSpan;

    fn tracer() -> (Arc<Tracer>, Exporter) {
        Tracer::new(TraceSettings::test()).unwrap()
    }

    #[test]
    fn traces_beyond_the_queue_are_dropped_and_counted() {
        let (tracer, mut exporter) = tracer();
        for _ in 0..QUEUE_CAPACITY + 3 {
            drop(RootSpan::new(Arc::clone(&tracer), None));
        }
        assert_eq!(tracer.spans(), [("exported", 0), ("dropped", 3)]);
        assert!(exporter.queue.try_recv().is_ok());
        drop(RootSpan::new(Arc::clone(&tracer), None));
        assert_eq!(tracer.spans(), [("exported", 0), ("dropped", 3)]);
    }
}
