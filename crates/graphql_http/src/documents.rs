//! Static documents for programs: the contract and the limits of the service.

use engine::Contract;
use hyper::body::Bytes;
use poem::{Endpoint, IntoResponse, Response, endpoint::make_sync, http::header};
use serde::Serialize;

use super::limit::Limit;

/// The text of `schema.graphql`, for which no media type is registered.
pub fn schema_document(contract: &Contract) -> impl Endpoint<Output = Response> + 'static {
    document(contract.sdl().to_owned(), "text/plain; charset=utf-8")
}

/// The limits of the service as JSON: a list of names, values and units.
pub fn limits(limits: &[Limit]) -> impl Endpoint<Output = Response> + 'static {
    #[derive(Serialize)]
    struct Limits<'a> {
        limits: &'a [Limit],
    }
    let json = serde_json::to_string_pretty(&Limits { limits });
    let json = json.expect("names and numbers are JSON") + "\n";
    document(json, "application/json; charset=utf-8")
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
