//! Placeholder.

use async_graphql::{
    EmptySubscription, ErrorExtensionValues, Object, Schema, ServerError,
    parser::types::OperationType,
};

use crate::store::Store;

/// Executes requests.
pub struct Engine {
    schema: Schema<Query, Mutation, EmptySubscription>,
}

/// What a request may do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Permitted {
    /// Queries.
    Queries,
    /// All.
    QueriesAndMutations,
}

/// What the engine answers.
pub struct Answer {
    /// The response.
    pub response: async_graphql::Response,
    /// What became of the request.
    pub outcome: Outcome,
}

/// What became of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// Executed.
    Executed,
    /// Refused.
    Refused,
    /// Mutation where only queries are permitted.
    MutationNotPermitted,
}

/// Error codes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ErrorCode {
    /// `BAD_REQUEST`
    BadRequest,
    /// `INTERNAL_SERVER_ERROR`
    InternalServerError,
}

/// A response that holds one request error.
pub fn request_error(code: ErrorCode, message: impl Into<String>) -> async_graphql::Response {
    let mut error = ServerError::new(message, None);
    let mut extensions = ErrorExtensionValues::default();
    extensions.set(
        "code",
        match code {
            ErrorCode::BadRequest => "BAD_REQUEST",
            ErrorCode::InternalServerError => "INTERNAL_SERVER_ERROR",
        },
    );
    error.extensions = Some(extensions);
    async_graphql::Response::from_errors(vec![error])
}

struct Query;
struct Mutation;

#[Object]
impl Query {
    async fn vehicle(&self, id: Option<async_graphql::ID>) -> Option<String> {
        let id = id?;
        assert!(id.as_str() != "panic", "secret text");
        Some(id.to_string())
    }
}

#[Object]
impl Mutation {
    async fn create_vehicle(&self, r#type: String) -> Option<String> {
        Some(r#type)
    }
}

impl Engine {
    /// Makes one.
    pub fn new(_store: Store, _list_limit: u32) -> Self {
        Self {
            schema: Schema::new(Query, Mutation, EmptySubscription),
        }
    }

    /// Executes a request.
    pub async fn execute(
        &self,
        mut request: async_graphql::Request,
        permitted: Permitted,
    ) -> Answer {
        if let Ok(document) = request.parsed_query()
            && permitted == Permitted::Queries
            && document
                .operations
                .iter()
                .any(|(_, o)| o.node.ty == OperationType::Mutation)
        {
            return Answer {
                response: request_error(ErrorCode::BadRequest, "a mutation needs POST"),
                outcome: Outcome::MutationNotPermitted,
            };
        }
        let response = self.schema.execute(request).await;
        let refused = response.data == async_graphql::Value::Null
            && response.errors.iter().all(|e| e.path.is_empty());
        let outcome = if refused {
            Outcome::Refused
        } else {
            Outcome::Executed
        };
        Answer { response, outcome }
    }
}
