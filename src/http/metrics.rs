//! The metrics, for Prometheus and whatever else reads its format.

use std::sync::Arc;

use poem::{Endpoint, IntoResponse, Request, Response, http::header};

use super::envelope::header_text;
use crate::telemetry::{Exposition, Metrics};

/// Answers at `/metrics`.
pub(super) struct MetricsEndpoint(pub(super) Arc<Metrics>);

impl Endpoint for MetricsEndpoint {
    type Output = Response;

    async fn call(&self, request: Request) -> poem::Result<Response> {
        let accept = header_text(request.headers(), &header::ACCEPT);
        let exposition = Exposition::negotiate(&accept);
        let text = self.0.text(exposition);
        Ok(text
            .with_content_type(exposition.content_type())
            .with_header(header::VARY, "Accept")
            .with_header(header::CACHE_CONTROL, "no-store")
            .into_response())
    }
}
