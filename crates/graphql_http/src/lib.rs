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
mod graphql_service;
mod head;
mod health;
mod hosts;
mod idempotency;
mod idempotency_key;
mod json;
mod limit;
mod listeners;
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
mod server;
mod settings;
mod startup;
mod tls;
mod unsent;
mod usage;

use std::{
    io,
    sync::{Arc, atomic::Ordering::Relaxed},
};

use futures_util::future::BoxFuture;

pub use self::{
    connection_limit::connection_limit,
    cors::Origins,
    graphiql::GraphiqlTab,
    graphql_service::GraphqlService,
    health::{Part, Probe},
    hosts::AllowedHosts,
    limit::Limit,
    listeners::Listeners,
    routes::routes,
    settings::{Graphiql, HttpSettings, SchemaDocument},
    startup::Startup,
    tls::{Tls, TlsError, TlsFiles},
};

/// Serves requests until `shutdown` resolves; then accepts no more connections and finishes the requests
/// in flight within the drain timeout. Meanwhile the service reports that it is not ready. The listener for
/// operators is closed last.
pub fn serve(
    listeners: Listeners,
    startup: Startup,
    tls: Option<Tls>,
    shutdown: BoxFuture<'static, ()>,
) -> BoxFuture<'static, io::Result<()>> {
    // Boxed, so that the server is compiled in this crate and not in each one that awaits it.
    Box::pin(async move {
        let shutdown = async {
            shutdown.await;
            startup.draining().store(true, Relaxed);
        };
        let settings = startup.settings();
        let counted = || startup.connection();
        let clients = Arc::new(startup.clients());
        let clients = server::run(listeners.main, clients, settings, tls, counted, shutdown);
        let Some(admin) = listeners.admin else {
            return clients.await;
        };
        let mut served = Ok(());
        let clients = async { served = clients.await };
        let settings = admin::settings(settings);
        let operators = Arc::new(startup.operators(&settings));
        // Shuts down when the listener for clients has.
        let operators = server::run(admin, operators, &settings, None, || (), clients).await;
        served.and(operators)
    })
}
