//! The settings of the engine.

use std::{any::Any, time::Duration};

use async_graphql::Data;

use super::{
    cost::CostModel,
    document::DocumentLimits,
    introspection::Introspection,
    permitted::ScopeNames,
    persisted::{PersistedQueries, TrustedDocuments},
};

/// The settings of the engine.
#[derive(Clone, Debug)]
pub struct EngineSettings {
    /// The limits of a document.
    pub documents: DocumentLimits,
    /// The size of the lists and texts of the service.
    pub cost_model: CostModel,
    /// The maximum weight of the document cache in bytes; 0 disables it.
    pub document_cache_bytes: u32,
    /// Whether introspection is enabled.
    pub introspection: Introspection,
    /// The timeout of the execution of an operation.
    pub execution_timeout: Duration,
    /// Whether clients may register queries.
    pub persisted_queries: PersistedQueries,
    /// The documents that the operator allows.
    pub trusted_documents: TrustedDocuments,
    /// The names of the scopes in tokens.
    pub scopes: ScopeNames,
    /// The fields of the mutation type that create something, whose resolvers use the idempotency key.
    pub creating_fields: &'static [&'static str],
    /// Adds the maximum size of a response in bytes to the data of a request, for a schema of generated code, whose values
    /// are JSON text and are written as they are: `ResponseBytes::insert` of its module `support`. `None` for another schema.
    pub response_bytes: Option<fn(&mut Data, usize)>,
    /// Begins a span before a document is parsed and validated.
    pub parse_span: ParseSpan,
}

/// Begins a span, which ends when it is dropped.
pub type ParseSpan = fn() -> Option<Box<dyn Any>>;

impl Default for EngineSettings {
    fn default() -> Self {
        Self {
            documents: DocumentLimits::default(),
            cost_model: CostModel::default(),
            document_cache_bytes: 16 * 1024 * 1024,
            introspection: Introspection::On,
            execution_timeout: Duration::from_secs(30),
            persisted_queries: PersistedQueries::On,
            trusted_documents: TrustedDocuments::none(),
            scopes: ScopeNames {
                read: "read",
                write: "write",
            },
            creating_fields: &[],
            response_bytes: None,
            parse_span: || None,
        }
    }
}
