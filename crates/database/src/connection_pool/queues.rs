//! The queues of the batchers that use a pool.

use std::sync::{Arc, Mutex, PoisonError};

use crate::batcher::{BatchedQuery, Batcher};

/// The queues of the batchers that use a pool.
#[derive(Default)]
pub(crate) struct Queues(Mutex<Vec<QueueLength>>);

type QueueLength = Box<dyn Fn() -> u64 + Send + Sync>;

impl Queues {
    /// Counts the queued requests of a batcher from now on.
    pub(crate) fn add<Q: BatchedQuery>(&self, batcher: &Arc<Batcher<Q>>) {
        let batcher = Arc::downgrade(batcher);
        let length = move || {
            let batcher = batcher.upgrade();
            batcher.map_or(0, |batcher| batcher.queue_len())
        };
        let mut queues = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        queues.push(Box::new(length));
    }

    /// The number of queued requests.
    pub(crate) fn len(&self) -> u64 {
        let queues = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        queues.iter().map(|length| length()).sum()
    }
}
