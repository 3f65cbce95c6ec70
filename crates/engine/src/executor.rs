//! The engine as an executor of async-graphql's.

use std::sync::Arc;

use async_graphql::{Data, Executor, Name, Request, Response};
use futures_util::stream::{self, BoxStream, StreamExt as _};

use crate::{engine::Engine, permitted::Permitted, request};

/// An engine that any integration of async-graphql's hosts like a schema: `async_graphql_poem::GraphQL::new(executor)`.
///
/// A response to a request that is refused has `data: null`, because [`Response`] cannot be without it.
#[derive(Clone)]
pub struct EngineExecutor(Arc<Engine>);

impl EngineExecutor {
    /// An executor of this engine. It permits queries and mutations.
    pub fn new(engine: Engine) -> Self {
        Self(Arc::new(engine))
    }
}

impl Executor for EngineExecutor {
    async fn execute(&self, request: Request) -> Response {
        let prepared = request::Request {
            query: request.query,
            document_id: None,
            operation_name: request.operation_name,
            variables: request.variables,
            extensions: request
                .extensions
                .0
                .into_iter()
                .map(|(name, value)| (Name::new(name), value))
                .collect(),
        };
        let prepared = self.0.prepare(prepared, Permitted::QUERIES_AND_MUTATIONS);
        let executed = match prepared {
            Ok(mut prepared) => {
                prepared.data = request.data;
                self.0.respond(&mut prepared, self.0.response_limit()).await
            }
            Err(refused) => Err(refused),
        };
        executed.unwrap_or_else(|refused| Response::from_errors(refused.errors))
    }

    fn execute_stream(
        &self,
        request: Request,
        _: Option<Arc<Data>>,
    ) -> BoxStream<'static, Response> {
        let executor = self.clone();
        stream::once(async move { Executor::execute(&executor, request).await }).boxed()
    }
}
