//! Executes requests: chooses the operation, lets async-graphql run it, and sees to it that every
//! error has a code.

use async_graphql::{
    EmptySubscription, Request, Response, Schema, ServerError, Value, parser::types::OperationType,
};

use super::{
    contract::{Mutation, Query},
    error_code::{self, ErrorCode, request_error},
    operation::Operation,
    resolvers::Resolvers,
    truncation::Truncations,
};
use crate::{catalogue::ListLimit, store::Store};

/// Executes GraphQL requests on a store.
pub struct Engine {
    schema: Schema<Query<Resolvers>, Mutation<Resolvers>, EmptySubscription>,
}

/// What a request may do.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Permitted {
    /// Reading alone.
    Queries,
    /// Reading and writing.
    QueriesAndMutations,
}

/// A response and what it is the response to.
#[derive(Debug)]
pub struct Answer {
    /// The GraphQL response.
    pub response: Response,
    /// What became of the request.
    pub outcome: Outcome,
}

/// What became of a request.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Outcome {
    /// It was executed; there may be errors beside the data.
    Executed,
    /// It was not executed: it can't be parsed, is not valid, or names no operation.
    Refused,
    /// It was not executed: it is a mutation, and those are not permitted.
    MutationNotPermitted,
}

impl Engine {
    /// `list_limit` is the most vehicles that one list can have.
    pub fn new(store: Store, list_limit: ListLimit) -> Self {
        let resolvers = Resolvers { store, list_limit };
        let schema = Schema::build(
            Query(resolvers.clone()),
            Mutation(resolvers),
            EmptySubscription,
        );
        Self {
            schema: schema.finish(),
        }
    }

    /// The SDL of what is served. It says the same as [`super::SCHEMA`]; a test compares them.
    pub fn served_sdl(&self) -> String {
        self.schema.sdl()
    }

    /// Executes one request.
    pub async fn execute(&self, mut request: Request, permitted: Permitted) -> Answer {
        match prepare(&mut request, permitted) {
            Ok(operation) => self.run(&operation, request).await,
            Err(refused) => *refused,
        }
    }

    async fn run(&self, operation: &Operation, request: Request) -> Answer {
        let truncations = Truncations::default();
        let mut response = self.schema.execute(request.data(truncations.clone())).await;
        if was_refused(&response) {
            return refused(ErrorCode::GraphqlValidationFailed, response.errors);
        }
        // What resolvers fail with has a code; the rest are arguments that can't be coerced.
        for error in &mut response.errors {
            ErrorCode::BadUserInput.mark(&mut error.extensions);
        }
        operation.restore_order(&mut response);
        truncations.tell(&mut response);
        Answer {
            response,
            outcome: Outcome::Executed,
        }
    }
}

/// Parses the request, chooses its operation and completes its variables.
fn prepare(request: &mut Request, permitted: Permitted) -> Result<Operation, Box<Answer>> {
    let name = request.operation_name.clone();
    let document = match request.parsed_query() {
        Ok(document) => document,
        Err(error) => {
            let errors = vec![syntax_error(error)];
            return Err(Box::new(refused(ErrorCode::GraphqlParseFailed, errors)));
        }
    };
    let operation = Operation::choose(document, name.as_deref()).map_err(|sentence| {
        let errors = vec![ServerError::new(sentence, None)];
        refused(ErrorCode::OperationResolutionFailure, errors)
    })?;
    if operation.ty == OperationType::Mutation && permitted == Permitted::Queries {
        return Err(Box::new(Answer {
            response: request_error(ErrorCode::BadRequest, "a mutation needs the method POST"),
            outcome: Outcome::MutationNotPermitted,
        }));
    }
    operation
        .complete(&mut request.variables)
        .map_err(|errors| refused(ErrorCode::BadUserInput, errors))?;
    Ok(operation)
}

fn refused(code: ErrorCode, errors: Vec<ServerError>) -> Answer {
    Answer {
        response: error_code::refused(code, errors),
        outcome: Outcome::Refused,
    }
}

/// The parser's message shows the line of the query, which may be all of it; the client has that
/// and is told the place.
fn syntax_error(mut error: ServerError) -> ServerError {
    if let Some((_, expected)) = error.message.rsplit_once("\n  = ") {
        error.message = format!("syntax error: {expected}");
    }
    error
}

/// Errors of validation have no path, those of execution have one.
fn was_refused(response: &Response) -> bool {
    let before_execution = |error: &ServerError| error.path.is_empty();
    response.data == Value::Null
        && !response.errors.is_empty()
        && response.errors.iter().all(before_execution)
}
