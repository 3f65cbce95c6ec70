//! Executes merged operations by an executor of async-graphql, and completes what its schema leaves open.

use async_graphql::{Request, Response, Value};
use indexmap::IndexMap;

use crate::{
    document::{MergedOperation, RootField},
    executor::DynExecutor,
    introspection::Introspected,
    runtime::JsonKey,
};

/// Executes an operation. Introspection is not part of its document.
pub(crate) async fn execute(
    executor: &dyn DynExecutor,
    operation: &MergedOperation,
    mut request: Request,
) -> Response {
    if !operation.has_fields() {
        return Response::default();
    }
    request.set_parsed_query(operation.document.clone());
    executor.execute(request).await
}

/// Writes the data with all root fields: async-graphql 7.2 returns them in the order in which they complete, leaves out
/// those that failed (<https://github.com/async-graphql/async-graphql/issues/1746>), and is null without fields.
pub(crate) fn write_data(
    data: Value,
    root_fields: &[RootField],
    introspected: &Introspected,
    json: &mut Vec<u8>,
) {
    let mut found = match data {
        Value::Object(found) => found,
        _ => IndexMap::new(),
    };
    let start = json.len();
    json.push(b'{');
    for (index, RootField { key, is_nullable }) in root_fields.iter().enumerate() {
        JsonKey::new(key, index == 0).write(json);
        if let Some(value) = introspected.members.get(key) {
            json.extend_from_slice(value);
            continue;
        }
        let value = found.swap_remove(key).unwrap_or_default();
        // A null here propagates to the data (GraphQL specification, section 6.4.4).
        if value == Value::Null && !is_nullable {
            json.truncate(start);
            json.extend_from_slice(b"null");
            return;
        }
        serde_json::to_writer(&mut *json, &value).expect("GraphQL values are JSON values");
    }
    json.push(b'}');
}
