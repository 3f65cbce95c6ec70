//! What an operator can set about the execution of requests.

use std::time::Duration;

use super::{
    document::DocumentLimits,
    persisted::{PersistedQueries, TrustedDocuments},
};
use crate::catalogue::ListLimit;

/// What an operator can set about the execution of requests.
#[derive(Clone, Debug)]
pub struct EngineSettings {
    /// The most vehicles that one list can have.
    pub list_limit: ListLimit,
    /// What a document may ask for.
    pub documents: DocumentLimits,
    /// How many bytes of query text may be kept with their documents; 0 keeps none.
    pub document_cache_bytes: u32,
    /// Whether clients may ask for the schema.
    pub introspection: Introspection,
    /// How long an operation may be executed.
    pub execution_timeout: Duration,
    /// Whether clients may register queries.
    pub persisted_queries: PersistedQueries,
    /// The documents that the operator allows.
    pub trusted_documents: TrustedDocuments,
}

/// Whether clients may ask for the schema with `__schema` and `__type`.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Introspection {
    /// They may.
    On,
    /// They may not.
    Off,
}

impl Default for EngineSettings {
    fn default() -> Self {
        Self {
            list_limit: ListLimit::DEFAULT,
            documents: DocumentLimits::default(),
            document_cache_bytes: 256 * 1024,
            introspection: Introspection::On,
            execution_timeout: Duration::from_secs(30),
            persisted_queries: PersistedQueries::On,
            trusted_documents: TrustedDocuments::none(),
        }
    }
}
