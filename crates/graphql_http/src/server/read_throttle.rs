//! Throttles connections whose requests were refused with `Retry-After`.
//!
//! Enough clients that retry at once would leave no processor time for other requests. So at most five
//! hundred refused connections per second are read again. Closing them instead leaves a third of the goodput
//! (`cargo test --test faults greedy`), since their clients connect again at once.

use std::{
    io,
    pin::Pin,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    task::{Context, Poll, ready},
    time::Duration,
};

use parking_lot::Mutex;
use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    time::{Instant, Sleep, sleep, sleep_until},
};

/// Time between two reads of throttled connections.
const READ_INTERVAL: Duration = Duration::from_millis(2);

/// Maximum delay. `Retry-After` is at least a second, so clients that respect it are not delayed.
const MAX_DELAY: Duration = Duration::from_secs(1);

/// How long an HTTP/2 connection is still read after its end was sent. The operating system resets a
/// connection that is closed with unread bytes, and the client could lose its last responses (RFC 9112,
/// section 9.6). Shorter than the flush timeout of a stopping service.
const LINGER_TIMEOUT: Duration = Duration::from_millis(if cfg!(test) { 2000 } else { 500 });

/// Spreads the reads of all throttled connections over time.
pub(super) struct Pacer {
    last: Mutex<Instant>,
    max_delay: Duration,
}

impl Pacer {
    /// The delay stays below the read timeout, so that a throttled connection does not count as idle.
    pub(super) fn new(read_timeout: Duration) -> Self {
        Self {
            last: Mutex::new(Instant::now()),
            max_delay: MAX_DELAY.min(read_timeout / 2),
        }
    }

    /// When a connection that is refused now may be read again.
    pub(super) fn next(&self) -> Instant {
        self.next_after(Instant::now())
    }

    fn next_after(&self, now: Instant) -> Instant {
        let mut last = self.last.lock();
        *last = (now.max(*last) + READ_INTERVAL).min(now + self.max_delay);
        *last
    }
}

/// Until when a connection is not read, if it is throttled, whether it lingers on close, and whether its
/// client reads.
#[derive(Default)]
pub(super) struct ReadThrottle {
    until: Mutex<Option<Instant>>,
    lingers: AtomicBool,
    /// A write is pending.
    writing: AtomicBool,
}

impl ReadThrottle {
    /// Delays the next read.
    pub(super) fn delay_until(&self, until: Instant) {
        *self.until.lock() = Some(until);
    }

    /// The connection is read after its end was sent, until the client closes it or the linger timeout.
    pub(super) fn linger(&self) {
        self.lingers.store(true, Ordering::Relaxed);
    }

    /// Whether the client has not read its responses. Unknown for HTTP/2, whose streams have windows of their own.
    pub(super) fn has_unread_responses(&self) -> bool {
        self.lingers.load(Ordering::Relaxed) || self.writing.load(Ordering::Relaxed)
    }

    fn wrote<T>(&self, result: Poll<T>) -> Poll<T> {
        self.writing.store(result.is_pending(), Ordering::Relaxed);
        result
    }

    fn take(&self) -> Option<Instant> {
        self.until.lock().take()
    }
}

/// A connection whose reads a [`ReadThrottle`] delays. Writes are not delayed.
pub(super) struct ThrottledIo<Io> {
    io: Io,
    throttle: Arc<ReadThrottle>,
    sleep: Option<Pin<Box<Sleep>>>,
    linger: Option<Pin<Box<Sleep>>>,
}

impl<Io> ThrottledIo<Io> {
    pub(super) fn new(io: Io, throttle: Arc<ReadThrottle>) -> Self {
        Self {
            io,
            throttle,
            sleep: None,
            linger: None,
        }
    }
}

impl<Io: AsyncRead + Unpin> AsyncRead for ThrottledIo<Io> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        if let Some(until) = self.throttle.take() {
            self.sleep = Some(Box::pin(sleep_until(until)));
        }
        if let Some(sleep) = &mut self.sleep {
            ready!(sleep.as_mut().poll(context));
            self.sleep = None;
        }
        Pin::new(&mut self.io).poll_read(context, buffer)
    }
}

impl<Io: AsyncRead + AsyncWrite + Unpin> AsyncWrite for ThrottledIo<Io> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let result = Pin::new(&mut self.io).poll_write(context, bytes);
        self.throttle.wrote(result)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let result = Pin::new(&mut self.io).poll_write_vectored(context, slices);
        self.throttle.wrote(result)
    }

    fn is_write_vectored(&self) -> bool {
        self.io.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let result = Pin::new(&mut self.io).poll_flush(context);
        self.throttle.wrote(result)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        if self.linger.is_none() {
            ready!(Pin::new(&mut self.io).poll_shutdown(context))?;
            if !self.throttle.lingers.load(Ordering::Relaxed) {
                return Poll::Ready(Ok(()));
            }
            self.linger = Some(Box::pin(sleep(LINGER_TIMEOUT)));
        }
        let Self { io, linger, .. } = &mut *self;
        let linger = linger.as_mut().expect("the timeout is set above");
        let mut bytes = [0; 1024];
        while linger.as_mut().poll(context).is_pending() {
            let mut buffer = ReadBuf::new(&mut bytes);
            let read = ready!(Pin::new(&mut *io).poll_read(context, &mut buffer));
            if read.is_err() || buffer.filled().is_empty() {
                break;
            }
        }
        Poll::Ready(Ok(()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures_util::FutureExt;
    use tokio::io::{AsyncReadExt, AsyncWriteExt, duplex};

    #[test]
    fn reads_are_spread_over_at_most_one_second() {
        let pacer = Pacer::new(Duration::from_secs(75));
        let now = Instant::now();
        for number in 1..=500 {
            assert_eq!(pacer.next_after(now) - now, READ_INTERVAL * number);
        }
        assert_eq!(pacer.next_after(now) - now, MAX_DELAY);
        let later = now + MAX_DELAY * 2;
        assert_eq!(pacer.next_after(later) - later, READ_INTERVAL);
    }

    #[test]
    fn the_delay_is_shorter_than_the_read_timeout() {
        let pacer = Pacer::new(Duration::from_secs(1));
        let now = Instant::now();
        let last = (0..1000).map(|_| pacer.next_after(now)).last();
        assert_eq!(last, Some(now + Duration::from_millis(500)));
    }

    #[tokio::test]
    async fn a_lingering_connection_is_read_until_its_client_closes_it() {
        let (mut client, io) = duplex(64);
        let throttle = Arc::new(ReadThrottle::default());
        let mut connection = ThrottledIo::new(io, Arc::clone(&throttle));
        throttle.linger();
        client.write_all(b"unread").await.unwrap();
        let mut end = Box::pin(connection.shutdown());
        assert!(end.as_mut().now_or_never().is_none());
        let mut bytes = Vec::new();
        client.read_to_end(&mut bytes).await.unwrap();
        client.write_all(b"and more").await.unwrap();
        drop(client);
        end.await.unwrap();
    }

    #[tokio::test]
    async fn a_throttled_connection_is_written_and_not_read() {
        let (mut client, io) = duplex(64);
        let throttle = Arc::new(ReadThrottle::default());
        let mut connection = ThrottledIo::new(io, Arc::clone(&throttle));
        client.write_all(b"again").await.unwrap();
        let until = Instant::now() + Duration::from_millis(50);
        throttle.delay_until(until);
        let mut bytes = [0; 5];
        assert!(connection.read_exact(&mut bytes).now_or_never().is_none());
        connection.write_all(b"refused").await.unwrap();
        assert!(Instant::now() < until);
        connection.read_exact(&mut bytes).await.unwrap();
        assert!(Instant::now() >= until);
        assert_eq!(&bytes, b"again");
    }
}
