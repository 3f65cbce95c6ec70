//! Reads the bodies of requests, within bytes, time and memory.

use std::time::Duration;

use http_body_util::{BodyExt, combinators::BoxBody};
use hyper::body::Body as _;
use tokio::{
    sync::OwnedSemaphorePermit,
    time::{Instant, timeout_at},
};

use super::{
    memory::{Budget, Exceeded},
    settings::HttpSettings,
};

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
    memory: Budget,
}

impl BodyReader {
    pub(super) fn new(settings: &HttpSettings) -> Self {
        Self {
            limit: settings.body_limit_bytes,
            progress_timeout: settings.body_timeout,
            timeout: settings.read_timeout,
            memory: Budget::new(settings.body_memory_bytes()),
        }
    }

    /// Reads a body. Never buffers more than the limit, whatever its `Content-Length` is.
    pub(super) async fn read(&self, body: poem::Body) -> Result<Vec<u8>, BodyError> {
        let mut body = BoxBody::from(body);
        let (mut received, mut reservation) = (Vec::new(), None::<OwnedSemaphorePermit>);
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
                    let reserve = |bytes| {
                        let reserved = self.memory.reserve(bytes);
                        reserved.map_err(|Exceeded(limit)| BodyError::NoMemory(limit))
                    };
                    match &mut reservation {
                        Some(reservation) => reservation.merge(reserve(chunk.len())?),
                        none => *none = Some(reserve(length)?),
                    }
                }
                received.extend_from_slice(&chunk);
            }
        }
    }
}
