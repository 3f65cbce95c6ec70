//! The way of spans to the collector: a queue with a bound, batches, and nobody who waits for it.

use std::{
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicU64, Ordering::Relaxed},
    },
    time::Duration,
};

use reqwest::{Client, Url, redirect::Policy};
use tokio::{
    sync::mpsc::{self, Receiver, Sender},
    time::{Instant, timeout, timeout_at},
};
use tokio_rustls::rustls::crypto::ring;

use super::{
    otlp,
    recording::{Recorded, Span},
    root::{Parent, Root},
};

/// Most requests that wait to be told of; the others are dropped.
const QUEUE: usize = 2048;

/// Most requests that the collector is told of at once.
const BATCH: usize = 256;

/// How long a request may wait for others to be told of together.
const LINGER: Duration = Duration::from_secs(1);

/// How long the collector may take.
const PATIENCE: Duration = Duration::from_secs(5);

/// Where spans go, and which.
#[derive(Clone, Debug)]
pub struct TraceSettings {
    /// The whole URL, such as `http://127.0.0.1:4318/v1/traces`.
    pub endpoint: Url,
    /// Of a thousand requests that bring no trace along, how many begin one.
    pub sample: u32,
}

/// How many spans there were since the start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TraceFigures {
    /// The collector has them.
    pub exported: u64,
    /// They were too many, or the collector did not take them.
    pub dropped: u64,
}

#[derive(Debug, Default)]
struct Counted {
    exported: AtomicU64,
    dropped: AtomicU64,
}

/// The spans of a request that is over.
struct Trace {
    id: u128,
    spans: Vec<Span>,
}

/// Records requests and tells the collector of them.
#[derive(Debug)]
pub struct Traces {
    sample: u64,
    begun: AtomicU64,
    /// None once nothing more is taken.
    queue: Mutex<Option<Sender<Trace>>>,
    counted: Arc<Counted>,
}

/// The end of the queue: whoever tells the collector.
pub struct Exporter {
    endpoint: Url,
    client: Client,
    queue: Receiver<Trace>,
    counted: Arc<Counted>,
    is_failing: bool,
}

impl Traces {
    /// Nothing is told before the exporter runs.
    pub fn new(settings: &TraceSettings) -> Result<(Arc<Self>, Exporter), reqwest::Error> {
        // Whoever has installed one before has installed the same.
        let _ = ring::default_provider().install_default();
        let client = Client::builder()
            .timeout(PATIENCE)
            .redirect(Policy::none())
            // The collector is named; nothing of the environment shall send spans elsewhere.
            .no_proxy()
            .build()?;
        let (sender, queue) = mpsc::channel(QUEUE);
        let counted = Arc::new(Counted::default());
        let traces = Self {
            sample: settings.sample.into(),
            begun: AtomicU64::new(0),
            queue: Mutex::new(Some(sender)),
            counted: Arc::clone(&counted),
        };
        let exporter = Exporter {
            endpoint: settings.endpoint.clone(),
            client,
            queue,
            counted,
            is_failing: false,
        };
        Ok((Arc::new(traces), exporter))
    }

    /// Begins to record a request, if it is one to be recorded: as the caller decided, who records the
    /// same trace, else so many of a thousand.
    pub fn begin(self: &Arc<Self>, parent: Option<Parent>) -> Option<Root> {
        // Evenly: with 250, each fourth one.
        let next = || (self.begun.fetch_add(1, Relaxed) * self.sample) % 1000 < self.sample;
        let chosen = parent.map_or_else(next, |parent| parent.is_sampled);
        chosen.then(|| Root::new(Arc::clone(self), parent))
    }

    /// How many spans there were.
    pub fn figures(&self) -> TraceFigures {
        TraceFigures {
            exported: self.counted.exported.load(Relaxed),
            dropped: self.counted.dropped.load(Relaxed),
        }
    }

    /// Takes nothing more: the exporter tells of what waits and ends.
    pub fn close(&self) {
        *self.queue() = None;
    }

    /// Never waits.
    pub(super) fn hand_over(&self, id: u128, recorded: Recorded) {
        let Recorded { spans, dropped } = recorded;
        let many = spans.len() as u64;
        let queue = self.queue();
        let sent = queue
            .as_ref()
            .map(|queue| queue.try_send(Trace { id, spans }));
        let lost = if let Some(Ok(())) = sent { 0 } else { many };
        self.counted.dropped.fetch_add(dropped + lost, Relaxed);
    }

    fn queue(&self) -> std::sync::MutexGuard<'_, Option<Sender<Trace>>> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Exporter {
    /// Tells the collector, batch by batch, until nothing more is taken and nothing waits.
    pub async fn run(mut self) {
        let mut batch = Vec::with_capacity(BATCH);
        while let Some(first) = self.queue.recv().await {
            batch.push(first);
            let until = Instant::now() + LINGER;
            while batch.len() < BATCH {
                let room = BATCH - batch.len();
                let more = timeout_at(until, self.queue.recv_many(&mut batch, room)).await;
                // Nothing came in time, or nothing will.
                if matches!(more, Err(_) | Ok(0)) {
                    break;
                }
            }
            self.tell(&batch).await;
            batch.clear();
        }
    }

    /// The same, but not for longer than the service can wait for it.
    pub async fn run_out(exporter: tokio::task::JoinHandle<()>) {
        if timeout(PATIENCE, exporter).await.is_err() {
            tracing::warn!("the collector of traces did not take the last spans in time");
        }
    }

    async fn tell(&mut self, batch: &[Trace]) {
        let body = otlp::request(batch.iter().map(|trace| (trace.id, trace.spans.as_slice())));
        let many: u64 = batch.iter().map(|trace| trace.spans.len() as u64).sum();
        let sent = self.client.post(self.endpoint.clone()).json(&body).send();
        let failure = match sent.await.and_then(reqwest::Response::error_for_status) {
            Ok(_) => None,
            Err(error) => Some(error.without_url()),
        };
        let counted = match failure {
            None => &self.counted.exported,
            Some(_) => &self.counted.dropped,
        };
        counted.fetch_add(many, Relaxed);
        // The log is told when that changes, not of every batch.
        match (failure, self.is_failing) {
            (Some(error), false) => {
                let cause = std::error::Error::source(&error).map(ToString::to_string);
                tracing::warn!(%error, cause, "the collector of traces does not take spans: they are dropped");
                self.is_failing = true;
            }
            (None, true) => {
                tracing::info!("the collector of traces takes spans again");
                self.is_failing = false;
            }
            _ => {}
        }
    }
}
