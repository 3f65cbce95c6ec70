//! Responses without errors, and the parsing of every GraphQL response.

use serde::{Deserialize, de::DeserializeOwned};
use serde_json::{Map, Value, value::RawValue};

use crate::{
    error::{Effect, Error, ErrorKind},
    error_response::{ErrorCode, ErrorResponse, GraphqlError},
    transport::{HttpResponse, OperationType},
};

/// Maximum characters of an unreadable response that an error message quotes.
const QUOTED_CHARACTERS: usize = 200;

/// A response without errors.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Response<T> {
    /// The selected fields.
    pub data: T,
    /// The lists that were cut at the list limit of the server.
    pub truncated: Vec<TruncatedList>,
}

/// A list that was cut at the list limit of the server.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[non_exhaustive]
pub struct TruncatedList {
    /// The path of the list in the response.
    pub path: Vec<cynic::GraphQlErrorPathSegment>,
    /// Number of items returned.
    pub returned: u64,
    /// The list limit of the server.
    pub limit: u64,
}

#[derive(Deserialize)]
struct GraphqlResponse {
    data: Option<Box<RawValue>>,
    errors: Option<Vec<GraphqlError>>,
    extensions: Option<Extensions>,
}

#[derive(Deserialize)]
struct Extensions {
    truncated: Option<Vec<TruncatedList>>,
}

/// Parses an HTTP response; GraphQL errors are recognized with any HTTP status.
pub(crate) fn parse<T: DeserializeOwned>(
    response: &HttpResponse,
    operation_type: OperationType,
) -> Result<Response<T>, Error> {
    let decode_error = |cause| Error::new(ErrorKind::Decode(cause), operation_type.effect_once_sent());
    match serde_json::from_slice(&response.body) {
        Ok(GraphqlResponse { data, errors: Some(errors), .. }) if !errors.is_empty() => {
            let effect = effect(&errors, data.as_deref(), operation_type);
            let response = ErrorResponse { status: response.status, errors, data };
            Err(Error::new(ErrorKind::Graphql(response), effect))
        }
        _ if !(200..300).contains(&response.status) => Err(not_graphql(response, operation_type)),
        Ok(GraphqlResponse { data, extensions, .. }) => {
            let data = data.as_deref().map_or("null", RawValue::get);
            let truncated = extensions.and_then(|extensions| extensions.truncated).unwrap_or_default();
            Ok(Response { data: serde_json::from_str(data).map_err(decode_error)?, truncated })
        }
        Err(error) => Err(decode_error(error)),
    }
}

/// The error for a response of a proxy or of another program.
pub(crate) fn not_graphql(response: &HttpResponse, operation_type: OperationType) -> Error {
    let text = String::from_utf8_lossy(&response.body);
    let body_prefix = text.chars().take(QUOTED_CHARACTERS).collect();
    let kind = ErrorKind::NotGraphql { status: response.status, body_prefix };
    Error::new(kind, operation_type.effect_once_sent())
}

/// A failed mutation stored nothing if every field is null and every error is raised before storage.
fn effect(errors: &[GraphqlError], data: Option<&RawValue>, operation_type: OperationType) -> Effect {
    let all_null = data.is_none_or(|data| {
        let fields = serde_json::from_str::<Map<String, Value>>(data.get());
        fields.is_ok_and(|fields| fields.values().all(Value::is_null))
    });
    if operation_type == OperationType::Query || all_null && errors.iter().all(precedes_storage) {
        Effect::Nothing
    } else {
        Effect::Unknown
    }
}

fn precedes_storage(error: &GraphqlError) -> bool {
    match error.code {
        ErrorCode::BadUserInput
        | ErrorCode::NotFound
        | ErrorCode::Conflict
        | ErrorCode::IdempotencyKeyReused
        | ErrorCode::GraphqlParseFailed
        | ErrorCode::GraphqlValidationFailed
        | ErrorCode::OperationResolutionFailure
        | ErrorCode::PersistedQueryNotFound
        | ErrorCode::BadRequest
        | ErrorCode::Unauthenticated
        | ErrorCode::Forbidden
        | ErrorCode::LimitExceeded => true,
        // An overloaded server names the limit and rejects the request before executing it.
        ErrorCode::ServiceUnavailable => error.limit.is_some(),
        ErrorCode::InternalServerError | ErrorCode::Other(_) => false,
    }
}
