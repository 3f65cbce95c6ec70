//! What resolvers know of their request beside what async-graphql tells them, and what they report.

use std::sync::{Arc, Mutex, PoisonError};

use async_graphql::{
    Context, Error, Name, PathSegment, QueryPathNode, QueryPathSegment, Value, to_value, value,
};

use crate::{
    idempotency::{FieldKey, IdempotencyKey},
    merged_operation::MergedOperation,
};

/// The state that the resolvers of one request share, in its data.
pub(crate) struct RequestState {
    pub(crate) operation: Arc<MergedOperation>,
    pub(crate) idempotency_key: Option<Arc<IdempotencyKey>>,
    /// The truncated lists, by the response key of their root field.
    truncated: Mutex<Vec<(Name, Value)>>,
}

impl RequestState {
    pub(crate) fn new(
        operation: Arc<MergedOperation>,
        idempotency_key: Option<Arc<IdempotencyKey>>,
    ) -> Self {
        Self {
            operation,
            idempotency_key,
            truncated: Mutex::default(),
        }
    }

    /// Takes the truncated lists, in the order of the root fields, which are resolved concurrently.
    pub(crate) fn take_truncated(&self) -> Vec<Value> {
        let mut truncated = self
            .truncated
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let mut entries = std::mem::take(&mut *truncated);
        drop(truncated);
        entries.sort_by_key(|(key, _)| self.operation.position(key));
        entries.into_iter().map(|(_, entry)| entry).collect()
    }
}

/// What resolvers behind an [`Engine`](crate::Engine) know and report beside what async-graphql offers.
pub trait ResolverContext {
    /// The idempotency key of this root field of a mutation, if the request has one and the field is one of
    /// [`EngineSettings::creating_fields`](crate::EngineSettings::creating_fields).
    fn idempotency_key(&self) -> Option<FieldKey<'_>>;

    /// Reports in `extensions.truncated` that the list of this field ends at the server's limit.
    fn report_truncation(&self, limit: u32);

    /// Reports the error of an item of the list of this field, which is null.
    fn report_item(&self, index: usize, error: impl Into<Error>);
}

impl ResolverContext for Context<'_> {
    fn idempotency_key(&self) -> Option<FieldKey<'_>> {
        let state = self.data_opt::<Arc<RequestState>>()?;
        let key = state.idempotency_key.as_ref()?;
        let field = root_key(self)?;
        let mut creations = state.operation.creations.iter();
        Some(key.field(creations.position(|creation| creation == field)?))
    }

    fn report_truncation(&self, limit: u32) {
        let (Some(state), Some(root)) = (self.data_opt::<Arc<RequestState>>(), root_key(self))
        else {
            return;
        };
        let path = to_value(path(self)).expect("a path has texts and numbers");
        let entry = value!({ "path": path, "returned": limit, "limit": limit });
        let mut truncated = state
            .truncated
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        truncated.push((Name::new(root), entry));
    }

    fn report_item(&self, index: usize, error: impl Into<Error>) {
        let mut error = error.into().into_server_error(self.item.pos);
        error.path = path(self);
        error.path.push(PathSegment::Index(index));
        self.add_error(error);
    }
}

/// The nodes of a path, from the inside to the outside.
fn nodes<'a>(ctx: &'a Context<'_>) -> impl Iterator<Item = &'a QueryPathNode<'a>> {
    std::iter::successors(ctx.path_node.as_ref(), |node| node.parent)
}

fn root_key<'a>(ctx: &'a Context<'_>) -> Option<&'a str> {
    match nodes(ctx).last()?.segment {
        QueryPathSegment::Name(name) => Some(name),
        QueryPathSegment::Index(_) => None,
    }
}

/// The path of a field in the response.
fn path(ctx: &Context<'_>) -> Vec<PathSegment> {
    let segments = nodes(ctx).map(|node| match node.segment {
        QueryPathSegment::Index(index) => PathSegment::Index(index),
        QueryPathSegment::Name(name) => PathSegment::Field(name.to_owned()),
    });
    let mut segments: Vec<_> = segments.collect();
    segments.reverse();
    segments
}
