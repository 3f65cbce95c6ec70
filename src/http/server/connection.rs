//! One connection: HTTP/1.1 or HTTP/2, ended when its client is too slow or silent.

use std::{
    convert::Infallible,
    future::pending,
    net::SocketAddr,
    pin::pin,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use hyper::{Request, Response, body::Incoming, service::service_fn};
use hyper_util::{
    rt::{TokioExecutor, TokioIo, TokioTimer},
    server::conn::auto::Builder,
};
use poem::{
    Addr, Endpoint,
    http::{HeaderMap, HeaderValue, Version, header, uri::Scheme},
    web::{LocalAddr, RemoteAddr},
};
use tokio::{
    io::{AsyncRead, AsyncWrite},
    net::TcpStream,
    sync::watch,
    time::{sleep, timeout},
};

use super::{HttpSettings, Stage, Tls, remainder};
use crate::http::{envelope::header_text, media_type::ResponseType, observe, refusal::Refusal};

/// Most requests at once in one connection of HTTP/2.
const STREAMS: u32 = 128;

/// Most bytes of the head of a request: unfinished heads are kept for every connection.
const HEAD_BYTES: u32 = 128 * 1024;

/// How long a connection without a request is still listened to after the door is closed: what it
/// asks may be on its way.
const FIRST_WORDS: Duration = Duration::from_millis(100);

/// What all connections have in common.
pub(super) struct Connections<E> {
    endpoint: E,
    local: SocketAddr,
    protocol: Builder<TokioExecutor>,
    patience: Duration,
    tls: Option<Tls>,
    stages: watch::Receiver<Stage>,
    given_up: AtomicUsize,
}

impl<E> Connections<E>
where
    E: Endpoint<Output = poem::Response> + 'static,
{
    pub(super) fn new(
        endpoint: E,
        local: SocketAddr,
        settings: &HttpSettings,
        tls: Option<Tls>,
        stages: watch::Receiver<Stage>,
    ) -> Self {
        let mut protocol = Builder::new(TokioExecutor::new());
        protocol
            .http1()
            .timer(TokioTimer::new())
            .max_buf_size(HEAD_BYTES as usize)
            .header_read_timeout(settings.read_timeout);
        protocol
            .http2()
            .timer(TokioTimer::new())
            .max_concurrent_streams(STREAMS)
            .max_header_list_size(HEAD_BYTES);
        Self {
            endpoint,
            local,
            protocol,
            patience: settings.read_timeout,
            tls,
            stages,
            given_up: AtomicUsize::new(0),
        }
    }

    /// How many requests were refused after they had begun, since the service ends.
    pub(super) fn given_up(&self) -> usize {
        self.given_up.load(Ordering::Relaxed)
    }

    /// Serves a connection until its client ends it, is silent for too long, or the service stops.
    pub(super) async fn serve(self: Arc<Self>, stream: TcpStream, peer: SocketAddr) {
        let Some(tls) = &self.tls else {
            return self.carry(stream, peer, &Scheme::HTTP).await;
        };
        match timeout(self.patience, tls.accept(stream)).await {
            Ok(Ok(stream)) => self.carry(stream, peer, &Scheme::HTTPS).await,
            Ok(Err(error)) => tracing::debug!(%peer, %error, "no agreement on encryption"),
            Err(_) => tracing::debug!(%peer, "the client is too slow to agree on encryption"),
        }
    }

    /// Keeps the certificate up to date. Never ends.
    pub(super) async fn renew(&self) {
        match &self.tls {
            Some(tls) => tls.keep_up_to_date().await,
            None => pending().await,
        }
    }

    async fn carry<Io>(self: &Arc<Self>, stream: Io, peer: SocketAddr, scheme: &Scheme)
    where
        Io: AsyncRead + AsyncWrite + Unpin + Send + 'static,
    {
        let activity = Arc::new(Activity::default());
        let service = service_fn(|request| {
            let (connections, activity) = (Arc::clone(self), Arc::clone(&activity));
            let scheme = scheme.clone();
            async move {
                let _in_flight = activity.begin();
                let response = connections.answer(request, peer, scheme).await;
                Ok::<Response<_>, Infallible>(response.into())
            }
        });
        let connection = self
            .protocol
            .serve_connection(TokioIo::new(stream), service);
        let mut connection = pin!(connection);
        // What ends a connection early concerns its client alone, which knows.
        tokio::select! {
            _ = connection.as_mut() => return,
            () = self.closed(&activity) => {}
            () = activity.silence(self.patience) => {}
        }
        connection.as_mut().graceful_shutdown();
        tokio::select! {
            _ = connection => {}
            // The client does not take its answer, or does not say goodbye.
            () = activity.silence(self.patience) => {}
        }
    }

    async fn answer(
        &self,
        mut request: Request<Incoming>,
        peer: SocketAddr,
        scheme: Scheme,
    ) -> poem::Response {
        let local = LocalAddr(Addr::SocketAddr(self.local));
        let peer = RemoteAddr(Addr::SocketAddr(peer));
        let can_be_told_to_leave = request.version() >= Version::HTTP_2;
        let accept = request.headers().get(header::ACCEPT).cloned();
        let request_id = observe::name(request.headers_mut());
        let request = poem::Request::from((request, local, peer, scheme));
        let mut response = tokio::select! {
            biased;
            response = self.endpoint.get_response(remainder::forget(request)) => response,
            () = self.reached(Stage::GivingUp) => self.give_up(accept, request_id),
        };
        // HTTP/1 knows no other way to tell a client that its next request should go elsewhere.
        if !can_be_told_to_leave && *self.stages.borrow() > Stage::Open {
            let close = HeaderValue::from_static("close");
            response.headers_mut().insert(header::CONNECTION, close);
        }
        response
    }

    fn give_up(&self, accept: Option<HeaderValue>, request_id: HeaderValue) -> poem::Response {
        self.given_up.fetch_add(1, Ordering::Relaxed);
        let headers = accept.map(|accept| (header::ACCEPT, accept));
        let headers: HeaderMap = headers.into_iter().collect();
        let accept = header_text(&headers, &header::ACCEPT);
        let response_type = ResponseType::negotiate(&accept).unwrap_or(ResponseType::Json);
        let mut response = Refusal::Stopping.into_response(response_type);
        response
            .headers_mut()
            .insert(observe::REQUEST_ID, request_id);
        response
    }

    /// Resolves when the door is closed, and whoever came through it last has had time to speak.
    async fn closed(&self, activity: &Activity) {
        self.reached(Stage::Closed).await;
        if activity.begun.load(Ordering::Relaxed) == 0 {
            sleep(FIRST_WORDS).await;
        }
    }

    async fn reached(&self, stage: Stage) {
        let mut stages = self.stages.clone();
        if stages.wait_for(|&now| now >= stage).await.is_err() {
            // Nobody is left who could end the service; the connection ends with its client.
            pending::<()>().await;
        }
    }
}

/// What is going on in a connection.
#[derive(Default)]
struct Activity {
    begun: AtomicUsize,
    ended: AtomicUsize,
}

/// A request that is being answered.
struct InFlight(Arc<Activity>);

impl Activity {
    fn begin(self: Arc<Self>) -> InFlight {
        self.begun.fetch_add(1, Ordering::Relaxed);
        InFlight(self)
    }

    /// Resolves when no request was in flight for this long, or for twice as long at most.
    async fn silence(&self, patience: Duration) {
        let mut before = None;
        loop {
            let ended = self.ended.load(Ordering::Relaxed);
            let idle = self.begun.load(Ordering::Relaxed) == ended;
            if idle && before == Some(ended) {
                return;
            }
            before = idle.then_some(ended);
            sleep(patience).await;
        }
    }
}

impl Drop for InFlight {
    fn drop(&mut self) {
        self.0.ended.fetch_add(1, Ordering::Relaxed);
    }
}
