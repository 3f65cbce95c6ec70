//! TCP connections with limits, for `poem::Server`: at most so many are open, and each is closed when its client sends or
//! reads nothing for too long.

use std::{
    convert::Infallible,
    io, mem,
    pin::{Pin, pin},
    sync::{
        Arc,
        atomic::{AtomicU32, Ordering::Relaxed},
    },
    task::{Context, Poll, ready},
    time::Duration,
};

use poem::{
    Addr, Server,
    http::uri::Scheme,
    listener::{Acceptor, AcceptorExt},
    web::{LocalAddr, RemoteAddr},
};
use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    net::{TcpListener, TcpStream},
    sync::{OwnedSemaphorePermit, Semaphore},
    task::yield_now,
    time::{Instant, Sleep, sleep, sleep_until},
};

use crate::tls::Tls;

/// Pause after a failed accept: retrying at once without file descriptors would be a busy loop.
const ACCEPT_PAUSE: Duration = Duration::from_millis(100);

/// Minimum time between two warnings about the maximum number of connections.
const WARNING_INTERVAL: Duration = Duration::from_secs(10);

/// Maximum concurrent requests (streams) of an HTTP/2 connection, each with a head of at most 16 KiB.
const MAX_STREAMS: u32 = 24;

/// The response to a request without TLS where a handshake has to begin; clients show nothing else.
const TLS_REQUIRED: &[u8] = b"HTTP/1.1 400 Bad Request\r\ncontent-type: text/plain; charset=utf-8\r\n\
    content-length: 38\r\nconnection: close\r\n\r\nThis port requires TLS: use https://.\n";

/// The limits of the connections of a listener.
#[derive(Clone, Copy, Debug)]
pub struct ConnectionLimits {
    /// Maximum number of open connections. Further clients wait in the accept queue of the operating system.
    pub connections: usize,
    /// Maximum time between two requests, and until the first one.
    pub idle: Duration,
    /// Maximum time from the first byte of a request to the first byte of its response.
    pub response: Duration,
    /// Maximum time until a client reads some more of a response.
    pub write: Duration,
}

impl ConnectionLimits {
    /// The limits of a listener for probes and scrapers, which connections without requests cannot block for long.
    pub const OPERATORS: Self = Self {
        connections: 32,
        idle: Duration::from_secs(2),
        response: Duration::from_secs(15),
        write: Duration::from_secs(5),
    };
}

impl Default for ConnectionLimits {
    fn default() -> Self {
        Self {
            connections: 512,
            idle: Duration::from_secs(75),
            response: Duration::from_secs(75),
            write: Duration::from_secs(30),
        }
    }
}

/// A server of poem's with a limit of concurrent requests for each connection of HTTP/2.
pub fn server<A: Acceptor + 'static>(acceptor: A) -> Server<Infallible, A> {
    Server::new_with_acceptor(acceptor).http2_max_concurrent_streams(MAX_STREAMS)
}

/// An acceptor of TCP connections with limits.
pub struct LimitedAcceptor {
    listener: TcpListener,
    local: LocalAddr,
    limits: ConnectionLimits,
    permits: Arc<Semaphore>,
    open: Arc<AtomicU32>,
    last_warning: Option<Instant>,
    requires_tls: bool,
    is_first: bool,
}

impl LimitedAcceptor {
    /// Accepts the connections of a listener.
    pub fn new(listener: TcpListener, limits: ConnectionLimits) -> io::Result<Self> {
        Ok(Self {
            local: LocalAddr(Addr::SocketAddr(listener.local_addr()?)),
            listener,
            limits,
            permits: Arc::new(Semaphore::new(limits.connections)),
            open: Arc::default(),
            last_warning: None,
            requires_tls: false,
            is_first: true,
        })
    }

    /// Requires TLS with a certificate that is reloaded when its files change.
    pub fn with_tls(mut self, tls: Tls) -> impl Acceptor + 'static {
        self.requires_tls = true;
        self.rustls(tls.configurations())
    }

    /// The number of open connections.
    pub fn open(&self) -> Arc<AtomicU32> {
        Arc::clone(&self.open)
    }

    async fn permit(&mut self) -> OwnedSemaphorePermit {
        if let Ok(permit) = Arc::clone(&self.permits).try_acquire_owned() {
            return permit;
        }
        // Under load each accepted connection reaches the maximum, so the warning is rate-limited.
        let last = self.last_warning;
        if last.is_none_or(|last| last.elapsed() >= WARNING_INTERVAL) {
            self.last_warning = Some(Instant::now());
            let limit = self.limits.connections;
            tracing::warn!(limit, "connection limit reached: new connections wait");
        }
        let permit = Arc::clone(&self.permits).acquire_owned().await;
        permit.expect("the semaphore is never closed")
    }
}

impl Acceptor for LimitedAcceptor {
    type Io = Connection;

    fn local_addr(&self) -> Vec<LocalAddr> {
        vec![self.local.clone()]
    }

    async fn accept(&mut self) -> io::Result<(Connection, LocalAddr, RemoteAddr, Scheme)> {
        if mem::take(&mut self.is_first) {
            // poem's acceptor of TLS closes a connection that it gets before its configuration.
            yield_now().await;
        }
        let permit = self.permit().await;
        let (stream, peer) = loop {
            match self.listener.accept().await {
                Ok(accepted) => break accepted,
                Err(error) if concerns_one_connection(&error) => {}
                Err(error) => {
                    tracing::error!(%error, "cannot accept connections");
                    sleep(ACCEPT_PAUSE).await;
                }
            }
        };
        // Nagle's algorithm delays the end of a long response until the client acknowledges its beginning. A failure
        // makes requests slower, not wrong.
        let _ = stream.set_nodelay(true);
        // A connection that is already closed has no address.
        let local = stream.local_addr();
        let local = local.map_or_else(|_| self.local.clone(), |it| LocalAddr(Addr::SocketAddr(it)));
        let deadline = Instant::now() + self.limits.idle;
        self.open.fetch_add(1, Relaxed);
        let connection = Connection {
            stream,
            limits: self.limits,
            is_requested: false,
            is_abandoned: false,
            is_upgraded: false,
            awaits_handshake: self.requires_tls,
            deadline,
            write_deadline: None,
            timer: Box::pin(sleep_until(deadline)),
            open: self.open(),
            _permit: permit,
        };
        Ok((connection, local, RemoteAddr(Addr::SocketAddr(peer)), Scheme::HTTP))
    }
}

fn concerns_one_connection(error: &io::Error) -> bool {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset};
    matches!(error.kind(), ConnectionAborted | ConnectionRefused | ConnectionReset)
}

/// A connection of a client, which ends at the limits.
#[expect(clippy::struct_excessive_bools, reason = "each changes without the others")]
pub struct Connection {
    stream: TcpStream,
    limits: ConnectionLimits,
    /// Whether it has received some of a request, and has sent nothing of its response.
    is_requested: bool,
    /// Whether the client has disconnected before its response.
    is_abandoned: bool,
    /// Whether its protocol is not HTTP any more.
    is_upgraded: bool,
    /// Whether the first bytes have to be those of a TLS handshake.
    awaits_handshake: bool,
    /// Until when the client has to send, or the service to respond.
    deadline: Instant,
    /// Until when the client has to read, while a write waits for it.
    write_deadline: Option<Instant>,
    /// Fires at one of the deadlines or before.
    timer: Pin<Box<Sleep>>,
    /// The number of open connections, of which this is one.
    open: Arc<AtomicU32>,
    _permit: OwnedSemaphorePermit,
}

impl Drop for Connection {
    fn drop(&mut self) {
        self.open.fetch_sub(1, Relaxed);
    }
}

impl Connection {
    /// Ready with an error after this deadline. The timer is set again only if it is late, or fires too early.
    fn poll_deadline(&mut self, context: &mut Context<'_>, deadline: Instant) -> Poll<io::Error> {
        if self.timer.deadline() > deadline {
            self.timer.as_mut().reset(deadline);
        }
        loop {
            ready!(self.timer.as_mut().poll(context));
            if deadline <= Instant::now() {
                return Poll::Ready(io::ErrorKind::TimedOut.into());
            }
            self.timer.as_mut().reset(deadline);
        }
    }

    fn received(&mut self, bytes: &[u8]) -> io::Result<()> {
        let is_first = mem::take(&mut self.awaits_handshake);
        if is_first && bytes.first().is_some_and(u8::is_ascii_uppercase) {
            // A failure means that the client has disconnected.
            let _ = self.stream.try_write(TLS_REQUIRED);
            return Err(io::ErrorKind::InvalidData.into());
        }
        if self.is_upgraded {
            self.deadline = Instant::now() + self.limits.idle;
        } else if !mem::replace(&mut self.is_requested, true) {
            self.deadline = Instant::now() + self.limits.response;
        }
        Ok(())
    }
}

impl AsyncRead for Connection {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let (before, deadline) = (buffer.filled().len(), self.deadline);
        let read = pin!(&mut self.stream).poll_read(context, buffer);
        match read {
            Poll::Pending => self.poll_deadline(context, deadline).map(Err),
            Poll::Ready(Ok(())) if buffer.filled().len() > before => {
                Poll::Ready(self.received(&buffer.filled()[before..]))
            }
            Poll::Ready(_) => {
                self.is_abandoned |= self.is_requested;
                read
            }
        }
    }
}

impl AsyncWrite for Connection {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let written = pin!(&mut self.stream).poll_write(context, bytes);
        let now = Instant::now();
        if written.is_pending() {
            let latest = now + self.limits.write;
            let deadline = *self.write_deadline.get_or_insert(latest);
            return self.poll_deadline(context, deadline).map(Err);
        }
        self.is_upgraded |= bytes.starts_with(b"HTTP/1.1 101 ");
        self.is_requested = false;
        self.write_deadline = None;
        self.deadline = now + self.limits.idle;
        let deadline = self.deadline;
        if self.timer.deadline() > deadline {
            // hyper does not read again before the timer wakes it.
            let _ = self.poll_deadline(context, deadline);
        }
        written
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        // poem goes on with a connection that hyper has ended, which would execute the request without a client.
        if self.is_abandoned {
            return Poll::Ready(Err(io::ErrorKind::BrokenPipe.into()));
        }
        pin!(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        pin!(&mut self.stream).poll_shutdown(context)
    }
}
