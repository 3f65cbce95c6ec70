//! Responses with GraphQL errors.

use std::fmt;

use serde::{Deserialize, Serialize, de::DeserializeOwned};
use serde_json::value::RawValue;

/// A response with at least one [`GraphqlError`], and perhaps partial data.
#[derive(Debug, thiserror::Error)]
#[error(
    "the vehicle catalogue returned an error: {}",
    .errors.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
)]
#[non_exhaustive]
pub struct ErrorResponse {
    /// The HTTP status; usually 200 if the operation was executed.
    pub status: u16,
    /// At least one.
    pub(crate) errors: Vec<GraphqlError>,
    pub(crate) data: Option<Box<RawValue>>,
}

impl ErrorResponse {
    /// The errors, in the order of the response.
    pub fn errors(&self) -> &[GraphqlError] {
        &self.errors
    }

    /// The code of the first error.
    pub fn code(&self) -> &ErrorCode {
        &self.first().code
    }

    /// The message of the first error.
    pub fn message(&self) -> &str {
        &self.first().message
    }

    /// The violations of all errors.
    pub fn violations(&self) -> impl Iterator<Item = &Violation> {
        self.errors.iter().flat_map(|error| &error.violations)
    }

    /// The first conflict of versions.
    pub fn conflict(&self) -> Option<Conflict> {
        self.errors.iter().find_map(|error| error.conflict)
    }

    /// The reference under which the service logged the cause; report it to the operator.
    pub fn reference(&self) -> Option<&str> {
        self.errors.iter().find_map(|error| error.reference.as_deref())
    }

    /// The partial data of an operation of which only some fields failed. `T` is its fragment.
    pub fn data<T: DeserializeOwned>(&self) -> Option<Result<T, serde_json::Error>> {
        let data = self.data.as_deref()?;
        Some(serde_json::from_str(data.get()))
    }

    fn first(&self) -> &GraphqlError {
        self.errors.first().expect("the list of errors is not empty")
    }
}

/// One error of a response.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(from = "cynic::GraphQlError<Extensions>")]
#[non_exhaustive]
pub struct GraphqlError {
    /// The kind of error.
    pub code: ErrorCode,
    /// What is wrong, in a sentence.
    pub message: String,
    /// The path of the failed field; empty if the operation was not executed.
    pub path: Vec<cynic::GraphQlErrorPathSegment>,
    /// The violations of the input rules; only with [`ErrorCode::BadUserInput`].
    pub violations: Vec<Violation>,
    /// The reference under which the service logged the cause; only with
    /// [`ErrorCode::ServiceUnavailable`] and [`ErrorCode::InternalServerError`].
    pub reference: Option<String>,
    /// The exceeded limit of the server.
    pub limit: Option<Limit>,
    /// The versions; only with [`ErrorCode::Conflict`].
    pub conflict: Option<Conflict>,
}

impl fmt::Display for GraphqlError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.message, self.code)?;
        if let Some(reference) = &self.reference {
            write!(f, ", reference {reference}")?;
        }
        Ok(())
    }
}

/// The kind of a [`GraphqlError`]: `extensions.code` of the contract.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Deserialize, Serialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[non_exhaustive]
pub enum ErrorCode {
    /// An argument violates an input rule of the contract.
    BadUserInput,
    /// There is no vehicle with the id of the mutation.
    NotFound,
    /// The vehicle has another version than the expected one: see [`ErrorResponse::conflict`].
    Conflict,
    /// The idempotency key was used for a create with other arguments.
    IdempotencyKeyReused,
    /// The document is not GraphQL.
    GraphqlParseFailed,
    /// The document is not valid for the schema of the running service.
    GraphqlValidationFailed,
    /// No operation, or more than one, matches the request.
    OperationResolutionFailure,
    /// No persisted query has this hash.
    PersistedQueryNotFound,
    /// The request does not follow GraphQL over HTTP, or its document is not trusted.
    BadRequest,
    /// The bearer token is missing or invalid.
    Unauthenticated,
    /// The scopes of the token do not allow the operation.
    Forbidden,
    /// The request exceeds a limit of the server.
    LimitExceeded,
    /// The database is unavailable or too slow, or the server is overloaded.
    ServiceUnavailable,
    /// An unexpected error.
    InternalServerError,
    /// A code that this client does not know, or an empty string for none.
    #[serde(untagged)]
    Other(String),
}

/// The name of the code in the contract.
impl fmt::Display for ErrorCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Other(name) if name.is_empty() => f.write_str("no code"),
            code => code.serialize(f),
        }
    }
}

/// An argument that violates an input rule.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[non_exhaustive]
pub struct Violation {
    /// The name of the argument in the contract, `modelCode`, or its path: `vehicles[3].modelCode`.
    pub argument: String,
    /// The stable name of the rule: `required`, `not_blank`, `max_length`, `no_nul`, `date_form`,
    /// `date_exists`, `date_range`, `range`, `one_condition`, `order`, `cursor`; services of later versions can have more.
    pub rule: String,
    /// What is wrong and what is valid, in a sentence.
    pub message: String,
}

/// A vehicle has another version than the expected one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Conflict {
    /// The version that the mutation expected.
    pub expected_version: i32,
    /// The version of the vehicle.
    pub current_version: i32,
}

/// A limit of the server.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[non_exhaustive]
pub struct Limit {
    /// The name of the setting: `cost-limit`.
    pub name: String,
    /// The configured maximum.
    pub value: u64,
    /// The value of the request, if it was computed.
    pub actual: Option<u64>,
}

#[derive(Default, Deserialize)]
struct Extensions {
    code: Option<ErrorCode>,
    violations: Option<Vec<Violation>>,
    reference: Option<String>,
    limit: Option<Limit>,
    conflict: Option<Conflict>,
}

impl From<cynic::GraphQlError<Extensions>> for GraphqlError {
    fn from(error: cynic::GraphQlError<Extensions>) -> Self {
        let extensions = error.extensions.unwrap_or_default();
        Self {
            code: extensions.code.unwrap_or(ErrorCode::Other(String::new())),
            message: error.message,
            path: error.path.unwrap_or_default(),
            violations: extensions.violations.unwrap_or_default(),
            reference: extensions.reference,
            limit: extensions.limit,
            conflict: extensions.conflict,
        }
    }
}
