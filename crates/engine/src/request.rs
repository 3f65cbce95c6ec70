//! A request, and what it is prepared to.

use std::{any::Any, sync::Arc};

use async_graphql::{Data, Name, Value, Variables};
use indexmap::IndexMap;

use crate::{
    cost::Estimates, document::PreparedOperation, idempotency::IdempotencyKey,
    merged_operation::MergedOperation,
};

/// The parameters of a request (GraphQL over HTTP, "Request Parameters").
#[derive(Debug, Default)]
pub struct Request {
    /// The document, empty if the request refers to a persisted one.
    pub query: String,
    /// The identifier of a persisted document.
    pub document_id: Option<String>,
    /// The name of the operation to execute.
    pub operation_name: Option<String>,
    /// The values of variables, which are coerced when the request is prepared.
    pub variables: Variables,
    /// Only `persistedQuery` has an effect.
    pub extensions: IndexMap<Name, Value>,
}

/// A request with a document and nothing else.
impl<T: Into<String>> From<T> for Request {
    fn from(query: T) -> Self {
        Self {
            query: query.into(),
            ..Self::default()
        }
    }
}

/// A request that is ready to be executed.
pub struct PreparedRequest {
    pub(crate) operation: Arc<PreparedOperation>,
    pub(crate) variables: Variables,
    pub(crate) merged: Arc<MergedOperation>,
    pub(crate) estimates: Estimates,
    pub(crate) items: u64,
    pub(crate) idempotency_key: Option<Arc<IdempotencyKey>>,
    /// What resolvers find in their context.
    pub(crate) data: Data,
    /// What resolvers find in their context because of the connection.
    pub(crate) connection_data: Option<Arc<Data>>,
}

impl PreparedRequest {
    /// The number of items that it processes if it is a mutation: those of lists, and one for each other root field.
    pub fn items(&self) -> u64 {
        self.items
    }

    /// Whether it is a mutation.
    pub fn is_mutation(&self) -> bool {
        self.operation.definition.is_mutation()
    }

    /// Whether it is a subscription, whose responses are a stream.
    pub fn is_subscription(&self) -> bool {
        self.operation.definition.is_subscription()
    }

    /// Adds data that resolvers find by its type in their [`Context`](async_graphql::Context).
    pub fn insert_data<D: Any + Send + Sync>(&mut self, data: D) {
        self.data.insert(data);
    }

    /// Sets the key that identifies its effects.
    pub fn set_idempotency_key(&mut self, key: Arc<IdempotencyKey>) {
        self.idempotency_key = Some(key);
    }
}
