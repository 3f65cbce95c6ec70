//! A middleware that announces the end of a connection whose request is not read.
//!
//! hyper closes such a connection of HTTP/1 after the response, but sends no `Connection: close`: the client could send its
//! next request on it, which would be lost (RFC 9112, section 9.6).

use std::{
    io,
    pin::Pin,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    task::{Context, Poll, Waker, ready},
};

use http_body_util::combinators::BoxBody;
use hyper::body::{Body, Bytes, Frame, SizeHint};
use poem::{Request, Response, http::Version};

use super::{
    middleware::{Changed, Hooks, middleware, unchanged},
    stopping::close_after,
};

/// Closes a connection of HTTP/1 after its response if the body of the request was not received by then.
#[derive(Clone, Copy)]
pub(super) struct UnreadBodies;

middleware!(UnreadBodies);

impl Hooks for UnreadBodies {
    /// Whether the body is read, if that is not known yet.
    type Context = Option<Arc<AtomicBool>>;

    fn before(&self, request: &mut Request) -> poem::Result<Option<Arc<AtomicBool>>> {
        let body = BoxBody::from(request.take_body());
        if request.version() >= Version::HTTP_2 || body.is_end_stream() {
            request.set_body(body);
            return Ok(None);
        }
        let ended = Arc::<AtomicBool>::default();
        let is_read = Arc::clone(&ended);
        request.set_body(BoxBody::new(Watched { body, ended }));
        Ok(Some(is_read))
    }

    fn after(&self, is_read: Option<Arc<AtomicBool>>, mut response: Response) -> Changed<'_> {
        if is_read.is_some_and(|is_read| !is_read.load(Ordering::Relaxed)) {
            close_after(&mut response);
        }
        unchanged(response)
    }
}

/// A body whose end is noted.
struct Watched {
    body: BoxBody<Bytes, io::Error>,
    ended: Arc<AtomicBool>,
}

impl Body for Watched {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<io::Result<Frame<Bytes>>>> {
        let frame = ready!(Pin::new(&mut self.body).poll_frame(context));
        if frame.is_none() || self.body.is_end_stream() {
            self.ended.store(true, Ordering::Relaxed);
        }
        Poll::Ready(frame)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

impl Drop for Watched {
    fn drop(&mut self) {
        if !self.ended.load(Ordering::Relaxed) {
            // A small body that arrived with its head is received, so that the connection stays open.
            let context = &mut Context::from_waker(Waker::noop());
            let _ = Pin::new(self).poll_frame(context);
        }
    }
}
