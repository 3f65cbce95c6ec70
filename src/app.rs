//! The service: settings → database → schema → routes → servers → stop.

use std::{
    future::Future,
    io,
    net::SocketAddr,
    sync::{Arc, atomic::Ordering::Relaxed},
    time::Duration,
};

use async_graphql::Executor;
use async_graphql_strict::Strict;
use poem::{
    Endpoint, EndpointExt, Request, Response, Route,
    endpoint::BoxEndpoint,
    get,
    http::{HeaderValue, Version, header},
    middleware::SetHeader,
};
use poem_graphql::{
    Check, ConnectionLimits, GraphQL, Observe, ResponseBodies, SecurityHeaders, catch_panics, check_head, fallback,
    graphiql, live, metrics, ready, redirect_browsers, schema_document,
};
use tokio::{
    sync::oneshot,
    task::JoinSet,
    time::{sleep, timeout},
};

use crate::{
    authorization::Authorization,
    graphql::{GRAPHIQL_TABS, HASH, SDL},
    health::Readiness,
    observe::{GRAPHQL, Recorder},
    settings::Settings,
    start::{self, Bound, StartError},
    store::{Database, Store},
    telemetry::{Metrics, OPEN_METRICS, Tracer, gauge},
};

/// Minimum size of a response to be compressed.
const COMPRESSED_ABOVE_BYTES: u64 = 1024;
/// How long a request may take to arrive, in addition to the time of its execution.
const RECEIVED_WITHIN: Duration = Duration::from_secs(45);
/// Maximum length of a URL.
const URL_LIMIT_BYTES: usize = 8192;

type Application = BoxEndpoint<'static, Response>;

/// The running service.
pub struct App {
    /// Of the listener for clients.
    pub address: SocketAddr,
    /// Of the listener for operators, if there is one.
    pub admin_address: Option<SocketAddr>,
    settings: Settings,
    database: Database,
    readiness: Arc<Readiness>,
    tracer: Option<Arc<Tracer>>,
    stop: oneshot::Sender<()>,
    /// Aborted when the app is dropped.
    servers: JoinSet<io::Result<()>>,
    _background: JoinSet<()>,
}

/// What the routes are made of.
struct Parts {
    settings: Settings,
    authorization: Arc<Authorization>,
    metrics: Arc<Metrics>,
    readiness: Arc<Readiness>,
    recorder: Recorder,
}

impl App {
    /// Connects to the database, applies its migrations, and serves.
    pub async fn start(settings: Settings, tracer: Option<Arc<Tracer>>) -> Result<Self, StartError> {
        // Before the database, so that a service started twice by mistake changes nothing there.
        let public = Bound::new(settings.http.listen, "--listen")?;
        let admin = settings.http.admin_listen.map(|address| Bound::new(address, "--admin-listen")).transpose()?;
        let (address, admin_address) = (public.address, admin.as_ref().map(|admin| admin.address));
        let tls = start::tls(&settings).await?;
        let authorization = Arc::new(start::authorization(&settings)?);
        let database = start::database(&settings).await?;
        let store = Store::new(database.clone());
        let strict = start::strict(&settings, store.clone())?;
        let readiness = Arc::new(Readiness::new(database.clone()));
        let metrics = start::metrics(&strict, &store, &authorization, tls.as_ref(), tracer.as_deref(), &readiness);
        start::log_access(&settings, &database, address, admin_address);

        let recorder = Recorder {
            metrics: Arc::clone(&metrics),
            tracer: tracer.clone(),
            authorization: Arc::clone(&authorization),
        };
        let mut background = JoinSet::new();
        if let Some(tokens) = authorization.tokens.clone() {
            background.spawn(tokens.reload());
        }
        let parts =
            Parts { settings: settings.clone(), authorization, metrics, readiness: Arc::clone(&readiness), recorder };
        let limits = ConnectionLimits {
            connections: start::connection_limit(&settings),
            response: settings.graphql.execution_timeout_seconds + RECEIVED_WITHIN,
            ..ConnectionLimits::default()
        };
        let drain = settings.http.drain_timeout_seconds;
        let (stop, stopping) = oneshot::channel();
        let (stopped, admin_stopping) = oneshot::channel();
        let mut servers = JoinSet::new();
        let acceptor = public.listen(limits)?;
        let (open, help) = (gauge(&acceptor.open(), |open| open.load(Relaxed)), "Open HTTP connections");
        let mut registry = parts.metrics.registry.write();
        registry.register("connections_open", help, open);
        drop(registry);
        let application = public_routes(&parts, strict);
        let serving = start::serve(acceptor, application, tls, drain, stopping);
        servers.spawn(async move {
            let served = serving.await;
            // The listener for operators is closed last.
            drop::<oneshot::Sender<()>>(stopped);
            served
        });
        if let Some(admin) = admin {
            let acceptor = admin.listen(ConnectionLimits::OPERATORS)?;
            let application = admin_routes(&parts);
            servers.spawn(start::serve(acceptor, application, None, drain, admin_stopping));
        }
        Ok(Self {
            address,
            admin_address,
            settings,
            database,
            readiness,
            tracer,
            stop,
            servers,
            _background: background,
        })
    }

    /// Serves until `shutdown` resolves. Then drains: accepts no more requests, finishes those in flight within the drain
    /// timeout, and closes the database.
    pub async fn run_until(mut self, shutdown: impl Future<Output = ()> + Send) -> io::Result<()> {
        tokio::select! {
            Some(ended) = self.servers.join_next() => return ended?,
            () = shutdown => {}
        }
        self.readiness.drain();
        sleep(self.settings.http.drain_pause_seconds).await;
        drop(self.stop);
        while let Some(ended) = self.servers.join_next().await {
            ended??;
        }
        if let Some(tracer) = self.tracer {
            tokio::task::spawn_blocking(move || tracer.shutdown()).await?;
        }
        if timeout(self.settings.database.database_timeout_seconds, self.database.close()).await.is_err() {
            tracing::warn!("the connections to the database did not close in time");
        }
        Ok(())
    }
}

/// The application for clients. A request passes the middleware from the last to the first.
fn public_routes(parts: &Parts, strict: Strict<impl Executor>) -> Application {
    let Parts { settings, authorization, .. } = parts;
    let readiness = Arc::clone(&parts.readiness);
    let (checked, admitting) = (Arc::clone(authorization), Arc::clone(authorization));
    let endpoint = GraphQL::new(strict, start::endpoint_settings(settings))
        .admitting(move |prepared, request| admitting.admit(prepared, request))
        .with(Check(move |request: &mut Request| checked.check(request)))
        .with_if(settings.has_graphiql(), Check(|request: &mut Request| redirect_browsers(request)))
        .catch_all_error(async |error| error.into_response())
        .with(SetHeader::new().overriding("schema-hash", HASH));
    let mut route = Route::new().at(GRAPHQL, endpoint);
    let (mut schema, mut page) = (" with --introspection on", " with --graphiql on");
    if settings.has_introspection() {
        route = route.at("/schema.graphql", get(schema_document(SDL, HASH)));
        schema = "";
    }
    if settings.has_graphiql() {
        route = graphiql(route, env!("CARGO_PKG_NAME"), "Vehicle catalogue", GRAPHIQL_TABS);
        page = "";
    }
    let unknown = format!(
        "Not found. GraphQL is served at /graphql, the schema at /schema.graphql{schema}, GraphiQL at /graphiql{page}.\n"
    );
    if settings.http.admin_listen.is_none() {
        route = operations(route, parts);
    }
    let (hosts, origins) = (settings.allowed_hosts(), settings.http.cors_origins.clone());
    route
        .catch_all_error(fallback(unknown))
        .with(catch_panics())
        .with(Check(|request: &mut Request| check_head(request, URL_LIMIT_BYTES)))
        .with(origins)
        .with(Check(move |request: &mut Request| hosts.check(request)))
        .with(SecurityHeaders)
        .with(ResponseBodies::compressed_above(COMPRESSED_ABOVE_BYTES))
        .with(Observe(parts.recorder.clone()))
        .around(move |endpoint, request: Request| {
            let readiness = Arc::clone(&readiness);
            async move {
                let is_http_1 = request.version() < Version::HTTP_2;
                let mut response = endpoint.get_response(request).await;
                // HTTP/1 has no GOAWAY frame, and a request on a connection that is then closed would be lost.
                if is_http_1 && readiness.is_draining() {
                    let close = HeaderValue::from_static("close");
                    response.headers_mut().insert(header::CONNECTION, close);
                }
                Ok(response)
            }
        })
        .boxed()
}

/// The application of a separate listener for operators.
fn admin_routes(parts: &Parts) -> Application {
    let unknown = "Not found. Health checks are at /health/live and /health/ready, metrics at /metrics.\n";
    let hosts = parts.settings.admin_allowed_hosts();
    operations(Route::new(), parts)
        .catch_all_error(fallback(unknown))
        .with(catch_panics())
        .with(Check(move |request: &mut Request| {
            hosts.check(request)?;
            check_head(request, URL_LIMIT_BYTES)
        }))
        .with(SecurityHeaders)
        .with(ResponseBodies::compressed_above(COMPRESSED_ABOVE_BYTES))
        .with(Observe(parts.recorder.clone()))
        .boxed()
}

fn operations(route: Route, parts: &Parts) -> Route {
    let (readiness, metered) = (Arc::clone(&parts.readiness), Arc::clone(&parts.metrics));
    let parts = move || {
        let readiness = Arc::clone(&readiness);
        async move { readiness.parts().await }
    };
    route
        .at("/health/live", get(live()))
        .at("/health/ready", get(ready(parts)))
        .at("/metrics", get(metrics(OPEN_METRICS, move || metered.render())))
}
