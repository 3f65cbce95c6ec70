//! The stages of a graceful shutdown, for requests.
//!
//! `poem::Server` ends connections at the deadline of its shutdown without a response, and sends no `Connection: close`
//! before it stops to accept.

use std::{
    future::{pending, poll_fn},
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    task::{Poll, ready},
    time::Duration,
};

use futures_util::FutureExt;
use poem::{
    Endpoint, IntoResponse, Request, Response,
    http::{HeaderValue, Version, header},
};
use tokio::{sync::watch, time::sleep};

use super::{
    middleware::{Around, into_response, middleware},
    refusal::Refusal,
};

/// The stages of a graceful shutdown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Stage {
    /// Connections are kept alive.
    Serving,
    /// Requests are finished; connections of HTTP/1 are closed after their next response.
    Draining,
    /// Requests in flight are refused.
    Aborting,
}

/// A middleware for the graceful shutdown of a listener: it answers requests that the shutdown aborts, and closes
/// connections of HTTP/1 after their next response. Clones share the stage.
#[derive(Clone)]
pub struct Stopping {
    stage: Arc<watch::Sender<Stage>>,
    aborted: Arc<AtomicUsize>,
}

impl Stopping {
    pub(super) fn new() -> Self {
        Self {
            stage: Arc::new(watch::Sender::new(Stage::Serving)),
            aborted: Arc::default(),
        }
    }

    pub(super) fn begin(&self, stage: Stage) {
        self.stage.send_replace(stage);
    }

    /// Refuses the requests that are in flight after this time.
    pub(super) fn abort_after(&self, timeout: Duration) {
        let stopping = self.clone();
        tokio::spawn(async move {
            sleep(timeout).await;
            stopping.begin(Stage::Aborting);
        });
    }

    /// Number of requests that were aborted.
    pub(super) fn aborted(&self) -> usize {
        self.aborted.load(Ordering::Relaxed)
    }
}

middleware!(Stopping);

impl Around for Stopping {
    fn around<'a, E: Endpoint>(
        &'a self,
        endpoint: &'a E,
        request: Request,
    ) -> impl Future<Output = poem::Result<Response>> + Send {
        let is_http_1 = request.version() < Version::HTTP_2;
        let mut call = endpoint.call(request).boxed();
        let mut aborting = None;
        let result = poll_fn(move |context| {
            if let Poll::Ready(result) = call.as_mut().poll(context) {
                return Poll::Ready(result.map(E::Output::into_response));
            }
            let begin = || aborting_of(self.stage.subscribe()).boxed();
            ready!(aborting.get_or_insert_with(begin).as_mut().poll(context));
            self.aborted.fetch_add(1, Ordering::Relaxed);
            Poll::Ready(Err(Refusal::Stopping.into()))
        });
        result.map(move |result| {
            let mut response = into_response(result);
            if is_http_1 && *self.stage.borrow() != Stage::Serving {
                close_after(&mut response);
            }
            Ok(response)
        })
    }
}

/// Closes a connection of HTTP/1 after this response. HTTP/1 has no GOAWAY frame: the header makes the client open a new
/// connection.
pub(super) fn close_after(response: &mut Response) {
    let close = HeaderValue::from_static("close");
    response.headers_mut().insert(header::CONNECTION, close);
}

/// Resolves when requests are aborted.
async fn aborting_of(mut stage: watch::Receiver<Stage>) {
    let aborting = |stage: &Stage| *stage >= Stage::Aborting;
    if stage.wait_for(aborting).await.is_err() {
        // The sender is gone, so the stage cannot change any more.
        pending::<()>().await;
    }
}
