//! Records the spans of one request in the tasks that serve it.

use std::sync::{
    Arc,
    atomic::{AtomicU64, Ordering::Relaxed},
};

use futures_util::future::Either;
use opentelemetry::{
    Context, KeyValue,
    context::FutureExt,
    trace::{SpanBuilder, TraceContextExt, Tracer as _},
};
use opentelemetry_sdk::trace::{SdkTracer, Span};

use super::export::Counters;

/// Maximum number of spans of a request; a large batch exceeds it, and further spans are dropped.
const MAX_SPANS: u64 = 256;

/// A recorded request: a value of the context of its spans.
pub(super) struct Recording {
    tracer: SdkTracer,
    counters: Arc<Counters>,
    /// The attributes of statements.
    pub(super) database: Arc<[KeyValue]>,
    /// Spans without the root span, to which the limit does not apply.
    spans: AtomicU64,
}

impl Recording {
    pub(super) fn new(
        tracer: SdkTracer,
        counters: Arc<Counters>,
        database: Arc<[KeyValue]>,
    ) -> Self {
        Self {
            tracer,
            counters,
            database,
            spans: AtomicU64::new(0),
        }
    }

    /// Starts a span below the limit.
    pub(super) fn start(&self, span: SpanBuilder, parent: &Context) -> Option<Span> {
        if self.spans.fetch_add(1, Relaxed) < MAX_SPANS {
            return Some(self.tracer.build_with_context(span, parent));
        }
        self.counters.dropped.fetch_add(1, Relaxed);
        None
    }
}

/// Starts a span around code that does not await: a child of the span of the current task, if that is recorded. The
/// span ends when it is dropped.
pub fn span(name: &'static str) -> Option<Span> {
    Context::map_current(|current| {
        let recording = current.get::<Recording>()?;
        recording.start(SpanBuilder::from_name(name), current)
    })
}

/// Runs a future in a span that starts now: a child of the span of the current task, and the parent of the spans that
/// the future records.
pub fn in_span<F: Future>(
    name: &'static str,
    future: F,
) -> impl Future<Output = F::Output> + use<F> {
    match span(name) {
        Some(span) => Either::Left(future.with_context(Context::current_with_span(span))),
        None => Either::Right(future),
    }
}
