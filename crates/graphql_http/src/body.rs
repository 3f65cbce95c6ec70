//! Reads the bodies of requests, within bytes, time and memory.

use std::time::Duration;

use http_body_util::{BodyExt, combinators::BoxBody};
use hyper::body::Body as _;
use tokio::{
    sync::{Semaphore, SemaphorePermit},
    time::{Instant, timeout_at},
};

use super::settings::HttpSettings;

/// Bytes of an unfinished body that must be received in each progress timeout.
const PROGRESS_BYTES: usize = 1024;

/// Bytes of a body that need no budget, so that large bodies cannot block small ones. The number of connections and
/// streams bounds them.
const ALLOWANCE: usize = 16 * 1024;

/// Why a body is not read to its end. The message is sent to the client.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(super) enum BodyError {
    /// The body exceeds the limit; `actual` is its `Content-Length`.
    #[error(
        "the request body exceeds body-limit-bytes ({}, limit {limit})",
        actual.map_or_else(|| format!("more than {limit} bytes"), |actual| format!("{actual} bytes"))
    )]
    TooLarge { limit: usize, actual: Option<usize> },
    /// Less than [`PROGRESS_BYTES`] were received in this time.
    #[error(
        "timeout: less than 1 KiB of the request body arrived in {} seconds (body-timeout-seconds)",
        .0.as_secs()
    )]
    Stalled(Duration),
    /// The body is not complete after this time.
    #[error("the request body was not complete after {} seconds (read-timeout-seconds)", .0.as_secs())]
    TooSlow(Duration),
    /// The connection closed before the end of the body.
    #[error("the request body ended before it was complete")]
    Incomplete,
    /// The bodies in memory exceed this limit.
    #[error("too many large request bodies in memory (body-memory-bytes {0}); retry later")]
    NoMemory(usize),
}

/// Reads bodies. The memory of unfinished ones is shared.
pub(super) struct BodyReader {
    pub(super) limit: usize,
    progress_timeout: Duration,
    timeout: Duration,
    memory_limit: usize,
    /// A permit for each byte.
    memory: Semaphore,
}

impl BodyReader {
    pub(super) fn new(settings: &HttpSettings) -> Self {
        let memory_limit = settings.body_memory_bytes();
        Self {
            limit: settings.body_limit_bytes,
            progress_timeout: settings.body_timeout,
            timeout: settings.read_timeout,
            memory_limit,
            memory: Semaphore::new(memory_limit.min(Semaphore::MAX_PERMITS)),
        }
    }

    /// Reads a body. Never buffers more than the limit, whatever its `Content-Length` is.
    pub(super) async fn read(&self, body: poem::Body) -> Result<Vec<u8>, BodyError> {
        let mut body = BoxBody::from(body);
        let (mut received, mut reservation) = (Vec::new(), None::<SemaphorePermit<'_>>);
        let end = Instant::now() + self.timeout;
        let (mut period, mut period_start) = (end - self.timeout + self.progress_timeout, 0);
        loop {
            let frame = match timeout_at(period.min(end), body.frame()).await {
                Ok(None) => return Ok(received),
                Ok(Some(frame)) => frame.map_err(|_| BodyError::Incomplete)?,
                Err(_) if Instant::now() >= end => {
                    return Err(BodyError::TooSlow(self.timeout));
                }
                Err(_) if received.len() < period_start + PROGRESS_BYTES => {
                    return Err(BodyError::Stalled(self.progress_timeout));
                }
                Err(_) => {
                    period = Instant::now() + self.progress_timeout;
                    period_start = received.len();
                    continue;
                }
            };
            // Trailers are ignored.
            if let Ok(chunk) = frame.into_data() {
                let length = received.len() + chunk.len();
                if length > self.limit {
                    let (limit, actual) = (self.limit, None);
                    return Err(BodyError::TooLarge { limit, actual });
                }
                // A body that is complete is executed at once, so that it needs no reservation.
                if length > ALLOWANCE && !body.is_end_stream() {
                    match &mut reservation {
                        Some(reservation) => reservation.merge(self.reserve(chunk.len())?),
                        none => *none = Some(self.reserve(length)?),
                    }
                }
                received.extend_from_slice(&chunk);
            }
        }
    }
    fn reserve(&self, bytes: usize) -> Result<SemaphorePermit<'_>, BodyError> {
        let permits = u32::try_from(bytes).ok();
        let permit = permits.and_then(|permits| self.memory.try_acquire_many(permits).ok());
        permit.ok_or(BodyError::NoMemory(self.memory_limit))
    }
}
