//! Validates the operations of clients against a schema, and finds the changes because of which an
//! operation stops working.

mod attribution;
mod client_directives;
mod documents;
mod embedded;
mod fragments;
mod invalidity;
mod literal;
pub mod report;
mod target;
mod walk;

use apollo_compiler::{
    ast::Document,
    executable::ExecutableDocument,
    parser::{SourceMap, SourceSpan},
    validation::DiagnosticList,
};
use graphql_sdl::{Location, Problems, Schema, invalid_values};
use serde::Serialize;

pub use self::documents::{DocumentSource, Documents, OperationName, Unchecked, UnusedFragment};
use self::{
    attribution::Causes, client_directives::ClientDirectives, documents::Operation, invalidity::Invalidity,
    target::Target, walk::Walk,
};
#[cfg(feature = "cli")]
pub(crate) use self::{
    embedded::Language,
    fragments::{imports, normalized},
};
use crate::{Change, names::DirectiveName};

/// The operations that are not valid under a schema.
#[derive(Clone, Debug, Serialize)]
pub struct Checked {
    /// The number of operations.
    #[serde(rename = "operations")]
    pub count: usize,
    /// The operations that stop working: they have a problem under the new schema that they do not have
    /// under the old one. Without an old schema, all that are not valid.
    pub broken: Vec<InvalidOperation>,
    /// The operations whose problems under the new schema are those under the old one, such as a
    /// directive that the client interprets.
    pub invalid_before: Vec<InvalidOperation>,
    /// The fragments that no operation uses, which are not validated.
    #[serde(rename = "unused_fragments")]
    pub unused: Vec<UnusedFragment>,
    /// What cannot be checked.
    pub unchecked: Vec<Unchecked>,
    /// The number of files of tests and stories that were omitted.
    pub omitted_tests: usize,
    /// The problems of an old schema that is not valid; set by the caller.
    #[serde(skip)]
    pub unread: Option<Problems>,
}

/// An operation that is not valid.
#[derive(Clone, Debug, Serialize)]
pub struct InvalidOperation {
    /// Which one.
    #[serde(flatten)]
    pub operation: OperationName,
    /// Why it is not valid under the new schema, in the order of the files; of an operation that stops
    /// working, only the problems that it does not have under the old schema.
    pub problems: Vec<OperationProblem>,
    /// The changes because of which it stops working.
    pub changes: Vec<Change>,
    /// Their indices in the list of changes.
    #[serde(skip)]
    pub(crate) change_indices: Vec<usize>,
}

/// A reason why an operation is not valid.
#[derive(Clone, Debug, Eq, Ord, PartialEq, PartialOrd, Serialize)]
pub struct OperationProblem {
    /// The location, in the operation or in a fragment.
    pub location: Option<Location>,
    /// What is wrong.
    pub message: String,
}

/// Validates operations against a schema. An operation stops working if it has a problem that it does
/// not have under the old schema; `changes` are the changes between the two.
pub fn check(documents: &Documents, old: Option<&Schema>, new: &Schema, changes: &[Change]) -> Checked {
    check_with(documents, old, new, changes, &[])
}

/// The same, where clients interpret these directives, too.
pub(crate) fn check_with(
    documents: &Documents,
    old: Option<&Schema>,
    new: &Schema,
    changes: &[Change],
    client_directives: &[DirectiveName],
) -> Checked {
    let causes = Causes::new(new, changes);
    let mut new = Target::new(new.tree(), []);
    // If it is unknown what was `@oneOf`, it is unknown which operations were valid.
    new.validates_one_of = !old.is_some_and(|old| old.omits_directive("oneOf"));
    let trees: Vec<_> = old.into_iter().map(Schema::tree).chain([new.schema]).collect();
    let client_directives = ClientDirectives::unless_defined(&trees, client_directives);
    let old = old.map(|old| Target::new(old.tree(), causes.coordinates()));
    let mut checked = Checked {
        count: documents.len(),
        broken: Vec::new(),
        invalid_before: Vec::new(),
        unused: documents.unused.clone(),
        unchecked: documents.unchecked.clone(),
        omitted_tests: documents.omitted_tests,
        unread: None,
    };
    for operation in &documents.operations {
        let (sent, is_less) = client_directives.sent(&operation.document);
        let Some(sent) = sent else { continue };
        let validate = |target| {
            let mut validated = validate(target, &sent);
            if is_less {
                client_directives::of_sent(&sent, &mut validated.invalid);
            }
            validated
        };
        let now = validate(&new);
        if now.invalid.is_empty() {
            continue;
        }
        let Some(old) = &old else {
            let found = documents.invalid_operation(operation, now.invalid);
            checked.broken.push(found);
            continue;
        };
        let before = validate(old);
        let added = invalidity::added(&now.invalid, &before.invalid);
        if added.is_empty() {
            let found = documents.invalid_operation(operation, now.invalid);
            checked.invalid_before.push(found);
            continue;
        }
        let kind = operation.definition.operation_type;
        let indices = causes.find(kind, &Walk::new(old, &before.document).uses, &added);
        let mut found = documents.invalid_operation(operation, added);
        found.changes = indices.iter().map(|at| changes[*at].clone()).collect();
        found.change_indices = indices;
        checked.broken.push(found);
    }
    checked
}

impl Documents {
    fn invalid_operation(&self, operation: &Operation, invalid: Vec<Invalidity>) -> InvalidOperation {
        let location = |span: Option<SourceSpan>| span.and_then(|span| self.location(span));
        let definition = &operation.definition;
        let problems = invalidity::causes(invalid).into_iter().map(|reason| OperationProblem {
            location: location(reason.span.or(definition.location())),
            message: reason.message,
        });
        let mut problems: Vec<_> = problems.collect();
        problems.sort();
        problems.dedup();
        InvalidOperation {
            operation: self.name(definition, operation.id.as_ref(), definition.location()),
            problems,
            changes: Vec::new(),
            change_indices: Vec::new(),
        }
    }
}

/// The document of one operation under a schema.
struct Validated {
    /// What is valid of it.
    document: ExecutableDocument,
    /// Why it is not valid.
    invalid: Vec<Invalidity>,
}

fn validate(target: &Target, document: &Document) -> Validated {
    let (document, mut errors) = match document.to_executable(target.schema) {
        Ok(document) => (document, DiagnosticList::new(SourceMap::default())),
        Err(failed) => (failed.partial, failed.errors),
    };
    let uses = Walk::new(target, &document).uses;
    let values = invalid_values(target.schema, &document, target.validates_one_of);
    let part = target.part(&document, uses.iter().map(|at| at.used));
    let document = match document.validate(&part) {
        Ok(valid) => valid.into_inner(),
        Err(failed) => {
            errors.merge(failed.errors);
            failed.partial
        }
    };
    let invalid = invalidity::all(&document, &errors, values);
    Validated { document, invalid }
}
