//! Liveness and readiness checks for load balancers and container runtimes.

use std::{collections::BTreeMap, sync::Arc};

use futures_util::future::BoxFuture;
use poem::{
    Endpoint, IntoResponse, Request, Response,
    http::{StatusCode, header},
};
use serde::Serialize;

use super::stopping::Stopping;

/// Checks the readiness of the service.
pub trait Probe: Send + Sync + 'static {
    /// Every part that readiness depends on, the most important first.
    fn parts(&self) -> BoxFuture<'_, Vec<Part>>;
}

/// The readiness of a part of the service, such as its database.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Part {
    /// The name of the part.
    #[serde(skip)]
    pub name: &'static str,
    /// Whether the part is ready.
    pub ready: bool,
    /// A hint for operators. It is public, so it must not contain internals.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
}

impl Part {
    /// A ready part.
    pub fn ready(name: &'static str) -> Self {
        let (ready, detail) = (true, None);
        Self {
            name,
            ready,
            detail,
        }
    }

    /// A part that is not ready, with the reason.
    pub fn not_ready(name: &'static str, reason: impl Into<String>) -> Self {
        let (ready, detail) = (false, Some(reason.into()));
        Self {
            name,
            ready,
            detail,
        }
    }

    /// The same part with a hint for operators.
    #[must_use]
    pub fn with_detail(self, detail: impl Into<String>) -> Self {
        let detail = Some(detail.into());
        Self { detail, ..self }
    }
}

#[derive(Serialize)]
struct Report<'a> {
    status: &'static str,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    parts: BTreeMap<&'a str, &'a Part>,
}

/// `/health/live`: 200 while the process handles requests.
pub(super) fn live() -> Response {
    let parts = BTreeMap::new();
    let status = "live";
    respond(StatusCode::OK, &Report { status, parts })
}

/// `/health/ready`: 200 if every part is ready, else 503.
#[derive(Clone)]
pub struct Ready {
    stopping: Stopping,
    probe: Arc<dyn Probe>,
}

impl Ready {
    /// Checks the parts of a probe, and that the service is not stopping.
    pub fn new(probe: Arc<dyn Probe>, stopping: Stopping) -> Self {
        Self { stopping, probe }
    }

    /// The parts of the service, and whether it is draining.
    pub(super) async fn parts(&self) -> Vec<Part> {
        let mut parts = self.probe.parts().await;
        // Checked last, so that a drain that started during the probe counts.
        parts.push(if self.stopping.has_begun() {
            Part::not_ready("lifecycle", "the service is stopping")
        } else {
            Part::ready("lifecycle")
        });
        parts
    }
}

impl Endpoint for Ready {
    type Output = Response;

    async fn call(&self, _: Request) -> poem::Result<Response> {
        let parts = self.parts().await;
        let (code, status) = if parts.iter().all(|part| part.ready) {
            (StatusCode::OK, "ready")
        } else {
            (StatusCode::SERVICE_UNAVAILABLE, "not ready")
        };
        let parts = parts.iter().map(|part| (part.name, part)).collect();
        Ok(respond(code, &Report { status, parts }))
    }
}

fn respond(code: StatusCode, report: &Report) -> Response {
    let json = serde_json::to_string(report).expect("strings are JSON") + "\n";
    json.with_content_type("application/json; charset=utf-8")
        .with_status(code)
        .with_header(header::CACHE_CONTROL, "no-store")
        .into_response()
}
