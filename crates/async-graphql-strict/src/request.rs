//! A request, and what it is prepared to.

use std::{any::Any, sync::Arc};

use apollo_compiler::executable::OperationType;

use crate::{
    document::Document,
    introspection::Introspected,
    operation::{AllowedOperations, Lowered, Operation},
};

/// A GraphQL request, and what it is authorized for.
#[derive(Debug)]
pub struct Request {
    /// The document, the name of the operation, the variables, `extensions.persistedQuery`, and data for resolvers.
    pub graphql: async_graphql::Request,
    /// The identifier of a persisted document.
    pub document_id: Option<String>,
    /// The operations that the request is authorized for.
    pub allowed: AllowedOperations,
}

/// A request that is authorized for all operations.
impl<T: Into<async_graphql::Request>> From<T> for Request {
    fn from(graphql: T) -> Self {
        Self { graphql: graphql.into(), document_id: None, allowed: AllowedOperations::ALL }
    }
}

/// A request that is ready to be executed.
pub struct Prepared {
    /// Without document and variables.
    pub(crate) request: async_graphql::Request,
    pub(crate) document: Arc<Document>,
    pub(crate) operation: Arc<Operation>,
    pub(crate) lowered: Lowered,
    pub(crate) introspected: Introspected,
}

impl Prepared {
    /// Its operation.
    pub fn operation(&self) -> &Arc<Operation> {
        &self.operation
    }

    /// The number of items that its fields process one by one; see [`ItemsArgument`](crate::ItemsArgument). A field of a
    /// mutation without them counts once.
    pub fn items(&self) -> u64 {
        self.lowered.estimate.items
    }

    /// Whether it is a mutation.
    pub fn is_mutation(&self) -> bool {
        self.operation.kind == OperationType::Mutation
    }

    /// Whether it is a subscription, whose responses are a stream.
    pub fn is_subscription(&self) -> bool {
        self.operation.kind == OperationType::Subscription
    }

    /// Adds data that resolvers find by its type in their [`Context`](async_graphql::Context).
    pub fn insert_data<D: Any + Send + Sync>(&mut self, data: D) {
        self.request.data.insert(data);
    }
}
