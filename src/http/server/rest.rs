//! Clients that are told to come later, and come at once.
//!
//! A refusal costs little, but not nothing: enough clients that ask again at once would leave no time
//! for answers. So their connections are listened to in turn, five hundred a second.

use std::{
    io,
    pin::Pin,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    task::{Context, Poll, ready},
    time::Duration,
};

use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    time::{Instant, Sleep, sleep_until},
};

/// Between two refused clients that are listened to again.
const PACE: Duration = Duration::from_millis(2);

/// Who keeps to `Retry-After`, which is a second at least, notices nothing.
const LONGEST: Duration = Duration::from_secs(1);

/// Whose turn it is.
pub(super) struct Turns {
    last: Mutex<Instant>,
    longest: Duration,
}

impl Turns {
    /// No connection rests as long as to be taken for silent.
    pub(super) fn new(read_timeout: Duration) -> Self {
        Self {
            last: Mutex::new(Instant::now()),
            longest: LONGEST.min(read_timeout / 2),
        }
    }

    /// When whoever is refused now may be listened to again.
    pub(super) fn next(&self) -> Instant {
        self.next_after(Instant::now())
    }

    fn next_after(&self, now: Instant) -> Instant {
        let mut last = locked(&self.last);
        *last = (now.max(*last) + PACE).min(now + self.longest);
        *last
    }
}

/// Until when a connection rests, if it does.
#[derive(Default)]
pub(super) struct Rest(Mutex<Option<Instant>>);

impl Rest {
    /// What the client sends is not read before.
    pub(super) fn begin(&self, until: Instant) {
        *locked(&self.0) = Some(until);
    }

    fn take(&self) -> Option<Instant> {
        locked(&self.0).take()
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // Nothing that is done under the lock can panic halfway.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A connection that is not read while it rests.
pub(super) struct Resting<Io> {
    io: Io,
    rest: Arc<Rest>,
    sleep: Option<Pin<Box<Sleep>>>,
}

impl<Io> Resting<Io> {
    pub(super) fn new(io: Io, rest: Arc<Rest>) -> Self {
        let sleep = None;
        Self { io, rest, sleep }
    }
}

impl<Io: AsyncRead + Unpin> AsyncRead for Resting<Io> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        if let Some(until) = self.rest.take() {
            self.sleep = Some(Box::pin(sleep_until(until)));
        }
        if let Some(sleep) = &mut self.sleep {
            ready!(sleep.as_mut().poll(context));
            self.sleep = None;
        }
        Pin::new(&mut self.io).poll_read(context, buffer)
    }
}

impl<Io: AsyncWrite + Unpin> AsyncWrite for Resting<Io> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.io).poll_write(context, bytes)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.io).poll_write_vectored(context, slices)
    }

    fn is_write_vectored(&self) -> bool {
        self.io.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.io).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.io).poll_shutdown(context)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures_util::FutureExt;
    use tokio::io::{AsyncReadExt, AsyncWriteExt, duplex};

    #[test]
    fn turns_come_one_after_the_other_and_none_after_a_second() {
        let turns = Turns::new(Duration::from_secs(75));
        let now = Instant::now();
        for number in 1..=500 {
            assert_eq!(turns.next_after(now) - now, PACE * number);
        }
        assert_eq!(turns.next_after(now) - now, LONGEST);
        let later = now + LONGEST * 2;
        assert_eq!(turns.next_after(later) - later, PACE);
    }

    #[test]
    fn turns_come_before_the_read_time_out() {
        let turns = Turns::new(Duration::from_secs(1));
        let now = Instant::now();
        let last = (0..1000).map(|_| turns.next_after(now)).last();
        assert_eq!(last, Some(now + Duration::from_millis(500)));
    }

    #[tokio::test]
    async fn a_connection_that_rests_is_written_and_not_read() {
        let (mut client, io) = duplex(64);
        let rest = Arc::new(Rest::default());
        let mut connection = Resting::new(io, Arc::clone(&rest));
        client.write_all(b"again").await.unwrap();
        let until = Instant::now() + Duration::from_millis(50);
        rest.begin(until);
        let mut bytes = [0; 5];
        assert!(connection.read_exact(&mut bytes).now_or_never().is_none());
        connection.write_all(b"refused").await.unwrap();
        assert!(Instant::now() < until);
        connection.read_exact(&mut bytes).await.unwrap();
        assert!(Instant::now() >= until);
        assert_eq!(&bytes, b"again");
    }
}
