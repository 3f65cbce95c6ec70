//! How a request is carried: routes, media types, statuses. Knows no database and no vehicle.
//!
//! The GraphQL endpoint follows the GraphQL over HTTP specification, stage 2 draft:
//! <https://graphql.github.io/graphql-over-http/draft/>.

mod admin;
mod answer;
mod cors;
mod documents;
mod encoding;
mod endpoint;
mod entity_tag;
mod envelope;
mod graphiql;
mod guard;
mod health;
mod lifecycle;
mod limit;
mod media_type;
mod metrics;
mod observe;
mod pages;
mod panics;
mod refusal;
mod request;
mod routes;
mod server;
mod settings;
mod tls;

use std::{future::Future, io, sync::Arc};

use tokio::{net::TcpListener, sync::oneshot};

pub use self::{
    admin::Operations,
    cors::Origins,
    health::{Part, Probe},
    lifecycle::Lifecycle,
    limit::Limit,
    observe::Watch,
    routes::routes,
    settings::{Graphiql, HttpSettings, SchemaDocument},
    tls::{Tls, TlsError, TlsFiles},
};
use crate::{access::Access, graphql::Engine};

/// Where requests come in.
pub struct Listeners {
    /// Those of clients.
    pub main: TcpListener,
    /// Those of operators, if not with those of clients.
    pub admin: Option<TcpListener>,
}

/// What keeps strangers out.
pub struct Protection {
    /// What connections are encrypted with, if they are.
    pub tls: Option<Tls>,
    /// What is asked of clients.
    pub access: Arc<Access>,
}

/// Answers requests until `shutdown` resolves; then accepts no more and finishes those in flight
/// within the drain time-out. `limits` are told to clients. Operators are answered to the end.
pub async fn serve(
    listeners: Listeners,
    engine: Arc<Engine>,
    operations: Operations,
    settings: HttpSettings,
    limits: &[Limit],
    protection: Protection,
    shutdown: impl Future<Output = ()> + Send,
) -> io::Result<()> {
    let Protection { tls, access } = protection;
    let watch = operations.watch.clone();
    let metrics = Arc::clone(&watch.metrics);
    let counted = move || metrics.connection();
    let Some(admin) = listeners.admin else {
        let endpoint = routes(engine, watch, Some(operations), access, &settings, limits);
        return server::run(listeners.main, endpoint, &settings, tls, counted, shutdown).await;
    };
    let (ended, end) = oneshot::channel::<()>();
    let clients = async {
        let endpoint = routes(engine, watch, None, access, &settings, limits);
        let served = server::run(listeners.main, endpoint, &settings, tls, counted, shutdown).await;
        drop(ended);
        served
    };
    let operators = async {
        let settings = admin::settings(&settings);
        let endpoint = admin::endpoint(operations, &settings);
        let ended = async { drop(end.await) };
        server::run(admin, endpoint, &settings, None, || (), ended).await
    };
    let (clients, operators) = tokio::join!(clients, operators);
    clients.and(operators)
}
