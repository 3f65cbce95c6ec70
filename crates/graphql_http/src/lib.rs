//! GraphQL over HTTP: connections, routes, negotiation, statuses and headers.
#![doc = include_str!("../README.md")]

mod admin;
mod authorizer;
mod body;
mod body_memory;
mod challenge;
mod connection_limit;
mod cors;
mod documents;
mod encoding;
mod entity_tag;
mod graphiql;
mod health;
mod hosts;
mod idempotency;
mod json;
mod lifecycle;
mod limit;
mod media_type;
mod metadata;
mod metrics;
mod outcome;
mod pipeline;
mod record;
mod refusal;
mod render;
mod request;
mod request_span;
mod response_headers;
mod routes;
mod sampled_metrics;
mod server;
mod settings;
mod startup;
mod tls;
mod unsent;
mod usage;

use std::{future::Future, io, sync::Arc};

use futures_util::future::BoxFuture;
use tokio::{net::TcpListener, sync::oneshot};

pub use self::{
    connection_limit::connection_limit,
    cors::Origins,
    graphiql::GraphiqlTab,
    health::{Part, Probe},
    hosts::AllowedHosts,
    lifecycle::Lifecycle,
    limit::Limit,
    routes::{GraphqlService, routes},
    sampled_metrics::register_metrics,
    settings::{Graphiql, HttpSettings, SchemaDocument},
    startup::Startup,
    tls::{Tls, TlsError, TlsFiles},
};

/// The listeners of the server.
pub struct Listeners {
    /// The listener for clients.
    pub main: TcpListener,
    /// A separate listener for health and metrics. Without it they are served to clients.
    pub admin: Option<TcpListener>,
}

/// Serves requests until `shutdown` resolves; then accepts no more connections and finishes the requests
/// in flight within the drain timeout. The listener for operators is closed last.
pub fn serve(
    listeners: Listeners,
    startup: Startup,
    tls: Option<Tls>,
    shutdown: impl Future<Output = ()> + Send + 'static,
) -> BoxFuture<'static, io::Result<()>> {
    serve_until(listeners, startup, tls, Box::pin(shutdown))
}

/// Boxed here, so that the server is compiled in this crate and not in each one that awaits it.
fn serve_until(
    listeners: Listeners,
    startup: Startup,
    tls: Option<Tls>,
    shutdown: BoxFuture<'static, ()>,
) -> BoxFuture<'static, io::Result<()>> {
    Box::pin(async move {
        let settings = startup.settings();
        let counted = || startup.connection();
        let clients = Arc::new(startup.clients());
        let clients = server::run(listeners.main, clients, settings, tls, counted, shutdown);
        let Some(admin) = listeners.admin else {
            return clients.await;
        };
        let (ended, end) = oneshot::channel::<()>();
        let clients = async {
            let served = clients.await;
            drop(ended);
            served
        };
        let operators = async {
            let settings = admin::settings(settings);
            let operators = Arc::new(startup.operators(&settings));
            let ended = async { drop(end.await) };
            server::run(admin, operators, &settings, None, || (), ended).await
        };
        let (clients, operators) = tokio::join!(clients, operators);
        clients.and(operators)
    })
}
