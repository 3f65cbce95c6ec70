//! From the text of a query to a document that is known to be valid: parsed and validated strictly
//! by apollo-compiler, then lowered to the tree that async-graphql executes.
//!
//! async-graphql's own parser and validator are not asked: version 7.2 leaves `\"""` in block
//! strings, refuses surrogate pairs, does not look at `__typename`, and takes wrong numbers for right.

mod executable;
mod limits;
mod profile;
mod to_engine;

use std::sync::{Arc, OnceLock};

use apollo_compiler::{
    Name, Node, Schema,
    ast::Document as Ast,
    collections::HashMap,
    executable::{ExecutableDocument, Operation},
    parser::Parser,
    schema::Implementers,
    validation::{DiagnosticList, Valid},
};
use async_graphql::{Pos, ServerError, ServerResult, Variables};
use quick_cache::{Weighter, sync::Cache};

pub(super) use self::executable::Executable;
use self::{
    executable::{Lasting, introspects},
    profile::Deprecations,
};
pub use self::{
    limits::{DocumentLimits, LimitsMode},
    profile::{OperationKind, Profile},
};
use super::error_code::ErrorCode;

/// The most errors that one request is told of.
const ERRORS_TOLD: usize = 20;

/// Selection sets and values nested deeper than this are not parsed, whatever the depth limit is:
/// it protects the stack.
const NESTING: usize = 200;

/// How many documents the cache expects: their texts fill it when they have this size.
const EXPECTED_BYTES: usize = 256;

/// A valid document.
pub(super) struct Document {
    /// As apollo-compiler knows it.
    pub(super) checked: Valid<ExecutableDocument>,
    /// Its operations, nearly always one.
    operations: Vec<Arc<Known>>,
}

/// What is known of an operation.
pub(super) struct Known {
    /// The operation.
    pub(super) operation: Node<Operation>,
    /// Whether it asks about the schema.
    pub(super) introspects: bool,
    /// What is told of it to the operator.
    pub(super) profile: Arc<Profile>,
    /// What is executed, once it was executed, if it is the same whatever the variables are.
    executable: OnceLock<Arc<Executable>>,
}

impl Document {
    /// The operation with this name, or the only one (GraphQL specification, section 6.1.1).
    pub(super) fn operation(&self, name: Option<&str>) -> Option<Arc<Known>> {
        let chosen = self.checked.operations.get(name).ok()?;
        let mut known = self.operations.iter();
        known
            .find(|known| known.operation.name == chosen.name)
            .cloned()
    }

    /// What of it is to be executed, with these variables.
    pub(super) fn executable(
        &self,
        contract: &Schema,
        known: &Known,
        variables: &Variables,
    ) -> ServerResult<Arc<Executable>> {
        if let Some(kept) = known.executable.get() {
            return Ok(Arc::clone(kept));
        }
        let (executable, lasting) =
            Executable::of(contract, &self.checked, &known.operation, variables)?;
        let executable = Arc::new(executable);
        Ok(match lasting {
            Lasting::ThisRequest => executable,
            Lasting::EveryRequest => Arc::clone(known.executable.get_or_init(|| executable)),
        })
    }
}

/// Why a text is no valid document.
#[derive(Debug)]
pub(super) struct Rejected {
    pub(super) code: ErrorCode,
    pub(super) errors: Vec<ServerError>,
}

/// How the documents that are kept were used since the start.
#[derive(Clone, Copy, Debug)]
pub struct DocumentFigures {
    /// Requests whose document was kept.
    pub hits: u64,
    /// Requests whose document had to be read.
    pub misses: u64,
    /// Documents that are kept now.
    pub documents: usize,
    /// The bytes of their texts.
    pub text_bytes: u64,
}

/// The contract and the documents that were found valid under it.
pub(super) struct Documents {
    pub(super) contract: Valid<Schema>,
    pub(super) implementers: HashMap<Name, Implementers>,
    pub(super) limits: DocumentLimits,
    pub(super) deprecations: Deprecations,
    kept: Cache<String, Arc<Document>, Bytes>,
}

#[derive(Clone)]
struct Bytes;

impl Weighter<String, Arc<Document>> for Bytes {
    fn weight(&self, text: &String, _: &Arc<Document>) -> u64 {
        text.len() as u64
    }
}

impl Documents {
    /// `contract` is SDL that the build has found valid. Documents are kept as long as their texts
    /// have no more than `kept_bytes` together; in memory a document takes up to 150 times the size
    /// of its text.
    pub(super) fn new(contract: &str, limits: DocumentLimits, kept_bytes: u32) -> Self {
        let contract = Schema::parse_and_validate(contract, "schema.graphql")
            .expect("the build has read the same file");
        Self {
            implementers: contract.implementers_map(),
            deprecations: Deprecations::of(&contract),
            contract,
            limits,
            kept: Cache::with_weighter(
                kept_bytes as usize / EXPECTED_BYTES,
                kept_bytes.into(),
                Bytes,
            ),
        }
    }

    /// The document with this text. Only valid ones are kept.
    pub(super) fn read(&self, text: &str) -> Result<Arc<Document>, Rejected> {
        if let Some(document) = self.kept.get(text) {
            return Ok(document);
        }
        let document = Arc::new(self.read_anew(text)?);
        self.kept.insert(text.to_owned(), Arc::clone(&document));
        Ok(document)
    }

    /// How the kept documents were used since the start.
    pub(super) fn figures(&self) -> DocumentFigures {
        DocumentFigures {
            hits: self.kept.hits(),
            misses: self.kept.misses(),
            documents: self.kept.len(),
            text_bytes: self.kept.weight(),
        }
    }

    fn read_anew(&self, text: &str) -> Result<Document, Rejected> {
        self.limits.check_text(text)?;
        let mut parser = Parser::new()
            .recursion_limit(NESTING)
            .token_limit(self.limits.tokens.saturating_add(1) as usize);
        let parsed = parser.parse_ast(text, "query");
        self.limits.check_tokens(parser.tokens_reached())?;
        let ast =
            parsed.map_err(|failed| rejected(ErrorCode::GraphqlParseFailed, &failed.errors))?;
        self.limits.check_tree(&ast)?;
        self.validate(&ast)
    }

    fn validate(&self, ast: &Ast) -> Result<Document, Rejected> {
        let checked = ast.to_executable_validate(&self.contract);
        let checked = checked
            .map_err(|failed| rejected(ErrorCode::GraphqlValidationFailed, &failed.errors))?;
        let operations = checked.operations.iter().map(|operation| {
            let mut fields = operation.root_fields(&checked);
            Arc::new(Known {
                introspects: fields.any(|field| introspects(field)),
                operation: operation.clone(),
                profile: Arc::new(self.deprecations.profile(&checked, operation)),
                executable: OnceLock::new(),
            })
        });
        Ok(Document {
            operations: operations.collect(),
            checked,
        })
    }
}

fn rejected(code: ErrorCode, diagnostics: &DiagnosticList) -> Rejected {
    // What follows the first error of syntax is a guess.
    let told = if code == ErrorCode::GraphqlParseFailed {
        1
    } else {
        ERRORS_TOLD
    };
    let errors = diagnostics.iter().take(told).map(|diagnostic| {
        let start = diagnostic.line_column_range().map(|range| Pos {
            line: range.start.line,
            column: range.start.column,
        });
        ServerError::new(diagnostic.error.to_string().replace('`', "\""), start)
    });
    Rejected {
        code,
        errors: errors.collect(),
    }
}

#[cfg(test)]
mod tests;
