//! Spans of queued queries and of the statement that executes a batch of them.

use std::time::Instant;

use super::recording::{Kind, SpanContext, Value, current, new_id};

/// A queued query, with its span context if it is recorded.
#[derive(Debug)]
pub struct Queued(Option<(SpanContext, Instant)>);

impl Queued {
    /// Starts the queue span of the current task.
    pub fn now() -> Self {
        Self(current().map(|context| (context, Instant::now())))
    }
}

/// The span of a statement. Dropping it ends the span.
#[must_use = "the span ends when it is dropped"]
pub struct Statement(Option<Shared>);

/// A statement with at least one recorded query.
struct Shared {
    name: &'static str,
    start: Instant,
    batch_size: i64,
    contexts: Vec<SpanContext>,
}

impl Statement {
    /// Begins a statement that executes these queries. Each recorded query gets its own span; without
    /// one, not even the clock is read.
    pub fn begin<'a>(
        name: &'static str,
        queued: impl ExactSizeIterator<Item = &'a Queued>,
    ) -> Self {
        let batch_size = i64::try_from(queued.len()).unwrap_or(i64::MAX);
        let mut recorded = queued
            .filter_map(|Queued(queued)| queued.as_ref())
            .peekable();
        if recorded.peek().is_none() {
            return Self(None);
        }
        let start = Instant::now();
        let contexts = recorded.map(|(context, since)| {
            let times = (*since, start);
            context.record(new_id(), "queue", Kind::Internal, times, Vec::new());
            context.clone()
        });
        Self(Some(Shared {
            name,
            start,
            batch_size,
            contexts: contexts.collect(),
        }))
    }
}

impl Drop for Statement {
    fn drop(&mut self) {
        let Some(shared) = self.0.take() else {
            return;
        };
        let times = (shared.start, Instant::now());
        for context in &shared.contexts {
            let size = ("db.operation.batch.size", Value::Number(shared.batch_size));
            context.record(new_id(), shared.name, Kind::Client, times, vec![size]);
        }
    }
}
