//! The engine: the contract, the settings and the caches of a service.

use std::time::Duration;

use async_graphql::{Data, Executor};
use schema::excerpt;

use crate::{
    contract::Contract,
    cost::CostModel,
    document::{DocumentCache, DocumentStats},
    dyn_executor::DynExecutor,
    permitted::ScopeNames,
    persisted::{PersistedDocuments, PersistedStats},
    settings::{EngineSettings, ParseSpan},
};

/// Executes GraphQL requests by a schema of async-graphql's.
pub struct Engine {
    contract: &'static Contract,
    pub(crate) documents: DocumentCache,
    pub(crate) persisted: PersistedDocuments,
    pub(crate) cost_model: CostModel,
    pub(crate) execution_timeout: Duration,
    scopes: ScopeNames,
    pub(crate) parse_span: ParseSpan,
    pub(crate) response_bytes: Option<fn(&mut Data, usize)>,
    pub(crate) schema: Box<dyn DynExecutor>,
}

impl Engine {
    /// An engine in front of a schema that serves this contract.
    ///
    /// It parses, validates and merges documents, so the schema needs no limits of its own. The extension
    /// [`SkipValidation`](crate::SkipValidation) saves a second validation.
    pub fn new(
        contract: &'static Contract,
        schema: impl Executor,
        settings: EngineSettings,
    ) -> Self {
        let mut documents = DocumentCache::new(
            contract,
            settings.documents,
            settings.document_cache_bytes,
            settings.introspection,
        );
        documents.creating_fields = settings.creating_fields;
        Self {
            contract,
            documents,
            persisted: PersistedDocuments::new(
                settings.persisted_queries,
                settings.trusted_documents,
            ),
            cost_model: settings.cost_model,
            execution_timeout: settings.execution_timeout,
            scopes: settings.scopes,
            parse_span: settings.parse_span,
            response_bytes: settings.response_bytes,
            schema: Box::new(schema),
        }
    }

    /// The contract of the service.
    pub fn contract(&self) -> &'static Contract {
        self.contract
    }

    /// The maximum size in bytes of a response.
    pub fn response_limit(&self) -> usize {
        self.documents.limits.response_bytes as usize
    }

    /// The names of the scopes in tokens.
    pub fn scopes(&self) -> ScopeNames {
        self.scopes
    }

    /// The coordinates of the contract that documents can name: types, fields, arguments, input fields and enum values.
    /// [`OperationInfo::coordinates`](crate::OperationInfo::coordinates) contains indices of this list.
    pub fn coordinates(&self) -> &[String] {
        &self.documents.coordinates
    }

    /// The statistics of the document cache.
    pub fn document_stats(&self) -> DocumentStats {
        self.documents.stats()
    }

    /// The statistics of the persisted queries.
    pub fn persisted_stats(&self) -> PersistedStats {
        self.persisted.stats()
    }

    /// The trusted documents that are not valid under the contract, with their identifiers and errors.
    pub fn invalid_trusted_documents(&self) -> Vec<String> {
        let texts = self.persisted.trusted_texts();
        let invalid = texts.filter_map(|(id, text)| {
            let refused = self.documents.get_or_parse(text).err()?;
            let errors = refused.errors.into_iter();
            let messages: Vec<_> = errors.map(|error| error.message).collect();
            Some(format!(
                "{:?} ({:?}): {}",
                excerpt(id),
                excerpt(text.trim()),
                messages.join("; ")
            ))
        });
        let mut invalid: Vec<_> = invalid.collect();
        invalid.sort();
        invalid.dedup();
        invalid
    }
}
