//! A middleware that bounds the memory of large responses that clients have not read.
//!
//! The rule: all large responses together take at most `response-memory-bytes`, from when they are ready until their last
//! byte is sent; further ones are refused with 503. A connection that has not read one within the read timeout is closed.
//!
//! The bytes hold the reservation. `poem::Server` hides vectored writes from hyper, which therefore copies what it takes of
//! the body for HTTP/1: it is given chunks, and takes further ones when fewer than 400 KiB of its copies are unsent.

use std::{
    convert::Infallible,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
};

use http_body_util::{BodyExt, combinators::BoxBody};
use hyper::body::{Body, Bytes, Frame, SizeHint};
use poem::{Request, Response};
use tokio::sync::OwnedSemaphorePermit;

use super::{
    connections::{Activity, Unread},
    content::{content_size, take_content},
    memory::Budget,
    middleware::{Changed, EarlyResponse, Hooks, hooks},
    refusal::Refusal,
    settings::HttpSettings,
};

/// Responses below this size are not counted, so that they cost nothing: the number of streams bounds them.
const LARGE_BYTES: u64 = 16 * 1024;

/// Maximum size of a chunk of a large response.
const CHUNK_BYTES: usize = 64 * 1024;

/// Bounds the memory of large responses. Clones share it.
#[derive(Clone)]
pub struct ResponseMemory {
    pub(super) budget: Budget,
}

impl ResponseMemory {
    /// The memory of the settings.
    pub fn new(settings: &HttpSettings) -> Self {
        let budget = Budget::new(settings.response_memory_bytes);
        Self { budget }
    }
}

hooks!(ResponseMemory);

impl Hooks for ResponseMemory {
    type Context = Option<Arc<Activity>>;

    fn before(&self, request: &mut Request) -> Result<Option<Arc<Activity>>, EarlyResponse<'_>> {
        Ok(request.data::<Arc<Activity>>().cloned())
    }

    fn after(&self, activity: Option<Arc<Activity>>, mut response: Response) -> Changed<'_> {
        if content_size(&mut response).is_some_and(|size| size >= LARGE_BYTES) {
            Changed::later(self.counted(response, activity))
        } else {
            response.into()
        }
    }
}

impl ResponseMemory {
    async fn counted(
        &self,
        mut response: Response,
        activity: Option<Arc<Activity>>,
    ) -> poem::Result<Response> {
        let content = take_content(&mut response).await?;
        // Static content is in memory once, however many responses share it.
        if !content.is_unique() {
            response.set_body(content);
            return Ok(response);
        }
        let reservation = self.budget.reserve(content.len());
        let reservation = reservation.map_err(Refusal::Unread)?;
        let counted = Bytes::from_owner(Counted {
            content,
            _reservation: reservation,
            _unread: activity.map(|activity| activity.unread()),
        });
        response.set_body(BoxBody::new(
            Chunks(counted).map_err(|never| match never {}),
        ));
        Ok(response)
    }
}

/// Content that is counted until it is dropped.
struct Counted {
    content: Bytes,
    _reservation: OwnedSemaphorePermit,
    _unread: Option<Unread>,
}

impl AsRef<[u8]> for Counted {
    fn as_ref(&self) -> &[u8] {
        &self.content
    }
}

/// A body in chunks.
struct Chunks(Bytes);

impl Body for Chunks {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        _context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        if self.0.is_empty() {
            return Poll::Ready(None);
        }
        let size = self.0.len().min(CHUNK_BYTES);
        Poll::Ready(Some(Ok(Frame::data(self.0.split_to(size)))))
    }

    fn is_end_stream(&self) -> bool {
        self.0.is_empty()
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(self.0.len() as u64)
    }
}
