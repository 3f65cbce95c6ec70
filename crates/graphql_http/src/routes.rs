//! The routes of every service besides that of GraphQL, and the responses to requests that no route accepts.

use std::future::{Ready as Immediate, ready};

use poem::{
    IntoResponse, Response, Route,
    endpoint::make_sync,
    error::{MethodNotAllowedError, NotFoundError},
    get,
    http::{StatusCode, header},
};

use super::{
    health::{Ready, live},
    metrics::MetricsEndpoint,
};

/// The path of the GraphQL endpoint, of which requests are logged, counted and traced.
pub const GRAPHQL: &str = "/graphql";

/// Adds health checks and metrics to routes.
pub fn operations(route: Route, ready: Ready, metrics: MetricsEndpoint) -> Route {
    route
        .at("/health/live", get(make_sync(|_| live())))
        .at("/health/ready", get(ready))
        .at("/metrics", get(metrics))
}

/// The responses to requests that no route accepts: to an unknown path a text that lists the known ones, to another method
/// than GET the methods.
pub fn fallback(not_found: &'static str) -> impl Fn(poem::Error) -> Immediate<Response> + 'static {
    move |error| {
        ready(if error.is::<NotFoundError>() {
            not_found.with_status(StatusCode::NOT_FOUND).into_response()
        } else if error.is::<MethodNotAllowedError>() {
            "Method not allowed; use GET.\n"
                .with_status(StatusCode::METHOD_NOT_ALLOWED)
                .with_header(header::ALLOW, "GET, HEAD")
                .into_response()
        } else {
            error.into_response()
        })
    }
}
