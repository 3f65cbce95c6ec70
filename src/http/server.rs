//! Accepts connections, at most so many at once, and ends them in order when the service stops.

mod connection;
mod remainder;
mod rest;
#[cfg(test)]
mod tests;

use std::{future::Future, io, iter, net::SocketAddr, pin::pin, sync::Arc, time::Duration};

use poem::{Endpoint, Response};
use tokio::{
    net::{TcpListener, TcpStream},
    sync::{OwnedSemaphorePermit, Semaphore, watch},
    task::JoinSet,
    time::{Instant, sleep, timeout},
};

use self::connection::Connections;
use super::{HttpSettings, Tls};

const PAUSE_AFTER_ERROR: Duration = Duration::from_millis(100);

/// How long the log is spared another line about connections that wait.
const TOLD_AGAIN: Duration = Duration::from_secs(10);

/// How long the clients whose requests were given up may take to hear of it.
const LAST_WORDS: Duration = Duration::from_secs(1);

/// How far the service is from its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Stage {
    /// It serves.
    Open,
    /// It still serves everybody, and asks its clients to leave.
    Leaving,
    /// It finishes what it has begun.
    Closed,
    /// It tells who is still waiting that there will be no answer.
    GivingUp,
}

/// Serves `endpoint` on `listener` until `shutdown` resolves, and for the drain pause after that;
/// then accepts no more and finishes the requests in flight within the drain time-out. What is not
/// finished then is refused. What `opened` answers is kept as long as a connection is open.
pub(super) async fn run<E, Open>(
    listener: TcpListener,
    endpoint: E,
    settings: &HttpSettings,
    tls: Option<Tls>,
    opened: impl Fn() -> Open,
    shutdown: impl Future<Output = ()> + Send,
) -> io::Result<()>
where
    E: Endpoint<Output = Response> + 'static,
    Open: Send + 'static,
{
    let local = listener.local_addr()?;
    let mut door = Door {
        listener,
        permits: Arc::new(Semaphore::new(settings.connection_limit)),
        limit: settings.connection_limit,
        told: None,
    };
    let (stage, stages) = watch::channel(Stage::Open);
    let connections = Arc::new(Connections::new(endpoint, local, settings, tls, stages));
    let mut open = JoinSet::new();
    let let_in = |open: &mut JoinSet<()>, (stream, peer, permit): Accepted| {
        let (connections, counted) = (Arc::clone(&connections), opened());
        // Nagle's algorithm would hold the end of a long answer back until the client acknowledges
        // its beginning. Without the option a request is slower, not wrong.
        let _ = stream.set_nodelay(true);
        open.spawn(async move {
            connections.serve(stream, peer).await;
            drop((permit, counted));
        });
    };
    let shutdown = async {
        shutdown.await;
        stage.send_replace(Stage::Leaving);
        sleep(settings.drain_pause).await;
    };
    let mut shutdown = pin!(shutdown);
    let mut renewal = pin!(connections.renew());
    loop {
        tokio::select! {
            () = &mut shutdown => break,
            () = &mut renewal => {}
            // What has ended is forgotten, so that the set does not grow.
            Some(_) = open.join_next() => {}
            accepted = door.accept() => let_in(&mut open, accepted),
        }
    }
    // Who stands in line already is let in: closing the door would reset them without a word.
    if let Ok(rest) = door.close() {
        rest.for_each(|accepted| let_in(&mut open, accepted));
    }
    stage.send_replace(Stage::Closed);
    if timeout(settings.drain_timeout, ended(&mut open))
        .await
        .is_err()
    {
        stage.send_replace(Stage::GivingUp);
        // Who does not listen even now loses the connection.
        let _ = timeout(LAST_WORDS, ended(&mut open)).await;
        tracing::warn!(
            requests = connections.given_up(),
            connections_cut = open.len(),
            "the drain time-out is over: requests in flight were refused"
        );
    }
    open.shutdown().await;
    Ok(())
}

async fn ended(open: &mut JoinSet<()>) {
    while open.join_next().await.is_some() {}
}

/// A connection, who made it, and its permit.
type Accepted = (TcpStream, SocketAddr, OwnedSemaphorePermit);

/// Where connections come in.
struct Door {
    listener: TcpListener,
    permits: Arc<Semaphore>,
    limit: usize,
    /// When the log was last told that it is closed.
    told: Option<Instant>,
}

impl Door {
    /// The next connection, once there may be one more. Until then clients wait in the queue of the
    /// operating system: there is a request to be refused only after a connection is accepted.
    async fn accept(&mut self) -> Accepted {
        let permit = self.permit().await;
        loop {
            match self.listener.accept().await {
                Ok((stream, peer)) => return (stream, peer, permit),
                Err(error) if concerns_one_connection(&error) => {}
                Err(error) => {
                    // Without file descriptors asking again at once would be a busy loop.
                    tracing::error!(%error, "cannot accept connections");
                    sleep(PAUSE_AFTER_ERROR).await;
                }
            }
        }
    }

    /// Who stands in line, as far as there may be so many. The door is closed behind them.
    fn close(self) -> io::Result<impl Iterator<Item = Accepted>> {
        // The operating system may know of connections that the runtime has not heard of yet.
        let listener = self.listener.into_std()?;
        Ok(iter::from_fn(move || {
            let permit = Arc::clone(&self.permits).try_acquire_owned().ok()?;
            loop {
                match listener.accept() {
                    Ok((stream, peer)) => match to_runtime(stream) {
                        Ok(stream) => return Some((stream, peer, permit)),
                        Err(error) => tracing::error!(%error, "cannot accept a connection"),
                    },
                    Err(error) if concerns_one_connection(&error) => {}
                    // Nobody is left.
                    Err(_) => return None,
                }
            }
        }))
    }

    async fn permit(&mut self) -> OwnedSemaphorePermit {
        if let Ok(permit) = Arc::clone(&self.permits).try_acquire_owned() {
            return permit;
        }
        // Under load every connection that ends lets just one more in.
        if self.told.is_none_or(|told| told.elapsed() >= TOLD_AGAIN) {
            self.told = Some(Instant::now());
            tracing::warn!(
                limit = self.limit,
                "as many connections as permitted are open"
            );
        }
        let permit = Arc::clone(&self.permits).acquire_owned().await;
        permit.expect("the semaphore is never closed")
    }
}

fn to_runtime(stream: std::net::TcpStream) -> io::Result<TcpStream> {
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
