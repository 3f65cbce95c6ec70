//! How a request is carried: routes, media types, statuses. Knows no database and no vehicle.
//!
//! The GraphQL endpoint follows the GraphQL over HTTP specification, stage 2 draft:
//! <https://graphql.github.io/graphql-over-http/draft/>.

mod answer;
mod cors;
mod documents;
mod encoding;
mod endpoint;
mod entity_tag;
mod envelope;
mod graphiql;
mod limit;
mod media_type;
mod pages;
mod panics;
mod refusal;
mod request;
mod routes;
mod server;
mod settings;
mod tls;

use std::{future::Future, io, sync::Arc};

use tokio::net::TcpListener;

pub use self::{
    cors::Origins,
    limit::Limit,
    routes::routes,
    settings::{Graphiql, HttpSettings},
    tls::{Tls, TlsError, TlsFiles},
};
use crate::graphql::Engine;

/// Answers requests on `listener` until `shutdown` resolves; then accepts no more and finishes
/// those in flight within the drain time-out. `limits` are told to clients.
pub async fn serve(
    listener: TcpListener,
    engine: Arc<Engine>,
    settings: HttpSettings,
    limits: &[Limit],
    tls: Option<Tls>,
    shutdown: impl Future<Output = ()> + Send,
) -> io::Result<()> {
    let endpoint = routes(engine, &settings, limits);
    server::run(listener, endpoint, &settings, tls, shutdown).await
}
