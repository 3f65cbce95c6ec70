//! Accepts connections up to the connection limit, and shuts down gracefully.

mod connection;
mod handler;
mod read_throttle;
#[cfg(test)]
mod tests;
mod wakeups;

use std::{future::Future, io, iter, net::SocketAddr, pin::pin, sync::Arc, time::Duration};

use tokio::{
    net::{TcpListener, TcpStream},
    sync::{OwnedSemaphorePermit, Semaphore, watch},
    task::JoinSet,
    time::{Instant, sleep, timeout},
};

use self::connection::{Connections, Stage};
pub(super) use self::handler::Handler;
use super::{settings::HttpSettings, tls::Tls};

/// Pause after a failed accept: retrying at once without file descriptors would be a busy loop.
const ACCEPT_BACKOFF: Duration = Duration::from_millis(100);

/// Minimum time between two warnings about the connection limit.
const WARNING_INTERVAL: Duration = Duration::from_secs(10);

/// Timeout for sending the responses of aborted requests.
/// Longer in tests, whose clients wait for a processor.
const FLUSH_TIMEOUT: Duration = Duration::from_secs(if cfg!(test) { 4 } else { 1 });

/// Serves `handler` on `listener` until `shutdown` resolves, and for the drain pause after that;
/// then accepts no more connections and finishes the requests in flight. Requests that exceed the
/// drain timeout are aborted. The value of `opened` is dropped when its connection closes.
pub(super) async fn run<Open: Send + 'static>(
    listener: TcpListener,
    handler: Arc<dyn Handler>,
    settings: &HttpSettings,
    tls: Option<Tls>,
    opened: impl Fn() -> Open,
    shutdown: impl Future<Output = ()> + Send,
) -> io::Result<()> {
    let local = listener.local_addr()?;
    let mut acceptor = Acceptor {
        listener,
        permits: Arc::new(Semaphore::new(settings.connection_limit)),
        limit: settings.connection_limit,
        last_warning: None,
    };
    let (stage_sender, stage) = watch::channel(Stage::Serving);
    let connections = Arc::new(Connections::new(handler, local, settings, tls, stage));
    let mut open = JoinSet::new();
    let spawn_connection = |open: &mut JoinSet<()>, (stream, peer, permit): Accepted| {
        let (connections, counted) = (Arc::clone(&connections), opened());
        // Nagle's algorithm delays the end of a long response until the client acknowledges its
        // beginning. A failure makes requests slower, not wrong.
        let _ = stream.set_nodelay(true);
        open.spawn(async move {
            connections.serve(stream, peer).await;
            drop((permit, counted));
        });
    };
    let shutdown = async {
        shutdown.await;
        stage_sender.send_replace(Stage::Draining);
        sleep(settings.drain_pause).await;
    };
    let mut shutdown = pin!(shutdown);
    let mut certificate_reload = pin!(connections.reload_certificate());
    loop {
        tokio::select! {
            () = &mut shutdown => break,
            () = &mut certificate_reload => {}
            // Removes ended tasks, so that the set does not grow.
            Some(_) = open.join_next() => {}
            accepted = acceptor.accept() => spawn_connection(&mut open, accepted),
        }
    }
    // Closing the listener would reset the connections in its queue, so they are accepted first.
    if let Ok(queued) = acceptor.close() {
        queued.for_each(|accepted| spawn_connection(&mut open, accepted));
    }
    stage_sender.send_replace(Stage::Closed);
    if timeout(settings.drain_timeout, join_all(&mut open))
        .await
        .is_err()
    {
        stage_sender.send_replace(Stage::Aborting);
        // Connections that do not read their responses within the timeout are closed below.
        let _ = timeout(FLUSH_TIMEOUT, join_all(&mut open)).await;
        tracing::warn!(
            requests = connections.aborted(),
            connections_cut = open.len(),
            "drain timeout: requests in flight were refused"
        );
    }
    open.shutdown().await;
    Ok(())
}

async fn join_all(open: &mut JoinSet<()>) {
    while open.join_next().await.is_some() {}
}

/// A connection, its peer address and its permit.
type Accepted = (TcpStream, SocketAddr, OwnedSemaphorePermit);

/// Accepts connections up to the connection limit.
struct Acceptor {
    listener: TcpListener,
    permits: Arc<Semaphore>,
    limit: usize,
    /// When the connection limit was last logged.
    last_warning: Option<Instant>,
}

impl Acceptor {
    /// The next connection, as soon as there is a permit. Until then clients wait in the accept queue
    /// of the operating system: a request can be refused only on an accepted connection.
    async fn accept(&mut self) -> Accepted {
        let permit = self.permit().await;
        loop {
            match self.listener.accept().await {
                Ok((stream, peer)) => return (stream, peer, permit),
                Err(error) if concerns_one_connection(&error) => {}
                Err(error) => {
                    tracing::error!(%error, "cannot accept connections");
                    sleep(ACCEPT_BACKOFF).await;
                }
            }
        }
    }

    /// The queued connections, up to the connection limit. Dropping the iterator closes the listener.
    fn close(self) -> io::Result<impl Iterator<Item = Accepted>> {
        // The accept queue may hold connections that the runtime has not been notified of.
        let listener = self.listener.into_std()?;
        Ok(iter::from_fn(move || {
            let permit = Arc::clone(&self.permits).try_acquire_owned().ok()?;
            loop {
                match listener.accept() {
                    Ok((stream, peer)) => match to_tokio(stream) {
                        Ok(stream) => return Some((stream, peer, permit)),
                        Err(error) => tracing::error!(%error, "cannot accept a connection"),
                    },
                    Err(error) if concerns_one_connection(&error) => {}
                    // The queue is empty.
                    Err(_) => return None,
                }
            }
        }))
    }

    async fn permit(&mut self) -> OwnedSemaphorePermit {
        if let Ok(permit) = Arc::clone(&self.permits).try_acquire_owned() {
            return permit;
        }
        // Under load the limit is reached with every accepted connection, so the warning is rate-limited.
        if self
            .last_warning
            .is_none_or(|last| last.elapsed() >= WARNING_INTERVAL)
        {
            self.last_warning = Some(Instant::now());
            tracing::warn!(
                limit = self.limit,
                "connection limit reached: new connections wait"
            );
        }
        let permit = Arc::clone(&self.permits).acquire_owned().await;
        permit.expect("the semaphore is never closed")
    }
}

fn to_tokio(stream: std::net::TcpStream) -> io::Result<TcpStream> {
    stream.set_nonblocking(true)?;
    TcpStream::from_std(stream)
}

fn concerns_one_connection(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::ConnectionAborted
            | io::ErrorKind::ConnectionRefused
            | io::ErrorKind::ConnectionReset
    )
}
