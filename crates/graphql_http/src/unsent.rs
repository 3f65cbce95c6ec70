//! The large responses of a connection that its client has not read.
//!
//! hyper does not poll the body of a response to a client without a flow-control window, and otherwise takes it as a
//! whole. So the bytes themselves hold the reservation of the memory: they are dropped when they are sent.

use std::sync::Arc;

use hyper::body::Bytes;
use parking_lot::Mutex;
use poem::Response;
use tokio::time::Instant;

use super::body_memory::{ConnectionMemory, Exceeded, Reservation};

/// Responses below this size are not counted, so that they cost nothing: the number of streams bounds them.
pub(super) const LARGE_BYTES: usize = 16 * 1024;

/// The large unsent responses of a connection.
pub(super) struct UnsentResponses {
    memory: Arc<ConnectionMemory>,
    /// When each of them was ready.
    since: Mutex<Vec<Instant>>,
}

impl UnsentResponses {
    pub(super) fn new(memory: Arc<ConnectionMemory>) -> Arc<Self> {
        let since = Mutex::default();
        Arc::new(Self { memory, since })
    }

    /// When the oldest one was ready.
    pub(super) fn oldest(&self) -> Option<Instant> {
        self.since.lock().iter().min().copied()
    }

    /// Counts the content of a large response until it is sent.
    pub(super) async fn track(self: &Arc<Self>, response: &mut Response) -> Result<(), Exceeded> {
        // Bodies are in memory, so this does not wait.
        let bytes = response.take_body().into_bytes().await.unwrap_or_default();
        // Static content is in memory once, however many responses share it.
        if bytes.len() < LARGE_BYTES || !bytes.is_unique() {
            response.set_body(bytes);
            return Ok(());
        }
        let mut reservation = self.memory.reserve(0);
        reservation.grow(bytes.len())?;
        let since = Instant::now();
        self.since.lock().push(since);
        response.set_body(Bytes::from_owner(Unsent {
            bytes,
            since,
            responses: Arc::clone(self),
            _reservation: reservation,
        }));
        Ok(())
    }
}

/// Content that is counted until it is dropped.
struct Unsent {
    bytes: Bytes,
    since: Instant,
    responses: Arc<UnsentResponses>,
    _reservation: Reservation,
}

impl AsRef<[u8]> for Unsent {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

impl Drop for Unsent {
    fn drop(&mut self) {
        let mut all = self.responses.since.lock();
        if let Some(position) = all.iter().position(|since| *since == self.since) {
            all.swap_remove(position);
        }
    }
}
