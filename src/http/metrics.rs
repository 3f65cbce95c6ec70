//! The metrics, for Prometheus and whatever else reads its format.

use std::sync::Arc;

use poem::{Endpoint, IntoResponse, Request, Response, http::header};

use super::{Lifecycle, Probe, envelope::header_text};
use crate::telemetry::{Exposition, Metrics};

/// Answers at `/metrics`.
pub(super) struct MetricsEndpoint {
    pub(super) metrics: Arc<Metrics>,
    pub(super) lifecycle: Lifecycle,
    pub(super) probe: Arc<dyn Probe>,
}

impl Endpoint for MetricsEndpoint {
    type Output = Response;

    async fn call(&self, request: Request) -> poem::Result<Response> {
        let accept = header_text(request.headers(), &header::ACCEPT);
        let exposition = Exposition::negotiate(&accept);
        let parts = self.probe.parts().await;
        let can_work = parts.iter().all(|part| part.ready);
        self.metrics
            .note_readiness(can_work && !self.lifecycle.is_draining());
        let text = self.metrics.text(exposition);
        Ok(text
            .with_content_type(exposition.content_type())
            .with_header(header::VARY, "Accept")
            .with_header(header::CACHE_CONTROL, "no-store")
            .into_response())
    }
}
