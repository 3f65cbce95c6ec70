//! Static documents for programs: the contract and the limits of the service.

use engine::Contract;
use poem::{Endpoint, IntoResponse, Request, Response, http::header};
use serde::Serialize;

use super::{entity_tag, limit::Limit};

/// A text that does not change while the service runs.
pub(super) struct Document {
    text: String,
    content_type: &'static str,
    entity_tag: String,
}

impl Document {
    /// The text of `schema.graphql`, for which no media type is registered. Its entity tag is the hash
    /// of the contract. It is weak, since the hash does not depend on the layout of the text.
    pub(super) fn schema(contract: &Contract) -> Self {
        Self {
            text: contract.sdl().to_owned(),
            content_type: "text/plain; charset=utf-8",
            entity_tag: format!("W/\"{}\"", contract.hash()),
        }
    }

    /// The limits of the service as JSON: a list of names, values and units.
    pub(super) fn limits(limits: &[Limit]) -> Self {
        #[derive(Serialize)]
        struct Limits<'a> {
            limits: &'a [Limit],
        }
        let json = serde_json::to_string_pretty(&Limits { limits });
        let json = json.expect("names and numbers are JSON") + "\n";
        Self::new(json, "application/json; charset=utf-8")
    }

    pub(super) fn new(text: String, content_type: &'static str) -> Self {
        Self {
            entity_tag: entity_tag::strong(content_type, text.as_bytes()),
            text,
            content_type,
        }
    }
}

impl Endpoint for Document {
    type Output = Response;

    async fn call(&self, _: Request) -> poem::Result<Response> {
        let response = self.text.clone().with_content_type(self.content_type);
        Ok(response
            .with_header(header::ETAG, &self.entity_tag)
            .with_header(header::CACHE_CONTROL, "no-cache")
            .into_response())
    }
}
