//! Writes plain values as JSON up to a maximum size, and handles the values that JSON cannot represent.

use std::{error::Error as StdError, ops::Range};

use async_graphql::{PathSegment, Pos, ServerError, ServerResult, Value};

use super::{
    json::{write_text, write_value},
    path::Path,
    request_state::RequestState,
};
use crate::{error_code::ErrorCode, masked::masked};

/// The JSON of a plain value. A value that cannot be represented is first written as `null`; when the value is
/// complete, the next nullable value becomes null (GraphQL specification, section 6.4.4).
pub struct JsonWriter {
    pub(super) bytes: Vec<u8>,
    max_bytes: usize,
    /// The offsets of the failed values that are in no nullable value.
    failed: Vec<usize>,
    nulls: Vec<Nulled>,
}

/// A nullable value that becomes null.
struct Nulled {
    range: Range<usize>,
    /// The offset of the failed value in it.
    failed: usize,
}

impl JsonWriter {
    pub(super) fn new(capacity: usize, max_bytes: usize) -> Self {
        Self {
            bytes: Vec::with_capacity(capacity),
            max_bytes,
            failed: Vec::new(),
            nulls: Vec::new(),
        }
    }

    /// Writes a string.
    #[inline]
    pub fn text(&mut self, text: &str) {
        write_text(text, &mut self.bytes);
    }

    /// Writes a value.
    pub fn value(&mut self, value: &Value) {
        write_value(value, &mut self.bytes);
    }

    pub(super) fn null(&mut self) {
        self.bytes.extend_from_slice(b"null");
    }

    /// Whether the maximum size is exceeded, so that the JSON is not sent.
    pub(super) fn is_full(&self) -> bool {
        self.bytes.len() > self.max_bytes
    }

    /// Writes a value that JSON cannot represent.
    #[cold]
    pub(super) fn fail(&mut self) {
        self.failed.push(self.bytes.len());
        self.null();
    }

    /// Ends a nullable value that starts at this offset.
    pub(super) fn end_nullable(&mut self, start: usize) {
        if !self.failed.is_empty() {
            self.make_null(start);
        }
    }

    #[cold]
    fn make_null(&mut self, start: usize) {
        let before = self.failed.partition_point(|offset| *offset < start);
        let Some(failed) = self.failed.drain(before..).next() else {
            return;
        };
        let outer = self.nulls.partition_point(|null| null.range.start < start);
        self.nulls.truncate(outer);
        let range = start..self.bytes.len();
        self.nulls.push(Nulled { range, failed });
    }

    /// The JSON, or the error of a failed value that is in no nullable value. Reports the errors of the others.
    pub(super) fn finish(self, request: &RequestState, path: &Path<'_>) -> ServerResult<Vec<u8>> {
        request.written(self.bytes.len());
        if self.failed.is_empty() && self.nulls.is_empty() {
            return Ok(self.bytes);
        }
        self.with_nulls(request, path)
    }

    #[cold]
    fn with_nulls(&self, request: &RequestState, path: &Path<'_>) -> ServerResult<Vec<u8>> {
        let mut cursor = Cursor {
            json: &self.bytes,
            offset: 0,
            path: path.to_segments(),
        };
        if let Some(failed) = self.failed.first() {
            return Err(not_finite(cursor.path_of(*failed)));
        }
        let (mut json, mut end) = (Vec::with_capacity(self.bytes.len()), 0);
        for Nulled { range, failed } in &self.nulls {
            json.extend_from_slice(&self.bytes[end..range.start]);
            json.extend(request.report(not_finite(cursor.path_of(*failed))));
            end = range.end;
        }
        json.extend_from_slice(&self.bytes[end..]);
        Ok(json)
    }
}

/// The error of a float that JSON cannot represent (GraphQL specification, section 3.5.2).
fn not_finite(path: Vec<PathSegment>) -> ServerError {
    let (code, message) = (ErrorCode::InternalServerError, "a Float must be finite");
    let json = serde_json::to_string(&path).unwrap_or_default();
    let cause = format!("a resolver returned a Float that is not finite at {json}");
    let error = masked(code, message, &*Box::<dyn StdError>::from(cause), None);
    ServerError {
        path,
        // Only calls of resolvers know their location.
        locations: Vec::new(),
        ..error.into_server_error(Pos::default())
    }
}

/// Follows the paths of the values in JSON without white space.
struct Cursor<'a> {
    json: &'a [u8],
    offset: usize,
    path: Vec<PathSegment>,
}

impl Cursor<'_> {
    /// The path of the value at an offset that is not before the one of the previous call.
    fn path_of(&mut self, offset: usize) -> Vec<PathSegment> {
        while self.offset < offset {
            match self.json[self.offset] {
                b'{' => self.path.push(PathSegment::Field(String::new())),
                b'[' => self.path.push(PathSegment::Index(0)),
                b'}' | b']' => drop(self.path.pop()),
                b',' => {
                    if let Some(PathSegment::Index(index)) = self.path.last_mut() {
                        *index += 1;
                    }
                }
                b'"' => self.string(),
                _ => {}
            }
            self.offset += 1;
        }
        self.path.clone()
    }

    /// Moves to the last quote of a string, which is a key if a colon follows.
    fn string(&mut self) {
        let start = self.offset + 1;
        self.offset = start;
        while self.json[self.offset] != b'"' {
            let is_escape = self.json[self.offset] == b'\\';
            self.offset += if is_escape { 2 } else { 1 };
        }
        if let (Some(PathSegment::Field(key)), Some(b':')) =
            (self.path.last_mut(), self.json.get(self.offset + 1))
        {
            *key = String::from_utf8_lossy(&self.json[start..self.offset]).into_owned();
        }
    }
}
