//! Parses, validates and caches documents. apollo-compiler parses and validates them.
//!
//! async-graphql's own parser and validator are not used: version 7.2 leaves `\"""` in block strings, refuses
//! surrogate pairs, does not validate `__typename`, and accepts invalid numbers.

mod limits;
mod merged;
mod merged_operations;
mod merged_size;
mod possible_types;
mod shape;

use std::sync::{Arc, OnceLock};

use apollo_compiler::{
    Name, Node, Schema,
    collections::HashMap,
    diagnostic::ToCliReport as _,
    executable::{ExecutableDocument, Operation},
    parser::Parser,
    schema::Implementers,
    validation::{DiagnosticList, Valid},
};
use async_graphql::{ServerError, Variables};
use quick_cache::{Weighter, sync::Cache};
use schema::{InvalidValue, LineIndex, excerpt};

pub use self::limits::DocumentLimits;
use self::{merged::Merger, merged_operations::MergedOperations, merged_size::MergedSize};
use crate::{
    contract::Contract,
    coordinates,
    cost::{CostEstimator, CostModel, Estimates},
    error_code::ErrorCode,
    introspection::{self, Description, Introspection, is_introspection},
    merged_operation::MergedOperation,
    operation_info::OperationInfo,
    position::position,
    quote::printable,
    response::{Refused, refused, refused_with},
};

/// The maximum number of errors in a response to an invalid document.
const MAX_ERRORS: usize = 20;

/// Heap memory of a cached document: a constant, and a factor for each byte of its text. Measured by
/// `tests/memory/caches.rs` with executed documents of several shapes: a document of 20 bytes takes 3.0 to
/// 8.3 KB, one of many root fields takes 107 bytes for each byte of text, and more with variables of which its fields
/// depend, one of `id id id …` 72, others take 11 to 62.
const DOCUMENT_BYTES: u64 = 4 * 1024;
const BYTES_PER_TEXT_BYTE: u64 = 176;

/// The document size for which the number of cache shards is chosen: a document must fit into one shard.
const EXPECTED_DOCUMENT_BYTES: usize = 64 * 1024;

/// A valid document.
pub(super) struct Document {
    /// The tree of apollo-compiler.
    pub(super) validated: Valid<ExecutableDocument>,
    /// The line index of its text.
    pub(super) lines: LineIndex,
    /// Its operations, usually one.
    operations: Vec<Arc<PreparedOperation>>,
    /// The size of its text.
    text_bytes: u64,
}

/// An operation of a valid document, prepared once for all its requests.
pub(super) struct PreparedOperation {
    /// The tree of the operation.
    pub(super) definition: Node<Operation>,
    /// Whether it selects `__schema` or `__type`.
    pub(super) introspects: bool,
    /// The information about it for logs and metrics.
    pub(super) info: Arc<OperationInfo>,
    /// The estimates, after the first request, if they do not depend on variables.
    estimates: OnceLock<Estimates>,
    /// The merged operations.
    merged: MergedOperations,
}

impl Document {
    /// The operation with this name, or the only one (GraphQL specification, section 6.1.1).
    pub(super) fn operation(&self, name: Option<&str>) -> Result<&Arc<PreparedOperation>, Refused> {
        let selected = self.validated.operations.get(name).ok();
        let operation = selected.and_then(|selected| {
            let mut operations = self.operations.iter();
            operations.find(|operation| operation.definition.name == selected.name)
        });
        operation.ok_or_else(|| {
            let message = match name {
                Some(name) => format!("the document has no operation named {:?}", excerpt(name)),
                None if self.operations.is_empty() => "the document has no operation".to_owned(),
                None => "the document has several operations; set operationName".to_owned(),
            };
            refused(ErrorCode::OperationResolutionFailure, message)
        })
    }

    /// Estimates the cost of an operation with these variables, or returns the cached estimates.
    pub(super) fn estimates(
        &self,
        operation: &PreparedOperation,
        variables: &Variables,
        model: CostModel,
    ) -> Estimates {
        if let Some(cached) = operation.estimates.get() {
            return *cached;
        }
        let estimator = CostEstimator::new(&self.validated, variables, model);
        let estimates = estimator.estimates(&operation.definition);
        if !estimator.reads_variables() {
            // Another request may have stored the same estimates.
            let _ = operation.estimates.set(estimates);
        }
        estimates
    }

    /// Merges an operation with these variables, or returns the cached result.
    pub(super) fn merged(
        &self,
        cache: &DocumentCache,
        operation: &PreparedOperation,
        variables: &Variables,
    ) -> Result<Arc<MergedOperation>, Refused> {
        let shape = match operation.merged.get(variables) {
            Ok(merged) => return Ok(merged),
            Err(shape) => shape,
        };
        let max_size = cache.limits.merged_size(self.text_bytes);
        let (contract, implementers) = (&cache.contract, &cache.implementers);
        let (document, lines) = (&self.validated, &self.lines);
        let selections = Merger::new(
            (contract, implementers),
            (document, lines),
            variables,
            max_size,
        );
        let merged = Arc::new(selections.operation(&operation.definition, cache.creating_fields));
        let size = selections.size();
        cache.limits.check_merged(size, max_size)?;
        if size.fits(self.cached_size()) {
            operation.merged.insert(shape, Arc::clone(&merged));
        }
        Ok(merged)
    }

    /// The maximum size of a cached operation: the weight of a document includes operations as long as its
    /// text, not those of fragments that are expanded often.
    fn cached_size(&self) -> MergedSize {
        let bytes = self.text_bytes / self.operations.len() as u64;
        MergedSize {
            selections: bytes / 3 + 16,
            bytes,
        }
    }
}

/// Statistics of the document cache since the start.
#[derive(Clone, Copy, Debug)]
pub struct DocumentStats {
    /// Cache hits.
    pub hits: u64,
    /// Cache misses.
    pub misses: u64,
    /// Cached documents.
    pub documents: usize,
    /// Their weight: the heap memory in bytes, estimated from their texts.
    pub bytes: u64,
}

/// The contract and a cache of the documents that are valid under it.
pub(super) struct DocumentCache {
    pub(super) contract: Valid<Schema>,
    pub(super) implementers: HashMap<Name, Implementers>,
    description: OnceLock<Description>,
    pub(super) limits: DocumentLimits,
    /// The coordinates of the contract that documents can name.
    pub(super) coordinates: Vec<String>,
    /// If it is off, errors suggest no names either.
    pub(super) introspection: Introspection,
    /// The fields of the mutation type that create something.
    pub(super) creating_fields: &'static [&'static str],
    cache: Cache<String, Arc<Document>, DocumentWeighter>,
}

#[derive(Clone)]
struct DocumentWeighter;

impl Weighter<String, Arc<Document>> for DocumentWeighter {
    fn weight(&self, text: &String, _: &Arc<Document>) -> u64 {
        DOCUMENT_BYTES + BYTES_PER_TEXT_BYTE * text.len() as u64
    }
}

impl DocumentCache {
    /// A cache with a maximum weight of `max_cache_bytes`.
    pub(super) fn new(
        contract: &Contract,
        limits: DocumentLimits,
        max_cache_bytes: u32,
        introspection: Introspection,
    ) -> Self {
        let coordinates = coordinates::of_contract(contract.schema());
        let contract = introspection::schema(contract.schema());
        Self {
            implementers: contract.implementers_map(),
            description: OnceLock::new(),
            coordinates,
            contract,
            limits,
            introspection,
            creating_fields: &[],
            cache: Cache::with_weighter(
                max_cache_bytes as usize / EXPECTED_DOCUMENT_BYTES,
                max_cache_bytes.into(),
                DocumentWeighter,
            ),
        }
    }

    /// The introspection of the contract.
    pub(super) fn description(&self) -> &Description {
        let describe = || Description::new(&self.contract);
        self.description.get_or_init(describe)
    }

    /// The cached document with this text, or a new one. Only valid documents are cached.
    pub(super) fn get_or_parse(&self, text: &str) -> Result<Arc<Document>, Refused> {
        if let Some(document) = self.cache.get(text) {
            return Ok(document);
        }
        let document = Arc::new(self.parse(text)?);
        self.cache.insert(text.to_owned(), Arc::clone(&document));
        Ok(document)
    }

    /// The statistics of the cache.
    pub(super) fn stats(&self) -> DocumentStats {
        DocumentStats {
            hits: self.cache.hits(),
            misses: self.cache.misses(),
            documents: self.cache.len(),
            bytes: self.cache.weight(),
        }
    }

    fn parse(&self, text: &str) -> Result<Document, Refused> {
        self.limits.check_text(text)?;
        let mut parser = Parser::new()
            .recursion_limit(schema::MAX_NESTING)
            .token_limit(self.limits.tokens.saturating_add(1) as usize);
        let parsed = parser.parse_ast(schema::executable(text), "query");
        self.limits.check_tokens(parser.tokens_reached())?;
        let lines = LineIndex::new(text);
        let ast = parsed.map_err(|failed| {
            self.refused(ErrorCode::GraphqlParseFailed, &failed.errors, &lines)
        })?;
        self.limits.check_tree(&ast)?;
        let validated = ast.to_executable_validate(&self.contract);
        let validated = validated.map_err(|failed| {
            self.refused(ErrorCode::GraphqlValidationFailed, &failed.errors, &lines)
        })?;
        let invalid = schema::invalid_values(&self.contract, &validated, true);
        if !invalid.is_empty() {
            let invalid = invalid.into_iter();
            let errors = invalid.map(|InvalidValue { span, message }| {
                ServerError::new(message, span.map(|span| position(&lines, span)))
            });
            let code = ErrorCode::GraphqlValidationFailed;
            return Err(refused_with(code, errors.collect()));
        }
        let coordinates = coordinates::of_document(&self.coordinates, &self.contract, &validated);
        let operations = validated.operations.iter().map(|operation| {
            let mut fields = operation.root_fields(&validated);
            Arc::new(PreparedOperation {
                introspects: fields.any(|field| is_introspection(field)),
                definition: operation.clone(),
                info: Arc::new(OperationInfo::new(operation, Arc::clone(&coordinates))),
                estimates: OnceLock::new(),
                merged: MergedOperations::new(&validated, operation),
            })
        });
        Ok(Document {
            text_bytes: text.len() as u64,
            operations: operations.collect(),
            validated,
            lines,
        })
    }

    fn refused(&self, code: ErrorCode, diagnostics: &DiagnosticList, lines: &LineIndex) -> Refused {
        // Errors after the first syntax error are unreliable.
        let max_errors = if code == ErrorCode::GraphqlParseFailed {
            1
        } else {
            MAX_ERRORS
        };
        let causes = schema::causes(diagnostics).into_iter();
        let errors = causes.take(max_errors).map(|error| {
            let text = error.to_string();
            let mut message = schema::missing_selection(error)
                .unwrap_or_else(|| schema::document_diagnostic(&text));
            if self.introspection == Introspection::On {
                message += &schema::suggestion_for(&self.contract, &text);
            }
            ServerError::new(
                printable(&message),
                error.location().map(|span| position(lines, span)),
            )
        });
        refused_with(code, errors.collect())
    }
}

#[cfg(test)]
mod tests;
