//! Any executor of async-graphql.

use async_graphql::{Executor, Request, Response};
use futures_util::future::BoxFuture;

/// Any executor, so that the engine and the HTTP server are compiled once, not for each schema.
pub(crate) trait DynExecutor: Send + Sync {
    /// Executes a request with a parsed document.
    fn execute(&self, request: Request) -> BoxFuture<'_, Response>;
}

impl<E: Executor> DynExecutor for E {
    fn execute(&self, request: Request) -> BoxFuture<'_, Response> {
        Box::pin(Executor::execute(self, request))
    }
}
