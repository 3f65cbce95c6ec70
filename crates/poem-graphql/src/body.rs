//! Reads the bodies of requests, within bytes, time and memory.

use std::{io, time::Duration};

use async_graphql_strict::ErrorCode;
use http_body_util::{BodyExt, combinators::BoxBody};
use hyper::body::{Body as _, Bytes};
use poem::http::StatusCode;
use tokio::{sync::OwnedSemaphorePermit, time::timeout};

use crate::{
    budget::{Budget, LARGE_BYTES},
    refusal::Refusal,
};

/// Memory of all large bodies that are unfinished.
const UNFINISHED_BYTES: usize = 64 * 1024 * 1024;

/// Reads bodies. The memory of unfinished ones is shared.
pub(crate) struct BodyReader {
    limit: usize,
    timeout: Duration,
    unfinished: Budget,
}

impl BodyReader {
    pub(crate) fn new(limit: usize, timeout: Duration) -> Self {
        Self { limit, timeout, unfinished: Budget::new(unfinished_bytes(limit)) }
    }

    /// Refuses a body whose `Content-Length` is above the limit.
    pub(crate) fn check_length(&self, length: usize) -> poem::Result<()> {
        if length > self.limit {
            return Err(self.too_large(Some(length)).into());
        }
        Ok(())
    }

    /// Reads a body. Never buffers more than the limit, whatever its `Content-Length` is.
    pub(crate) async fn read(&self, body: BoxBody<Bytes, io::Error>) -> poem::Result<Vec<u8>> {
        let read = timeout(self.timeout, self.read_to_end(body)).await;
        read.unwrap_or_else(|_| {
            let (name, seconds) = ("body-timeout-seconds", self.timeout.as_secs());
            let message = format!("the request body was not complete after {seconds} seconds ({name})");
            let (status, code) = (StatusCode::REQUEST_TIMEOUT, ErrorCode::LimitExceeded);
            Err(Refusal::new(status, code, message).with_limit(name, seconds, None).into())
        })
    }

    async fn read_to_end(&self, mut body: BoxBody<Bytes, io::Error>) -> poem::Result<Vec<u8>> {
        let mut received = Vec::new();
        let mut reservation = None::<OwnedSemaphorePermit>;
        while let Some(frame) = body.frame().await {
            let frame = frame.map_err(|_| {
                let message = "the request body ended before it was complete";
                Refusal::bad_request(StatusCode::BAD_REQUEST, message)
            })?;
            // Trailers are ignored.
            let Ok(chunk) = frame.into_data() else {
                continue;
            };
            let length = received.len() + chunk.len();
            if length > self.limit {
                return Err(self.too_large(None).into());
            }
            // A body that is complete is executed at once, so that it needs no reservation.
            if length >= LARGE_BYTES && !body.is_end_stream() {
                let reserve = |bytes| self.unfinished.reserve(bytes).ok_or_else(|| self.no_memory());
                match &mut reservation {
                    Some(reservation) => reservation.merge(reserve(chunk.len())?),
                    none => *none = Some(reserve(length)?),
                }
            }
            received.extend_from_slice(&chunk);
        }
        Ok(received)
    }

    fn too_large(&self, actual: Option<usize>) -> Refusal {
        let (name, limit) = ("body-limit-bytes", self.limit);
        let size = match actual {
            Some(actual) => format!("{actual} bytes"),
            None => format!("more than {limit} bytes"),
        };
        let message = format!("the request body exceeds {name} ({size}, limit {limit})");
        let status = StatusCode::PAYLOAD_TOO_LARGE;
        let refusal = Refusal::new(status, ErrorCode::LimitExceeded, message);
        refusal.with_limit(name, limit as u64, actual.map(|actual| actual as u64))
    }

    fn no_memory(&self) -> poem::Error {
        let refusal = Refusal::busy("too many large request bodies in memory; retry later");
        refusal.with_limit("unfinished-body-bytes", unfinished_bytes(self.limit) as u64, None).into()
    }
}

/// The memory of unfinished bodies: some of the maximum size fit.
fn unfinished_bytes(limit: usize) -> usize {
    UNFINISHED_BYTES.max(4 * limit)
}
