//! The stages of a graceful shutdown, for requests.
//!
//! `poem::Server` sends no `Connection: close` before it stops to accept.

use std::sync::Arc;

use poem::{
    Request, Response,
    http::{HeaderValue, Version, header},
};
use tokio::sync::watch;

use super::middleware::{Changed, EarlyResponse, Hooks, hooks};

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
}

/// A middleware for the graceful shutdown of a listener: it closes connections of HTTP/1 after their next response. Clones
/// share the stage.
#[derive(Clone, Debug, Default)]
pub struct Stopping {
    stage: Arc<watch::Sender<Stage>>,
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
}

hooks!(Stopping);

impl Hooks for Stopping {
    /// Whether the version of HTTP has no GOAWAY frame.
    type Context = bool;

    fn before(&self, request: &mut Request) -> Result<bool, EarlyResponse<'_>> {
        Ok(request.version() < Version::HTTP_2)
    }

    fn after(&self, is_http_1: bool, mut response: Response) -> Changed<'_> {
        if is_http_1 && self.has_begun() {
            close_after(&mut response);
        }
        response.into()
    }
}

/// Closes a connection of HTTP/1 after this response. HTTP/1 has no GOAWAY frame: the header makes the client open a new
/// connection.
pub(super) fn close_after(response: &mut Response) {
    let close = HeaderValue::from_static("close");
    response.headers_mut().insert(header::CONNECTION, close);
}
