//! What a resolver knows of its request, and what it reports.

use std::sync::{
    Arc, Mutex, MutexGuard, PoisonError,
    atomic::{AtomicUsize, Ordering},
};

use async_graphql::{
    Error, Name, PathSegment, ServerError, ServerResult, Value, Variables, to_value, value,
};
use async_graphql_value::Value as InputValue;
use indexmap::IndexSet;
use schema::excerpt;

use super::{
    input::{self, Input},
    plan::{Call, Plain, Step},
    writer::JsonWriter,
};
use crate::idempotency::{FieldKey, IdempotencyKey};

/// The size of an error without its message: location, path, code.
const ERROR_BYTES: usize = 128;

/// The state that the resolvers of one request share.
pub(crate) struct RequestState {
    variables: Variables,
    idempotency_key: Option<Arc<IdempotencyKey>>,
    errors: Mutex<Vec<ServerError>>,
    /// The truncated lists, by the response key of their root field.
    truncated: Mutex<Vec<(Name, Value)>>,
    max_bytes: usize,
    /// The size of the response so far. Fields are written serially, so there is no concurrent change.
    written_bytes: AtomicUsize,
}

impl RequestState {
    /// Limits the size of fields and errors to `max_bytes`.
    pub(crate) fn new(
        variables: Variables,
        max_bytes: usize,
        idempotency_key: Option<Arc<IdempotencyKey>>,
    ) -> Self {
        Self {
            variables,
            idempotency_key,
            errors: Mutex::default(),
            truncated: Mutex::default(),
            max_bytes,
            written_bytes: AtomicUsize::new(0),
        }
    }

    /// Takes the reported errors.
    pub(crate) fn take_errors(&self) -> Vec<ServerError> {
        std::mem::take(&mut lock(&self.errors))
    }

    /// Takes the truncated lists, in the order of the root fields, which are resolved concurrently.
    pub(crate) fn take_truncated(&self, keys: &IndexSet<Name>) -> Vec<Value> {
        let mut entries = std::mem::take(&mut *lock(&self.truncated));
        entries.sort_by_key(|(key, _)| keys.get_index_of(key.as_str()));
        entries.into_iter().map(|(_, entry)| entry).collect()
    }

    /// The remaining size of the response.
    pub(crate) fn remaining_bytes(&self) -> usize {
        let written = self.written_bytes.load(Ordering::Relaxed);
        self.max_bytes.saturating_sub(written)
    }

    /// Whether the response is too large to be sent. What was written is incomplete.
    pub(crate) fn is_too_large(&self) -> bool {
        self.written_bytes.load(Ordering::Relaxed) > self.max_bytes
    }

    /// Counts what was written.
    pub(crate) fn written(&self, bytes: usize) {
        let written = self.written_bytes.load(Ordering::Relaxed);
        let written = written.saturating_add(bytes);
        self.written_bytes.store(written, Ordering::Relaxed);
    }

    /// Adds the error of a nullable field, which is null.
    pub(crate) fn report(&self, error: ServerError) -> Vec<u8> {
        self.written(ERROR_BYTES + error.message.len());
        if !self.is_too_large() {
            lock(&self.errors).push(error);
        }
        b"null".to_vec()
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The field that a resolver resolves, and its request.
#[derive(Clone, Copy)]
pub struct Context<'a> {
    pub(super) request: &'a RequestState,
    pub(super) step: &'a Step,
    call: &'a Call,
    pub(super) path: Path<'a>,
}

/// The path of a field in the response.
#[derive(Clone, Copy)]
pub(super) struct Path<'a> {
    pub(super) parent: Option<&'a Path<'a>>,
    pub(super) segment: Segment<'a>,
}

#[derive(Clone, Copy)]
pub(super) enum Segment<'a> {
    Field(&'a Name),
    Index(usize),
}

impl<'a> Path<'a> {
    pub(super) fn to_segments(self) -> Vec<PathSegment> {
        let segments = self.segments().map(|segment| match segment {
            Segment::Field(name) => PathSegment::Field(name.to_string()),
            Segment::Index(index) => PathSegment::Index(index),
        });
        let mut path: Vec<_> = segments.collect();
        path.reverse();
        path
    }

    /// From the field to the root.
    fn segments(self) -> impl Iterator<Item = Segment<'a>> {
        let paths = std::iter::successors(Some(self), |path| path.parent.copied());
        paths.map(|path| path.segment)
    }
}

impl<'a> Context<'a> {
    pub(super) fn new(
        request: &'a RequestState,
        parent: Option<&'a Path<'a>>,
        step: &'a Step,
        call: &'a Call,
    ) -> Self {
        let segment = Segment::Field(&call.key);
        Self {
            request,
            step,
            call,
            path: Path { parent, segment },
        }
    }

    /// The path of the field in the response.
    pub fn path(&self) -> Vec<PathSegment> {
        self.path.to_segments()
    }

    /// The idempotency key of this root field of a mutation, if the request has one.
    pub fn idempotency_key(&self) -> Option<FieldKey<'_>> {
        let key = self.request.idempotency_key.as_ref()?;
        Some(key.field(self.call.index))
    }

    /// Reports in `extensions.truncated` that the list of this field ends at the server's limit.
    pub fn report_truncation(&self, limit: u32) {
        let path = to_value(self.path()).expect("a path has texts and numbers");
        let entry = value!({ "path": path, "returned": limit, "limit": limit });
        let root = self.path.segments().last();
        if let Some(Segment::Field(key)) = root {
            lock(&self.request.truncated).push((key.clone(), entry));
        }
    }

    /// Coerces an argument (GraphQL specification, section 6.4.1, `CoerceArgumentValues`). The default applies
    /// if the argument is omitted, or is a variable that the request omits.
    pub fn argument<T: Input>(&self, name: &str, default: Option<fn() -> T>) -> ServerResult<T> {
        let mut arguments = self.call.arguments.iter();
        let argument = arguments.find(|argument| argument.name == name);
        let value =
            argument.and_then(|argument| input::constant(&argument.value, &self.request.variables));
        match (value, default) {
            (None, Some(default)) => Ok(default()),
            (value, _) => T::parse(value).map_err(|error| {
                let pos = argument.map_or(self.call.pos, |argument| argument.pos);
                let error = match argument.map(|argument| &argument.value) {
                    Some(InputValue::Variable(variable)) => {
                        error.inside(format!("${}", excerpt(variable)))
                    }
                    _ => error.inside(name),
                };
                let mut error = ServerError::new(error.to_string(), Some(pos));
                error.path = self.path();
                error
            }),
        }
    }

    /// The error of a resolver, with the location and path of its field.
    pub fn failed(&self, error: impl Into<Error>) -> ServerError {
        let mut error = error.into().into_server_error(self.call.pos);
        error.path = self.path();
        error
    }

    /// Handles an error at a nullable field: the field is null (GraphQL specification, section 6.4.4).
    pub fn nullable(&self, result: ServerResult<Vec<u8>>) -> Vec<u8> {
        result.unwrap_or_else(|error| self.request.report(error))
    }

    /// Writes a plain value as JSON. If it exceeds the remaining size of the response, it is incomplete, and the
    /// response must not be sent.
    pub fn write(&self, value: &impl Plain) -> ServerResult<Vec<u8>> {
        let max_bytes = self.request.remaining_bytes();
        let estimate = self.call.last_bytes.load(Ordering::Relaxed).min(max_bytes);
        // A margin, because growing by a few bytes would reallocate the buffer.
        let mut json = JsonWriter::new(estimate + estimate / 8 + 32, max_bytes);
        value.write(&self.step.plan, &mut json);
        self.call
            .last_bytes
            .store(json.bytes.len(), Ordering::Relaxed);
        json.finish(self.request, &self.path)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reports_truncated_lists_in_the_order_of_the_document() {
        let keys: IndexSet<Name> = ["z", "m", "a", "b"].map(Name::new).into_iter().collect();
        let request = RequestState::new(Variables::default(), 0, None);
        for key in ["a", "b", "z"] {
            lock(&request.truncated).push((Name::new(key), Value::from(key)));
        }
        let expected = ["z", "a", "b"].map(Value::from);
        assert_eq!(request.take_truncated(&keys), expected);
        assert!(request.take_truncated(&keys).is_empty());
    }
}
