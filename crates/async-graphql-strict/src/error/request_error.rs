//! Errors of requests that are not executed.

use std::{collections::BTreeMap, sync::Arc};

use async_graphql::ServerError;

use super::{ErrorCode, ErrorDetails, ExceededLimit};
use crate::operation::Operation;

/// The errors of a request that has no data: `data` is absent in its response, not null (GraphQL specification, section
/// 7.1).
#[derive(Debug)]
pub struct RequestError {
    /// What the status of a response depends on.
    pub kind: RequestErrorKind,
    /// The errors, with their [`ErrorDetails`].
    pub errors: Vec<ServerError>,
    /// The operation, if the document is valid and contains it.
    pub operation: Option<Arc<Operation>>,
    /// The operation name of the request, if no operation was found and it has the syntax of a name.
    pub requested_name: Option<String>,
}

/// Why a request has no data.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum RequestErrorKind {
    /// It cannot be parsed, is not valid, selects no operation, or exceeds a limit.
    Invalid,
    /// It is a mutation, and mutations are not allowed.
    MutationNotAllowed,
    /// The token of the request lacks the scope of this name.
    ScopeMissing(&'static str),
}

impl RequestError {
    /// A request with this error.
    pub fn new(code: ErrorCode, message: impl Into<String>) -> Self {
        Self::with_errors(code, vec![ServerError::new(message, None)])
    }

    pub(crate) fn with_errors(code: ErrorCode, mut errors: Vec<ServerError>) -> Self {
        for error in &mut errors {
            ErrorDetails::new(code).attach(error);
        }
        Self::of(errors)
    }

    fn of(errors: Vec<ServerError>) -> Self {
        Self { kind: RequestErrorKind::Invalid, errors, operation: None, requested_name: None }
    }
}

/// The response to a request that is not executed, as JSON.
pub fn errors_to_json(errors: &[ServerError]) -> Vec<u8> {
    let response = BTreeMap::from([("errors", errors)]);
    serde_json::to_vec(&response).expect("errors are JSON values")
}

/// Refuses a request if a value of its query is above a limit.
pub(crate) fn exceeded(name: &'static str, limit: u32, actual: u64) -> Result<(), RequestError> {
    if actual <= limit.into() {
        return Ok(());
    }
    let message = format!("the query exceeds {name} ({actual}, limit {limit})");
    Err(limit_exceeded(message, name, limit, Some(actual)))
}

pub(crate) fn limit_exceeded(message: String, name: &'static str, value: u32, actual: Option<u64>) -> RequestError {
    let value = value.into();
    let limit = ExceededLimit { name, value, actual };
    let details = ErrorDetails { limit: Some(limit), ..ErrorDetails::new(ErrorCode::LimitExceeded) };
    RequestError::of(vec![details.into_server_error(message)])
}
