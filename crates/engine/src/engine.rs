//! The engine: prepares a request, resolves its root fields, and renders the response.

use std::{
    future::{Future, ready},
    mem,
    sync::Arc,
    time::{Duration, SystemTime},
};

use async_graphql::ServerResult;
use futures_util::future::Either;
use schema::{UsageSnapshot, excerpt};
use tokio::time::{Instant, timeout_at};

use crate::{
    contract::Contract,
    cost::{CostModel, Estimates},
    document::{DocumentCache, DocumentLimits, DocumentStats, Executable},
    error_code::ErrorCode,
    error_facts::ErrorFacts,
    introspection::{self, Introspected, IntrospectionExecution},
    permitted::{Permitted, ScopeNames},
    persisted::{PersistedDocuments, PersistedStats},
    prepare::{PreparedRequest, Request},
    response::{EngineResponse, Refused, rendered, sort_by_root_field, timed_out},
    runtime::{PlanSize, Planner, RequestState, Resolvers},
    service::{DynService, Root},
    settings::{EngineSettings, ParseSpan},
    usage::{CallerIndex, UsageRecorder},
};

/// Executes GraphQL requests with the resolvers of a service.
pub struct Engine {
    contract: &'static Contract,
    pub(crate) documents: DocumentCache,
    pub(crate) persisted: PersistedDocuments,
    pub(crate) cost_model: CostModel,
    execution_timeout: Duration,
    scopes: ScopeNames,
    pub(crate) parse_span: ParseSpan,
    pub(crate) service: Box<dyn DynService>,
}

impl Engine {
    /// An engine for the root types of queries and of mutations, which are generated from this contract;
    /// [`NoMutation`](crate::runtime::NoMutation) if it has no mutations.
    pub fn new<Q: Resolvers + 'static, M: Resolvers + 'static>(
        contract: &'static Contract,
        root_types: (Q, M),
        settings: EngineSettings,
    ) -> Self {
        let usage = settings.usage;
        let usage = usage.map(|usage| Arc::new(UsageRecorder::new(contract.schema(), usage)));
        Self {
            contract,
            documents: DocumentCache::new(
                contract,
                settings.documents,
                settings.document_cache_bytes,
                settings.introspection,
                usage,
            ),
            persisted: PersistedDocuments::new(
                settings.persisted_queries,
                settings.trusted_documents,
            ),
            cost_model: settings.cost_model,
            execution_timeout: settings.execution_timeout,
            scopes: settings.scopes,
            parse_span: settings.parse_span,
            service: Box::new(root_types),
        }
    }

    /// The contract of the service.
    pub fn contract(&self) -> &'static Contract {
        self.contract
    }

    /// The limits of a document.
    pub fn document_limits(&self) -> &DocumentLimits {
        &self.documents.limits
    }

    /// The maximum size in bytes of a response, or of all responses to a batch.
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

    /// The caller with this name, to record its use; `None` if use is not recorded.
    pub fn caller(&self, name: Option<&str>) -> Option<CallerIndex> {
        let usage = self.documents.usage.as_ref()?;
        Some(usage.caller(name))
    }

    /// Records the use of the contract by a request.
    pub fn record_use(&self, prepared: &PreparedRequest, caller: CallerIndex) {
        if let Some(usage) = &prepared.document.usage {
            usage.record(caller, &prepared.used_by_variables);
        }
    }

    /// The recorded use up to now; `None` if use is not recorded.
    pub fn usage(&self, now: SystemTime) -> Option<UsageSnapshot> {
        let usage = self.documents.usage.as_ref()?;
        self.documents.flush_usage();
        Some(usage.snapshot(now.into()))
    }

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
        let executable = Arc::clone(&prepared.executable);
        if let Some(data) = &executable.constant {
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
        // Boxed, so that only a pointer to it is part of the future.
        let request = Box::new(RequestState::new(
            mem::take(&mut prepared.variables),
            remaining_bytes,
            prepared.idempotency_key.take(),
        ));
        let resolution = self.service.resolve(root, &executable, &request);
        let fields = match timeout_at(deadline, resolution).await {
            Ok(fields) => fields,
            Err(elapsed) => return timed_out(&elapsed),
        };
        self.respond(&executable, &request, fields, introspected)
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
        let bytes = fields
            .as_ref()
            .map_or(0, |fields| fields.iter().map(Vec::len).sum());
        // The error of a non-null root field makes the data null (GraphQL specification, section 6.4.4).
        let mut errors = Vec::new();
        let fields = fields.map_err(|failed| errors.push(failed)).ok();
        errors.append(&mut request.take_errors());
        errors.append(&mut introspected.errors);
        // Errors of resolvers have facts; the others are arguments that can't be coerced.
        for error in &mut errors {
            ErrorFacts::of_code(ErrorCode::BadUserInput).attach(error);
        }
        sort_by_root_field(&mut errors, &executable.keys);
        rendered(
            errors,
            request.take_truncated(&executable.keys),
            bytes + introspected.bytes(),
            |json| match fields {
                Some(fields) => executable.write_data(&fields, &introspected.members, json),
                None => json.extend_from_slice(b"null"),
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
        // A lower bound if the execution stopped at its cost limit.
        let cost = cost.saturating_add(execution.cost);
        limits.check_cost(cost, exceeded)?;
        let members =
            members.map_err(|introspection::LimitExceeded| limits.response_too_large())?;
        let errors = execution.errors;
        Ok(Introspected { members, errors })
    }
}
