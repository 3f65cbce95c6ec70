//! Why a request does not reach the engine, and the status, code, message and headers of each reason.
//!
//! A refusal becomes an error of poem's with a JSON response, so that a middleware returns it like any other error.

use std::{any::Any, sync::Arc, time::Duration};

use async_graphql::ServerError;
use poem::{
    IntoResponse, Response,
    http::{HeaderName, HeaderValue, StatusCode, header},
};
use uuid::Uuid;

use super::{
    body::BodyError,
    challenge::{AuthError, retry_after},
    hosts::HostError,
    limit,
    media_type::ResponseType,
    report::OperationReport,
    request::Malformed,
    response,
};
use engine::{Cause, ErrorCode, ErrorFacts, ExceededLimit, errors_to_json};

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
    /// The request has no host, or one that is not allowed.
    #[error("{0}")]
    Host(HostError),
    /// The request is that of a web page that may not read the response; contains the first characters of its origin.
    #[error("the origin {0:?} is not allowed; add it to cors-origins")]
    Origin(String),
    /// The body is not read to its end.
    #[error("{0}")]
    Body(BodyError),
    /// The concurrency limit is reached.
    #[error("too many concurrent requests (concurrency-limit {limit}); retry later")]
    Busy { limit: usize },
    /// A resolver or the service has panicked.
    #[error("internal error")]
    Panicked(Cause),
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
         items"
    )]
    AboveBurst { limit: u32, actual: usize },
}

/// Marks the response of a refusal, whose media type is still to be negotiated.
#[derive(Clone, Copy)]
pub(super) struct IsRefusal;

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        poem::Error::from(self).into_response()
    }
}

impl From<Refusal> for poem::Error {
    fn from(refusal: Refusal) -> Self {
        let (status, _) = refusal.status_and_code();
        let (header, errors) = (refusal.header(), [refusal.into_error()]);
        let mut response = response::uncached(errors_to_json(&errors), status, ResponseType::Json);
        if let Some((name, value)) = header {
            response.headers_mut().insert(name, value);
        }
        let mut error = Self::from_response(response);
        error.set_data(Arc::new(OperationReport::from_errors(&errors)));
        error.set_data(IsRefusal);
        error
    }
}

impl Refusal {
    /// An internal error with a new reference, under which the payload of a panic is logged.
    pub(super) fn panicked(payload: &(dyn Any + Send)) -> Self {
        let text = payload
            .downcast_ref::<&str>()
            .copied()
            .or_else(|| payload.downcast_ref::<String>().map(String::as_str));
        Self::Panicked(Cause {
            reference: Uuid::new_v4().to_string(),
            chain: format!("panic: {}", text.unwrap_or("without a text")),
            wait: None,
        })
    }

    /// The error in the response.
    pub(super) fn into_error(self) -> ServerError {
        let (_, code) = self.status_and_code();
        let (limit, message) = (self.limit(), self.to_string());
        let cause = match self {
            Self::Panicked(cause) => Some(cause),
            _ => None,
        };
        let facts = ErrorFacts {
            limit,
            cause,
            ..ErrorFacts::of_code(code)
        };
        facts.into_server_error(message)
    }

    fn status_and_code(&self) -> (StatusCode, ErrorCode) {
        use ErrorCode::{
            BadRequest, BadUserInput, Forbidden, InternalServerError, LimitExceeded,
            ServiceUnavailable, Unauthenticated,
        };
        match self {
            Self::Method => (StatusCode::METHOD_NOT_ALLOWED, BadRequest),
            Self::NotAcceptable => (StatusCode::NOT_ACCEPTABLE, BadRequest),
            Self::MediaType | Self::ContentEncoding => {
                (StatusCode::UNSUPPORTED_MEDIA_TYPE, BadRequest)
            }
            Self::Host(HostError::NotAllowed(_)) => (StatusCode::MISDIRECTED_REQUEST, BadRequest),
            Self::Origin(_) => (StatusCode::FORBIDDEN, Forbidden),
            Self::Host(_) | Self::Body(BodyError::Incomplete) | Self::Malformed(_) => {
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
            Self::Busy { .. } | Self::Body(BodyError::NoMemory(_)) => {
                (StatusCode::SERVICE_UNAVAILABLE, ServiceUnavailable)
            }
            Self::Panicked(_) => (StatusCode::INTERNAL_SERVER_ERROR, InternalServerError),
        }
    }

    /// The exceeded limit, with the actual value if it is known.
    fn limit(&self) -> Option<ExceededLimit> {
        let size = |size: usize| u64::try_from(size).unwrap_or(u64::MAX);
        let (name, value, actual) = match *self {
            Self::UrlTooLong { limit, actual } => (limit::URL_BYTES, size(limit), Some(actual)),
            Self::Body(error) => match error {
                BodyError::TooLarge { limit, actual } => (limit::BODY_BYTES, size(limit), actual),
                BodyError::TooSlow(limit) => (limit::READ_TIMEOUT, limit.as_secs(), None),
                BodyError::Stalled(limit) => (limit::BODY_TIMEOUT, limit.as_secs(), None),
                BodyError::NoMemory(limit) => (limit::BODY_MEMORY, size(limit), None),
                BodyError::Incomplete => return None,
            },
            Self::Busy { limit } => (limit::CONCURRENCY, size(limit), None),
            Self::RateLimited { limit, .. } => (limit::RATE, limit.into(), None),
            Self::AboveBurst { limit, actual } => (limit::BURST, limit.into(), Some(actual)),
            Self::Method
            | Self::NotAcceptable
            | Self::MediaType
            | Self::ContentEncoding
            | Self::TooManyHeaderLines { .. }
            | Self::Host(_)
            | Self::Origin(_)
            | Self::Panicked(_)
            | Self::IdempotencyKey
            | Self::Unauthenticated { .. }
            | Self::Malformed(_) => return None,
        };
        let actual = actual.map(size);
        Some(ExceededLimit {
            name,
            value,
            actual,
        })
    }

    fn header(&self) -> Option<(HeaderName, HeaderValue)> {
        let value = HeaderValue::from_static;
        match self {
            Self::Method => Some((header::ALLOW, value(METHODS))),
            Self::MediaType => Some((header::ACCEPT, value("application/json"))),
            Self::ContentEncoding => Some((header::ACCEPT_ENCODING, value("identity"))),
            Self::Busy { .. } | Self::Body(BodyError::NoMemory(_)) => {
                Some((header::RETRY_AFTER, value("1")))
            }
            Self::RateLimited { wait, .. } => Some((header::RETRY_AFTER, retry_after(*wait))),
            Self::Unauthenticated { reason, realm } => {
                Some((header::WWW_AUTHENTICATE, reason.challenge(realm)))
            }
            Self::NotAcceptable
            | Self::Body(_)
            | Self::UrlTooLong { .. }
            | Self::TooManyHeaderLines { .. }
            | Self::AboveBurst { .. }
            | Self::Host(_)
            | Self::Origin(_)
            | Self::Panicked(_)
            | Self::IdempotencyKey
            | Self::Malformed(_) => None,
        }
    }
}
