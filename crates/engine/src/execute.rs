//! Executes a request: resolves the root fields and renders the response.

use std::{
    future::{Future, ready},
    mem,
    sync::Arc,
};

use async_graphql::{ServerError, ServerResult};
use futures_util::future::Either;
use tokio::time::{Instant, timeout_at};

use crate::{
    cost::Estimates,
    document::{DocumentCache, Executable, MergedOperation, Planned},
    engine::Engine,
    error_code::ErrorCode,
    error_facts::ErrorFacts,
    executor::DynExecutor,
    introspection::{self, Introspected, IntrospectionExecution},
    merged_execution,
    permitted::Permitted,
    request::{PreparedRequest, Request},
    response::{
        EngineResponse, Refused, rendered, rendered_in_place, sort_by_root_field, timed_out,
        without_data,
    },
    runtime::{PlanSize, Planner, RequestState, Root},
    service::Service,
};

/// Values of this size are not copied, because copies of concurrent responses take memory.
const LARGE_BYTES: usize = 64 * 1024;

impl Engine {
    /// Executes one request. The synchronous steps run before the future is returned, to keep it small.
    pub fn execute(
        &self,
        request: Request,
        permitted: Permitted,
    ) -> impl Future<Output = EngineResponse> + Send {
        self.run(self.prepare(request, permitted), self.response_limit())
    }

    /// Executes a prepared request with this limit of the response size, unless it was refused.
    pub fn run(
        &self,
        prepared: Result<PreparedRequest, Refused>,
        response_bytes: usize,
    ) -> impl Future<Output = EngineResponse> + Send {
        match prepared {
            Ok(mut prepared) => Either::Left(async move {
                let response = self.execute_prepared(&mut prepared, response_bytes).await;
                EngineResponse {
                    operation: Some(Arc::clone(&prepared.operation.info)),
                    exceeded: prepared.exceeded,
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
        // A mutation must not lose its response after it was executed, so its size is checked before.
        let max_bytes = prepared.estimates.bytes;
        if prepared.is_mutation() && max_bytes > response_bytes as u64 {
            let limits = &self.documents.limits;
            return limits.mutation_response_too_large();
        }
        if let Some(invalid) = prepared.planned.invalid() {
            return invalid_condition(invalid);
        }
        if let Some(data) = prepared.planned.constant() {
            let write = |json: &mut Vec<u8>| json.extend_from_slice(data);
            return rendered(Vec::new(), Vec::new(), data.len(), write);
        }
        let deadline = Instant::now() + self.execution_timeout;
        let mut introspected = Introspected::default();
        if prepared.operation.introspects {
            // Boxed to keep the common future small.
            let introspection = Box::pin(self.introspect(prepared, response_bytes));
            introspected = match timeout_at(deadline, introspection).await {
                Ok(Ok(introspected)) => introspected,
                Ok(Err(refused)) => return refused,
                Err(elapsed) => return timed_out(&elapsed),
            };
        }
        let root = prepared.operation.root();
        let remaining_bytes = match root {
            Root::Mutation => usize::MAX,
            Root::Query => response_bytes.saturating_sub(introspected.bytes()),
        };
        let (executable, service) = match (&prepared.planned, &self.service) {
            (Planned::Generated(executable), Service::Generated(service)) => {
                (Arc::clone(executable), &**service)
            }
            (Planned::Merged(merged), Service::Schema(schema)) => {
                let merged = (Arc::clone(merged), introspected);
                let execution = self.execute_merged(&**schema, merged, prepared, remaining_bytes);
                return match timeout_at(deadline, execution).await {
                    Ok(response) => response,
                    Err(elapsed) => timed_out(&elapsed),
                };
            }
            _ => unreachable!("operations are planned for the service that executes them"),
        };
        // Boxed, so that only a pointer to it is part of the future.
        let request = Box::new(RequestState::new(
            mem::take(&mut prepared.variables),
            remaining_bytes,
            prepared.idempotency_key.take(),
        ));
        let resolution = service.resolve(root, &executable.steps, &request);
        let fields = match timeout_at(deadline, resolution).await {
            Ok(fields) => fields,
            Err(elapsed) => return timed_out(&elapsed),
        };
        self.respond(&executable, &request, fields, introspected)
    }

    /// Executes a merged operation by a schema of async-graphql's.
    async fn execute_merged(
        &self,
        schema: &dyn DynExecutor,
        (operation, mut introspected): (Arc<MergedOperation>, Introspected),
        prepared: &mut PreparedRequest,
        max_bytes: usize,
    ) -> EngineResponse {
        let mut request = async_graphql::Request::new("");
        request.variables = mem::take(&mut prepared.variables);
        request.data = mem::take(&mut prepared.data);
        let mut response = merged_execution::execute(schema, &operation, request).await;
        // The schema has refused the document, which it would not if it served the contract.
        let is_refused = response.errors.iter().any(|error| error.path.is_empty());
        response.errors.append(&mut introspected.errors);
        let root_fields = &operation.root_fields;
        sort_by_root_field(&mut response.errors, |key| {
            root_fields.iter().position(|field| *field.key == *key)
        });
        let mut data_bytes = 0;
        let rendered = rendered(response.errors, Vec::new(), 0, |json| {
            let start = json.len();
            if is_refused || introspected.is_null {
                json.extend_from_slice(b"null");
            } else {
                merged_execution::write_data(response.data, root_fields, &introspected, json);
            }
            data_bytes = json.len() - start;
        });
        if data_bytes > max_bytes.saturating_add(introspected.bytes()) {
            return self.documents.limits.response_too_large();
        }
        rendered
    }

    /// The response with these fields.
    fn respond(
        &self,
        executable: &Executable,
        request: &RequestState,
        fields: Vec<ServerResult<Vec<u8>>>,
        mut introspected: Introspected,
    ) -> EngineResponse {
        if request.is_too_large() {
            return self.documents.limits.response_too_large();
        }
        let fields: ServerResult<Vec<Vec<u8>>> = fields.into_iter().collect();
        let values = fields
            .as_ref()
            .map_or(0, |fields| fields.iter().map(Vec::len).sum());
        // The error of a non-null root field makes the data null (GraphQL specification, section 6.4.4).
        let mut errors = Vec::new();
        let mut fields = fields.map_err(|failed| errors.push(failed)).ok();
        errors.append(&mut request.take_errors());
        errors.append(&mut introspected.errors);
        // Errors of resolvers have facts; the others are arguments that can't be coerced.
        for error in &mut errors {
            ErrorFacts::of_code(ErrorCode::BadUserInput).attach(error);
        }
        sort_by_root_field(&mut errors, |key| executable.keys.get_index_of(key));
        let truncated = request.take_truncated(&executable.keys);
        let is_one_field = executable.keys.len() == 1 && introspected.members.is_empty();
        if let Some([value]) = fields.as_deref_mut()
            && is_one_field
            && value.len() >= LARGE_BYTES
        {
            let key = executable.steps[0].json_key.as_bytes();
            return rendered_in_place(errors, truncated, key, mem::take(value));
        }
        rendered(
            errors,
            truncated,
            executable.key_bytes() + values + introspected.bytes(),
            |json| match fields {
                Some(fields) if !introspected.is_null => {
                    executable.write_data(&fields, &introspected.members, json);
                }
                _ => json.extend_from_slice(b"null"),
            },
        )
    }

    /// Resolves `__schema` and `__type` from the contract, because the introspection of async-graphql differs
    /// from it.
    async fn introspect(
        &self,
        prepared: &mut PreparedRequest,
        response_bytes: usize,
    ) -> Result<Introspected, Refused> {
        let DocumentCache {
            contract,
            implementers,
            limits,
            ..
        } = &self.documents;
        let PreparedRequest {
            document,
            operation,
            variables,
            estimates: Estimates { cost, .. },
            exceeded,
            ..
        } = prepared;
        let introspection_limits = introspection::Limits {
            cost: limits.remaining_cost(*cost),
            bytes: response_bytes,
        };
        let (document, lines) = (&document.validated, &document.lines);
        let planner = Planner::new(contract, document, lines, variables, PlanSize::MAX);
        let mut execution =
            IntrospectionExecution::new(planner, implementers, introspection_limits);
        let members = execution.execute(&operation.definition).await;
        let is_null = execution.is_null;
        // A lower bound if the execution stopped at its cost limit.
        let cost = cost.saturating_add(execution.cost);
        limits.check_cost(cost, exceeded)?;
        let members =
            members.map_err(|introspection::LimitExceeded| limits.response_too_large())?;
        let errors = execution.errors;
        Ok(Introspected {
            members,
            errors,
            is_null,
        })
    }
}

/// The response of an operation with a condition that is null.
fn invalid_condition(error: &ServerError) -> EngineResponse {
    let mut error = error.clone();
    ErrorFacts::of_code(ErrorCode::BadUserInput).attach(&mut error);
    without_data(error)
}
