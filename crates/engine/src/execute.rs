//! Executes a request: answers introspection, lets the schema execute the other root fields, and completes the response.

use std::{
    future::{Future, ready},
    mem,
    sync::Arc,
};

use async_graphql::{Response, ServerError};
use futures_util::{
    StreamExt as _,
    future::Either,
    stream::{self, BoxStream},
};
use tokio::time::{Instant, timeout_at};

use crate::{
    completion::completed,
    cost::Estimates,
    engine::Engine,
    error_code::ErrorCode,
    error_facts::ErrorFacts,
    introspection::{self, Introspected, introspect},
    permitted::Permitted,
    request::{PreparedRequest, Request},
    request_state::RequestState,
    response::{EngineResponse, Refused, refused, rendered, timed_out},
};

impl Engine {
    /// Executes one request. The synchronous steps run before the future is returned, to keep it small.
    pub fn execute(
        &self,
        request: Request,
        permitted: Permitted,
    ) -> impl Future<Output = EngineResponse> + Send {
        self.run(self.prepare(request, permitted))
    }

    /// Executes a prepared request, unless it was refused.
    pub fn run(
        &self,
        prepared: Result<PreparedRequest, Refused>,
    ) -> impl Future<Output = EngineResponse> + Send {
        match prepared {
            Ok(mut prepared) => Either::Left(async move {
                let limit = self.response_limit();
                let response = self.execute_prepared(&mut prepared, limit).await;
                EngineResponse {
                    operation: Some(Arc::clone(&prepared.operation.info)),
                    ..response
                }
            }),
            Err(refused) => Either::Right(ready(refused)),
        }
    }

    async fn execute_prepared(
        &self,
        prepared: &mut PreparedRequest,
        response_bytes: usize,
    ) -> EngineResponse {
        match self.respond(prepared, response_bytes).await {
            Ok(response) => {
                let rendered = rendered(response, self.response_bytes.is_some());
                if prepared.is_mutation() || rendered.json.len() <= response_bytes {
                    rendered
                } else {
                    self.documents.limits.response_too_large()
                }
            }
            Err(refused) => refused,
        }
    }

    /// Executes a prepared request. The values of root fields can be JSON text.
    pub(crate) async fn respond(
        &self,
        prepared: &mut PreparedRequest,
        response_bytes: usize,
    ) -> Result<Response, Refused> {
        if prepared.is_subscription() {
            let message =
                "a subscription requires a transport that streams responses, such as WebSocket";
            return Err(refused(ErrorCode::BadRequest, message));
        }
        // A mutation must not lose its response after it was executed, so its size is checked before.
        let max_bytes = prepared.estimates.bytes;
        if prepared.is_mutation() && max_bytes > response_bytes as u64 {
            return Err(self.documents.limits.mutation_response_too_large());
        }
        if let Some(invalid) = &prepared.merged.invalid {
            return Ok(invalid_condition(invalid));
        }
        let deadline = Instant::now() + self.execution_timeout;
        let mut introspected = Introspected::default();
        if prepared.operation.introspects {
            introspected = self.introspect(prepared, response_bytes)?;
        }
        let remaining_bytes = if prepared.is_mutation() {
            usize::MAX
        } else {
            response_bytes.saturating_sub(introspected.bytes())
        };
        let execution = self.execute_operation(prepared, introspected, remaining_bytes);
        Ok(match timeout_at(deadline, execution).await {
            Ok(response) => response,
            Err(elapsed) => timed_out(&elapsed),
        })
    }

    /// Executes a prepared subscription. Each response can have the maximum size.
    pub(crate) fn subscribe(&self, prepared: &mut PreparedRequest) -> BoxStream<'static, Response> {
        if let Some(invalid) = &prepared.merged.invalid {
            return stream::iter([invalid_condition(invalid)]).boxed();
        }
        let operation = Arc::clone(&prepared.merged);
        let (request, state) = self.request(prepared, self.response_limit());
        let data = prepared.connection_data.take().unwrap_or_default();
        let responses = if operation.has_fields() {
            self.schema.execute_stream(request, data)
        } else {
            stream::iter([Response::default()]).boxed()
        };
        let complete =
            move |response| completed(response, &operation, Introspected::default(), &state);
        responses.map(complete).boxed()
    }

    async fn execute_operation(
        &self,
        prepared: &mut PreparedRequest,
        introspected: Introspected,
        max_bytes: usize,
    ) -> Response {
        let operation = Arc::clone(&prepared.merged);
        let (request, state) = self.request(prepared, max_bytes);
        let mut response = Response::default();
        if operation.has_fields() {
            response = match prepared.connection_data.take() {
                None => self.schema.execute(request).await,
                Some(data) => {
                    let mut responses = self.schema.execute_stream(request, data);
                    responses.next().await.unwrap_or_default()
                }
            };
        }
        completed(response, &operation, introspected, &state)
    }

    /// The request to the schema, and the state that its resolvers share.
    fn request(
        &self,
        prepared: &mut PreparedRequest,
        max_bytes: usize,
    ) -> (async_graphql::Request, Arc<RequestState>) {
        let operation = Arc::clone(&prepared.merged);
        let mut request = async_graphql::Request::new(String::new());
        request.set_parsed_query(operation.document.clone());
        request.variables = mem::take(&mut prepared.variables);
        request.data = mem::take(&mut prepared.data);
        let key = prepared.idempotency_key.take();
        let state = Arc::new(RequestState::new(operation, key));
        request.data.insert(Arc::clone(&state));
        if let Some(limit) = self.response_bytes {
            limit(&mut request.data, max_bytes);
        }
        (request, state)
    }

    /// Answers `__schema` and `__type` from the contract, because the introspection of async-graphql differs from it.
    fn introspect(
        &self,
        prepared: &mut PreparedRequest,
        bytes: usize,
    ) -> Result<Introspected, Refused> {
        let limits = &self.documents.limits;
        let PreparedRequest {
            merged,
            variables,
            estimates: Estimates { cost, .. },
            ..
        } = prepared;
        let remaining = introspection::Limits {
            cost: limits.remaining_cost(*cost),
            bytes,
        };
        let description = self.documents.description();
        let (selected, added) = introspect(description, merged, variables, remaining);
        limits.check_cost(cost.saturating_add(added))?;
        selected.ok_or_else(|| limits.response_too_large())
    }
}

/// The response of an operation with a condition that is null.
fn invalid_condition(error: &ServerError) -> Response {
    let mut error = error.clone();
    ErrorFacts::of_code(ErrorCode::BadUserInput).attach(&mut error);
    Response::from_errors(vec![error])
}
