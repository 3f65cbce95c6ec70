//! What programs can read of the service beside the endpoint: its contract and its limits.

use poem::{Endpoint, IntoResponse, Request, Response, http::header};
use serde::Serialize;

use super::{entity_tag, limit::Limit};
use crate::graphql::{SCHEMA, contract_hash};

/// A text that stays the same as long as the service runs.
pub(super) struct Document {
    text: String,
    content_type: &'static str,
    entity_tag: String,
}

impl Document {
    /// The text of `schema.graphql`. There is no registered media type for it. Its tag is the hash
    /// of the contract, and weak: another layout of the same contract has the same.
    pub(super) fn schema() -> Self {
        Self {
            text: SCHEMA.to_owned(),
            content_type: "text/plain; charset=utf-8",
            entity_tag: format!("W/\"{}\"", contract_hash()),
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

    fn new(text: String, content_type: &'static str) -> Self {
        Self {
            entity_tag: entity_tag::of(content_type, text.as_bytes()),
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
