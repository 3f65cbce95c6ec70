//! The spans of one request, recorded by whoever works for it.

use std::{
    borrow::Cow,
    pin::Pin,
    sync::{Arc, Mutex, PoisonError},
    task::{Context as TaskContext, Poll},
    time::{Instant, SystemTime, UNIX_EPOCH},
};

use pin_project_lite::pin_project;
use tokio::task_local;
use uuid::Uuid;

/// The most spans of a request; a long list of operations has more, which are dropped.
const SPANS: usize = 256;

task_local! {
    /// What the running task works for, if that is recorded.
    static CURRENT: Place;
}

/// What a span is to those who look at it, by the numbers of OTLP.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Internal = 1,
    Server = 2,
    Client = 3,
}

/// What is told of a span beside its name and times.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Value {
    Text(String),
    Number(i64),
}

/// A piece of work.
#[derive(Debug)]
pub(super) struct Span {
    pub(super) id: u64,
    pub(super) parent: Option<u64>,
    pub(super) name: Cow<'static, str>,
    pub(super) kind: Kind,
    /// In nanoseconds since 1970.
    pub(super) start_ns: u64,
    /// In nanoseconds since 1970.
    pub(super) end_ns: u64,
    pub(super) attributes: Vec<(&'static str, Value)>,
    pub(super) failed: bool,
}

/// The spans of a request so far.
#[derive(Debug)]
pub(super) struct Recording {
    pub(super) trace_id: u128,
    started_ns: u64,
    started: Instant,
    spans: Mutex<Recorded>,
}

/// What was recorded.
#[derive(Debug, Default)]
pub(super) struct Recorded {
    pub(super) spans: Vec<Span>,
    /// How many more there were.
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

    /// In nanoseconds since 1970; never earlier than an earlier moment of the same recording.
    pub(super) fn time_ns(&self, moment: Instant) -> u64 {
        let since = moment.saturating_duration_since(self.started).as_nanos();
        let since = u64::try_from(since).unwrap_or(u64::MAX);
        self.started_ns.saturating_add(since)
    }

    pub(super) fn record(&self, span: Span) {
        let mut recorded = self.lock();
        if recorded.spans.len() < SPANS {
            recorded.spans.push(span);
        } else {
            recorded.dropped += 1;
        }
    }

    /// Everything; nothing is left.
    pub(super) fn take(&self) -> Recorded {
        std::mem::take(&mut *self.lock())
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Recorded> {
        self.spans.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Where a span that begins now belongs.
#[derive(Clone, Debug)]
pub(super) struct Place {
    pub(super) recording: Arc<Recording>,
    pub(super) span: u64,
}

impl Place {
    /// Records a piece of work that is over.
    pub(super) fn record(
        &self,
        name: &'static str,
        kind: Kind,
        (start, end): (Instant, Instant),
        attributes: Vec<(&'static str, Value)>,
    ) {
        self.recording.record(Span {
            id: new_id(),
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

/// Where the running task is.
pub(super) fn current() -> Option<Place> {
    CURRENT.try_with(Clone::clone).ok()
}

/// The name of a new span; never zero.
pub(super) fn new_id() -> u64 {
    let (high, _) = Uuid::new_v4().as_u64_pair();
    high
}

/// A piece of work of the running task that ends when this is dropped. It is the parent of no other.
#[must_use = "the span ends when it is dropped"]
pub struct Entered(Option<(Place, &'static str, Instant)>);

/// Begins a piece of work without waiting in it.
pub fn enter(name: &'static str) -> Entered {
    Entered(current().map(|place| (place, name, Instant::now())))
}

impl Drop for Entered {
    fn drop(&mut self) {
        if let Some((place, name, start)) = self.0.take() {
            place.record(name, Kind::Internal, (start, Instant::now()), Vec::new());
        }
    }
}

/// A piece of work that may wait; whatever is recorded meanwhile belongs to it.
pub fn within<F: Future>(name: &'static str, work: F) -> Within<F> {
    let span = current().map(|parent| {
        let recording = Arc::clone(&parent.recording);
        let span = new_id();
        Working {
            inside: Place { recording, span },
            parent: Some(parent.span),
            name,
            start: Instant::now(),
        }
    });
    Within { span, work }
}

/// The same for work that is recorded elsewhere.
pub(super) fn inside<F: Future>(place: Place, work: F) -> impl Future<Output = F::Output> {
    CURRENT.scope(place, work)
}

/// A span that has begun.
struct Working {
    inside: Place,
    parent: Option<u64>,
    name: &'static str,
    start: Instant,
}

impl Drop for Working {
    /// Whether the work was finished or given up.
    fn drop(&mut self) {
        let recording = &self.inside.recording;
        recording.record(Span {
            id: self.inside.span,
            parent: self.parent,
            name: Cow::Borrowed(self.name),
            kind: Kind::Internal,
            start_ns: recording.time_ns(self.start),
            end_ns: recording.time_ns(Instant::now()),
            attributes: Vec::new(),
            failed: false,
        });
    }
}

pin_project! {
    /// What [`within`] answers.
    pub struct Within<F> {
        span: Option<Working>,
        #[pin]
        work: F,
    }
}

impl<F: Future> Future for Within<F> {
    type Output = F::Output;

    fn poll(self: Pin<&mut Self>, context: &mut TaskContext<'_>) -> Poll<F::Output> {
        let this = self.project();
        let Some(span) = this.span else {
            return this.work.poll(context);
        };
        let place = span.inside.clone();
        let polled = CURRENT.sync_scope(place, || this.work.poll(context));
        if polled.is_ready() {
            *this.span = None;
        }
        polled
    }
}
