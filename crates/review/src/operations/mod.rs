//! Validates the operations of clients against a schema, and finds the changes because of which an
//! operation stops working.

mod attribution;
mod documents;
pub mod report;
mod target;
mod walk;

use std::sync::Arc;

use apollo_compiler::{
    ast::Document,
    diagnostic::ToCliReport as _,
    executable::ExecutableDocument,
    parser::{SourceMap, SourceSpan},
    validation::{DiagnosticList, Valid},
};
use schema::{InvalidValue, Location, Schema, document_diagnostic, invalid_values};
use serde::Serialize;

pub use self::documents::{DocumentSource, Documents, UnusedFragment};
use self::{
    attribution::{Causes, Invalidity},
    documents::Operation,
    target::Target,
    walk::Walk,
};
use crate::Change;

/// The operations that are not valid under a schema.
#[derive(Clone, Debug, Serialize)]
pub struct Checked {
    /// The number of operations.
    #[serde(rename = "operations")]
    pub count: usize,
    /// The operations that stop working: they are valid under the old schema and not under the new
    /// one. Without an old schema, all that are not valid.
    pub broken: Vec<InvalidOperation>,
    /// The operations that are valid under neither schema.
    pub invalid_before: Vec<InvalidOperation>,
    /// The fragments that no operation uses, which are not validated.
    #[serde(rename = "unused_fragments")]
    pub unused: Vec<UnusedFragment>,
}

/// An operation that is not valid.
#[derive(Clone, Debug, Serialize)]
pub struct InvalidOperation {
    /// Which one.
    #[serde(flatten)]
    pub operation: OperationName,
    /// Why it is not valid under the new schema, in the order of the files.
    pub problems: Vec<OperationProblem>,
    /// The changes because of which it stops working.
    pub changes: Vec<Change>,
    /// Their indices in the list of changes.
    #[serde(skip)]
    pub(crate) change_indices: Vec<usize>,
}

/// An operation of a client, and its location.
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
pub struct OperationName {
    /// The name; `None` if it is anonymous.
    pub name: Option<String>,
    /// `query`, `mutation` or `subscription`.
    pub kind: &'static str,
    /// The identifier of its document in a manifest.
    pub id: Option<Arc<str>>,
    /// The location of its definition.
    pub location: Option<Location>,
}

/// A reason why an operation is not valid.
#[derive(Clone, Debug, Eq, Ord, PartialEq, PartialOrd, Serialize)]
pub struct OperationProblem {
    /// The location, in the operation or in a fragment.
    pub location: Option<Location>,
    /// What is wrong.
    pub message: String,
}

/// Validates operations against a schema. An operation stops working if it is valid under the old
/// schema; `changes` are the changes between the two.
pub fn check(
    documents: &Documents,
    old: Option<&Schema>,
    new: &Schema,
    changes: &[Change],
) -> Checked {
    let causes = Causes::new(new, changes);
    let mut new = Target::new(new.tree(), []);
    // If it is unknown what was `@oneOf`, it is unknown which operations were valid.
    new.validates_one_of = !old.is_some_and(|old| old.omits_directive("oneOf"));
    let old = old.map(|old| Target::new(old.tree(), causes.coordinates()));
    let mut checked = Checked {
        count: documents.len(),
        broken: Vec::new(),
        invalid_before: Vec::new(),
        unused: documents.unused.clone(),
    };
    for operation in &documents.operations {
        let Err(invalid) = validate(&new, &operation.document) else {
            continue;
        };
        let mut found = documents.invalid_operation(operation, &invalid);
        if let Some(old) = &old {
            let Ok(valid) = validate(old, &operation.document) else {
                checked.invalid_before.push(found);
                continue;
            };
            let kind = operation.definition.operation_type;
            let indices = causes.find(kind, &Walk::new(old, &valid).uses, &invalid);
            found.changes = indices.iter().map(|at| changes[*at].clone()).collect();
            found.change_indices = indices;
        }
        checked.broken.push(found);
    }
    checked
}

impl Documents {
    fn invalid_operation(&self, operation: &Operation, invalid: &[Invalidity]) -> InvalidOperation {
        let location = |span: Option<SourceSpan>| span.and_then(|span| self.location(span));
        let definition = &operation.definition;
        let problems = invalid.iter().map(|reason| OperationProblem {
            location: location(reason.span.or(definition.location())),
            message: reason.message.clone(),
        });
        let mut problems: Vec<_> = problems.collect();
        problems.sort();
        problems.dedup();
        InvalidOperation {
            operation: OperationName {
                name: definition.name.as_ref().map(ToString::to_string),
                kind: definition.operation_type.name(),
                id: operation.id.clone(),
                location: location(definition.location()),
            },
            problems,
            changes: Vec::new(),
            change_indices: Vec::new(),
        }
    }
}

/// Validates the document of one operation.
fn validate(
    target: &Target,
    document: &Document,
) -> Result<Valid<ExecutableDocument>, Vec<Invalidity>> {
    let (document, mut errors) = match document.to_executable(target.schema) {
        Ok(document) => (document, DiagnosticList::new(SourceMap::default())),
        Err(failed) => (failed.partial, failed.errors),
    };
    let uses = Walk::new(target, &document).uses;
    let invalid = invalid_values(target.schema, &document, target.validates_one_of).into_iter();
    let invalid = invalid.map(|InvalidValue { span, message }| Invalidity {
        span,
        message,
        error: "",
    });
    let invalid: Vec<_> = invalid.collect();
    let part = target.part(&document, uses.iter().map(|at| at.used));
    match document.validate(&part) {
        Ok(document) if errors.is_empty() && invalid.is_empty() => return Ok(document),
        Ok(_) if errors.is_empty() => return Err(invalid),
        Ok(_) => {}
        Err(failed) => errors.merge(failed.errors),
    }
    Err(invalidities(&errors))
}

/// The errors of a document, without those that follow from others.
fn invalidities(errors: &DiagnosticList) -> Vec<Invalidity> {
    let causes = schema::causes(errors).into_iter();
    let causes = causes.map(|error| Invalidity {
        span: error.location(),
        message: document_diagnostic(&error.to_string()),
        error: error.unstable_error_name().unwrap_or_default(),
    });
    causes.collect()
}
