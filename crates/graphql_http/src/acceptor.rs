//! Accepts TCP connections up to a maximum number of open ones.

use std::{
    future::pending,
    io, mem,
    net::{self, SocketAddr},
    os::fd::AsFd,
    sync::Arc,
    time::{Duration, Instant},
};

use poem::{
    Addr,
    http::uri::Scheme,
    listener::Acceptor,
    web::{LocalAddr, RemoteAddr},
};
use tokio::{
    net::{TcpListener, TcpStream},
    sync::{OwnedSemaphorePermit, Semaphore, oneshot, watch},
    task::yield_now,
    time::sleep,
};

use super::{
    connection::Connection,
    connections::{Addresses, Connections},
    settings::HttpSettings,
    stopping::Stage,
};

/// Pause after a failed accept: retrying at once without file descriptors would be a busy loop.
const ACCEPT_PAUSE: Duration = Duration::from_millis(100);

/// Minimum time between two warnings about the connection limit.
const WARNING_INTERVAL: Duration = Duration::from_secs(10);

/// An acceptor of poem's for TCP connections: at most so many are open. Further clients wait in the accept queue of the
/// operating system, because a request can be refused only on an accepted connection.
pub(super) struct LimitedAcceptor<Opened> {
    /// The listener, and what is dropped with it; `None` when it is closed.
    listener: Option<(TcpListener, oneshot::Sender<()>)>,
    local: SocketAddr,
    /// That of the clients; the acceptor itself does not use TLS.
    scheme: Scheme,
    permits: Permits,
    read_timeout: Duration,
    connections: Arc<Connections>,
    /// Its value is dropped when the connection is closed.
    opened: Opened,
    stage: watch::Receiver<Stage>,
    is_first: bool,
}

impl<Open, Opened: Fn() -> Open> LimitedAcceptor<Opened> {
    /// An acceptor that closes its listener in [`Stage::Closing`]. The receiver resolves when it is closed, and the
    /// connections in its accept queue, which that would reset, are accepted up to the limit.
    pub(super) fn new(
        listener: TcpListener,
        scheme: Scheme,
        settings: &HttpSettings,
        stage: watch::Receiver<Stage>,
        connections: Arc<Connections>,
        opened: Opened,
    ) -> io::Result<(Self, oneshot::Receiver<()>)> {
        let (closed_sender, closed) = oneshot::channel();
        let acceptor = Self {
            local: listener.local_addr()?,
            listener: Some((listener, closed_sender)),
            scheme,
            permits: Permits {
                semaphore: Arc::new(Semaphore::new(settings.connection_limit)),
                limit: settings.connection_limit,
                last_warning: None,
            },
            read_timeout: settings.read_timeout,
            connections,
            opened,
            stage,
            is_first: true,
        };
        Ok((acceptor, closed))
    }
}

impl<Open, Opened> Acceptor for LimitedAcceptor<Opened>
where
    Open: Unpin + Send + 'static,
    Opened: Fn() -> Open + Send,
{
    type Io = Connection<(Open, OwnedSemaphorePermit)>;

    fn local_addr(&self) -> Vec<LocalAddr> {
        vec![LocalAddr(Addr::SocketAddr(self.local))]
    }

    async fn accept(&mut self) -> io::Result<(Self::Io, LocalAddr, RemoteAddr, Scheme)> {
        if mem::take(&mut self.is_first) {
            // poem's acceptor of TLS closes a connection that it gets before its configuration.
            yield_now().await;
        }
        let Some((listener, _)) = &self.listener else {
            return pending().await;
        };
        let accepted = tokio::select! {
            biased;
            _ = self.stage.wait_for(|stage| *stage >= Stage::Closing) => None,
            accepted = accept(listener, &mut self.permits) => Some(accepted),
        };
        let accepted = accepted.or_else(|| queued(listener, &self.permits));
        let Some((stream, peer, permit)) = accepted else {
            self.listener = None;
            return pending().await;
        };
        // Nagle's algorithm delays the end of a long response until the client acknowledges its beginning. A failure
        // makes requests slower, not wrong.
        let _ = stream.set_nodelay(true);
        let open = ((self.opened)(), permit);
        // A connection that is already closed has none.
        let local = stream.local_addr().unwrap_or(self.local);
        let (timeout, addresses) = (self.read_timeout, Addresses { local, peer });
        let (scheme, connections) = (&self.scheme, &self.connections);
        let connection = Connection::new(stream, addresses, scheme, timeout, connections, open);
        let [local, peer] = [local, peer].map(Addr::SocketAddr);
        Ok((connection, LocalAddr(local), RemoteAddr(peer), Scheme::HTTP))
    }
}

type Accepted = (TcpStream, SocketAddr, OwnedSemaphorePermit);

/// The next connection, as soon as there is a permit.
async fn accept(listener: &TcpListener, permits: &mut Permits) -> Accepted {
    let permit = permits.acquire().await;
    loop {
        match listener.accept().await {
            Ok((stream, peer)) => return (stream, peer, permit),
            Err(error) if concerns_one_connection(&error) => {}
            Err(error) => {
                tracing::error!(%error, "cannot accept connections");
                sleep(ACCEPT_PAUSE).await;
            }
        }
    }
}

/// The next connection in the accept queue, which may hold some that the runtime has not been notified of.
fn queued(listener: &TcpListener, permits: &Permits) -> Option<Accepted> {
    let permit = Arc::clone(&permits.semaphore).try_acquire_owned().ok()?;
    let queue = net::TcpListener::from(listener.as_fd().try_clone_to_owned().ok()?);
    loop {
        let accepted = queue.accept().and_then(|(stream, peer)| {
            stream.set_nonblocking(true)?;
            Ok((TcpStream::from_std(stream)?, peer))
        });
        match accepted {
            Ok((stream, peer)) => return Some((stream, peer, permit)),
            Err(error) if concerns_one_connection(&error) => {}
            // The queue is empty.
            Err(_) => return None,
        }
    }
}

/// The permits of open connections.
struct Permits {
    semaphore: Arc<Semaphore>,
    limit: usize,
    /// When the connection limit was last logged.
    last_warning: Option<Instant>,
}

impl Permits {
    async fn acquire(&mut self) -> OwnedSemaphorePermit {
        if let Ok(permit) = Arc::clone(&self.semaphore).try_acquire_owned() {
            return permit;
        }
        // Under load the limit is reached with every accepted connection, so the warning is rate-limited.
        let last = self.last_warning;
        if last.is_none_or(|last| last.elapsed() >= WARNING_INTERVAL) {
            self.last_warning = Some(Instant::now());
            let limit = self.limit;
            tracing::warn!(limit, "connection limit reached: new connections wait");
        }
        let permit = Arc::clone(&self.semaphore).acquire_owned().await;
        permit.expect("the semaphore is never closed")
    }
}

fn concerns_one_connection(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::ConnectionAborted
            | io::ErrorKind::ConnectionRefused
            | io::ErrorKind::ConnectionReset
    )
}
