//! Any executor of async-graphql.

use std::sync::Arc;

use async_graphql::{Data, Executor, Request, Response};
use futures_util::{future::BoxFuture, stream::BoxStream};

/// Any executor, so that the engine and the HTTP server are compiled once, not for each schema.
pub(crate) trait DynExecutor: Send + Sync {
    /// Executes a request with a parsed document.
    fn execute(&self, request: Request) -> BoxFuture<'_, Response>;

    /// Executes a request with a parsed document and the data of its connection.
    fn execute_stream(&self, request: Request, data: Arc<Data>) -> BoxStream<'static, Response>;
}

impl<E: Executor> DynExecutor for E {
    fn execute(&self, request: Request) -> BoxFuture<'_, Response> {
        Box::pin(Executor::execute(self, request))
    }

    fn execute_stream(&self, request: Request, data: Arc<Data>) -> BoxStream<'static, Response> {
        Executor::execute_stream(self, request, Some(data))
    }
}
