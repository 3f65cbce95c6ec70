//! Why an operation is not valid, and what of it is new.

use std::ptr;

use apollo_compiler::{
    ExecutableDocument, diagnostic::ToCliReport as _, parser::SourceSpan, validation::DiagnosticList,
};
use graphql_sdl::{InvalidValue, contains, document_diagnostic, is_one_root_field};

use crate::without::without;

/// Why an operation is not valid, and where.
#[derive(Clone)]
pub(super) struct Invalidity {
    pub(super) span: Option<SourceSpan>,
    pub(super) message: String,
    /// The name of the error of apollo-compiler, if it is one.
    pub(super) error: &'static str,
    /// Whether it follows from another one.
    follows: bool,
}

/// Why a document is not valid: the errors of apollo-compiler, and invalid values.
pub(super) fn all(
    document: &ExecutableDocument,
    errors: &DiagnosticList,
    values: Vec<InvalidValue>,
) -> Vec<Invalidity> {
    let causes = graphql_sdl::causes(errors);
    let errors = errors.iter().map(|found| found.error).filter(|error| !is_one_root_field(document, error));
    let errors = errors.map(|error| Invalidity {
        span: error.location(),
        message: document_diagnostic(&error.to_string()),
        error: error.unstable_error_name().unwrap_or_default(),
        follows: !causes.iter().any(|cause| ptr::eq(*cause, error)),
    });
    let values = values.into_iter().map(|value| Invalidity {
        span: value.span,
        message: value.message,
        error: "",
        follows: false,
    });
    errors.chain(values).collect()
}

/// What is not valid now and was before: an equal message, or an error of the same kind at the same position, whose
/// message can name another type, is not new.
pub(super) fn added(now: &[Invalidity], before: &[Invalidity]) -> Vec<Invalidity> {
    let message = |one: &Invalidity| (one.span, one.error, one.message.clone());
    let left = (without(now.to_vec(), before, message), without(before.to_vec(), now, message));
    without(left.0, &left.1, |one| (one.span, one.error))
}

/// Those that do not follow from others, if there are some; apollo-compiler reports some of the values itself.
pub(super) fn causes(invalid: Vec<Invalidity>) -> Vec<Invalidity> {
    let errors = invalid.iter().filter(|one| !one.error.is_empty());
    let spans: Vec<SourceSpan> = errors.filter_map(|error| error.span).collect();
    let is_repeated = |value: &Invalidity| {
        value.error.is_empty()
            && value.span.is_some_and(|span| spans.iter().any(|error| contains(*error, span) || contains(span, *error)))
    };
    let is_cause = |one: &&Invalidity| !one.follows && !is_repeated(one);
    let causes: Vec<_> = invalid.iter().filter(is_cause).cloned().collect();
    if causes.is_empty() { invalid } else { causes }
}
