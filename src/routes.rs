//! What is served, and the middleware that each request passes.

use std::{net::SocketAddr, sync::Arc};

use async_graphql::Executor;
use async_graphql_strict::Strict;
use poem::{EndpointExt, Request, Response, Route, endpoint::BoxEndpoint, get, middleware::SetHeader};
use poem_graphql::{
    AllowedHosts, Check, GraphQL, Observe, Origins, ResponseBodies, catch_panics, check_head, fallback, graphiql, live,
    metrics, ready, redirect_browsers, schema_document,
};

use crate::{
    graphql::{GRAPHIQL_TABS, HASH, SDL},
    observe::{GRAPHQL, Recorder},
    settings::Settings,
    start,
    telemetry::OPEN_METRICS,
};

/// Minimum size of a response to be compressed.
const COMPRESSED_ABOVE_BYTES: u64 = 1024;
/// Maximum length of a URL.
const URL_LIMIT_BYTES: usize = 8192;
const UNKNOWN_TO_OPERATORS: &str =
    "Not found. Health checks are at /health/live and /health/ready, metrics at /metrics.\n";

pub(crate) type Application = BoxEndpoint<'static, Response>;

/// The application for clients.
pub(crate) fn public(settings: &Settings, recorder: &Recorder, strict: Strict<impl Executor>) -> Application {
    let has_graphiql = settings.has_graphiql();
    let (checked, admitting) = (Arc::clone(&recorder.authorization), Arc::clone(&recorder.authorization));
    let endpoint = GraphQL::new(strict, start::endpoint_settings(settings))
        .admitting(move |prepared, request| admitting.admit(prepared, request))
        .with(Check(move |request: &mut Request| {
            if has_graphiql {
                redirect_browsers(request)?;
            }
            checked.check(request)
        }))
        .catch_all_error(async |error| error.into_response())
        .with(SetHeader::new().overriding("schema-hash", HASH));
    let mut route = Route::new().at(GRAPHQL, endpoint);
    let (mut schema, mut page) = (" with --introspection on", " with --graphiql on");
    if settings.has_introspection() {
        route = route.at("/schema.graphql", get(schema_document(SDL)));
        schema = "";
    }
    if has_graphiql {
        route = graphiql(route, env!("CARGO_PKG_NAME"), "Vehicle catalogue", GRAPHIQL_TABS);
        page = "";
    }
    let unknown = format!(
        "Not found. GraphQL is served at /graphql, the schema at /schema.graphql{schema}, GraphiQL at /graphiql{page}.\n"
    );
    if settings.http.admin_listen.is_none() {
        route = operations(route, recorder);
    }
    let (hosts, origins) = (settings.allowed_hosts(settings.http.listen.ip()), settings.http.cors_origins.clone());
    with_middleware(route, unknown, hosts, origins, recorder)
}

/// The application of a separate listener for operators.
pub(crate) fn operators(settings: &Settings, recorder: &Recorder, address: SocketAddr) -> Application {
    let route = operations(Route::new(), recorder);
    let (unknown, hosts) = (UNKNOWN_TO_OPERATORS.to_owned(), settings.allowed_hosts(address.ip()));
    with_middleware(route, unknown, hosts, Origins::None, recorder)
}

fn operations(route: Route, recorder: &Recorder) -> Route {
    let (readiness, metered) = (Arc::clone(&recorder.readiness), Arc::clone(&recorder.metrics));
    let parts = move || {
        let readiness = Arc::clone(&readiness);
        async move { readiness.parts().await }
    };
    let metrics = get(metrics(OPEN_METRICS, move || metered.render()));
    route.at("/health/live", get(live())).at("/health/ready", get(ready(parts))).at("/metrics", metrics)
}

/// A request passes the middleware from the last to the first.
fn with_middleware(
    route: Route,
    unknown: String,
    hosts: AllowedHosts,
    origins: Origins,
    recorder: &Recorder,
) -> Application {
    route
        .catch_all_error(fallback(unknown))
        .with(catch_panics())
        .with(Check(|request: &mut Request| check_head(request, URL_LIMIT_BYTES)))
        .with(origins)
        .with(Check(move |request: &mut Request| hosts.check(request)))
        .with(ResponseBodies::compressed_above(COMPRESSED_ABOVE_BYTES))
        .with(Observe(recorder.clone()))
        .boxed()
}
