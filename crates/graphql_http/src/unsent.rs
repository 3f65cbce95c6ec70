//! The large responses of a connection that wait for their compression, or that its client has not read.
//!
//! hyper does not poll the body of a response to a client without a flow-control window, and otherwise takes it as a
//! whole. So the bytes themselves hold the reservation of the memory: they are dropped when they are sent.

use std::{mem, sync::Arc};

use hyper::body::Bytes;
use parking_lot::Mutex;
use poem::Response;
use tokio::time::Instant;

use super::{
    body_memory::{ConnectionMemory, Exceeded, Reservation},
    encoding::{self, Coding},
};

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

    /// Counts the content of a large response until it is compressed.
    pub(super) async fn reserve(&self, response: &mut Response) -> Result<(), Exceeded> {
        self.count(response, |content| content).await
    }

    /// Counts the content of a large response until it is sent.
    pub(super) async fn track(self: &Arc<Self>, response: &mut Response) -> Result<(), Exceeded> {
        let unsent = |content| {
            let since = Instant::now();
            self.since.lock().push(since);
            let responses = Arc::clone(self);
            Unsent {
                content,
                since,
                responses,
            }
        };
        self.count(response, unsent).await
    }

    async fn count<Owner: AsRef<[u8]> + Send + 'static>(
        &self,
        response: &mut Response,
        owner: impl FnOnce(Counted) -> Owner,
    ) -> Result<(), Exceeded> {
        // Bodies are in memory, so this does not wait.
        let bytes = response.take_body().into_bytes().await.unwrap_or_default();
        // Static content is in memory once, however many responses share it.
        if bytes.len() < LARGE_BYTES || !bytes.is_unique() {
            response.set_body(bytes);
            return Ok(());
        }
        let mut reservation = self.memory.reserve(0);
        reservation.grow(bytes.len())?;
        let content = Counted {
            bytes,
            _reservation: reservation,
        };
        response.set_body(Bytes::from_owner(owner(content)));
        Ok(())
    }
}

/// Compresses the content of a response. It is counted while it waits for its compression, and until it is sent.
/// `unsent` is `None` for callers without a connection.
pub(super) async fn encode_and_count(
    response: &mut Response,
    coding: Option<Coding>,
    unsent: Option<&Arc<UnsentResponses>>,
) -> Result<(), Exceeded> {
    if let Some(coding) = coding {
        if let Some(unsent) = unsent {
            unsent.reserve(response).await?;
        }
        *response = encoding::encode(mem::take(response), coding).await;
    }
    match unsent {
        Some(unsent) => unsent.track(response).await,
        None => Ok(()),
    }
}

/// Content that is counted until it is dropped.
struct Counted {
    bytes: Bytes,
    _reservation: Reservation,
}

impl AsRef<[u8]> for Counted {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

/// Content whose age counts, too.
struct Unsent {
    content: Counted,
    since: Instant,
    responses: Arc<UnsentResponses>,
}

impl AsRef<[u8]> for Unsent {
    fn as_ref(&self) -> &[u8] {
        self.content.as_ref()
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
