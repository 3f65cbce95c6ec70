//! Where the service is in its life, known to everybody who is asked about it.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

/// Whether the service is about to stop. Clones share the answer.
#[derive(Debug, Clone, Default)]
pub struct Lifecycle(Arc<AtomicBool>);

impl Lifecycle {
    /// From now on the service asks to be sent no more requests. There is no way back.
    pub fn start_draining(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether the service asks to be sent no more requests.
    pub fn is_draining(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
