//! How a request is carried: routes, media types, statuses. Knows no database and no vehicle.
//!
//! The GraphQL endpoint follows the GraphQL over HTTP specification, stage 2 draft:
//! <https://graphql.github.io/graphql-over-http/draft/>.

mod acceptor;
mod answer;
mod endpoint;
mod graphiql;
mod media_type;
mod pages;
mod panics;
mod refusal;
mod request;
mod routes;

use std::{future::Future, io, sync::Arc, time::Duration};

use poem::Server;
use tokio::net::TcpListener;

pub use self::routes::routes;
use crate::graphql::Engine;

/// What a client may send.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// The largest request body in bytes.
    pub body_bytes: usize,
}

/// Answers requests on `listener` until `shutdown` resolves; then accepts no more and finishes
/// those in flight, for at most `drain_timeout`.
pub async fn serve(
    listener: TcpListener,
    engine: Arc<Engine>,
    limits: Limits,
    shutdown: impl Future<Output = ()> + Send,
    drain_timeout: Duration,
) -> io::Result<()> {
    Server::new_with_acceptor(acceptor::Acceptor::new(listener)?)
        .run_with_graceful_shutdown(routes(engine, limits), shutdown, Some(drain_timeout))
        .await
}
