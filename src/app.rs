//! The service: settings → database → schema → routes → servers → stop.

use std::{future::Future, io, net::SocketAddr, sync::Arc};

use async_graphql::Executor;
use async_graphql_strict::Strict;
use poem::{EndpointExt, Request, Response, Route, endpoint::BoxEndpoint, get, middleware::SetHeader};
use poem_graphql::{
    AllowedHosts, Check, ConnectionLimits, GraphQL, Observe, Origins, ResponseBodies, catch_panics, check_head,
    fallback, graphiql, live, metrics, ready, redirect_browsers, schema_document,
};
use tokio::{sync::oneshot, task::JoinSet, time};

use crate::{
    graphql::{GRAPHIQL_TABS, HASH, SDL},
    health::Readiness,
    observe::{GRAPHQL, Recorder},
    settings::Settings,
    start::{self, Bound, StartError},
    store::{Database, Store},
    telemetry::{OPEN_METRICS, Tracer},
};

/// Minimum size of a response to be compressed.
const COMPRESSED_ABOVE_BYTES: u64 = 1024;
/// Maximum length of a URL.
const URL_LIMIT_BYTES: usize = 8192;
const UNKNOWN_TO_OPERATORS: &str =
    "Not found. Health checks are at /health/live and /health/ready, metrics at /metrics.\n";

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
        start::log_access(&settings, &database, address, admin_address);

        let acceptor = public.listen(start::connection_limits(&settings))?;
        if let Some(tokens) = authorization.tokens.clone() {
            tokio::spawn(tokens.reload());
        }
        let metrics =
            start::metrics(&strict, &store, &authorization, tls.as_ref(), tracer.as_deref(), &readiness, &acceptor);
        let recorder = Recorder {
            metrics: Arc::new(metrics),
            tracer: tracer.clone(),
            authorization,
            readiness: Arc::clone(&readiness),
        };
        let drain = settings.http.drain_timeout_seconds;
        let (stop, stopping) = oneshot::channel();
        let (stopped, admin_stopping) = oneshot::channel();
        let mut servers = JoinSet::new();
        let application = public_routes(&settings, &recorder, strict);
        let serving = start::serve(acceptor, application, tls, drain, stopping);
        servers.spawn(async move {
            let served = serving.await;
            // The listener for operators is closed last.
            drop::<oneshot::Sender<()>>(stopped);
            served
        });
        if let Some(admin) = admin {
            let application = admin_routes(&settings, &recorder, admin.address);
            let acceptor = admin.listen(ConnectionLimits::OPERATORS)?;
            servers.spawn(start::serve(acceptor, application, None, drain, admin_stopping));
        }
        Ok(Self { address, admin_address, settings, database, readiness, tracer, stop, servers })
    }

    /// Serves until `shutdown` resolves. Then drains: accepts no more requests, finishes those in flight within the drain
    /// timeout, and closes the database.
    pub async fn run_until(mut self, shutdown: impl Future<Output = ()> + Send) -> io::Result<()> {
        tokio::select! {
            Some(ended) = self.servers.join_next() => return ended?,
            () = shutdown => {}
        }
        self.readiness.drain();
        time::sleep(self.settings.http.drain_pause_seconds).await;
        drop(self.stop);
        while let Some(ended) = self.servers.join_next().await {
            ended??;
        }
        if let Some(tracer) = self.tracer {
            tokio::task::spawn_blocking(move || tracer.shutdown()).await?;
        }
        let closed = time::timeout(self.settings.database.database_timeout_seconds, self.database.close());
        if closed.await.is_err() {
            tracing::warn!("the connections to the database did not close in time");
        }
        Ok(())
    }
}

/// The application for clients.
fn public_routes(settings: &Settings, recorder: &Recorder, strict: Strict<impl Executor>) -> Application {
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
fn admin_routes(settings: &Settings, recorder: &Recorder, address: SocketAddr) -> Application {
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
