//! The routes for clients.

use std::{
    future::{Ready, ready},
    sync::Arc,
};

use poem::{
    Endpoint, EndpointExt, IntoResponse, Response, Route,
    endpoint::make_sync,
    error::NotFoundError,
    get,
    http::{HeaderValue, StatusCode},
};
use telemetry::metrics::Metrics;
use tokio::sync::Semaphore;

use super::{
    admin::{admin_routes, method_not_allowed},
    authorizer::Authorizer,
    documents, graphiql,
    graphql_service::GraphqlService,
    metrics::{self, MetricsEndpoint},
    pipeline::{GraphqlEndpoint, Pipeline},
    record::RequestObserver,
    response_headers::EngineHeaders,
    settings::{Graphiql, HttpSettings, SchemaDocument},
};

/// The routes for clients, for callers without a connection.
pub fn routes(
    service: GraphqlService,
    settings: HttpSettings,
) -> impl Endpoint<Output = Response> + 'static {
    let metrics = metrics::new(&service, &settings, &Arc::default());
    clients(service, Arc::new(metrics), Arc::new(settings), None)
}

/// The pipeline for clients. `operators` adds the routes for operators, which have no listener of their
/// own then.
pub(super) fn clients(
    service: GraphqlService,
    metrics: Arc<Metrics>,
    settings: Arc<HttpSettings>,
    operators: Option<MetricsEndpoint>,
) -> Pipeline {
    let mut limits = settings.limits(&service.engine, &service.auth);
    limits.extend(service.limits);
    let contract = service.engine.contract();
    let schema_hash = contract.hash().to_string();
    let observer = RequestObserver {
        metrics,
        slow: service.slow_threshold,
        traces: service.tracer,
        trusted_proxies: service.auth.proxies.clone(),
        // Enough digits to distinguish the versions in a log.
        schema_hash: schema_hash[..12].to_owned(),
        request_id_attribute: service.request_id_attribute,
    };
    let authorizer = Authorizer {
        auth: service.auth,
        realm: service.name,
        scopes: service.engine.scopes(),
    };
    // Copies of a static value need no reference count, which would be contended.
    let schema_hash = HeaderValue::from_static(schema_hash.leak());
    let graphql = GraphqlEndpoint {
        engine: service.engine,
        authorizer,
        permits: Semaphore::new(settings.concurrency_limit),
        settings: Arc::clone(&settings),
        engine_headers: EngineHeaders::new(&schema_hash),
        schema_hash,
    };
    let route = Route::new().at("/limits", get(documents::limits(&limits)));
    let route = match settings.schema_document {
        SchemaDocument::On => route.at("/schema.graphql", get(documents::schema(contract))),
        SchemaDocument::Off => route,
    };
    let route = match settings.graphiql {
        Graphiql::On => {
            let page = graphiql::page(service.name, service.title, service.graphiql_tabs);
            route
                .at("/", get(make_sync(|_| graphiql::redirect())))
                .at("/graphiql", get(page))
                .at("/graphiql/assets/:name", get(graphiql::asset))
        }
        Graphiql::Off => route,
    };
    let route = match operators {
        Some(metrics) => admin_routes(route, metrics),
        None => route,
    };
    let others = route
        .catch_error(not_found(settings.schema_document))
        .catch_error(method_not_allowed)
        .map_to_response()
        .boxed();
    Pipeline {
        settings,
        observer: Some(observer),
        graphql: Some(graphql),
        others,
    }
}

/// The response to an unknown path: it lists the known paths.
fn not_found(schema: SchemaDocument) -> impl Fn(NotFoundError) -> Ready<Response> {
    let text = match schema {
        SchemaDocument::On => {
            "Not found. GraphQL is served at /graphql, the schema at /schema.graphql.\n"
        }
        SchemaDocument::Off => "Not found. GraphQL is served at /graphql.\n",
    };
    move |_| ready(text.with_status(StatusCode::NOT_FOUND).into_response())
}
