//! Selects the errors of a document that are not consequences of others.

use apollo_compiler::{
    diagnostic::ToCliReport,
    parser::SourceSpan,
    validation::{DiagnosticData, DiagnosticList},
};

/// The errors of a document, without those that follow from others: apollo-compiler omits what is not defined from the
/// document, and then reports what the rest lacks or does not use.
pub fn causes(errors: &DiagnosticList) -> Vec<&DiagnosticData> {
    let errors: Vec<_> = errors.iter().map(|found| found.error).collect();
    let name = |error: &DiagnosticData| error.unstable_error_name().unwrap_or_default();
    let has_unknown_type = errors.iter().any(|error| name(error) == "UndefinedDefinition");
    let can_follow = |error: &DiagnosticData| match name(error) {
        "MissingSubselection" | "UndefinedFragment" | "UnusedFragment" | "UnusedVariable" => true,
        // The type of the variable may be unknown.
        "DisallowedVariableUsage" => has_unknown_type,
        _ => false,
    };
    let spans = errors.iter().filter(|error| !can_follow(error));
    let spans: Vec<_> = spans.map(ToCliReport::location).collect();
    let is_cause = |error: &&DiagnosticData| {
        if name(error) == "MissingSubselection" {
            let is_inside = |other: SourceSpan| error.location().is_some_and(|field| contains(field, other));
            return !spans.iter().any(|other| other.is_some_and(is_inside));
        }
        spans.is_empty() || !can_follow(error)
    };
    errors.iter().copied().filter(is_cause).collect()
}

/// Whether a span is inside of another one.
pub fn contains(outer: SourceSpan, inner: SourceSpan) -> bool {
    outer.file_id() == inner.file_id() && outer.offset() <= inner.offset() && inner.end_offset() <= outer.end_offset()
}
