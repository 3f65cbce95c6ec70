//! Static documents for programs: the contract and the limits of the service.

use engine::Contract;
use hyper::body::Bytes;
use poem::{Endpoint, IntoResponse, Response, endpoint::make_sync, http::header};
use serde::Serialize;

use super::{entity_tag, limit::Limit};

/// The text of `schema.graphql`, for which no media type is registered. Its entity tag is the hash
/// of the contract. It is weak, since the hash does not depend on the layout of the text.
pub(super) fn schema(contract: &Contract) -> impl Endpoint<Output = Response> + 'static {
    let entity_tag = format!("W/\"{}\"", contract.hash());
    with_tag(
        contract.sdl().to_owned(),
        "text/plain; charset=utf-8",
        entity_tag,
    )
}

/// The limits of the service as JSON: a list of names, values and units.
pub(super) fn limits(limits: &[Limit]) -> impl Endpoint<Output = Response> + 'static {
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
    let entity_tag = entity_tag::strong(content_type.as_bytes(), text.as_bytes());
    with_tag(text, content_type, entity_tag)
}

fn with_tag(
    text: String,
    content_type: &'static str,
    entity_tag: String,
) -> impl Endpoint<Output = Response> + 'static {
    // All responses share it.
    let text = Bytes::from(text);
    make_sync(move |_| {
        let response = text.clone().with_content_type(content_type);
        response
            .with_header(header::ETAG, &entity_tag)
            .with_header(header::CACHE_CONTROL, "no-cache")
            .into_response()
    })
}
