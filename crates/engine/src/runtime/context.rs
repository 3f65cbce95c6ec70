//! What a resolver knows of its request, and what it reports.

use std::sync::atomic::Ordering;

use async_graphql::{Error, PathSegment, ServerError, ServerResult, to_value, value};
use async_graphql_value::Value as InputValue;
use schema::excerpt;

use super::{
    input::{self, Input},
    path::{Path, Segment},
    plain::Plain,
    plan::{Call, Step},
    request_state::RequestState,
    writer::JsonWriter,
};
use crate::idempotency::FieldKey;

/// The field that a resolver resolves, and its request.
#[derive(Clone, Copy)]
pub struct Context<'a> {
    pub(super) request: &'a RequestState,
    pub(super) step: &'a Step,
    call: &'a Call,
    pub(super) path: Path<'a>,
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

    /// The idempotency key of this root field of a mutation, if the request has one and the field is one of
    /// [`EngineSettings::creating_fields`](crate::EngineSettings::creating_fields).
    pub fn idempotency_key(&self) -> Option<FieldKey<'_>> {
        let key = self.request.idempotency_key.as_ref()?;
        Some(key.field(self.call.creation?))
    }

    /// Reports in `extensions.truncated` that the list of this field ends at the server's limit.
    pub fn report_truncation(&self, limit: u32) {
        let path = to_value(self.path()).expect("a path has texts and numbers");
        let entry = value!({ "path": path, "returned": limit, "limit": limit });
        let root = self.path.segments().last();
        if let Some(Segment::Field(key)) = root {
            self.request.truncated(key, entry);
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

    /// Reports the error of an item of the list of this field, which is null.
    pub fn report_item(&self, index: usize, error: impl Into<Error>) {
        let mut error = self.failed(error);
        error.path.push(PathSegment::Index(index));
        self.request.report(error);
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
        let mut json = JsonWriter::new(estimate + estimate / 8 + 64, max_bytes);
        value.write(&self.step.plan, &mut json);
        self.call
            .last_bytes
            .store(json.bytes.len(), Ordering::Relaxed);
        json.finish(self.request, &self.path)
    }
}
