//! One connection: HTTP/1.1 or HTTP/2, closed when its client is too slow or idle.

use std::{
    convert::Infallible,
    future::{pending, poll_fn},
    net::SocketAddr,
    pin::pin,
    sync::{
        Arc,
        atomic::{AtomicU64, AtomicUsize, Ordering},
    },
    task::Poll,
    time::Duration,
};

use futures_util::{StreamExt, future::BoxFuture, stream::FuturesUnordered};
use hyper::{Request, Response, body::Incoming, service::service_fn};
use hyper_util::{
    rt::{TokioExecutor, TokioIo, TokioTimer},
    server::conn::auto::Builder,
};
use poem::{
    Addr,
    http::{HeaderValue, Version, header, uri::Scheme},
    web::{LocalAddr, RemoteAddr},
};
use tokio::{
    io::{AsyncRead, AsyncWrite},
    net::TcpStream,
    sync::watch,
    time::{Instant, sleep, sleep_until, timeout},
};

use super::{
    handler::Handler,
    read_throttle::{Pacer, ReadThrottle, ThrottledIo},
    wakeups::Wakeups,
};
use crate::{
    body::{self, BodyTimeouts},
    body_memory::{BodyMemory, ConnectionMemory},
    media_type::ResponseType,
    metadata::{REQUEST_ID, RequestMetadata},
    refusal::Refusal,
    settings::HttpSettings,
    tls::Tls,
    unsent::UnsentResponses,
};

/// Maximum concurrent requests (streams) of an HTTP/2 connection.
const MAX_STREAMS: u32 = 128;

/// Maximum size of the head of a request: every connection may buffer an unfinished head.
const MAX_HEAD_BYTES: u32 = 128 * 1024;

/// How long a connection without a request is still read after the listener is closed: its first
/// request may be in transit.
const FIRST_REQUEST_TIMEOUT: Duration = Duration::from_millis(100);

/// The stages of a graceful shutdown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Stage {
    /// Connections are accepted and kept alive.
    Serving,
    /// Connections are still accepted; those of HTTP/1 are closed after their next response.
    Draining,
    /// No connection is accepted; requests in flight are finished.
    Closed,
    /// Requests in flight are refused.
    Aborting,
}

/// The state that all connections share.
pub(super) struct Connections {
    handler: Arc<dyn Handler>,
    local: SocketAddr,
    protocol: Builder<TokioExecutor>,
    read_timeout: Duration,
    body_timeouts: BodyTimeouts,
    body_memory: Arc<BodyMemory>,
    response_memory: Arc<BodyMemory>,
    pacer: Pacer,
    tls: Option<Tls>,
    stage: watch::Receiver<Stage>,
    aborted: AtomicUsize,
}

impl Connections {
    pub(super) fn new(
        handler: Arc<dyn Handler>,
        local: SocketAddr,
        settings: &HttpSettings,
        tls: Option<Tls>,
        stage: watch::Receiver<Stage>,
    ) -> Self {
        let mut protocol = Builder::new(TokioExecutor::new());
        // The timeout of a head is that of an idle connection: a timer of hyper for each head costs more.
        protocol
            .http1()
            .max_buf_size(MAX_HEAD_BYTES as usize)
            .header_read_timeout(None);
        protocol
            .http2()
            .timer(TokioTimer::new())
            .max_concurrent_streams(MAX_STREAMS)
            .max_header_list_size(MAX_HEAD_BYTES);
        Self {
            handler,
            local,
            protocol,
            read_timeout: settings.read_timeout,
            body_timeouts: BodyTimeouts::new(settings),
            body_memory: BodyMemory::new(settings.body_memory_bytes()),
            response_memory: BodyMemory::new(settings.response_memory_bytes),
            pacer: Pacer::new(settings.read_timeout),
            tls,
            stage,
            aborted: AtomicUsize::new(0),
        }
    }

    /// Number of requests that were aborted by the shutdown.
    pub(super) fn aborted(&self) -> usize {
        self.aborted.load(Ordering::Relaxed)
    }

    /// Serves a connection until its client closes it, is idle for too long, or the service stops.
    pub(super) async fn serve(self: Arc<Self>, stream: TcpStream, peer: SocketAddr) {
        match &self.tls {
            None => self.serve_stream(stream, peer, &Scheme::HTTP).await,
            // Boxed, because every connection would take the memory of one with TLS.
            Some(tls) => Box::pin(self.serve_tls(tls, stream, peer)).await,
        }
    }

    async fn serve_tls(self: &Arc<Self>, tls: &Tls, stream: TcpStream, peer: SocketAddr) {
        let handshake = timeout(self.read_timeout, tls.accept(stream));
        let accepted = tokio::select! {
            accepted = handshake => accepted,
            // There is no request to wait for.
            () = self.wait_closed(|| true) => return,
        };
        match accepted {
            Ok(Ok(stream)) => self.serve_stream(stream, peer, &Scheme::HTTPS).await,
            Ok(Err(error)) => tracing::debug!(%peer, %error, "TLS handshake failed"),
            Err(_) => tracing::debug!(%peer, "TLS handshake timed out"),
        }
    }

    /// Reloads the certificate when its files change. Never resolves.
    pub(super) async fn reload_certificate(&self) {
        match &self.tls {
            Some(tls) => tls.reload_certificate().await,
            None => pending().await,
        }
    }

    async fn serve_stream<Io>(self: &Arc<Self>, stream: Io, peer: SocketAddr, scheme: &Scheme)
    where
        Io: AsyncRead + AsyncWrite + Unpin + Send + 'static,
    {
        let throttle = Arc::new(ReadThrottle::default());
        let stream = ThrottledIo::new(stream, Arc::clone(&throttle));
        let state = Arc::new(ConnectionState {
            connections: Arc::clone(self),
            peer,
            scheme: scheme.clone(),
            throttle,
            memory: self.body_memory.connection(),
            activity: Activity::new(UnsentResponses::new(self.response_memory.connection())),
        });
        let service = service_fn(|request| {
            let state = Arc::clone(&state);
            async move {
                let _in_flight = state.activity.begin();
                let response = state.respond(request).await;
                Ok::<Response<_>, Infallible>(response.into())
            }
        });
        let connection = self
            .protocol
            .serve_connection(TokioIo::new(stream), service);
        let mut connection = pin!(connection);
        // Polled only after its own wakeups, not after those of the connection.
        let mut closing = FuturesUnordered::from_iter([async {
            tokio::select! {
                () = self.wait_closed(|| state.activity.is_unused()) => false,
                () = state.activity.wait_idle(self.read_timeout) => true,
            }
        }]);
        // An error of a connection is caused by its client and is not logged.
        let is_idle = tokio::select! {
            biased;
            _ = Arc::<Wakeups>::default().run(connection.as_mut()) => return,
            is_idle = closing.next() => is_idle == Some(true),
        };
        // There is no request, or its head is incomplete.
        if is_idle && !state.throttle.has_unread_responses() {
            return;
        }
        connection.as_mut().graceful_shutdown();
        tokio::select! {
            _ = connection.as_mut() => return,
            // The client does not read its response, or does not close the connection.
            () = state.activity.wait_idle(self.read_timeout) => return,
            // Wakes this task: requests of HTTP/1 check the stage only when they are polled.
            () = self.wait_for(Stage::Aborting) => {}
        }
        tokio::select! {
            _ = connection => {}
            () = state.activity.wait_idle(self.read_timeout) => {}
        }
    }

    /// The output of the call, or `None` as soon as requests are aborted.
    async fn until_aborted(&self, call: BoxFuture<'_, poem::Response>) -> Option<poem::Response> {
        tokio::select! {
            biased;
            output = call => Some(output),
            () = self.wait_for(Stage::Aborting) => None,
        }
    }

    /// The same for a request of HTTP/1. Its connection task polls it when requests are aborted, so
    /// it need not wait for the stage itself, which would cost every request a waiter.
    async fn until_polled_aborted(
        &self,
        mut call: BoxFuture<'_, poem::Response>,
    ) -> Option<poem::Response> {
        poll_fn(|context| match call.as_mut().poll(context) {
            Poll::Pending if self.stage() >= Stage::Aborting => Poll::Ready(None),
            output => output.map(Some),
        })
        .await
    }

    fn abort(&self, response_type: ResponseType, request_id: HeaderValue) -> poem::Response {
        self.aborted.fetch_add(1, Ordering::Relaxed);
        let mut response = Refusal::Stopping.into_outcome(response_type).response;
        response.headers_mut().insert(REQUEST_ID, request_id);
        response
    }

    /// Resolves when the listener is closed and the first request has had time to arrive.
    async fn wait_closed(&self, is_unused: impl Fn() -> bool) {
        self.wait_for(Stage::Closed).await;
        if is_unused() {
            sleep(FIRST_REQUEST_TIMEOUT).await;
        }
    }

    fn stage(&self) -> Stage {
        // Until the first change there is no need for the lock of the value, which would be contended.
        match self.stage.has_changed() {
            Ok(false) => Stage::Serving,
            Ok(true) | Err(_) => *self.stage.borrow(),
        }
    }

    async fn wait_for(&self, stage: Stage) {
        let mut current = self.stage.clone();
        if current.wait_for(|&now| now >= stage).await.is_err() {
            // The sender is gone, so the stage cannot change any more.
            pending::<()>().await;
        }
    }
}

/// The state that the requests of a connection share.
struct ConnectionState {
    connections: Arc<Connections>,
    peer: SocketAddr,
    scheme: Scheme,
    throttle: Arc<ReadThrottle>,
    memory: Arc<ConnectionMemory>,
    activity: Activity,
}

impl ConnectionState {
    fn respond(&self, request: Request<Incoming>) -> impl Future<Output = poem::Response> {
        let connections = &*self.connections;
        let local = LocalAddr(Addr::SocketAddr(connections.local));
        let peer = RemoteAddr(Addr::SocketAddr(self.peer));
        let is_multiplexed = request.version() >= Version::HTTP_2;
        if is_multiplexed {
            self.throttle.linger();
        }
        let (head, incoming) = request.into_parts();
        let body = body::bounded(incoming, &head, connections.body_timeouts, &self.memory);
        let parts = (head, local, peer, self.scheme.clone()).into();
        let request = Box::new(poem::Request::from_parts(parts, body));
        let metadata = Box::new(RequestMetadata::parse(&request));
        let (response_type, request_id) = (metadata.response_type(), metadata.request_id.clone());
        let unsent = &self.activity.unsent;
        let handled = connections.handler.handle(request, metadata, unsent);
        async move {
            let result = if is_multiplexed {
                connections.until_aborted(handled).await
            } else {
                connections.until_polled_aborted(handled).await
            };
            let mut response =
                result.unwrap_or_else(|| connections.abort(response_type, request_id));
            if response.headers().contains_key(header::RETRY_AFTER) {
                let next_read = connections.pacer.next();
                if is_multiplexed {
                    // Delaying reads would delay the other streams of the connection, too.
                    sleep_until(next_read).await;
                } else {
                    self.throttle.delay_until(next_read);
                }
            }
            // HTTP/1 has no GOAWAY frame: the header makes the client open a new connection.
            if !is_multiplexed && connections.stage() > Stage::Serving {
                let close = HeaderValue::from_static("close");
                response.headers_mut().insert(header::CONNECTION, close);
            }
            response
        }
    }
}

/// The requests of a connection.
struct Activity {
    opened: Instant,
    started: AtomicUsize,
    ended: AtomicUsize,
    /// When the last request ended, in milliseconds since the connection was opened.
    last_ended: AtomicU64,
    unsent: Arc<UnsentResponses>,
}

/// Counts a request as ended when it is dropped.
struct InFlight<'a>(&'a Activity);

impl Activity {
    fn new(unsent: Arc<UnsentResponses>) -> Self {
        Self {
            opened: Instant::now(),
            started: AtomicUsize::new(0),
            ended: AtomicUsize::new(0),
            last_ended: AtomicU64::new(0),
            unsent,
        }
    }

    /// Whether there was no request yet.
    fn is_unused(&self) -> bool {
        self.started.load(Ordering::Relaxed) == 0
    }

    fn begin(&self) -> InFlight<'_> {
        self.started.fetch_add(1, Ordering::Relaxed);
        InFlight(self)
    }

    /// Resolves when no request was in flight for the timeout, or a large response is not sent within it.
    async fn wait_idle(&self, idle_timeout: Duration) {
        let mut since = Instant::now();
        loop {
            sleep_until(since + idle_timeout).await;
            let oldest = self.unsent.oldest();
            if oldest.is_some_and(|since| since.elapsed() >= idle_timeout) {
                return;
            }
            let ended = self.ended.load(Ordering::Acquire);
            if self.started.load(Ordering::Relaxed) != ended {
                since = Instant::now();
                continue;
            }
            let last_ended = Duration::from_millis(self.last_ended.load(Ordering::Relaxed));
            let idle_since = self.opened + last_ended;
            if idle_since <= since {
                return;
            }
            since = idle_since;
        }
    }
}

impl Drop for InFlight<'_> {
    fn drop(&mut self) {
        let ended = self.0.opened.elapsed().as_millis();
        let ended = u64::try_from(ended).unwrap_or(u64::MAX);
        self.0.last_ended.store(ended, Ordering::Relaxed);
        self.0.ended.fetch_add(1, Ordering::Release);
    }
}
