//! Spans of queued queries and of the statement that executes a batch of them.

use std::{cell::LazyCell, time::SystemTime};

use opentelemetry::{
    Context, KeyValue,
    trace::{Span as _, SpanBuilder, SpanKind, TraceContextExt},
};
use opentelemetry_sdk::trace::Span;

use super::recording::Recording;

/// A queued query, with its context and the start of its queue span if it is recorded.
#[derive(Debug)]
pub struct Queued(Option<(Context, SystemTime)>);

impl Queued {
    /// Starts the queue span of the current task.
    pub fn now() -> Self {
        Self(Context::map_current(|current| {
            current.get::<Recording>()?;
            // Without the span itself, which ends when its last context is dropped.
            let parent = current.span().span_context().clone();
            Some((current.with_remote_span_context(parent), SystemTime::now()))
        }))
    }
}

/// The spans of a statement. Dropping it ends them.
#[must_use = "the spans end when they are dropped"]
pub struct Statement {
    _spans: Vec<Span>,
}

impl Statement {
    /// Begins a statement that executes these queries. Each recorded query gets its own span; without
    /// one, not even the clock is read.
    pub fn begin<'a>(
        name: &'static str,
        queued: impl ExactSizeIterator<Item = &'a Queued>,
    ) -> Self {
        let batch_size = i64::try_from(queued.len()).unwrap_or(i64::MAX);
        let start = LazyCell::new(SystemTime::now);
        let spans = queued.filter_map(|Queued(queued)| {
            let (context, since) = queued.as_ref()?;
            let recording = context.get::<Recording>()?;
            let wait = SpanBuilder::from_name("queue").with_start_time(*since);
            if let Some(mut wait) = recording.start(wait, context) {
                wait.end_with_timestamp(*start);
            }
            let mut attributes = recording.database.to_vec();
            attributes.push(KeyValue::new("db.query.summary", name));
            attributes.push(KeyValue::new("db.operation.batch.size", batch_size));
            let statement = SpanBuilder::from_name(name)
                .with_kind(SpanKind::Client)
                .with_start_time(*start)
                .with_attributes(attributes);
            recording.start(statement, context)
        });
        Self {
            _spans: spans.collect(),
        }
    }
}
