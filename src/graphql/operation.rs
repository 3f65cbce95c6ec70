//! What became of the root fields of an operation, put right where async-graphql 7.2 leaves the
//! specification.

use async_graphql::{Name, Response, Value, indexmap::IndexMap};

/// Puts the root fields into the order of the document (GraphQL specification, section 7.2.2):
/// async-graphql leaves them in the order in which they became ready. Without any field left by
/// `@skip` and `@include` the answer is an empty object, for async-graphql it is null.
pub(super) fn restore(keys: &[Name], response: &mut Response) {
    match &mut response.data {
        Value::Null if response.errors.is_empty() => {
            response.data = Value::Object(IndexMap::new());
        }
        Value::Object(data) if !data.keys().eq(keys) => {
            let ordered = keys.iter().filter_map(|key| data.swap_remove_entry(key));
            *data = ordered.collect();
        }
        _ => {}
    }
}
