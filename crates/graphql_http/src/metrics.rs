//! The endpoint of the metrics, in the formats of Prometheus and `OpenMetrics`.

use std::sync::Arc;

use poem::{Endpoint, IntoResponse, Request, Response, http::header};
use telemetry::metrics::{Exposition, Metrics};

use super::{health::Ready, metadata::header_text};

/// `/metrics`.
pub(super) struct MetricsEndpoint {
    pub(super) metrics: Arc<Metrics>,
    pub(super) ready: Ready,
}

impl Endpoint for MetricsEndpoint {
    type Output = Response;

    async fn call(&self, request: Request) -> poem::Result<Response> {
        let accept = header_text(request.headers(), &header::ACCEPT);
        let exposition = Exposition::negotiate(&accept);
        let parts = self.ready.parts().await;
        self.metrics.set_ready(parts.iter().all(|part| part.ready));
        let text = self.metrics.render(exposition);
        Ok(text
            .with_content_type(exposition.content_type())
            .with_header(header::VARY, "Accept")
            .with_header(header::CACHE_CONTROL, "no-store")
            .into_response())
    }
}
