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
pub struct Statement {
    name: &'static str,
    start: Instant,
    requests: i64,
    places: Vec<Place>,
}

impl Statement {
    /// A statement that ends the waiting of these requests. Each of those that are recorded has it
    /// as a span of its own.
    pub fn begin<'a>(
        name: &'static str,
        queued: impl ExactSizeIterator<Item = &'a Queued>,
    ) -> Self {
        let requests = i64::try_from(queued.len()).unwrap_or(i64::MAX);
        let start = Instant::now();
        let recorded = queued.filter_map(|Queued(queued)| queued.as_ref());
        let places = recorded.map(|(place, since)| {
            place.record("queue", Kind::Internal, (*since, start), Vec::new());
            place.clone()
        });
        Self {
            name,
            start,
            requests,
            places: places.collect(),
        }
    }
}

impl Drop for Statement {
    fn drop(&mut self) {
        if self.places.is_empty() {
            return;
        }
        let times = (self.start, Instant::now());
        for place in &self.places {
            let shared = ("db.operation.batch.size", Value::Number(self.requests));
            place.record(self.name, Kind::Client, times, vec![shared]);
        }
    }
}
