//! The error codes of the service, in `extensions.code`: names that GraphQL clients already know.

use async_graphql::{ErrorExtensionValues, Response, ServerError, Value};

/// What kind of error a client is told of.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub enum ErrorCode {
    /// An argument breaks a rule of the contract.
    BadUserInput,
    /// The query is not GraphQL.
    GraphqlParseFailed,
    /// The query does not fit the contract.
    GraphqlValidationFailed,
    /// No operation, or more than one, matches the request.
    OperationResolutionFailure,
    /// The request names a query by a hash that the server does not know.
    PersistedQueryNotFound,
    /// The request is not one of GraphQL over HTTP.
    BadRequest,
    /// The request has no token that this server trusts.
    Unauthenticated,
    /// The token of the request does not grant what it asks for.
    Forbidden,
    /// The request asks for more than the server allows.
    LimitExceeded,
    /// The database is away or too slow. The same request may succeed later.
    ServiceUnavailable,
    /// Anything unexpected.
    InternalServerError,
}

impl ErrorCode {
    /// Every code, those that an operator has to know of most last.
    pub const ALL: [Self; 11] = [
        Self::BadUserInput,
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

    /// The code of an error of this service.
    pub fn of(error: &ServerError) -> Option<Self> {
        let Value::String(name) = error.extensions.as_ref()?.get("code")? else {
            return None;
        };
        Self::ALL.into_iter().find(|code| code.as_str() == name)
    }

    /// The name in `extensions.code`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::BadUserInput => "BAD_USER_INPUT",
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

    /// Gives the code to an error that has none.
    pub(super) fn mark(self, extensions: &mut Option<ErrorExtensionValues>) {
        let extensions = extensions.get_or_insert_default();
        if extensions.get("code").is_none() {
            extensions.set("code", self.as_str());
        }
    }
}

/// A response to a request that is not executed: one error and no data.
pub fn request_error(code: ErrorCode, message: impl Into<String>) -> Response {
    refused(code, vec![ServerError::new(message, None)])
}

/// A response to a request that is not executed: errors and no data.
pub(super) fn refused(code: ErrorCode, mut errors: Vec<ServerError>) -> Response {
    for error in &mut errors {
        code.mark(&mut error.extensions);
    }
    Response::from_errors(errors)
}
