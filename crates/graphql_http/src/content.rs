//! The content of responses that middleware changes or counts.

use http_body_util::combinators::BoxBody;
use hyper::body::{Body as _, Bytes};
use poem::{Response, http::StatusCode};

/// The size of the content in bytes; `None` if it is a stream without a known end.
pub(super) fn content_size(response: &mut Response) -> Option<u64> {
    let body = BoxBody::from(response.take_body());
    let size = body.size_hint().exact();
    response.set_body(body);
    size
}

/// Removes the content from a response. This does not wait for content in memory, which is all content of known size that
/// poem makes.
pub(super) async fn take_content(response: &mut Response) -> poem::Result<Bytes> {
    let content = response.take_body().into_bytes().await;
    content.map_err(|error| {
        tracing::error!(%error, "cannot read the content of a response");
        StatusCode::INTERNAL_SERVER_ERROR.into()
    })
}
