//! Request bodies: size, timeouts, memory, and draining of unread bodies.
//!
//! Closing a connection with unread bytes resets it, and the client may lose the error response. So the
//! unread part of a refused body is read and dropped, within limits.

use std::{
    future::Future,
    io,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll, ready},
    time::Duration,
};

use http_body_util::{BodyExt, combinators::BoxBody};
use hyper::body::{Body, Bytes, Frame, Incoming, SizeHint};
use pin_project_lite::pin_project;
use poem::http::{Version, header, request::Parts};
use tokio::time::{Instant, Sleep, sleep_until, timeout};

use super::{
    body_memory::{ConnectionMemory, Exceeded, Reservation},
    settings::HttpSettings,
};

const MAX_DRAINED_BYTES: usize = 32 * 1024 * 1024;
const DRAIN_TIMEOUT: Duration = Duration::from_secs(5);

/// Drain timeout for a client that was refused because it is slow.
const SLOW_DRAIN_TIMEOUT: Duration = Duration::from_secs(1);

/// Bytes of an unfinished body that must be received in each progress timeout.
const PROGRESS_BYTES: usize = 1024;

/// How often the share of a connection in the body memory is checked.
const CHECK_INTERVAL: Duration = Duration::from_secs(1);

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
    /// The buffered bodies exceed this limit, and this connection exceeds its share.
    #[error(
        "too many request bodies in memory (body-memory-bytes {0}), and this connection exceeds an \
         equal share; retry later, or with smaller requests"
    )]
    NoMemory(usize),
}

impl From<Exceeded> for BodyError {
    fn from(Exceeded(limit): Exceeded) -> Self {
        Self::NoMemory(limit)
    }
}

/// The timeouts for receiving a body.
#[derive(Clone, Copy)]
pub(super) struct BodyTimeouts {
    /// Timeout for [`PROGRESS_BYTES`].
    progress: Duration,
    /// Timeout for the whole body.
    complete: Duration,
}

impl BodyTimeouts {
    pub(super) fn new(settings: &HttpSettings) -> Self {
        Self {
            progress: settings.body_timeout,
            complete: settings.read_timeout,
        }
    }
}

/// The body of a request with this head.
pub(super) fn bounded(
    incoming: Incoming,
    head: &Parts,
    timeouts: BodyTimeouts,
    memory: &Arc<ConnectionMemory>,
) -> poem::Body {
    if incoming.is_end_stream() {
        return poem::Body::empty();
    }
    // With `Expect: 100-continue` the client has not sent the body yet, and HTTP/2 can reset a stream.
    let drain_on_drop =
        head.version < Version::HTTP_2 && !head.headers.contains_key(header::EXPECT);
    let body = BoundedBody {
        incoming: Some(incoming),
        drain_on_drop,
        is_slow: false,
        timeouts,
        memory: Arc::clone(memory),
        received: 0,
        waiting: None,
    };
    BoxBody::new(body).into()
}

pin_project! {
    /// A body that ends with a [`BodyError`] when its client is too slow or memory is short.
    struct BoundedBody {
        incoming: Option<Incoming>,
        drain_on_drop: bool,
        is_slow: bool,
        timeouts: BodyTimeouts,
        memory: Arc<ConnectionMemory>,
        received: usize,
        // Set when the body is first pending, so that a body in one piece needs no timer.
        waiting: Option<Pin<Box<Waiting>>>,
    }

    impl PinnedDrop for BoundedBody {
        fn drop(this: Pin<&mut Self>) {
            let this = this.project();
            if *this.drain_on_drop
                && let Some(incoming) = this.incoming.take()
                && !incoming.is_end_stream()
            {
                let limit = if *this.is_slow { SLOW_DRAIN_TIMEOUT } else { DRAIN_TIMEOUT };
                tokio::spawn(timeout(limit, drain_unread_body(incoming)));
            }
        }
    }
}

pin_project! {
    struct Waiting {
        reservation: Reservation,
        since: Instant,
        // Start of the current progress period.
        period: Instant,
        period_bytes: usize,
        #[pin]
        sleep: Sleep,
    }
}

impl Waiting {
    fn new(reservation: Reservation, timeouts: BodyTimeouts) -> Self {
        let now = Instant::now();
        Self {
            reservation,
            since: now,
            period: now,
            period_bytes: 0,
            sleep: sleep_until(now + CHECK_INTERVAL.min(timeouts.progress).min(timeouts.complete)),
        }
    }

    /// Counts received bytes.
    fn received(self: Pin<&mut Self>, bytes: usize) -> Result<(), Exceeded> {
        let this = self.project();
        *this.period_bytes += bytes;
        this.reservation.grow(bytes)
    }

    /// Ready when a timeout or the share of the memory is exceeded.
    fn poll_error(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        timeouts: BodyTimeouts,
    ) -> Poll<BodyError> {
        loop {
            let mut this = self.as_mut().project();
            ready!(this.sleep.as_mut().poll(context));
            let now = Instant::now();
            let end = *this.since + timeouts.complete;
            if now >= end {
                return Poll::Ready(BodyError::TooSlow(timeouts.complete));
            }
            if now >= *this.period + timeouts.progress {
                if *this.period_bytes < PROGRESS_BYTES {
                    return Poll::Ready(BodyError::Stalled(timeouts.progress));
                }
                (*this.period, *this.period_bytes) = (now, 0);
            }
            if let Err(exceeded) = this.reservation.check() {
                return Poll::Ready(exceeded.into());
            }
            let next = (now + CHECK_INTERVAL).min(*this.period + timeouts.progress);
            this.sleep.reset(next.min(end));
        }
    }
}

impl Body for BoundedBody {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, io::Error>>> {
        let this = self.project();
        let Some(incoming) = this.incoming else {
            return Poll::Ready(None);
        };
        if let Poll::Ready(frame) = Pin::new(incoming).poll_frame(context) {
            let bytes = match &frame {
                Some(Ok(frame)) => frame.data_ref().map_or(0, Bytes::len),
                Some(Err(_)) | None => 0,
            };
            *this.received += bytes;
            if let Some(waiting) = this.waiting
                && let Err(error) = waiting.as_mut().received(bytes)
            {
                return Poll::Ready(Some(Err(io::Error::other(BodyError::from(error)))));
            }
            return Poll::Ready(frame.map(|frame| frame.map_err(io::Error::other)));
        }
        let waiting = this.waiting.get_or_insert_with(|| {
            let reservation = this.memory.reserve(*this.received);
            Box::pin(Waiting::new(reservation, *this.timeouts))
        });
        let error = ready!(waiting.as_mut().poll_error(context, *this.timeouts));
        *this.is_slow = !matches!(error, BodyError::NoMemory(_));
        Poll::Ready(Some(Err(io::Error::other(error))))
    }

    fn is_end_stream(&self) -> bool {
        self.incoming.as_ref().is_none_or(Body::is_end_stream)
    }

    fn size_hint(&self) -> SizeHint {
        self.incoming
            .as_ref()
            .map_or_else(SizeHint::default, Body::size_hint)
    }
}

/// Reads a body. Never buffers more than the limit, whatever its `Content-Length` is.
pub(super) async fn read(body: poem::Body, limit: usize) -> io::Result<Bytes> {
    let mut body = BoxBody::from(body);
    // Most bodies are a single chunk, which is not copied.
    let (mut first, mut joined) = (Bytes::new(), Vec::new());
    while let Some(frame) = body.frame().await {
        // Trailers are ignored.
        let Ok(chunk) = frame?.into_data() else {
            continue;
        };
        if chunk.len() > limit - first.len().max(joined.len()) {
            let actual = None;
            return Err(io::Error::other(BodyError::TooLarge { limit, actual }));
        }
        if first.is_empty() {
            first = chunk;
            continue;
        }
        if joined.is_empty() {
            joined.extend_from_slice(&first);
        }
        joined.extend_from_slice(&chunk);
    }
    Ok(if joined.is_empty() {
        first
    } else {
        joined.into()
    })
}

async fn drain_unread_body(mut body: Incoming) {
    let mut remaining = MAX_DRAINED_BYTES;
    while let Some(Ok(frame)) = body.frame().await {
        match remaining.checked_sub(frame.data_ref().map_or(0, Bytes::len)) {
            Some(bytes) => remaining = bytes,
            None => return,
        }
    }
}
