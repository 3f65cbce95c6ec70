//! The routes for clients.

use std::{
    future::{Ready, ready},
    sync::Arc,
    time::Duration,
};

use auth::Auth;
use engine::{Engine, ErrorCode};
use poem::{
    Endpoint, EndpointExt, IntoResponse, Response, Route,
    error::NotFoundError,
    get,
    http::{HeaderValue, StatusCode},
};
use telemetry::{
    metrics::{Metrics, MetricsSettings},
    trace::Tracer,
};
use tokio::sync::Semaphore;

use super::{
    admin::{admin_routes, method_not_allowed},
    authorizer::Authorizer,
    documents,
    graphiql::{self, GraphiqlTab},
    limit::Limit,
    metrics::MetricsEndpoint,
    pipeline::{GraphqlEndpoint, Pipeline},
    record::RequestObserver,
    sampled_metrics::register_metrics,
    settings::{Graphiql, HttpSettings, SchemaDocument},
    startup::Startup,
};

/// A GraphQL service, to be served to clients.
pub struct GraphqlService {
    /// Executes requests.
    pub engine: Arc<Engine>,
    /// The name of the service: the realm of `WWW-Authenticate`, and the namespace of GraphiQL's storage.
    pub name: &'static str,
    /// The title of GraphiQL.
    pub title: &'static str,
    /// The default tabs of GraphiQL.
    pub graphiql_tabs: &'static [GraphiqlTab],
    /// Authenticates and limits callers.
    pub auth: Arc<Auth>,
    /// The metrics of the service.
    pub metrics: Arc<Metrics>,
    /// Records spans, if tracing is enabled.
    pub tracer: Option<Arc<Tracer>>,
    /// The name of the span attribute of the request id.
    pub request_id_attribute: &'static str,
    /// Slower operations are logged as slow; `None` logs none.
    pub slow_threshold: Option<Duration>,
    /// The limits that `/limits` lists.
    pub limits: Vec<Limit>,
}

impl GraphqlService {
    /// A service without authentication, rate limit and traces. Its name is also its title and the prefix of its
    /// metrics, so it consists of letters, digits and underscores.
    pub fn new(name: &'static str, engine: Engine, startup: &Startup) -> Self {
        let (engine, auth) = (Arc::new(engine), Arc::new(Auth::default()));
        let limits = startup.settings().limits(&engine, &auth);
        let mut metrics = Metrics::new(MetricsSettings {
            prefix: name,
            operation_limit: 100,
            codes: ErrorCode::ALL.map(ErrorCode::as_str).to_vec(),
            deprecated: engine.deprecated_elements().to_vec(),
            limits: limits.iter().map(|limit| limit.name).collect(),
        });
        register_metrics(&mut metrics, &engine, &auth, None, startup);
        Self {
            engine,
            name,
            title: name,
            graphiql_tabs: &[],
            auth,
            metrics: Arc::new(metrics),
            tracer: None,
            request_id_attribute: "http.request.id",
            slow_threshold: None,
            limits,
        }
    }
}

/// The routes for clients, for callers without a connection.
pub fn routes(
    service: GraphqlService,
    settings: HttpSettings,
) -> impl Endpoint<Output = Response> + 'static {
    clients(service, Arc::new(settings), None)
}

/// The pipeline for clients. `metrics` adds the routes for operators, which have no listener of their
/// own then.
pub(super) fn clients(
    service: GraphqlService,
    settings: Arc<HttpSettings>,
    metrics: Option<MetricsEndpoint>,
) -> Pipeline {
    let contract = service.engine.contract();
    let schema_hash = contract.hash().to_string();
    let observer = RequestObserver {
        metrics: service.metrics,
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
    let graphql = GraphqlEndpoint {
        engine: service.engine,
        authorizer,
        permits: Semaphore::new(settings.concurrency_limit),
        settings: Arc::clone(&settings),
        schema_hash: HeaderValue::try_from(schema_hash).expect("digits are a valid header value"),
    };
    let route = Route::new().at("/limits", get(documents::limits(&service.limits)));
    let route = match settings.schema_document {
        SchemaDocument::On => route.at("/schema.graphql", get(documents::schema(contract))),
        SchemaDocument::Off => route,
    };
    let route = match settings.graphiql {
        Graphiql::On => {
            let page = graphiql::page(service.name, service.title, service.graphiql_tabs);
            route
                .at("/", get(graphiql::to_page))
                .at("/graphiql", get(page))
                .at("/graphiql/assets/:name", get(graphiql::asset))
        }
        Graphiql::Off => route,
    };
    let route = match metrics {
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
