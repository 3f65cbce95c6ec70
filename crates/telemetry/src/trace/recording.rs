//! Records the spans of one request in the tasks that serve it.

use std::{
    borrow::Cow,
    pin::Pin,
    sync::Arc,
    task::{Context as TaskContext, Poll},
    time::{Instant, SystemTime, UNIX_EPOCH},
};

use parking_lot::Mutex;
use pin_project_lite::pin_project;
use tokio::task_local;
use uuid::Uuid;

/// Maximum number of spans of a request; a large batch exceeds it, and further spans are dropped.
const MAX_SPANS: usize = 256;

task_local! {
    /// The span context of the current task, if it is recorded.
    pub(super) static CURRENT: SpanContext;
}

/// The spans of a completed request.
pub(super) struct Trace {
    pub(super) id: u128,
    pub(super) spans: Vec<Span>,
}

/// The OTLP span kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Internal = 1,
    Server = 2,
    Client = 3,
}

/// The value of a span attribute.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Value {
    Text(String),
    Number(i64),
}

/// A completed span.
#[derive(Debug)]
pub(super) struct Span {
    pub(super) id: u64,
    pub(super) parent: Option<u64>,
    pub(super) name: Cow<'static, str>,
    pub(super) kind: Kind,
    /// In nanoseconds since the Unix epoch.
    pub(super) start_ns: u64,
    /// In nanoseconds since the Unix epoch.
    pub(super) end_ns: u64,
    pub(super) attributes: Vec<(&'static str, Value)>,
    pub(super) failed: bool,
}

/// The spans recorded so far of one request.
#[derive(Debug)]
pub(super) struct Recording {
    pub(super) trace_id: u128,
    started_ns: u64,
    started: Instant,
    spans: Mutex<Recorded>,
}

/// The recorded spans.
#[derive(Debug, Default)]
pub(super) struct Recorded {
    pub(super) spans: Vec<Span>,
    /// Number of spans beyond the limit.
    pub(super) dropped: u64,
}

impl Recording {
    pub(super) fn new(trace_id: u128) -> Self {
        let now = SystemTime::now().duration_since(UNIX_EPOCH);
        let now = now.unwrap_or_default().as_nanos();
        Self {
            trace_id,
            started_ns: u64::try_from(now).unwrap_or(u64::MAX),
            started: Instant::now(),
            spans: Mutex::default(),
        }
    }

    /// Converts to nanoseconds since the Unix epoch; monotonic within a recording.
    pub(super) fn time_ns(&self, instant: Instant) -> u64 {
        let since = instant.saturating_duration_since(self.started).as_nanos();
        let since = u64::try_from(since).unwrap_or(u64::MAX);
        self.started_ns.saturating_add(since)
    }

    pub(super) fn record(&self, span: Span) {
        let mut recorded = self.spans.lock();
        if recorded.spans.len() < MAX_SPANS {
            recorded.spans.push(span);
        } else {
            recorded.dropped += 1;
        }
    }

    /// Takes all recorded spans.
    pub(super) fn take(&self) -> Recorded {
        std::mem::take(&mut *self.spans.lock())
    }
}

/// The recording and the parent of new spans.
#[derive(Clone, Debug)]
pub(super) struct SpanContext {
    pub(super) recording: Arc<Recording>,
    pub(super) span: u64,
}

impl SpanContext {
    /// Records a completed child span.
    pub(super) fn record(
        &self,
        id: u64,
        name: &'static str,
        kind: Kind,
        (start, end): (Instant, Instant),
        attributes: Vec<(&'static str, Value)>,
    ) {
        self.recording.record(Span {
            id,
            parent: Some(self.span),
            name: Cow::Borrowed(name),
            kind,
            start_ns: self.recording.time_ns(start),
            end_ns: self.recording.time_ns(end),
            attributes,
            failed: false,
        });
    }
}

/// The span context of the current task.
pub(super) fn current() -> Option<SpanContext> {
    CURRENT.try_with(Clone::clone).ok()
}

/// A new span id; never zero.
pub(super) fn new_id() -> u64 {
    let (high, _) = Uuid::new_v4().as_u64_pair();
    high
}

/// Begins a span around code that does not await: a child of the span of the current task, if that is recorded.
pub fn span(name: &'static str) -> Option<ActiveSpan> {
    current().map(|parent| ActiveSpan {
        id: new_id(),
        parent,
        name,
        start: Instant::now(),
    })
}

/// Runs a future in a span, which is the parent of the spans recorded by the future.
pub fn in_span<F: Future>(name: &'static str, future: F) -> InSpan<F> {
    let span = span(name);
    InSpan { span, future }
}

/// A span of the current task that ends when this is dropped.
#[must_use = "the span ends when it is dropped"]
pub struct ActiveSpan {
    id: u64,
    parent: SpanContext,
    name: &'static str,
    start: Instant,
}

impl Drop for ActiveSpan {
    /// Ends the span, also when the future is cancelled.
    fn drop(&mut self) {
        let times = (self.start, Instant::now());
        self.parent
            .record(self.id, self.name, Kind::Internal, times, Vec::new());
    }
}

pin_project! {
    /// The future returned by [`in_span`].
    pub struct InSpan<F> {
        span: Option<ActiveSpan>,
        #[pin]
        future: F,
    }
}

impl<F: Future> Future for InSpan<F> {
    type Output = F::Output;

    fn poll(self: Pin<&mut Self>, cx: &mut TaskContext<'_>) -> Poll<F::Output> {
        let this = self.project();
        let Some(span) = this.span else {
            return this.future.poll(cx);
        };
        let recording = Arc::clone(&span.parent.recording);
        let context = SpanContext {
            recording,
            span: span.id,
        };
        let polled = CURRENT.sync_scope(context, || this.future.poll(cx));
        if polled.is_ready() {
            *this.span = None;
        }
        polled
    }
}
