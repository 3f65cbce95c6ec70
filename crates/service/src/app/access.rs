//! Logs at the start what is served, and who can reach it.

use std::net::SocketAddr;

use database::Database;
use engine::Introspection;
use graphql_http::Graphiql;

use crate::{Definition, Production, Settings};

/// Logs what is served, which addresses are open to whom, and a warning if everybody can change the data.
pub(super) fn log(
    service: &Definition,
    settings: &Settings,
    database: &Database,
    (addr, admin_addr): (SocketAddr, Option<SocketAddr>),
) {
    tracing::info!(
        version = service.version,
        schema_hash = %service.contract.hash(),
        database = %database.settings().url,
        "serving"
    );
    let (http, production) = (&settings.http, settings.production);
    let switch = |is_on| if is_on { "on" } else { "off" };
    let has_keys = settings.auth.tokens().is_some();
    tracing::info!(
        clients = %addr,
        operators = admin_addr.map(tracing::field::display),
        tls = switch(http.tls_files().is_some()),
        authentication = switch(has_keys),
        production = switch(production == Production::On),
        graphiql = switch(http.graphiql(production) == Graphiql::On),
        introspection = switch(settings.graphql.introspection(production) == Introspection::On),
        "open to clients and operators"
    );
    if !has_keys && !addr.ip().is_loopback() {
        tracing::warn!(
            "everybody who reaches {addr} can read and change the data: set --auth-keys-file, or authenticate in a proxy \
             and let only that reach the address"
        );
    }
}
