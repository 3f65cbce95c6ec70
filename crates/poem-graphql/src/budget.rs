//! A budget of memory that connections share.

use std::sync::Arc;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// Smaller bodies count towards no budget, so that large ones cannot block them: the number of connections and streams
/// bounds them.
pub(crate) const LARGE_BYTES: usize = 4 * 1024;

/// A budget in bytes. Clones share it.
#[derive(Clone)]
pub(crate) struct Budget(Arc<Semaphore>);

impl Budget {
    pub(crate) fn new(bytes: usize) -> Self {
        Self(Arc::new(Semaphore::new(bytes)))
    }

    /// Reserves so many bytes until the permit is dropped; `None` if so many are not left.
    pub(crate) fn reserve(&self, bytes: usize) -> Option<OwnedSemaphorePermit> {
        let bytes = u32::try_from(bytes).ok()?;
        Arc::clone(&self.0).try_acquire_many_owned(bytes).ok()
    }
}
