//! Completes the responses of async-graphql.

use std::sync::Arc;

use async_graphql::{PathSegment, Pos, Response, ServerError, Value};
use indexmap::IndexMap;

use crate::{
    document::Document, error::finish, introspection::Introspected, json::raw, operation::FIELD_LINE,
    resolver_context::OperationRecord,
};

/// What a response of async-graphql's lacks.
pub(crate) struct Completion {
    pub(crate) document: Arc<Document>,
    pub(crate) introspected: Introspected,
    pub(crate) record: Arc<OperationRecord>,
    /// The maximum size of a response.
    pub(crate) max_bytes: usize,
}

impl Completion {
    /// Adds the introspected fields, the positions and details of errors, and what resolvers have reported.
    pub(crate) fn complete(&mut self, mut response: Response) -> Response {
        for error in &mut response.errors {
            let is_argument = self.locate(error);
            finish(error, is_argument);
        }
        // Root fields of queries are resolved concurrently.
        let root_keys = &self.record.root_keys;
        response.errors.sort_by_key(|error| match error.path.first() {
            Some(PathSegment::Field(root)) => root_keys.iter().position(|key| key == root),
            _ => None,
        });
        let introspected = &mut self.introspected;
        if let (false, Value::Object(executed)) = (introspected.is_empty(), &mut response.data) {
            let fields = root_keys.iter().map(|key| {
                let value = match introspected.swap_remove(key) {
                    Some(json) => raw(json),
                    None => executed.swap_remove(key).unwrap_or_default(),
                };
                (key.clone(), value)
            });
            response.data = Value::Object(fields.collect());
        }
        let truncated = self.record.take_truncated();
        if !truncated.is_empty() {
            let truncated = Value::List(truncated);
            response.extensions.insert("truncated".to_owned(), truncated);
        }
        response
    }

    /// Replaces the offsets of an error by positions; whether one was that of an argument.
    fn locate(&self, error: &mut ServerError) -> bool {
        error.locations.retain(|pos| *pos != Pos::default());
        let mut is_argument = false;
        for pos in &mut error.locations {
            let is_field = pos.line == FIELD_LINE;
            is_argument |= !is_field;
            *pos = self.document.position(if is_field { pos.column } else { pos.line });
        }
        is_argument
    }
}

/// The response of an operation without fields to execute.
pub(crate) fn empty() -> Response {
    Response::new(Value::Object(IndexMap::new()))
}
