//! The response of the engine to a request, built from resolved values or from errors.

use std::{collections::BTreeMap, sync::Arc};

use async_graphql::{Pos, Response, ServerError};
use serde::Serialize;
use tokio::time::error::Elapsed;

use super::{
    error_code::ErrorCode, error_facts::ErrorFacts, json, masked::masked,
    operation_info::OperationInfo,
};

/// The size of a response without its data, if it has no errors.
const ENVELOPE_BYTES: usize = br#"{"data":}"#.len();

/// Values of this size are not copied, because copies of concurrent responses take memory.
const LARGE_BYTES: usize = 64 * 1024;

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
    }
}

/// The response to a request that is not executed, as JSON: `data` is absent, not null (GraphQL specification,
/// section 7.1).
pub fn errors_to_json(errors: &[ServerError]) -> Vec<u8> {
    to_json(&BTreeMap::from([("errors", errors)]))
}

/// The response of an executed operation. JSON text in values that are `trusted` is written as it is.
pub(super) fn rendered(mut response: Response, trusted: bool) -> EngineResponse {
    let large = if trusted {
        json::take_only_field(&mut response.data, LARGE_BYTES)
    } else {
        None
    };
    let mut json = if let Some((key, text)) = large {
        let mut json = text.into_bytes();
        json.splice(..0, format!("{{\"data\":{{\"{key}\":").into_bytes());
        json.push(b'}');
        json
    } else {
        let mut json = Vec::with_capacity(ENVELOPE_BYTES + json::size(&response.data));
        json.extend_from_slice(b"{\"data\":");
        if trusted {
            json::write(&response.data, &mut json);
        } else {
            json::write_leaf(&response.data, &mut json);
        }
        json
    };
    if !response.extensions.is_empty() {
        json.extend_from_slice(b",\"extensions\":");
        json::write_leaf(&response.extensions, &mut json);
    }
    if !response.errors.is_empty() {
        json.extend_from_slice(b",\"errors\":");
        json::write_leaf(&response.errors, &mut json);
    }
    json.push(b'}');
    EngineResponse {
        json,
        errors: response.errors,
        outcome: Outcome::Executed,
        operation: None,
        requested_name: None,
    }
}

fn to_json(value: &impl Serialize) -> Vec<u8> {
    serde_json::to_vec(value).expect("GraphQL values are JSON values")
}

/// The response of an operation that exceeded the execution timeout. The error belongs to no field, so it
/// has no location.
pub(super) fn timed_out(elapsed: &Elapsed) -> Response {
    let error = masked(
        ErrorCode::ServiceUnavailable,
        "the operation timed out; if it was a mutation, its outcome is unknown: check before \
         retrying",
        elapsed,
        None,
    );
    let mut error = error.into_server_error(Pos::default());
    error.locations.clear();
    Response::from_errors(vec![error])
}
