//! What a client still sends while its request is refused already.
//!
//! Closing a connection on which something is unread resets it, and the client may lose the answer
//! that tells it why. So the rest of a body is read and forgotten, as far as that is bearable.

use std::{
    io,
    pin::{Pin, pin},
    task::{Context, Poll},
    time::Duration,
};

use futures_util::TryStreamExt;
use http_body_util::{BodyExt, combinators::BoxBody};
use hyper::body::{Body, Bytes, Frame, SizeHint};
use poem::{
    Request,
    http::{Version, header},
};
use tokio::time::timeout;

const MOST_BYTES: usize = 32 * 1024 * 1024;
const MOST_TIME: Duration = Duration::from_secs(5);

/// Has the rest of the body of a request read when nobody reads it to its end.
pub(super) fn forget(mut request: Request) -> Request {
    // A client that asks before it sends is told in time, and HTTP/2 can end a single stream.
    let closes = request.version() < Version::HTTP_2;
    if closes && !request.headers().contains_key(header::EXPECT) {
        let body = BoxBody::from(request.take_body());
        if body.is_end_stream() {
            request.set_body(body);
        } else {
            request.set_body(Remainder(Some(body)).boxed());
        }
    }
    request
}

struct Remainder(Option<BoxBody<Bytes, io::Error>>);

impl Body for Remainder {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, io::Error>>> {
        match &mut self.0 {
            Some(body) => Pin::new(body).poll_frame(context),
            None => Poll::Ready(None),
        }
    }

    fn is_end_stream(&self) -> bool {
        self.0.as_ref().is_none_or(Body::is_end_stream)
    }

    fn size_hint(&self) -> SizeHint {
        self.0
            .as_ref()
            .map_or_else(SizeHint::default, Body::size_hint)
    }
}

impl Drop for Remainder {
    fn drop(&mut self) {
        if let Some(body) = self.0.take()
            && !body.is_end_stream()
        {
            tokio::spawn(timeout(MOST_TIME, discard(body)));
        }
    }
}

async fn discard(body: BoxBody<Bytes, io::Error>) {
    let mut left = MOST_BYTES;
    let mut chunks = pin!(body.into_data_stream());
    while let Ok(Some(chunk)) = chunks.try_next().await {
        match left.checked_sub(chunk.len()) {
            Some(rest) => left = rest,
            None => return,
        }
    }
}
