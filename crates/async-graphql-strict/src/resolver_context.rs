//! What resolvers know of their request beside what async-graphql tells them, and what they report.

use std::sync::{Arc, Mutex, PoisonError};

use async_graphql::{Context, Name, QueryPathSegment, Value, parser::types::Selection, to_value, value};

/// What the resolvers of one request share, in its data.
pub(crate) struct OperationRecord {
    /// The response keys of the root fields, in the order of the response.
    pub(crate) root_keys: Vec<Name>,
    /// The truncated lists, by the position of their root field.
    truncated: Mutex<Vec<(usize, Value)>>,
}

impl OperationRecord {
    pub(crate) fn new(root_keys: Vec<Name>) -> Self {
        Self { root_keys, truncated: Mutex::default() }
    }

    /// Takes the truncated lists, in the order of the root fields, which are resolved concurrently.
    pub(crate) fn take_truncated(&self) -> Vec<Value> {
        let truncated = self.truncated.lock();
        let mut entries = std::mem::take(&mut *truncated.unwrap_or_else(PoisonError::into_inner));
        entries.sort_by_key(|(position, _)| *position);
        entries.into_iter().map(|(_, entry)| entry).collect()
    }
}

/// What resolvers behind [`Strict`](crate::Strict) know and report beside what async-graphql offers.
pub trait ResolverContext {
    /// The position of this root field, or of the one that contains this field, among those with these names. Root fields
    /// that are left out or merged do not count.
    fn root_position(&self, names: &[&str]) -> usize;

    /// Reports in `extensions.truncated` that the list of this field ends at the server's limit.
    fn note_truncated(&self, limit: u32);
}

impl ResolverContext for Context<'_> {
    fn root_position(&self, names: &[&str]) -> usize {
        let root = root_key(self);
        let items = &self.query_env.operation.node.selection_set.node.items;
        let fields = items.iter().filter_map(|item| match &item.node {
            Selection::Field(field) => Some(&field.node),
            _ => None,
        });
        let mut listed = fields.filter(|field| names.contains(&field.name.node.as_str()));
        let position = listed.position(|field| Some(field.response_key().node.as_str()) == root);
        position.unwrap_or(0)
    }

    fn note_truncated(&self, limit: u32) {
        let Some(record) = self.data_opt::<Arc<OperationRecord>>() else {
            return;
        };
        let path = to_value(self.path_node).expect("a path has texts and numbers");
        let entry = value!({ "path": path, "returned": limit, "limit": limit });
        let truncated = record.truncated.lock();
        let mut truncated = truncated.unwrap_or_else(PoisonError::into_inner);
        let root = root_key(self);
        let position = record.root_keys.iter().position(|key| Some(key.as_str()) == root);
        truncated.push((position.unwrap_or(0), entry));
    }
}

/// The response key of the root field.
fn root_key<'a>(ctx: &'a Context<'_>) -> Option<&'a str> {
    let node = ctx.path_node.as_ref()?;
    match node.parents().last().unwrap_or(node).segment {
        QueryPathSegment::Name(root) => Some(root),
        QueryPathSegment::Index(_) => None,
    }
}
