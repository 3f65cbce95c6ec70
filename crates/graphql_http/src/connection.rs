//! A TCP connection that ends when its client is idle or does not read.

use std::{
    io::{self, IoSlice},
    mem,
    pin::{Pin, pin},
    sync::Arc,
    task::{Context, Poll, ready},
    time::Duration,
};

use poem::http::uri::Scheme;
use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    net::TcpStream,
    time::{Instant, Sleep, sleep_until},
};

use super::connections::{Activity, Addresses, Connections};

/// Maximum number of bytes that a client of HTTP/1 sends between two requests before it is read once more: the head of
/// the next one. Each connection may buffer an unfinished head. hyper's limit is 400 KiB, and poem cannot lower it; it
/// holds with TLS.
const MAX_HEAD_BYTES: usize = 64 * 1024;

/// How a connection of HTTP/2 begins, and one with TLS. HTTP/2 has a limit of its own.
const OTHER_PROTOCOLS: [&[u8]; 2] = [b"PRI * HTTP/2", &[0x16]];

/// The response to a request without TLS where a handshake has to begin; clients show nothing else.
const TLS_REQUIRED: &[u8] =
    b"HTTP/1.1 400 Bad Request\r\ncontent-type: text/plain; charset=utf-8\r\n\
    content-length: 38\r\nconnection: close\r\n\r\nThis port requires TLS: use https://.\n";

/// A TCP connection of a client.
pub(super) struct Connection<Open> {
    stream: TcpStream,
    addresses: Addresses,
    timeout: Duration,
    connections: Arc<Connections>,
    activity: Arc<Activity>,
    /// Since when a write waits for the client to read.
    blocked_since: Option<Instant>,
    /// The number of started requests, and the bytes since then; `None` if they are not limited.
    head: Option<(usize, usize)>,
    /// Whether the first bytes have to be those of a TLS handshake.
    awaits_handshake: bool,
    timer: Pin<Box<Sleep>>,
    /// Dropped when the connection is closed.
    _open: Open,
}

impl<Open> Connection<Open> {
    pub(super) fn new(
        stream: TcpStream,
        addresses: Addresses,
        scheme: &Scheme,
        timeout: Duration,
        connections: &Arc<Connections>,
        open: Open,
    ) -> Self {
        Self {
            stream,
            addresses,
            timeout,
            connections: Arc::clone(connections),
            activity: connections.open(addresses),
            blocked_since: None,
            head: Some((0, 0)),
            awaits_handshake: *scheme == Scheme::HTTPS,
            timer: Box::pin(sleep_until(Instant::now() + timeout)),
            _open: open,
        }
    }

    /// Ready with an error when the connection is idle, or its client does not read, for the timeout.
    fn poll_timeout(&mut self, context: &mut Context<'_>) -> Poll<io::Error> {
        loop {
            ready!(self.timer.as_mut().poll(context));
            let deadline = self.activity.deadline(self.timeout, self.blocked_since);
            if deadline <= Instant::now() {
                return Poll::Ready(io::ErrorKind::TimedOut.into());
            }
            self.timer.as_mut().reset(deadline);
        }
    }

    /// Counts received bytes. A request of HTTP where TLS is required is answered.
    fn received(&mut self, bytes: &[u8]) -> io::Result<()> {
        if mem::take(&mut self.awaits_handshake)
            && bytes.first().is_some_and(u8::is_ascii_uppercase)
        {
            // A failure means that the client has disconnected.
            let _ = self.stream.try_write(TLS_REQUIRED);
            return Err(io::ErrorKind::InvalidData.into());
        }
        let Some((requests, head_bytes)) = self.head else {
            return Ok(());
        };
        let is_other = |beginning: &&[u8]| bytes.starts_with(beginning);
        let started = self.activity.started();
        let is_first = (requests, head_bytes) == (0, 0);
        let is_other = is_first && OTHER_PROTOCOLS.iter().any(is_other);
        self.head = if is_other || self.activity.is_upgraded() {
            None
        } else if started != requests || self.activity.has_requests() {
            Some((started, 0))
        } else if head_bytes > MAX_HEAD_BYTES {
            return Err(io::ErrorKind::InvalidData.into());
        } else {
            Some((started, head_bytes + bytes.len()))
        };
        Ok(())
    }

    fn wrote<T>(
        &mut self,
        written: Poll<io::Result<T>>,
        context: &mut Context<'_>,
    ) -> Poll<io::Result<T>> {
        if written.is_ready() {
            self.blocked_since = None;
            return written;
        }
        self.blocked_since.get_or_insert_with(Instant::now);
        self.poll_timeout(context).map(Err)
    }
}

impl<Open> Drop for Connection<Open> {
    fn drop(&mut self) {
        self.connections.close(self.addresses);
    }
}

impl<Open: Unpin> AsyncRead for Connection<Open> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let (before, capacity) = (buffer.filled().len(), buffer.remaining());
        let read = pin!(&mut self.stream).poll_read(context, buffer);
        let received = &buffer.filled()[before..];
        match read {
            Poll::Ready(Ok(())) if received.is_empty() && capacity > 0 => {
                self.activity.disconnect();
            }
            Poll::Ready(Ok(())) => return Poll::Ready(self.received(received)),
            Poll::Ready(Err(_)) => {}
            Poll::Pending => return self.poll_timeout(context).map(Err),
        }
        read
    }
}

impl<Open: Unpin> AsyncWrite for Connection<Open> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let written = pin!(&mut self.stream).poll_write(context, bytes);
        self.wrote(written, context)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = pin!(&mut self.stream).poll_write_vectored(context, slices);
        self.wrote(written, context)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let flushed = pin!(&mut self.stream).poll_flush(context);
        self.wrote(flushed, context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        pin!(&mut self.stream).poll_shutdown(context)
    }
}
