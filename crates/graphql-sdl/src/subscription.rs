//! The single root field of subscriptions (GraphQL specification, section 5.2.4.1).

use std::collections::HashSet;

use apollo_compiler::{ExecutableDocument, diagnostic::ToCliReport as _, validation::DiagnosticData};

/// Whether an error of a document is that a subscription has several root fields, although they have one response name
/// and so are one field: apollo-compiler counts the selections.
pub fn is_one_root_field(document: &ExecutableDocument, error: &DiagnosticData) -> bool {
    if error.unstable_error_name() != Some("SubscriptionUsesMultipleFields") {
        return false;
    }
    let mut operations = document.operations.iter();
    let operation = operations.find(|operation| operation.location() == error.location());
    operation.is_some_and(|operation| {
        let fields = operation.root_fields(document);
        let names: HashSet<_> = fields.map(|field| field.response_key()).collect();
        names.len() == 1
    })
}
