//! The error codes in `extensions.code`, named as by Apollo Server.

/// The error code of a GraphQL error.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub enum ErrorCode {
    /// An argument breaks a rule of the contract.
    BadUserInput,
    /// There is no object with the given id.
    NotFound,
    /// The object has another version than expected.
    Conflict,
    /// The idempotency key of the request was used for another create.
    IdempotencyKeyReused,
    /// The query is not GraphQL.
    GraphqlParseFailed,
    /// The query is not valid under the contract.
    GraphqlValidationFailed,
    /// No operation, or more than one, matches the request.
    OperationResolutionFailure,
    /// The request contains the hash of a query that is not registered.
    PersistedQueryNotFound,
    /// The request violates GraphQL over HTTP.
    BadRequest,
    /// The request has no valid token.
    Unauthenticated,
    /// The token of the request lacks the required scope.
    Forbidden,
    /// The request exceeds a limit.
    LimitExceeded,
    /// The database is unreachable or too slow. A retry may succeed.
    ServiceUnavailable,
    /// An unexpected error.
    InternalServerError,
}

impl ErrorCode {
    /// Every code, ordered by increasing importance to the operator.
    pub const ALL: [Self; 14] = [
        Self::BadUserInput,
        Self::NotFound,
        Self::Conflict,
        Self::IdempotencyKeyReused,
        Self::GraphqlParseFailed,
        Self::GraphqlValidationFailed,
        Self::OperationResolutionFailure,
        Self::PersistedQueryNotFound,
        Self::BadRequest,
        Self::Unauthenticated,
        Self::Forbidden,
        Self::LimitExceeded,
        Self::ServiceUnavailable,
        Self::InternalServerError,
    ];

    /// The name in `extensions.code`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::BadUserInput => "BAD_USER_INPUT",
            Self::NotFound => "NOT_FOUND",
            Self::Conflict => "CONFLICT",
            Self::IdempotencyKeyReused => "IDEMPOTENCY_KEY_REUSED",
            Self::GraphqlParseFailed => "GRAPHQL_PARSE_FAILED",
            Self::GraphqlValidationFailed => "GRAPHQL_VALIDATION_FAILED",
            Self::OperationResolutionFailure => "OPERATION_RESOLUTION_FAILURE",
            Self::PersistedQueryNotFound => "PERSISTED_QUERY_NOT_FOUND",
            Self::BadRequest => "BAD_REQUEST",
            Self::Unauthenticated => "UNAUTHENTICATED",
            Self::Forbidden => "FORBIDDEN",
            Self::LimitExceeded => "LIMIT_EXCEEDED",
            Self::ServiceUnavailable => "SERVICE_UNAVAILABLE",
            Self::InternalServerError => "INTERNAL_SERVER_ERROR",
        }
    }
}
