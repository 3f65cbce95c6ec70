//! The drain state of the service, shared by the health endpoints and the metrics.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

/// Whether the service is draining. Clones share the state.
#[derive(Debug, Clone, Default)]
pub struct Lifecycle(Arc<AtomicBool>);

impl Lifecycle {
    /// Starts draining: from now on the service reports that it is not ready. It cannot be undone.
    pub fn start_draining(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether the service is draining.
    pub fn is_draining(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
