//! The engine: the contract, the settings and the caches of a service.

use std::time::{Duration, Instant, SystemTime};

use async_graphql::{Data, Executor};
use schema::{UsageSnapshot, excerpt};

use crate::{
    contract::Contract,
    cost::CostModel,
    document::{DocumentCache, DocumentStats},
    dyn_executor::DynExecutor,
    permitted::ScopeNames,
    persisted::{PersistedDocuments, PersistedStats},
    request::PreparedRequest,
    settings::{EngineSettings, ParseSpan},
    usage::UsageRecorder,
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
        let usage = settings.usage;
        let usage = usage.map(|usage| UsageRecorder::new(contract.schema(), usage));
        let mut documents = DocumentCache::new(
            contract,
            settings.documents,
            settings.document_cache_bytes,
            settings.introspection,
            usage,
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

    /// Whether use is recorded.
    pub fn records_use(&self) -> bool {
        self.documents.usage.is_some()
    }

    /// Records the use of the contract by a request of the caller with this name, if use is recorded.
    pub fn record_use(&self, prepared: &PreparedRequest, caller: Option<&str>) {
        if let Some(usage) = &self.documents.usage {
            let facts = (&prepared.document.usage, &prepared.used_by_variables);
            usage.record(caller, facts.0, facts.1);
        }
    }

    /// The recorded use up to now; `None` if use is not recorded.
    pub fn usage(&self, now: SystemTime) -> Option<UsageSnapshot> {
        let usage = self.documents.usage.as_ref()?;
        Some(usage.snapshot(now.into(), Instant::now()))
    }

    /// The coordinates of the deprecated fields and arguments of the contract: `Type.field` and
    /// `Type.field(argument:)`. [`OperationInfo::deprecated`](crate::OperationInfo::deprecated) contains indices of this list.
    pub fn deprecated_elements(&self) -> &[String] {
        &self.documents.deprecated
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
