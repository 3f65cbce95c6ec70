//! Errors: their codes, their typed details, and the requests that are refused. Details are rendered into `extensions` once,
//! and travel as the `source` of the error, which is not sent to clients.

use std::{collections::BTreeMap, error::Error as StdError, sync::Arc, time::Duration};

use async_graphql::{Error, ErrorExtensionValues, ServerError, to_value};
use graphql_sdl::printable;
use serde::Serialize;
use uuid::Uuid;

use crate::operation::Operation;

/// The maximum length of a message that can quote a request.
const MAX_CHARACTERS: usize = 500;

macro_rules! codes {
    ($($(#[$doc:meta])* $code:ident = $name:literal,)*) => {
        /// The error code of a GraphQL error.
        #[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
        pub enum ErrorCode {
            $($(#[$doc])* $code,)*
        }

        impl ErrorCode {
            /// Every code, ordered by increasing importance to the operator.
            pub const ALL: &[Self] = &[$(Self::$code,)*];

            /// The name in `extensions.code`.
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$code => $name,)*
                }
            }
        }
    };
}

codes! {
    /// An argument breaks a rule of the contract.
    BadUserInput = "BAD_USER_INPUT",
    /// There is no object with the given id.
    NotFound = "NOT_FOUND",
    /// The object has another version than expected.
    Conflict = "CONFLICT",
    /// The idempotency key of the request was used for another create.
    IdempotencyKeyReused = "IDEMPOTENCY_KEY_REUSED",
    /// The query is not GraphQL.
    GraphqlParseFailed = "GRAPHQL_PARSE_FAILED",
    /// The query is not valid under the contract.
    GraphqlValidationFailed = "GRAPHQL_VALIDATION_FAILED",
    /// No operation, or more than one, matches the request.
    OperationResolutionFailure = "OPERATION_RESOLUTION_FAILURE",
    /// The request contains the hash of a query that is not registered.
    PersistedQueryNotFound = "PERSISTED_QUERY_NOT_FOUND",
    /// The request violates GraphQL over HTTP.
    BadRequest = "BAD_REQUEST",
    /// The request has no valid token.
    Unauthenticated = "UNAUTHENTICATED",
    /// The token of the request lacks the required scope.
    Forbidden = "FORBIDDEN",
    /// The request exceeds a limit.
    LimitExceeded = "LIMIT_EXCEEDED",
    /// The database is unreachable or too slow. A retry may succeed.
    ServiceUnavailable = "SERVICE_UNAVAILABLE",
    /// An unexpected error.
    InternalServerError = "INTERNAL_SERVER_ERROR",
}

/// Details of an error, for its `extensions`, the log and the metrics.
#[derive(Debug)]
pub struct ErrorDetails {
    /// The code in `extensions.code`.
    pub code: ErrorCode,
    /// The exceeded limit, in `extensions.limit`.
    pub limit: Option<ExceededLimit>,
    /// The cause of an internal error, whose reference is in `extensions.reference`.
    pub cause: Option<Cause>,
}

/// A limit that a request exceeds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct ExceededLimit {
    /// The name of the setting.
    pub name: &'static str,
    /// The maximum value.
    pub value: u64,
    /// The value of the request, if it is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub actual: Option<u64>,
}

/// The cause of an internal error. It is for the log, with the reference that the client receives.
#[derive(Debug)]
pub struct Cause {
    /// The reference in `extensions.reference`.
    pub reference: String,
    /// The error and its sources, in one line.
    pub chain: String,
    /// The minimum delay before a retry, if known.
    pub retry_after: Option<Duration>,
}

impl ErrorDetails {
    /// An error of which only the code is known.
    pub fn new(code: ErrorCode) -> Self {
        let (limit, cause) = (None, None);
        Self { code, limit, cause }
    }

    /// The details of an error. Every error of a response has some.
    pub fn of(error: &ServerError) -> Option<Arc<Self>> {
        error.source.clone()?.downcast().ok()
    }

    /// An error with these details, without a location.
    pub fn into_server_error(self, message: impl Into<String>) -> ServerError {
        let mut error = ServerError::new(message, None);
        self.attach(&mut error);
        error
    }

    /// An error of a resolver with these details.
    pub fn into_error(self, message: impl Into<String>) -> Error {
        let mut extensions = ErrorExtensionValues::default();
        self.render(&mut extensions);
        Error { message: message.into(), source: Some(Arc::new(self)), extensions: Some(extensions) }
    }

    fn attach(self, error: &mut ServerError) {
        self.render(error.extensions.get_or_insert_default());
        error.source = Some(Arc::new(self));
    }

    fn render(&self, extensions: &mut ErrorExtensionValues) {
        extensions.set("code", self.code.as_str());
        if let Some(limit) = &self.limit {
            extensions.set("limit", to_value(limit).expect("it has text and numbers"));
        }
        if let Some(cause) = &self.cause {
            extensions.set("reference", cause.reference.as_str());
        }
    }
}

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

/// An error whose cause is only logged: the client receives the message and a reference.
pub fn internal_error(code: ErrorCode, message: &str, cause: &dyn StdError, retry_after: Option<Duration>) -> Error {
    let causes = std::iter::successors(Some(cause), |&error| error.source());
    let causes: Vec<_> = causes.map(ToString::to_string).collect();
    internal_details(code, causes.join(": "), retry_after).into_error(message)
}

/// The response to a request that is not executed, as JSON.
pub fn errors_to_json(errors: &[ServerError]) -> Vec<u8> {
    let response = BTreeMap::from([("errors", errors)]);
    serde_json::to_vec(&response).expect("errors are JSON values")
}

/// Gives an error of async-graphql details. One without a code is that of an argument, which async-graphql quotes, or its
/// text is from inside the service and only for the log.
pub(crate) fn finish(error: &mut ServerError, is_argument: bool) {
    if ErrorDetails::of(error).is_some() {
        return;
    }
    let extensions = error.extensions.as_ref();
    let code = extensions.and_then(|extensions| extensions.get("code"));
    if code.is_none() && !is_argument {
        let chain = std::mem::replace(&mut error.message, "internal error".to_owned());
        error.extensions = None;
        return internal_details(ErrorCode::InternalServerError, chain, None).attach(error);
    }
    let message = printable(&error.message);
    error.message = message.chars().take(MAX_CHARACTERS).collect();
    let known = ErrorCode::ALL.iter().find(|known| code == Some(&known.as_str().into()));
    let details = ErrorDetails::new(known.copied().unwrap_or(ErrorCode::BadUserInput));
    // A code of the schema's own stays.
    if code.is_none() {
        details.render(error.extensions.get_or_insert_default());
    }
    error.source = Some(Arc::new(details));
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

fn internal_details(code: ErrorCode, chain: String, retry_after: Option<Duration>) -> ErrorDetails {
    let cause = Cause { reference: Uuid::new_v4().to_string(), chain, retry_after };
    ErrorDetails { cause: Some(cause), ..ErrorDetails::new(code) }
}
