//! Values without resolvers as output types.

use std::sync::{
    LazyLock,
    atomic::{AtomicUsize, Ordering},
};

use async_graphql::{ContextSelectionSet, Data, Name, PathSegment, QueryPathSegment, ServerError, ServerResult, Value};

use super::{
    selections::Selections,
    write_json::{JsonWriter, WriteJson},
};

/// The remaining size of a response in bytes. If a request has one in its data, values without resolvers stop when it is
/// used up; what they have written is incomplete and must not be sent.
pub struct ResponseBytes {
    max: usize,
    remaining: AtomicUsize,
}

impl ResponseBytes {
    /// This size.
    pub fn new(max_bytes: usize) -> Self {
        Self { max: max_bytes, remaining: AtomicUsize::new(max_bytes) }
    }

    /// Adds this size to the data of a request.
    pub fn insert(data: &mut Data, max_bytes: usize) {
        data.insert(Self::new(max_bytes));
    }

    fn remaining(&self) -> usize {
        self.remaining.load(Ordering::Relaxed)
    }

    /// Begins another response.
    pub(super) fn reset(&self) {
        self.remaining.store(self.max, Ordering::Relaxed);
    }
}

/// Writes a value, and adds the errors of values in it that have no representation.
pub fn written<T: WriteJson>(value: &T, ctx: &ContextSelectionSet<'_>) -> ServerResult<Value> {
    let bytes = ctx.data_opt::<ResponseBytes>();
    let mut json = JsonWriter::default();
    json.max_bytes = bytes.map_or(usize::MAX, ResponseBytes::remaining);
    value.write(&T::plan(&Selections::of(ctx)), &mut json);
    let mut errors = json.failures.into_iter().map(|path| not_finite(ctx, path));
    // Nothing is written after a failed value that is in no nullable one.
    let last = json.failed.then(|| errors.next_back()).flatten();
    if let Some(error) = last {
        return Err(error);
    }
    errors.for_each(|error| ctx.add_error(error));
    if let Some(bytes) = bytes {
        let rest = bytes.remaining().saturating_sub(json.text.len());
        bytes.remaining.store(rest, Ordering::Relaxed);
    }
    Ok(raw(json.text))
}

/// The error of a float that JSON cannot represent (GraphQL specification, section 3.5.2).
fn not_finite(ctx: &ContextSelectionSet<'_>, inside_out: Vec<PathSegment>) -> ServerError {
    let mut error = ServerError::new("a Float must be finite", None);
    let extensions = error.extensions.get_or_insert_default();
    extensions.set("code", "INTERNAL_SERVER_ERROR");
    error.path = inside_out;
    let nodes = std::iter::successors(ctx.path_node.as_ref(), |node| node.parent);
    error.path.extend(nodes.map(|node| match node.segment {
        QueryPathSegment::Index(index) => PathSegment::Index(index),
        QueryPathSegment::Name(name) => PathSegment::Field(name.to_owned()),
    }));
    error.path.reverse();
    error
}

/// The key by which `serde_json` recognizes JSON text in a value; async-graphql's feature `raw_value` does, too.
static RAW_VALUE: LazyLock<Name> = LazyLock::new(|| Name::new("$serde_json::private::RawValue"));

/// JSON text as a value.
fn raw(json: String) -> Value {
    let member = (RAW_VALUE.clone(), Value::String(json));
    Value::Object(std::iter::once(member).collect())
}
