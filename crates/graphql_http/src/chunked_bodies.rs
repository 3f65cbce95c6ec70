//! A middleware that gives hyper large bodies in chunks.
//!
//! `poem::Server` hides vectored writes from hyper, which therefore copies what it takes of a body for HTTP/1. It takes a
//! further chunk only while fewer than 400 KiB of its copies are unsent. A connection that has not read such a body within the
//! read timeout is closed.

use std::{
    convert::Infallible,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
};

use http_body_util::{BodyExt, combinators::BoxBody};
use hyper::body::{Body, Bytes, Frame, SizeHint};
use poem::{Request, Response};

use super::{
    connections::{Activity, Unread},
    content::{content_size, take_content},
    middleware::{Changed, EarlyResponse, Hooks, hooks},
};

/// Maximum size of a chunk, and of a body that is given as a whole.
const CHUNK_BYTES: usize = 64 * 1024;

/// Gives hyper large bodies in chunks, so that a connection of HTTP/1 copies only what it is about to send.
#[derive(Clone, Copy, Debug, Default)]
pub struct ChunkedBodies;

hooks!(ChunkedBodies);

impl Hooks for ChunkedBodies {
    type Context = Option<Arc<Activity>>;

    fn before(&self, request: &mut Request) -> Result<Option<Arc<Activity>>, EarlyResponse<'_>> {
        Ok(request.data::<Arc<Activity>>().cloned())
    }

    fn after(&self, activity: Option<Arc<Activity>>, mut response: Response) -> Changed<'_> {
        if content_size(&mut response).is_some_and(|size| size > CHUNK_BYTES as u64) {
            Changed::later(chunked(response, activity))
        } else {
            response.into()
        }
    }
}

async fn chunked(
    mut response: Response,
    activity: Option<Arc<Activity>>,
) -> poem::Result<Response> {
    let chunks = Chunks {
        remaining: take_content(&mut response).await?,
        _unread: activity.map(|activity| activity.unread()),
    };
    response.set_body(BoxBody::new(chunks.map_err(|never| match never {})));
    Ok(response)
}

/// A body in chunks, which are slices of the same memory.
struct Chunks {
    remaining: Bytes,
    _unread: Option<Unread>,
}

impl Body for Chunks {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        _context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        let remaining = &mut self.remaining;
        if remaining.is_empty() {
            return Poll::Ready(None);
        }
        let chunk = remaining.split_to(remaining.len().min(CHUNK_BYTES));
        Poll::Ready(Some(Ok(Frame::data(chunk))))
    }

    fn is_end_stream(&self) -> bool {
        self.remaining.is_empty()
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(self.remaining.len() as u64)
    }
}
