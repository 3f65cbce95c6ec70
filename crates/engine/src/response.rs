//! The response of the engine to a request, built from resolved values or from errors.

use std::{collections::BTreeMap, sync::Arc};

use async_graphql::{PathSegment, Pos, ServerError, Value};
use serde::Serialize;
use tokio::time::error::Elapsed;

use super::{
    error_code::ErrorCode,
    error_facts::{ErrorFacts, ExceededLimit},
    masked::masked,
    operation_info::OperationInfo,
};

/// The size of a response without its data, if it has no errors.
const ENVELOPE_BYTES: usize = br#"{"data":}"#.len();

/// A response, its outcome, and the operation that it belongs to.
#[derive(Debug)]
pub struct EngineResponse {
    /// The response as JSON.
    pub json: Vec<u8>,
    /// The errors in it, with their [`ErrorFacts`].
    pub errors: Vec<ServerError>,
    /// How the request ended.
    pub outcome: Outcome,
    /// The operation, if the document is valid and contains it.
    pub operation: Option<Arc<OperationInfo>>,
    /// The operation name of the request, if no operation was found and it has the syntax of a name.
    pub requested_name: Option<Box<str>>,
    /// The limits that the request exceeds without being refused for it, since they are not enforced.
    pub exceeded: Vec<ExceededLimit>,
}

/// How a request ended.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Outcome {
    /// It was executed; the response may contain errors as well as data.
    Executed,
    /// It was refused: it can't be parsed, is not valid, selects no operation, or exceeds a limit.
    Refused,
    /// It was refused: it is a mutation, and mutations are not permitted.
    MutationNotPermitted,
    /// It was refused: the token of the request lacks the scope of this name.
    ScopeMissing(&'static str),
}

/// Sorts errors by the order of the root fields, which are resolved concurrently.
pub(super) fn sort_by_root_field(
    errors: &mut [ServerError],
    index_of: impl Fn(&str) -> Option<usize>,
) {
    errors.sort_by_key(|error| match error.path.first() {
        Some(PathSegment::Field(key)) => index_of(key),
        _ => None,
    });
}

/// The response to a request that is refused.
pub(super) type Refused = EngineResponse;

/// Refuses a request with this error.
pub(super) fn refused(code: ErrorCode, message: impl Into<String>) -> Refused {
    refused_with(code, vec![ServerError::new(message, None)])
}

/// Refuses a request with these errors.
pub(super) fn refused_with(code: ErrorCode, mut errors: Vec<ServerError>) -> Refused {
    for error in &mut errors {
        ErrorFacts::of_code(code).attach(error);
    }
    EngineResponse {
        json: errors_to_json(&errors),
        errors,
        outcome: Outcome::Refused,
        operation: None,
        requested_name: None,
        exceeded: Vec::new(),
    }
}

/// The response to a request that is not executed, as JSON: `data` is absent, not null (GraphQL specification,
/// section 7.1).
pub fn errors_to_json(errors: &[ServerError]) -> Vec<u8> {
    to_json(&BTreeMap::from([("errors", errors)]))
}

/// The response of an executed operation, with data of this size. A buffer that is full without errors becomes
/// the body of the response without another allocation.
pub(super) fn rendered(
    errors: Vec<ServerError>,
    truncated: Vec<Value>,
    data_bytes: usize,
    write_data: impl FnOnce(&mut Vec<u8>),
) -> EngineResponse {
    let mut json = Vec::with_capacity(ENVELOPE_BYTES + data_bytes);
    json.extend_from_slice(b"{\"data\":");
    write_data(&mut json);
    finished(json, errors, truncated)
}

/// The response of an executed operation whose only root field has this key and this value, in the buffer of the value.
pub(super) fn rendered_in_place(
    errors: Vec<ServerError>,
    truncated: Vec<Value>,
    json_key: &[u8],
    mut value: Vec<u8>,
) -> EngineResponse {
    let before = [b"{\"data\":{", json_key].concat();
    value.splice(..0, before);
    value.push(b'}');
    finished(value, errors, truncated)
}

fn finished(mut json: Vec<u8>, errors: Vec<ServerError>, truncated: Vec<Value>) -> EngineResponse {
    if !truncated.is_empty() {
        json.extend_from_slice(b",\"extensions\":");
        json.extend(to_json(&BTreeMap::from([("truncated", truncated)])));
    }
    if !errors.is_empty() {
        json.extend_from_slice(b",\"errors\":");
        json.extend(to_json(&errors));
    }
    json.push(b'}');
    EngineResponse {
        json,
        errors,
        outcome: Outcome::Executed,
        operation: None,
        requested_name: None,
        exceeded: Vec::new(),
    }
}

fn to_json(value: &impl Serialize) -> Vec<u8> {
    serde_json::to_vec(value).expect("GraphQL values are JSON values")
}

/// The response of an operation that exceeded the execution timeout. The error belongs to no field, so it
/// has no location.
pub(super) fn timed_out(elapsed: &Elapsed) -> EngineResponse {
    let error = masked(
        ErrorCode::ServiceUnavailable,
        "the operation timed out; if it was a mutation, its outcome is unknown: check before \
         retrying",
        elapsed,
        None,
    );
    let mut error = error.into_server_error(Pos::default());
    error.locations.clear();
    without_data(error)
}

/// The response of an operation whose data is null because of this error.
pub(super) fn without_data(error: ServerError) -> EngineResponse {
    let null = b"null";
    rendered(vec![error], Vec::new(), null.len(), |json| {
        json.extend_from_slice(null);
    })
}
