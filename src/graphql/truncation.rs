//! Lists that the server's limit cut short: told in the response, never silent.

use std::sync::{Arc, Mutex, PoisonError};

use async_graphql::{Context, QueryPathNode, Response, Value, value};

/// The lists of one request that were cut.
#[derive(Clone, Default)]
pub(super) struct Truncations(Arc<Mutex<Vec<Value>>>);

impl Truncations {
    /// Notes that the list of this field ends at the limit though there is more.
    pub(super) fn note(ctx: &Context<'_>, limit: u32) {
        let path = ctx
            .path_node
            .map(QueryPathNode::to_string_vec)
            .unwrap_or_default();
        // A schema executed without `Engine` has nobody to tell.
        if let Some(truncations) = ctx.data_opt::<Self>() {
            let entry = value!({ "path": path, "returned": limit, "limit": limit });
            truncations
                .0
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .push(entry);
        }
    }

    /// Puts what was noted into `extensions.truncated`.
    pub(super) fn tell(self, response: &mut Response) {
        let mut noted = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if !noted.is_empty() {
            let noted = Value::List(std::mem::take(&mut noted));
            response.extensions.insert("truncated".to_owned(), noted);
        }
    }
}
