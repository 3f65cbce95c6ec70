//! Health and metrics: on a separate listener, or on the one for clients.

use std::{sync::Arc, time::Duration};

use engine::Engine;
use poem::{
    EndpointExt, IntoResponse, Response, Route,
    endpoint::make_sync,
    error::{MethodNotAllowedError, NotFoundError},
    get,
    http::{StatusCode, header},
};

use super::{
    cors::Origins, health::live, metrics::MetricsEndpoint, pipeline::Pipeline,
    settings::HttpSettings, usage,
};

/// Connection limit of the separate listener: more than monitoring needs, and half of the files that
/// `connection_limit` reserves.
const CONNECTION_LIMIT: usize = 32;

/// Health and metrics responses take less time than this.
const DRAIN_TIMEOUT: Duration = Duration::from_secs(1);

/// Adds the routes for operators.
pub(super) fn admin_routes(route: Route, metrics: MetricsEndpoint) -> Route {
    route
        .at("/health/live", get(make_sync(|_| live())))
        .at("/health/ready", get(metrics.ready.clone()))
        .at("/metrics", get(metrics))
}

/// The pipeline of the separate listener for operators, whose requests are not recorded. Only it serves the
/// recorded use, which has the subjects of tokens.
pub(super) fn pipeline(
    metrics: MetricsEndpoint,
    engine: Arc<Engine>,
    settings: &HttpSettings,
) -> Pipeline {
    let others = admin_routes(Route::new(), metrics)
        .at("/usage", get(make_sync(move |_| usage::response(&engine))))
        .catch_error(|_: NotFoundError| async { not_found() })
        .catch_error(method_not_allowed)
        .map_to_response()
        .boxed();
    Pipeline {
        settings: Arc::new(self::settings(settings)),
        observer: None,
        graphql: None,
        others,
    }
}

/// The settings of the separate listener for operators.
pub(super) fn settings(settings: &HttpSettings) -> HttpSettings {
    HttpSettings {
        connection_limit: CONNECTION_LIMIT,
        cors_origins: Origins::None,
        allowed_hosts: settings.admin_allowed_hosts.clone(),
        drain_pause: Duration::ZERO,
        drain_timeout: DRAIN_TIMEOUT,
        ..settings.clone()
    }
}

fn not_found() -> Response {
    "Not found. Health checks are at /health/live and /health/ready, metrics at /metrics, the \
     recorded use at /usage.\n"
        .with_status(StatusCode::NOT_FOUND)
        .into_response()
}

pub(super) async fn method_not_allowed(_: MethodNotAllowedError) -> Response {
    "Method not allowed; use GET.\n"
        .with_status(StatusCode::METHOD_NOT_ALLOWED)
        .with_header(header::ALLOW, "GET, HEAD")
        .into_response()
}
