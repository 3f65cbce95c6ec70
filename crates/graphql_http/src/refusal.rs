//! Why a request does not reach the engine, and the status, code, message and headers of each reason.

use std::{io, time::Duration};

use poem::http::{HeaderName, HeaderValue, StatusCode, header};

use super::{
    body::BodyError,
    body_memory::Exceeded,
    challenge::{AuthError, retry_after},
    hosts::HostError,
    limit::Limit,
    media_type::ResponseType,
    outcome::Outcome,
    render,
    request::Malformed,
};
use engine::{ErrorCode, ErrorFacts, ExceededLimit};

/// The methods of the endpoint.
pub(super) const METHODS: &str = "GET, HEAD, POST, OPTIONS";

/// Why a request does not reach the engine.
#[derive(Debug, thiserror::Error)]
pub(super) enum Refusal {
    /// The endpoint does not support the method.
    #[error("the method must be GET, HEAD or POST")]
    Method,
    /// The client accepts no supported media type.
    #[error(
        "the Accept header must allow application/graphql-response+json or application/json, in \
         UTF-8"
    )]
    NotAcceptable,
    /// The body is not JSON in UTF-8.
    #[error("the Content-Type of the request must be application/json, in UTF-8")]
    MediaType,
    /// The body is compressed.
    #[error("the request body must not be compressed; omit Content-Encoding")]
    ContentEncoding,
    /// The URL has more bytes than the limit.
    #[error(
        "the URL exceeds url-limit-bytes ({actual}, limit {limit}); send the request with POST"
    )]
    UrlTooLong { limit: usize, actual: usize },
    /// The head has more lines than the maximum.
    #[error("the request has {actual} header lines, more than the maximum of {maximum}")]
    TooManyHeaderLines { maximum: usize, actual: usize },
    /// The request has more operations than the limit.
    #[error("the request exceeds batch-limit ({actual} operations, limit {limit})")]
    BatchTooLong { limit: usize, actual: usize },
    /// The request has no host, or one that is not allowed.
    #[error("{0}")]
    Host(HostError),
    /// The service is starting: its database is not reachable, or not migrated yet.
    #[error("the server is starting and its database is not ready yet; retry later")]
    Starting,
    /// The body is not read to its end.
    #[error("{0}")]
    Body(BodyError),
    /// The concurrency limit is reached.
    #[error("too many concurrent requests (concurrency-limit {limit}); retry later")]
    Busy { limit: usize },
    /// The service is stopping and the request has exceeded the drain timeout.
    #[error(
        "the server stopped before the response was ready; if the operation was a mutation, its \
         outcome is unknown: check before retrying"
    )]
    Stopping,
    /// The unsent responses exceed the budget, and this connection its share. The request may have been executed.
    #[error(
        "too many unsent responses in memory (response-memory-bytes {}), and this connection \
         exceeds an equal share; read responses faster, request less or retry later; if the \
         operation was a mutation, its outcome is unknown: check before retrying", .0.0
    )]
    Unsent(Exceeded),
    /// The connection closed before the end of the body.
    #[error("the request body ended before it was complete")]
    BodyIncomplete,
    /// Not a well-formed GraphQL over HTTP request.
    #[error("{0}")]
    Malformed(#[from] Malformed),
    /// There are several idempotency keys, or one that is invalid.
    #[error(
        "Idempotency-Key must be one header with 1 to 255 printable ASCII characters, in quotation \
         marks if there are spaces"
    )]
    IdempotencyKey,
    /// There is no valid token.
    #[error("{reason}")]
    Unauthenticated {
        reason: AuthError,
        realm: &'static str,
    },
    /// The caller exceeds its rate limit.
    #[error(
        "too many requests from this caller (rate-limit {limit} per second); retry after the time \
         in Retry-After"
    )]
    RateLimited { limit: u32, wait: Duration },
    /// The request alone exceeds the rate limit of its caller.
    #[error(
        "the request counts as {actual} requests, more than rate-limit-burst ({limit}) ever permits at once; send fewer \
         operations or items"
    )]
    AboveBurst { limit: u32, actual: usize },
}

impl Refusal {
    /// The response. The status does not depend on the media type, since the engine was not reached.
    pub(super) fn into_outcome(self, response_type: ResponseType) -> Outcome {
        let (status, code) = self.status_and_code();
        let facts = ErrorFacts {
            limit: self.limit(),
            ..ErrorFacts::of_code(code)
        };
        let error = facts.into_server_error(self.to_string());
        let mut outcome = render::error(error, status, response_type);
        if let Some((name, value)) = self.header() {
            outcome.response.headers_mut().insert(name, value);
        }
        outcome
    }

    fn status_and_code(&self) -> (StatusCode, ErrorCode) {
        use ErrorCode::{
            BadRequest, BadUserInput, Forbidden, LimitExceeded, ServiceUnavailable, Unauthenticated,
        };
        match self {
            Self::Method => (StatusCode::METHOD_NOT_ALLOWED, BadRequest),
            Self::NotAcceptable => (StatusCode::NOT_ACCEPTABLE, BadRequest),
            Self::MediaType | Self::ContentEncoding => {
                (StatusCode::UNSUPPORTED_MEDIA_TYPE, BadRequest)
            }
            Self::Host(HostError::NotAllowed(_)) => (StatusCode::MISDIRECTED_REQUEST, BadRequest),
            Self::Host(_) | Self::BodyIncomplete | Self::Malformed(_) => {
                (StatusCode::BAD_REQUEST, BadRequest)
            }
            Self::IdempotencyKey => (StatusCode::BAD_REQUEST, BadUserInput),
            Self::Body(BodyError::TooLarge { .. }) => {
                (StatusCode::PAYLOAD_TOO_LARGE, LimitExceeded)
            }
            Self::UrlTooLong { .. } => (StatusCode::URI_TOO_LONG, LimitExceeded),
            Self::TooManyHeaderLines { .. } => {
                (StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE, BadRequest)
            }
            Self::BatchTooLong { .. } => (StatusCode::BAD_REQUEST, LimitExceeded),
            Self::Body(BodyError::TooSlow(_) | BodyError::Stalled(_)) => {
                (StatusCode::REQUEST_TIMEOUT, LimitExceeded)
            }
            Self::RateLimited { .. } | Self::AboveBurst { .. } => {
                (StatusCode::TOO_MANY_REQUESTS, LimitExceeded)
            }
            Self::Unauthenticated { reason, .. } => match reason {
                AuthError::MissingToken | AuthError::InvalidToken(_) => {
                    (StatusCode::UNAUTHORIZED, Unauthenticated)
                }
                AuthError::MultipleHeaders => (StatusCode::BAD_REQUEST, BadRequest),
                AuthError::MissingScope(_) => (StatusCode::FORBIDDEN, Forbidden),
            },
            Self::Starting
            | Self::Busy { .. }
            | Self::Body(BodyError::NoMemory(_))
            | Self::Stopping
            | Self::Unsent(_) => (StatusCode::SERVICE_UNAVAILABLE, ServiceUnavailable),
        }
    }

    /// The exceeded limit, with the actual value if it is known.
    fn limit(&self) -> Option<ExceededLimit> {
        let (limit, actual) = match *self {
            Self::UrlTooLong { limit, actual } => (Limit::URL_BYTES.of(limit), Some(actual)),
            Self::BatchTooLong { limit, actual } => (Limit::BATCH.of(limit), Some(actual)),
            Self::Body(error) => match error {
                BodyError::TooLarge { limit, actual } => (Limit::BODY_BYTES.of(limit), actual),
                BodyError::TooSlow(limit) => (Limit::READ_TIMEOUT.of(limit.as_secs()), None),
                BodyError::Stalled(limit) => (Limit::BODY_TIMEOUT.of(limit.as_secs()), None),
                BodyError::NoMemory(limit) => (Limit::BODY_MEMORY.of(limit), None),
            },
            Self::Unsent(Exceeded(limit)) => (Limit::RESPONSE_MEMORY.of(limit), None),
            Self::Busy { limit } => (Limit::CONCURRENCY.of(limit), None),
            Self::RateLimited { limit, .. } => (Limit::RATE.of(limit), None),
            Self::AboveBurst { limit, actual } => (Limit::BURST.of(limit), Some(actual)),
            Self::Method
            | Self::NotAcceptable
            | Self::MediaType
            | Self::ContentEncoding
            | Self::TooManyHeaderLines { .. }
            | Self::Host(_)
            | Self::Starting
            | Self::Stopping
            | Self::BodyIncomplete
            | Self::IdempotencyKey
            | Self::Unauthenticated { .. }
            | Self::Malformed(_) => return None,
        };
        Some(ExceededLimit {
            name: limit.name,
            value: limit.value,
            actual: actual.map(|actual| u64::try_from(actual).unwrap_or(u64::MAX)),
        })
    }

    fn header(&self) -> Option<(HeaderName, HeaderValue)> {
        let value = HeaderValue::from_static;
        match self {
            Self::Method => Some((header::ALLOW, value(METHODS))),
            Self::MediaType => Some((header::ACCEPT, value("application/json"))),
            Self::ContentEncoding => Some((header::ACCEPT_ENCODING, value("identity"))),
            Self::Starting
            | Self::Busy { .. }
            | Self::Body(BodyError::NoMemory(_))
            | Self::Unsent(_) => Some((header::RETRY_AFTER, value("1"))),
            Self::RateLimited { wait, .. } => Some((header::RETRY_AFTER, retry_after(*wait))),
            Self::Unauthenticated { reason, realm } => {
                Some((header::WWW_AUTHENTICATE, reason.challenge(realm)))
            }
            Self::NotAcceptable
            | Self::Body(_)
            | Self::UrlTooLong { .. }
            | Self::TooManyHeaderLines { .. }
            | Self::BatchTooLong { .. }
            | Self::AboveBurst { .. }
            | Self::Host(_)
            | Self::Stopping
            | Self::BodyIncomplete
            | Self::IdempotencyKey
            | Self::Malformed(_) => None,
        }
    }
}

impl From<io::Error> for Refusal {
    fn from(error: io::Error) -> Self {
        match error.get_ref().and_then(|error| error.downcast_ref()) {
            Some(&error) => Self::Body(error),
            None => Self::BodyIncomplete,
        }
    }
}
