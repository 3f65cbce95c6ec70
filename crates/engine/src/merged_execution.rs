//! Executes merged operations by an executor of async-graphql, and completes what its schema leaves open.

use async_graphql::{Name, PathSegment, Request, Response, ServerError, Value};
use indexmap::IndexMap;

use crate::{
    document::{MergedOperation, RootField},
    executor::DynExecutor,
};

/// Executes an operation, and returns its response with the root fields in the order of the document.
pub(crate) async fn execute(
    executor: &dyn DynExecutor,
    operation: &MergedOperation,
    mut request: Request,
) -> Response {
    request.set_parsed_query(operation.document.clone());
    let mut response = executor.execute(request).await;
    let is_refused = response.errors.iter().any(|error| error.path.is_empty());
    if !is_refused {
        response.data = completed(response.data, &operation.root_fields);
    }
    sort_by_root_field(&mut response.errors, &operation.root_fields);
    response
}

/// The data with all root fields: async-graphql 7.2 returns them in the order in which they complete, leaves out those
/// that failed (<https://github.com/async-graphql/async-graphql/issues/1746>), and is null without fields.
fn completed(data: Value, root_fields: &[RootField]) -> Value {
    let mut found = match data {
        Value::Object(found) => found,
        Value::Null => IndexMap::new(),
        other => return other,
    };
    let mut completed = IndexMap::with_capacity(root_fields.len());
    for RootField { key, is_nullable } in root_fields {
        let value = found.swap_remove(key).unwrap_or_default();
        // A null here propagates to the data (GraphQL specification, section 6.4.4).
        if value == Value::Null && !is_nullable {
            return Value::Null;
        }
        completed.insert(Name::clone(key), value);
    }
    Value::Object(completed)
}

fn sort_by_root_field(errors: &mut [ServerError], root_fields: &[RootField]) {
    errors.sort_by_key(|error| match error.path.first() {
        Some(PathSegment::Field(key)) => root_fields.iter().position(|field| field.key == **key),
        _ => None,
    });
}
