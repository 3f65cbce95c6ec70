//! Whether the process lives, and whether the service can do its work: for balancers and containers.

use std::{collections::BTreeMap, sync::Arc};

use futures_util::future::BoxFuture;
use poem::{
    Endpoint, IntoResponse, Request, Response,
    http::{StatusCode, header},
};
use serde::Serialize;

use super::Lifecycle;

/// Finds out whether the service can do its work.
pub trait Probe: Send + Sync + 'static {
    /// Everything that the work depends on, in order of importance.
    fn parts(&self) -> BoxFuture<'_, Vec<Part>>;
}

/// Something that the work of the service depends on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Part {
    /// What it is.
    #[serde(skip)]
    pub name: &'static str,
    /// Whether it permits the work.
    pub ready: bool,
    /// What an operator should know of it; for everybody to read, so without internals.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
}

impl Part {
    /// A part that permits the work.
    pub fn ready(name: &'static str) -> Self {
        let (ready, detail) = (true, None);
        Self {
            name,
            ready,
            detail,
        }
    }

    /// A part that does not, and why.
    pub fn not_ready(name: &'static str, reason: impl Into<String>) -> Self {
        let (ready, detail) = (false, Some(reason.into()));
        Self {
            name,
            ready,
            detail,
        }
    }

    /// The same with something that an operator should know.
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

/// Answers at `/health/live` as long as the process can answer anything.
pub(super) struct Live;

/// Answers at `/health/ready`: 200 when the service can do its work, else 503.
pub(super) struct Ready {
    pub(super) lifecycle: Lifecycle,
    pub(super) probe: Arc<dyn Probe>,
}

impl Endpoint for Live {
    type Output = Response;

    async fn call(&self, _: Request) -> poem::Result<Response> {
        let parts = BTreeMap::new();
        let status = "live";
        Ok(answer(StatusCode::OK, &Report { status, parts }))
    }
}

impl Endpoint for Ready {
    type Output = Response;

    async fn call(&self, _: Request) -> poem::Result<Response> {
        let mut parts = self.probe.parts().await;
        // Last, so that a drain that has begun meanwhile counts.
        parts.push(if self.lifecycle.is_draining() {
            Part::not_ready("lifecycle", "the service is stopping")
        } else {
            Part::ready("lifecycle")
        });
        let (code, status) = if parts.iter().all(|part| part.ready) {
            (StatusCode::OK, "ready")
        } else {
            (StatusCode::SERVICE_UNAVAILABLE, "not ready")
        };
        let parts = parts.iter().map(|part| (part.name, part)).collect();
        Ok(answer(code, &Report { status, parts }))
    }
}

fn answer(code: StatusCode, report: &Report) -> Response {
    let json = serde_json::to_string(report).expect("texts are JSON") + "\n";
    json.with_content_type("application/json; charset=utf-8")
        .with_status(code)
        .with_header(header::CACHE_CONTROL, "no-store")
        .into_response()
}
