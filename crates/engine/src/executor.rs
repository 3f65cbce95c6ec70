//! The engine as an executor of async-graphql's.

use std::sync::Arc;

use async_graphql::{Data, Executor, Name, Request, Response};
use futures_util::stream::{self, BoxStream, StreamExt as _};

use crate::{
    engine::Engine,
    json,
    permitted::Permitted,
    request::{self, PreparedRequest},
    response::Refused,
};

/// An engine that any integration of async-graphql's hosts like a schema: `async_graphql_poem::GraphQL::new(executor)`, or
/// `GraphQLSubscription::new(executor)` for subscriptions over WebSocket.
///
/// A response to a request that is refused has `data: null`, because [`Response`] cannot be without it.
#[derive(Clone)]
pub struct EngineExecutor {
    engine: Arc<Engine>,
    permitted: Permitted,
}

impl EngineExecutor {
    /// An executor of this engine. It permits all operations.
    pub fn new(engine: impl Into<Arc<Engine>>) -> Self {
        Self {
            engine: engine.into(),
            permitted: Permitted::QUERIES_AND_MUTATIONS,
        }
    }

    /// The same restricted to these operations.
    #[must_use]
    pub fn permitting(self, permitted: Permitted) -> Self {
        Self { permitted, ..self }
    }

    fn prepare(&self, request: Request) -> Result<PreparedRequest, Refused> {
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
        let mut prepared = self.engine.prepare(prepared, self.permitted)?;
        prepared.data = request.data;
        Ok(prepared)
    }

    async fn respond(&self, mut prepared: PreparedRequest) -> Response {
        let limit = self.engine.response_limit();
        match self.engine.respond(&mut prepared, limit).await {
            Ok(response) if prepared.is_mutation() => response,
            Ok(response) => self.engine.bounded(response),
            Err(refused) => refusal(refused),
        }
    }
}

impl Executor for EngineExecutor {
    async fn execute(&self, request: Request) -> Response {
        match self.prepare(request) {
            Ok(prepared) => self.respond(prepared).await,
            Err(refused) => refusal(refused),
        }
    }

    fn execute_stream(
        &self,
        request: Request,
        connection_data: Option<Arc<Data>>,
    ) -> BoxStream<'static, Response> {
        let mut prepared = match self.prepare(request) {
            Ok(prepared) => prepared,
            Err(refused) => return stream::iter([refusal(refused)]).boxed(),
        };
        prepared.connection_data = connection_data;
        let executor = self.clone();
        if prepared.is_subscription() {
            let responses = self.engine.subscribe(&mut prepared);
            responses
                .map(move |response| executor.engine.bounded(response))
                .boxed()
        } else {
            stream::once(async move { executor.respond(prepared).await }).boxed()
        }
    }
}

impl Engine {
    /// The response, unless it exceeds the limit of its size.
    fn bounded(&self, response: Response) -> Response {
        if json::size(&response.data) > self.response_limit() {
            refusal(self.documents.limits.response_too_large())
        } else {
            response
        }
    }
}

/// The response to a request that is refused.
fn refusal(refused: Refused) -> Response {
    Response::from_errors(refused.errors)
}
