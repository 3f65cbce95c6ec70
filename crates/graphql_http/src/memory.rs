//! A budget of memory for everything of one kind that requests keep.

use std::sync::Arc;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// The budget, of this many bytes, is exceeded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Exceeded(pub(super) usize);

/// A budget. Clones share it.
#[derive(Clone)]
pub(super) struct Budget {
    limit: usize,
    /// A permit for each byte.
    free: Arc<Semaphore>,
}

impl Budget {
    pub(super) fn new(limit: usize) -> Self {
        let free = Arc::new(Semaphore::new(limit.min(Semaphore::MAX_PERMITS)));
        Self { limit, free }
    }

    /// Reserves so many bytes, until the permit is dropped.
    pub(super) fn reserve(&self, bytes: usize) -> Result<OwnedSemaphorePermit, Exceeded> {
        let permits = u32::try_from(bytes).map_err(|_| Exceeded(self.limit))?;
        let reserved = Arc::clone(&self.free).try_acquire_many_owned(permits);
        reserved.map_err(|_| Exceeded(self.limit))
    }
}
