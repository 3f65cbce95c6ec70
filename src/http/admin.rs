//! What operators and their programs ask of the service: on an address of its own, or beside GraphQL.

use std::{sync::Arc, time::Duration};

use poem::{
    Endpoint, EndpointExt, IntoResponse, Response, Route, error::NotFoundError, get,
    http::StatusCode,
};

use super::{
    HttpSettings, Lifecycle, Origins,
    envelope::Envelope,
    health::{Live, Probe, Ready},
    metrics::MetricsEndpoint,
    observe::Watch,
    panics::Caught,
    routes,
};

/// More connections than programs that watch a service have open; a mistake in one of them should
/// not take the file descriptors from clients.
const CONNECTIONS: usize = 256;

/// An answer to a program that watches takes no longer than that.
const DRAIN_TIMEOUT: Duration = Duration::from_secs(1);

/// What operators can know of a running service.
#[derive(Clone)]
pub struct Operations {
    /// Where it is in its life.
    pub lifecycle: Lifecycle,
    /// Whether it can do its work.
    pub probe: Arc<dyn Probe>,
    /// What was counted.
    pub watch: Watch,
}

/// Adds the paths for operators: the only list of them.
pub(super) fn admin_routes(route: Route, operations: Operations) -> Route {
    let Operations {
        lifecycle,
        probe,
        watch,
    } = operations;
    let metrics = MetricsEndpoint {
        metrics: watch.metrics,
        lifecycle: lifecycle.clone(),
        probe: Arc::clone(&probe),
    };
    route
        .at("/health/live", get(Live))
        .at("/health/ready", get(Ready { lifecycle, probe }))
        .at("/metrics", get(metrics))
}

/// Every path that the address for operators answers.
pub(super) fn endpoint(
    operations: Operations,
    settings: &HttpSettings,
) -> impl Endpoint<Output = Response> + 'static {
    let inner = admin_routes(Route::new(), operations)
        .catch_error(|_: NotFoundError| async { not_found() })
        .catch_error(routes::page_is_only_read)
        .map_to_response();
    Envelope::new(Caught(inner), settings.clone())
}

/// The settings of HTTP as far as they hold on the address for operators.
pub(super) fn settings(settings: &HttpSettings) -> HttpSettings {
    HttpSettings {
        connection_limit: CONNECTIONS,
        cors_origins: Origins::None,
        drain_pause: Duration::ZERO,
        drain_timeout: DRAIN_TIMEOUT,
        ..settings.clone()
    }
}

fn not_found() -> Response {
    "Not found. Health is told at /health/live and /health/ready, metrics at /metrics.\n"
        .with_status(StatusCode::NOT_FOUND)
        .into_response()
}
