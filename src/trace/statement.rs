//! The way of a request through a queue to a statement that it may share with others.

use std::time::Instant;

use super::recording::{Kind, Place, Value, current};

/// A request in a queue, if it is recorded.
#[derive(Debug)]
pub struct Queued(Option<(Place, Instant)>);

impl Queued {
    /// The running task has a request that waits from now on.
    pub fn now() -> Self {
        Self(current().map(|place| (place, Instant::now())))
    }
}

/// A statement in flight. It is over when this is dropped.
#[must_use = "the statement ends when it is dropped"]
pub struct Statement(Option<Shared>);

/// A statement that somebody is told of.
struct Shared {
    name: &'static str,
    start: Instant,
    requests: i64,
    places: Vec<Place>,
}

impl Statement {
    /// A statement that ends the waiting of these requests. Each of those that are recorded has it
    /// as a span of its own; where none is, not even the time is asked for.
    pub fn begin<'a>(
        name: &'static str,
        queued: impl ExactSizeIterator<Item = &'a Queued>,
    ) -> Self {
        let requests = i64::try_from(queued.len()).unwrap_or(i64::MAX);
        let mut recorded = queued
            .filter_map(|Queued(queued)| queued.as_ref())
            .peekable();
        if recorded.peek().is_none() {
            return Self(None);
        }
        let start = Instant::now();
        let places = recorded.map(|(place, since)| {
            place.record("queue", Kind::Internal, (*since, start), Vec::new());
            place.clone()
        });
        Self(Some(Shared {
            name,
            start,
            requests,
            places: places.collect(),
        }))
    }
}

impl Drop for Statement {
    fn drop(&mut self) {
        let Some(shared) = self.0.take() else {
            return;
        };
        let times = (shared.start, Instant::now());
        for place in &shared.places {
            let size = ("db.operation.batch.size", Value::Number(shared.requests));
            place.record(shared.name, Kind::Client, times, vec![size]);
        }
    }
}
