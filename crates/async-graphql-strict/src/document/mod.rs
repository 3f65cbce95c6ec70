//! Parses, validates and caches documents. apollo-compiler parses and validates them.
//!
//! async-graphql's own parser and validator are not used: version 7 leaves `\"""` in block strings, refuses
//! surrogate pairs, does not validate `__typename`, and accepts invalid numbers.

mod counts;

use std::sync::Arc;

use apollo_compiler::{
    ast::Document as Ast,
    diagnostic::ToCliReport as _,
    executable::ExecutableDocument,
    parser::{Parser, SourceSpan},
    validation::{DiagnosticList, Valid},
};
use async_graphql::{Pos, ServerError};
use graphql_sdl::{InvalidValue, LineIndex, Position, excerpt, printable};
use quick_cache::{Weighter, sync::Cache};

use crate::{
    contract::Contract,
    error::{ErrorCode, RequestError, exceeded},
    operation::{Operation, of_document},
    settings::Limits,
};

/// The maximum number of errors in a response to an invalid document: as many as a client can use at once.
const MAX_ERRORS: usize = 20;

/// An estimate of the heap memory of a cached document: a constant, and a factor for each byte of its text.
const DOCUMENT_BYTES: u64 = 4 * 1024;
const BYTES_PER_TEXT_BYTE: u64 = 128;

/// The document size for which the number of cache shards is chosen: a document must fit into one shard.
const EXPECTED_DOCUMENT_BYTES: usize = 64 * 1024;

/// A valid document.
pub(crate) struct Document {
    pub(crate) tree: Valid<ExecutableDocument>,
    lines: LineIndex,
    /// Its operations, usually one.
    operations: Vec<Arc<Operation>>,
}

impl Document {
    /// The operation with this name, or the only one (GraphQL specification, section 6.1.1).
    pub(crate) fn operation(&self, name: Option<&str>) -> Result<&Arc<Operation>, RequestError> {
        let selected = self.tree.operations.get(name).ok();
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
            RequestError::new(ErrorCode::OperationResolutionFailure, message)
        })
    }

    /// The position of a byte offset in its text.
    pub(crate) fn position(&self, offset: usize) -> Pos {
        position(&self.lines, offset)
    }
}

fn position(lines: &LineIndex, offset: usize) -> Pos {
    let Position { line, column } = lines.position(offset);
    Pos { line, column }
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

/// The cache of documents.
pub(crate) struct Documents(Cache<String, Arc<Document>, DocumentWeighter>);

#[derive(Clone)]
struct DocumentWeighter;

impl Weighter<String, Arc<Document>> for DocumentWeighter {
    fn weight(&self, text: &String, _: &Arc<Document>) -> u64 {
        DOCUMENT_BYTES + BYTES_PER_TEXT_BYTE * text.len() as u64
    }
}

impl Documents {
    pub(crate) fn new(max_bytes: u32) -> Self {
        Self(Cache::with_weighter(max_bytes as usize / EXPECTED_DOCUMENT_BYTES, max_bytes.into(), DocumentWeighter))
    }

    /// The cached document with this text, or a new one. Only valid documents are cached.
    pub(crate) fn get_or_parse(
        &self,
        text: &str,
        contract: &Contract,
        limits: &Limits,
    ) -> Result<Arc<Document>, RequestError> {
        if let Some(document) = self.0.get(text) {
            return Ok(document);
        }
        let _span = tracing::debug_span!("parse").entered();
        exceeded("query-limit-bytes", limits.query_bytes, text.len() as u64)?;
        let parsing = Parsing { contract, lines: LineIndex::new(text) };
        let document = Arc::new(parsing.document(text, limits)?);
        self.0.insert(text.to_owned(), Arc::clone(&document));
        Ok(document)
    }

    pub(crate) fn stats(&self) -> DocumentStats {
        DocumentStats { hits: self.0.hits(), misses: self.0.misses(), documents: self.0.len(), bytes: self.0.weight() }
    }
}

struct Parsing<'a> {
    contract: &'a Contract,
    lines: LineIndex,
}

impl Parsing<'_> {
    fn document(self, text: &str, limits: &Limits) -> Result<Document, RequestError> {
        let ast = self.parse(text, limits)?;
        counts::check(&ast, limits)?;
        let schema = &self.contract.schema;
        let tree = ast.to_executable_validate(schema);
        let code = ErrorCode::GraphqlValidationFailed;
        let tree = tree.map_err(|failed| self.invalid(code, &failed.errors, MAX_ERRORS, text))?;
        let invalid = graphql_sdl::invalid_values(schema, &tree, true);
        if !invalid.is_empty() {
            let errors = invalid.into_iter().map(|InvalidValue { span, message }| {
                let location = span.map(|span| position(&self.lines, span.offset()));
                ServerError::new(message, location)
            });
            return Err(RequestError::with_errors(code, errors.collect()));
        }
        for operation in tree.operations.iter() {
            let fields = operation.root_fields(&tree).count();
            exceeded("root-field-limit", limits.root_fields, fields as u64)?;
        }
        let coordinates: Arc<[String]> = of_document(schema, &tree).into_iter().collect();
        let operations = tree.operations.iter();
        let operations = operations.map(|definition| Arc::new(Operation::new(definition, Arc::clone(&coordinates))));
        Ok(Document { operations: operations.collect(), lines: self.lines, tree })
    }

    fn parse(&self, text: &str, limits: &Limits) -> Result<Ast, RequestError> {
        let max_tokens = limits.tokens.saturating_add(1);
        let mut parser = Parser::new().recursion_limit(graphql_sdl::MAX_NESTING).token_limit(max_tokens as usize);
        let parsed = parser.parse_ast(graphql_sdl::executable(text), "query");
        // Parsing stops after the limit, so the number is a lower bound.
        let tokens = parser.tokens_reached().min(max_tokens as usize);
        exceeded("token-limit", limits.tokens, tokens as u64)?;
        // Errors after the first syntax error are unreliable.
        let code = ErrorCode::GraphqlParseFailed;
        parsed.map_err(|failed| self.invalid(code, &failed.errors, 1, text))
    }

    fn invalid(&self, code: ErrorCode, found: &DiagnosticList, max_errors: usize, text: &str) -> RequestError {
        let causes = graphql_sdl::causes(found).into_iter();
        let errors = causes.take(max_errors).map(|error| {
            let diagnostic = error.to_string();
            let span = error.location();
            let mut message = span
                .and_then(|span| invalid_value(text, span, &diagnostic))
                .or_else(|| graphql_sdl::missing_selection(error))
                .unwrap_or_else(|| graphql_sdl::document_diagnostic(&diagnostic));
            if self.contract.is_public {
                message += &graphql_sdl::suggestion_for(&self.contract.schema, &diagnostic);
            }
            let location = span.map(|span| position(&self.lines, span.offset()));
            ServerError::new(printable(&message), location)
        });
        RequestError::with_errors(code, errors.collect())
    }
}

/// The message for an error of apollo-compiler about a value of another type, which it writes without the value.
fn invalid_value(text: &str, span: SourceSpan, error: &str) -> Option<String> {
    let ty = match error.strip_prefix("expected value of type ") {
        Some(rest) => rest.split_once(", found ")?.0,
        None if error.starts_with("int cannot represent") => "Int (32 bits)",
        None if error.starts_with("float cannot represent") => "Float (64 bits)",
        None => return None,
    };
    let value = text.get(span.offset()..span.end_offset())?;
    Some(format!("expected a value of the type {}, found {}", excerpt(ty), excerpt(value)))
}
