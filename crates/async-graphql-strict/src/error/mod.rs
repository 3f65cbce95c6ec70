//! Errors: their codes, their typed details, and the requests that are refused.

mod details;
mod request_error;

pub(crate) use self::{
    details::finish,
    request_error::{exceeded, limit_exceeded},
};
pub use self::{
    details::{Cause, ErrorDetails, ExceededLimit, internal_error},
    request_error::{RequestError, RequestErrorKind, errors_to_json},
};

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
