//! One connection: HTTP/1.1 or HTTP/2, closed when its client is too slow or idle.

use std::{
    convert::Infallible,
    future::{pending, poll_fn},
    net::SocketAddr,
    pin::{Pin, pin},
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    task::Poll,
    time::Duration,
};

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
    time::{sleep, sleep_until, timeout},
};

use super::{
    Handler, Stage,
    read_throttle::{Pacer, ReadThrottle, ThrottledIo},
};
use crate::{
    body::{self, BodyTimeouts},
    body_memory::{BodyMemory, ConnectionMemory},
    media_type::ResponseType,
    metadata::{REQUEST_ID, RequestMetadata},
    refusal::Refusal,
    settings::HttpSettings,
    tls::Tls,
};

/// Maximum concurrent requests (streams) of an HTTP/2 connection.
const MAX_STREAMS: u32 = 128;

/// Maximum size of the head of a request: every connection may buffer an unfinished head.
const MAX_HEAD_BYTES: u32 = 128 * 1024;

/// How long a connection without a request is still read after the listener is closed: its first
/// request may be in transit.
const FIRST_REQUEST_TIMEOUT: Duration = Duration::from_millis(100);

/// The state that all connections share.
pub(super) struct Connections<H> {
    handler: H,
    local: SocketAddr,
    protocol: Builder<TokioExecutor>,
    read_timeout: Duration,
    body_timeouts: BodyTimeouts,
    body_memory: Arc<BodyMemory>,
    pacer: Pacer,
    tls: Option<Tls>,
    stage: watch::Receiver<Stage>,
    aborted: AtomicUsize,
}

impl<H: Handler> Connections<H> {
    pub(super) fn new(
        handler: H,
        local: SocketAddr,
        settings: &HttpSettings,
        tls: Option<Tls>,
        stage: watch::Receiver<Stage>,
    ) -> Self {
        let mut protocol = Builder::new(TokioExecutor::new());
        protocol
            .http1()
            .timer(TokioTimer::new())
            .max_buf_size(MAX_HEAD_BYTES as usize)
            .header_read_timeout(settings.read_timeout);
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
        let Some(tls) = &self.tls else {
            return self.serve_stream(stream, peer, &Scheme::HTTP).await;
        };
        match timeout(self.read_timeout, tls.accept(stream)).await {
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
        let activity = Arc::new(Activity::default());
        let throttle = Arc::new(ReadThrottle::default());
        let stream = ThrottledIo::new(stream, Arc::clone(&throttle));
        let memory = self.body_memory.connection();
        let service = service_fn(|request| {
            let (connections, activity) = (Arc::clone(self), Arc::clone(&activity));
            let (throttle, memory) = (Arc::clone(&throttle), Arc::clone(&memory));
            let scheme = scheme.clone();
            async move {
                let _in_flight = activity.begin();
                let response = connections.respond(request, peer, scheme, &throttle, memory);
                let response = response.await;
                Ok::<Response<_>, Infallible>(response.into())
            }
        });
        let connection = self
            .protocol
            .serve_connection(TokioIo::new(stream), service);
        let mut connection = pin!(connection);
        // An error of a connection is caused by its client and is not logged.
        tokio::select! {
            _ = connection.as_mut() => return,
            () = self.wait_closed(&activity) => {}
            () = activity.wait_idle(self.read_timeout) => {}
        }
        connection.as_mut().graceful_shutdown();
        tokio::select! {
            _ = connection.as_mut() => return,
            // The client does not read its response, or does not close the connection.
            () = activity.wait_idle(self.read_timeout) => return,
            // Wakes this task: requests of HTTP/1 check the stage only when they are polled.
            () = self.wait_for(Stage::Aborting) => {}
        }
        tokio::select! {
            _ = connection => {}
            () = activity.wait_idle(self.read_timeout) => {}
        }
    }

    fn respond(
        &self,
        request: Request<Incoming>,
        peer: SocketAddr,
        scheme: Scheme,
        throttle: &ReadThrottle,
        memory: Arc<ConnectionMemory>,
    ) -> impl Future<Output = poem::Response> {
        let local = LocalAddr(Addr::SocketAddr(self.local));
        let peer = RemoteAddr(Addr::SocketAddr(peer));
        let is_multiplexed = request.version() >= Version::HTTP_2;
        if is_multiplexed {
            throttle.linger();
        }
        let (head, incoming) = request.into_parts();
        let body = body::bounded(incoming, &head, self.body_timeouts, memory);
        let request = poem::Request::from_parts((head, local, peer, scheme).into(), body);
        let metadata = Box::new(RequestMetadata::parse(&request));
        let (response_type, request_id) = (metadata.response_type(), metadata.request_id.clone());
        // Boxed, so that the returned future is small: it is moved several times.
        let mut handled = Box::pin(self.handler.handle(request, metadata));
        async move {
            let result = if is_multiplexed {
                self.until_aborted(handled.as_mut()).await
            } else {
                self.until_polled_aborted(handled.as_mut()).await
            };
            let mut response = result.unwrap_or_else(|| self.abort(response_type, request_id));
            if response.headers().contains_key(header::RETRY_AFTER) {
                let next_read = self.pacer.next();
                if is_multiplexed {
                    // Delaying reads would delay the other streams of the connection, too.
                    sleep_until(next_read).await;
                } else {
                    throttle.delay_until(next_read);
                }
            }
            // HTTP/1 has no GOAWAY frame: the header makes the client open a new connection.
            if !is_multiplexed && *self.stage.borrow() > Stage::Serving {
                let close = HeaderValue::from_static("close");
                response.headers_mut().insert(header::CONNECTION, close);
            }
            response
        }
    }

    /// The output of the call, or `None` as soon as requests are aborted.
    async fn until_aborted<F: Future>(&self, call: Pin<&mut F>) -> Option<F::Output> {
        tokio::select! {
            biased;
            output = call => Some(output),
            () = self.wait_for(Stage::Aborting) => None,
        }
    }

    /// The same for a request of HTTP/1. Its connection task polls it when requests are aborted, so
    /// it need not wait for the stage itself, which would cost every request a waiter.
    async fn until_polled_aborted<F: Future>(&self, mut call: Pin<&mut F>) -> Option<F::Output> {
        poll_fn(|context| match call.as_mut().poll(context) {
            Poll::Pending if *self.stage.borrow() >= Stage::Aborting => Poll::Ready(None),
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
    async fn wait_closed(&self, activity: &Activity) {
        self.wait_for(Stage::Closed).await;
        if activity.started.load(Ordering::Relaxed) == 0 {
            sleep(FIRST_REQUEST_TIMEOUT).await;
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

/// Counts the requests of a connection.
#[derive(Default)]
struct Activity {
    started: AtomicUsize,
    ended: AtomicUsize,
}

/// Counts a request as ended when it is dropped.
struct InFlight(Arc<Activity>);

impl Activity {
    fn begin(self: Arc<Self>) -> InFlight {
        self.started.fetch_add(1, Ordering::Relaxed);
        InFlight(self)
    }

    /// Resolves when no request was in flight for the timeout, after at most twice that time.
    async fn wait_idle(&self, idle_timeout: Duration) {
        let mut before = None;
        loop {
            let ended = self.ended.load(Ordering::Relaxed);
            let idle = self.started.load(Ordering::Relaxed) == ended;
            if idle && before == Some(ended) {
                return;
            }
            before = idle.then_some(ended);
            sleep(idle_timeout).await;
        }
    }
}

impl Drop for InFlight {
    fn drop(&mut self) {
        self.0.ended.fetch_add(1, Ordering::Relaxed);
    }
}
