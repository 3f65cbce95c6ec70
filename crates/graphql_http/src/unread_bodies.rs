//! A middleware for requests whose body is not read, so that no response and no request is lost.
//!
//! hyper closes such a connection of HTTP/1 after the response, but sends no `Connection: close`: the client could send its
//! next request on it, which would be lost (RFC 9112, section 9.6). It resets such a stream of HTTP/2 after the response,
//! which clients can lose while they send the body: curl 7.88 does.

use std::{
    io,
    pin::Pin,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    task::{Context, Poll, Waker, ready},
    time::Duration,
};

use http_body_util::{BodyExt as _, Limited, combinators::BoxBody};
use hyper::body::{Body, Bytes, Frame, SizeHint};
use poem::{Request, Response, http::Version};
use tokio::{runtime::Handle, time::timeout};

use super::{
    middleware::{Changed, EarlyResponse, Hooks, middleware},
    stopping::close_after,
};

/// How much of an unread body of HTTP/2 is received.
const RECEIVED_BYTES: usize = 16 * 1024;

/// How long an unread body of HTTP/2 is received.
const RECEIVE_TIME: Duration = Duration::from_secs(1);

/// Closes a connection of HTTP/1 after its response if the body of the request was not received by then; receives small
/// bodies of HTTP/2.
#[derive(Clone, Copy)]
pub(super) struct UnreadBodies;

middleware!(UnreadBodies);

impl Hooks for UnreadBodies {
    /// Whether the body is read, if that is not known yet.
    type Context = Option<Arc<AtomicBool>>;

    fn before(&self, request: &mut Request) -> Result<Option<Arc<AtomicBool>>, EarlyResponse<'_>> {
        let body = BoxBody::from(request.take_body());
        if body.is_end_stream() {
            request.set_body(body);
            return Ok(None);
        }
        if request.version() >= Version::HTTP_2 {
            request.set_body(BoxBody::new(Received(Some(body))));
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
        response.into()
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

/// A body whose end is received, also if it is dropped before; `None` once it is dropped.
struct Received(Option<BoxBody<Bytes, io::Error>>);

impl Body for Received {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<io::Result<Frame<Bytes>>>> {
        match &mut self.0 {
            Some(body) => Pin::new(body).poll_frame(context),
            None => Poll::Ready(None),
        }
    }

    fn is_end_stream(&self) -> bool {
        self.0.as_ref().is_none_or(Body::is_end_stream)
    }

    fn size_hint(&self) -> SizeHint {
        self.0.as_ref().map_or_else(SizeHint::new, Body::size_hint)
    }
}

impl Drop for Received {
    fn drop(&mut self) {
        let unread = self.0.take().filter(|body| !body.is_end_stream());
        if let (Some(body), Ok(runtime)) = (unread, Handle::try_current()) {
            let received = Limited::new(body, RECEIVED_BYTES).collect();
            runtime.spawn(timeout(RECEIVE_TIME, received));
        }
    }
}
