//! Texts that do not change while the service runs.

use engine::Contract;
use hyper::body::Bytes;
use poem::{Endpoint, IntoResponse, Response, endpoint::make_sync, http::header};

/// The text of `schema.graphql`, for which no media type is registered.
pub fn schema_document(contract: &Contract) -> impl Endpoint<Output = Response> + 'static {
    document(contract.sdl().to_owned(), "text/plain; charset=utf-8")
}

/// A text that does not change while the service runs.
pub(super) fn document(
    text: String,
    content_type: &'static str,
) -> impl Endpoint<Output = Response> + 'static {
    let text = Bytes::from(text);
    make_sync(move |_| {
        // All responses share it.
        text.clone()
            .with_content_type(content_type)
            .with_header(header::CACHE_CONTROL, "no-cache")
            .into_response()
    })
}
