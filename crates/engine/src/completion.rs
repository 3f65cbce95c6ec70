//! Completes what the schema leaves open in a response.

use std::sync::Arc;

use async_graphql::{PathSegment, Response, ServerError, Value};
use indexmap::IndexMap;

use crate::{
    error_code::ErrorCode, error_facts::ErrorFacts, introspection::Introspected, json::RAW_VALUE,
    merged_operation::MergedOperation, quote::printable, request_state::RequestState,
};

/// The maximum length of a message that can quote a request.
const MAX_CHARACTERS: usize = 500;

/// The response with the introspected fields, and with all root fields: async-graphql 7.2 returns them in the order in which
/// they complete, leaves out those that failed (<https://github.com/async-graphql/async-graphql/issues/1746>), and is null
/// without fields.
pub(crate) fn completed(
    mut response: Response,
    operation: &MergedOperation,
    mut introspected: Introspected,
    state: &Arc<RequestState>,
) -> Response {
    // The schema has refused the document, which it would not if it served the contract.
    let is_refused = response.errors.iter().any(|error| error.path.is_empty());
    response.errors.append(&mut introspected.errors);
    for field in &operation.root_fields {
        response
            .errors
            .extend(field.invalid.clone().map(|error| ServerError {
                path: vec![PathSegment::Field(field.key.to_string())],
                ..*error
            }));
    }
    for error in &mut response.errors {
        add_facts(error);
    }
    response
        .errors
        .sort_by_key(|error| match error.path.first() {
            Some(PathSegment::Field(key)) => operation.position(key),
            _ => None,
        });
    response.data = if is_refused {
        Value::Null
    } else {
        with_all_fields(response.data, operation, introspected)
    };
    let truncated = state.take_truncated();
    if !truncated.is_empty() {
        let truncated = Value::List(truncated);
        response
            .extensions
            .insert("truncated".to_owned(), truncated);
    }
    response
}

/// Adds the facts of an error that has none: it has a code, or is an argument that async-graphql cannot coerce, which it
/// quotes.
fn add_facts(error: &mut ServerError) {
    if ErrorFacts::of(error).is_some() {
        return;
    }
    let code = error
        .extensions
        .as_ref()
        .and_then(|extensions| extensions.get("code"));
    let code = ErrorCode::ALL
        .into_iter()
        .find(|known| code == Some(&known.as_str().into()))
        .unwrap_or(ErrorCode::BadUserInput);
    error.message = printable(&error.message)
        .chars()
        .take(MAX_CHARACTERS)
        .collect();
    ErrorFacts::of_code(code).attach(error);
}

fn with_all_fields(
    data: Value,
    operation: &MergedOperation,
    mut introspected: Introspected,
) -> Value {
    let mut found = match data {
        Value::Object(found) => found,
        _ => IndexMap::new(),
    };
    let mut fields = IndexMap::with_capacity(operation.root_fields.len());
    for field in &operation.root_fields {
        let value = match introspected.members.swap_remove(&field.key) {
            Some(json) => raw(json),
            None => found.swap_remove(&field.key).unwrap_or_default(),
        };
        // A null here propagates to the data (GraphQL specification, section 6.4.4).
        if value == Value::Null && !field.is_nullable {
            return Value::Null;
        }
        fields.insert(field.key.clone(), value);
    }
    Value::Object(fields)
}

fn raw(json: Vec<u8>) -> Value {
    let json = String::from_utf8(json).expect("JSON is UTF-8");
    let member = (async_graphql::Name::new(RAW_VALUE), Value::String(json));
    Value::Object(IndexMap::from_iter([member]))
}
