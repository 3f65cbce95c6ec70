//! One connection: HTTP/1.1 or HTTP/2, ended when its client is too slow or silent.

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
    Addr, Endpoint,
    http::{HeaderMap, HeaderValue, Version, header, uri::Scheme},
    web::{LocalAddr, RemoteAddr},
};
use tokio::{
    io::{AsyncRead, AsyncWrite},
    net::TcpStream,
    sync::watch,
    time::{sleep, sleep_until, timeout},
};

use super::{
    HttpSettings, Stage, Tls, remainder,
    rest::{Rest, Resting, Turns},
};
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
    turns: Turns,
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
            turns: Turns::new(settings.read_timeout),
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
        let (activity, rest) = (Arc::new(Activity::default()), Arc::new(Rest::default()));
        let stream = Resting::new(stream, Arc::clone(&rest));
        let service = service_fn(|request| {
            let (connections, activity) = (Arc::clone(self), Arc::clone(&activity));
            let rest = Arc::clone(&rest);
            let scheme = scheme.clone();
            async move {
                let _in_flight = activity.begin();
                let response = connections.answer(request, peer, scheme, &rest).await;
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
            _ = connection.as_mut() => return,
            // The client does not take its answer, or does not say goodbye.
            () = activity.silence(self.patience) => return,
            // Requests find out by themselves, but those of HTTP/1 have to be asked.
            () = self.reached(Stage::GivingUp) => {}
        }
        tokio::select! {
            _ = connection => {}
            () = activity.silence(self.patience) => {}
        }
    }

    fn answer(
        &self,
        mut request: Request<Incoming>,
        peer: SocketAddr,
        scheme: Scheme,
        rest: &Rest,
    ) -> impl Future<Output = poem::Response> {
        let local = LocalAddr(Addr::SocketAddr(self.local));
        let peer = RemoteAddr(Addr::SocketAddr(peer));
        let shared = request.version() >= Version::HTTP_2;
        let accept = request.headers().get(header::ACCEPT).cloned();
        let request_id = observe::name(request.headers_mut());
        let request = poem::Request::from((request, local, peer, scheme));
        // Neither the request nor what answers it is part of the future, which is moved.
        let mut answer = Box::pin(self.endpoint.call(remainder::forget(request)));
        async move {
            let answered = if shared {
                self.unless_given_up(answer.as_mut()).await
            } else {
                self.unless_found_given_up(answer.as_mut()).await
            };
            let mut response = match answered {
                Some(answered) => answered.unwrap_or_else(poem::Error::into_response),
                None => self.give_up(accept, request_id),
            };
            if response.headers().contains_key(header::RETRY_AFTER) {
                let turn = self.turns.next();
                if shared {
                    // The other streams of the connection have done nothing wrong.
                    sleep_until(turn).await;
                } else {
                    rest.begin(turn);
                }
            }
            // HTTP/1 knows no other way to tell a client that its next request should go elsewhere.
            if !shared && *self.stages.borrow() > Stage::Open {
                let close = HeaderValue::from_static("close");
                response.headers_mut().insert(header::CONNECTION, close);
            }
            response
        }
    }

    /// The answer, or nothing as soon as the service can wait no longer.
    async fn unless_given_up<F: Future>(&self, answer: Pin<&mut F>) -> Option<F::Output> {
        tokio::select! {
            biased;
            answer = answer => Some(answer),
            () = self.reached(Stage::GivingUp) => None,
        }
    }

    /// The same for a request of HTTP/1, which is asked along with its connection when that time has
    /// come: it need not wait for it itself, which every request would pay for.
    async fn unless_found_given_up<F: Future>(&self, mut answer: Pin<&mut F>) -> Option<F::Output> {
        poll_fn(|context| match answer.as_mut().poll(context) {
            Poll::Pending if *self.stages.borrow() >= Stage::GivingUp => Poll::Ready(None),
            answer => answer.map(Some),
        })
        .await
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
