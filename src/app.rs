//! The HTTP application: its routes, and the middleware around them.

use std::sync::Arc;

use graphql_http::{
    Authorize, ChunkedBodies, Compression, GRAPHQL, GraphQL, Graphiql, HeadLimits, HeadRequests,
    RedirectBrowsers, RefusalTypes, RequestIds, RequestTelemetry, SchemaDocument, SecurityHeaders,
    Traces, catch_panics, fallback, graphiql, operations, schema_document,
};
use poem::{EndpointExt, Route, get, middleware::SetHeader};
use service::{Applications, Http, HttpEndpoint};

/// The applications of the listeners.
pub(crate) const APPLICATIONS: Applications = Applications { clients, operators };

/// The application for clients. A request passes the middleware from the last to the first.
fn clients(http: &Http) -> HttpEndpoint {
    let (settings, engine) = (&http.settings, &http.engine);
    let (contract, scopes) = (engine.contract(), engine.scopes());
    let schema_hash = contract.hash().to_string();
    let has_graphiql = settings.graphiql == Graphiql::On;

    let authorize = Authorize::new(Arc::clone(&http.auth), http.name, scopes);
    let graphql = GraphQL::new(Arc::clone(engine), http.name, settings)
        .with(authorize.inside(has_graphiql.then_some(RedirectBrowsers)))
        .with(SetHeader::new().overriding("schema-hash", &schema_hash));
    let mut route = Route::new().at(GRAPHQL, graphql);
    let mut unknown = "Not found. GraphQL is served at /graphql.\n";
    if settings.schema_document == SchemaDocument::On {
        route = route.at("/schema.graphql", get(schema_document(contract)));
        unknown = "Not found. GraphQL is served at /graphql, the schema at /schema.graphql.\n";
    }
    if has_graphiql {
        route = graphiql(route, http.name, http.title, http.graphiql_tabs);
    }
    if !http.has_admin {
        route = operations(route, http.ready.clone(), http.metrics_endpoint());
    }

    let (metrics, slow) = (Arc::clone(&http.metrics), http.slow_threshold);
    let (proxies, request_id) = (http.auth.proxies.clone(), http.request_id_attribute);
    route
        .catch_all_error(fallback(unknown))
        .with(catch_panics())
        .with(
            HeadLimits::new(settings)
                .inside(Compression::new(settings))
                .inside(ChunkedBodies)
                .inside(settings.cors_origins.clone())
                .inside(settings.allowed_hosts.clone())
                .inside(SecurityHeaders)
                .inside(HeadRequests)
                .inside(RequestTelemetry::new(&schema_hash, metrics, slow)),
        )
        .with(Traces::new(http.tracer.clone(), proxies, request_id))
        .with(http.stopping.clone())
        .with(RefusalTypes.inside(RequestIds))
        .boxed()
}

/// The application of a separate listener for operators.
fn operators(http: &Http) -> HttpEndpoint {
    let settings = &http.settings;
    operations(Route::new(), http.ready.clone(), http.metrics_endpoint())
        .catch_all_error(fallback(
            "Not found. Health checks are at /health/live and /health/ready, metrics at /metrics.\n",
        ))
        .with(HeadLimits::new(settings))
        .with(settings.admin_allowed_hosts.clone())
        .with(catch_panics())
        .with(Compression::new(settings))
        .with(ChunkedBodies)
        .with(SecurityHeaders)
        .with(HeadRequests)
        .with(RefusalTypes)
        .with(RequestIds)
        .boxed()
}
