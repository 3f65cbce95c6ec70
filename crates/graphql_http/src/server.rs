//! Serves a listener by `poem::Server`, and stops it gracefully.
//!
//! What `poem::Server` lacks is added here and in the modules that this one uses: a limit of connections, a pause after a
//! failed accept and `TCP_NODELAY` ([`LimitedAcceptor`]), timeouts of idle and unread connections ([`Connections`]),
//! what requests that are not read need ([`UnreadBodies`]), and stages of the shutdown ([`Stopping`]).

use std::{future::Future, io, sync::Arc, time::Duration};

use poem::{
    Endpoint, EndpointExt, Response, Server,
    endpoint::BoxEndpoint,
    http::uri::Scheme,
    listener::{Acceptor, AcceptorExt},
};
use tokio::{net::TcpListener, time::sleep};

use super::{
    acceptor::LimitedAcceptor,
    connections::{Connections, CountRequests},
    settings::HttpSettings,
    stopping::{Stage, Stopping},
    tls::Tls,
    unread_bodies::UnreadBodies,
};

/// Maximum concurrent requests (streams) of an HTTP/2 connection.
const MAX_STREAMS: u32 = 32;

/// Maximum size of the head of a request of HTTP/2.
const MAX_HEAD_BYTES: u32 = 128 * 1024;

/// How long a connection without a request is still read after the listener is closed: its first request may be in
/// transit.
const FIRST_REQUEST_TIMEOUT: Duration = Duration::from_millis(100);

/// A listener, and the endpoint that handles its requests.
pub struct Listener {
    /// The listener.
    pub socket: TcpListener,
    /// Handles its requests.
    pub endpoint: BoxEndpoint<'static, Response>,
}

/// Serves an endpoint on a listener until `shutdown` resolves, and for the drain pause after that; then accepts no more
/// connections and finishes the requests in flight. Connections end at the drain timeout. The value of `opened` is dropped
/// when its connection is closed.
pub(super) async fn run<Open: Unpin + Send + 'static>(
    Listener { socket, endpoint }: Listener,
    settings: &HttpSettings,
    tls: Option<Tls>,
    stopping: &Stopping,
    opened: impl Fn() -> Open + Send + 'static,
    shutdown: impl Future<Output = ()> + Send,
) -> io::Result<()> {
    let connections = Arc::<Connections>::default();
    let endpoint = endpoint
        .with(UnreadBodies)
        .with(CountRequests(Arc::clone(&connections)));
    let scheme = if tls.is_some() {
        Scheme::HTTPS
    } else {
        Scheme::HTTP
    };
    let stages = stopping.stages();
    let (acceptor, closed) =
        LimitedAcceptor::new(socket, scheme, settings, stages, connections, opened)?;
    let shutdown = async {
        shutdown.await;
        stopping.begin(Stage::Draining);
        sleep(settings.drain_pause).await;
        stopping.begin(Stage::Closing);
        // An error means that its sender is dropped, as it is when the listener is closed.
        let _ = closed.await;
        sleep(FIRST_REQUEST_TIMEOUT).await;
    };
    let deadline = settings.drain_timeout;
    match tls {
        None => serve(acceptor, endpoint, shutdown, deadline).await,
        Some(tls) => {
            let acceptor = acceptor.rustls(tls.configurations());
            serve(acceptor, endpoint, shutdown, deadline).await
        }
    }
}

async fn serve(
    acceptor: impl Acceptor + 'static,
    endpoint: impl Endpoint<Output = Response> + 'static,
    shutdown: impl Future<Output = ()>,
    deadline: Duration,
) -> io::Result<()> {
    Server::new_with_acceptor(acceptor)
        .http2_max_concurrent_streams(MAX_STREAMS)
        .http2_max_header_list_size(MAX_HEAD_BYTES)
        .run_with_graceful_shutdown(endpoint, shutdown, Some(deadline))
        .await
}
