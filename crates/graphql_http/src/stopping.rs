//! The stages of a graceful shutdown, for requests.
//!
//! `poem::Server` ends connections at the deadline of its shutdown without a response, and sends no `Connection: close`
//! before it stops to accept.

use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

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
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd)]
pub(super) enum Stage {
    /// Connections are kept alive.
    #[default]
    Serving,
    /// Requests are finished; connections of HTTP/1 are closed after their next response.
    Draining,
    /// The listener is closed.
    Closing,
    /// Requests in flight are refused.
    Aborting,
}

/// A middleware for the graceful shutdown of a listener: it answers requests that the shutdown aborts, and closes
/// connections of HTTP/1 after their next response. Clones share the stage.
#[derive(Clone, Default)]
pub struct Stopping {
    stage: Arc<watch::Sender<Stage>>,
    aborted: Arc<AtomicUsize>,
}

impl Stopping {
    /// Whether the shutdown has begun.
    pub fn has_begun(&self) -> bool {
        *self.stage.borrow() != Stage::Serving
    }

    pub(super) fn begin(&self, stage: Stage) {
        self.stage.send_replace(stage);
    }

    pub(super) fn stages(&self) -> watch::Receiver<Stage> {
        self.stage.subscribe()
    }

    /// Resolves when the listener is closed: connections that have no requests, such as those of WebSocket, end then.
    pub fn closing(&self) -> impl Future<Output = ()> + Send + 'static {
        let mut stage = self.stages();
        async move {
            // An error means that nothing can begin the next stage.
            let _ = stage.wait_for(|stage| *stage >= Stage::Closing).await;
        }
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
    /// Awaits the endpoint where it is called: a future that is moved into another one is stored twice, and this one is
    /// larger than the request.
    async fn around<'a, E: Endpoint>(
        &'a self,
        endpoint: &'a E,
        request: Request,
    ) -> poem::Result<Response> {
        let is_http_1 = request.version() < Version::HTTP_2;
        let mut stage = self.stages();
        let mut response = tokio::select! {
            biased;
            result = endpoint.call(request) => into_response(result),
            _ = stage.wait_for(|stage| *stage == Stage::Aborting) => {
                self.aborted.fetch_add(1, Ordering::Relaxed);
                Refusal::Stopping.into_response()
            }
        };
        if is_http_1 && *stage.borrow() != Stage::Serving {
            close_after(&mut response);
        }
        Ok(response)
    }
}

/// Closes a connection of HTTP/1 after this response. HTTP/1 has no GOAWAY frame: the header makes the client open a new
/// connection.
pub(super) fn close_after(response: &mut Response) {
    let close = HeaderValue::from_static("close");
    response.headers_mut().insert(header::CONNECTION, close);
}
