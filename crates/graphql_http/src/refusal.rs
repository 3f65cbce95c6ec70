//! Why a request does not reach the engine, and the status, code, message and headers of each reason.

use std::{io, time::Duration};

use poem::http::{HeaderName, HeaderValue, StatusCode, header};

use super::{
    body::BodyError,
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
#[derive(Debug)]
pub(super) enum Refusal {
    /// The endpoint does not support the method.
    Method,
    /// The client accepts no supported media type.
    NotAcceptable,
    /// The body is not JSON in UTF-8.
    MediaType,
    /// The body is compressed.
    ContentEncoding,
    /// The body exceeds the limit; `actual` is its `Content-Length`.
    BodyTooLarge { limit: usize, actual: Option<usize> },
    /// The URL has more bytes than the limit.
    UrlTooLong { limit: usize, actual: usize },
    /// The request has more operations than the limit.
    BatchTooLong { limit: usize, actual: usize },
    /// The body was not complete within the read timeout.
    BodyTooSlow { limit: Duration },
    /// The request has no host, or one that is not allowed.
    Host(HostError),
    /// The service is starting and its database is not available yet.
    Starting,
    /// The body made no progress within the body timeout.
    BodyStalled { limit: Duration },
    /// The memory of partly received bodies exceeds the limit.
    BodyMemory { limit: usize },
    /// The concurrency limit is reached.
    Busy { limit: usize },
    /// The service is stopping and the request has exceeded the drain timeout.
    Stopping,
    /// The connection closed before the end of the body.
    BodyIncomplete,
    /// Not a well-formed GraphQL over HTTP request.
    Malformed(Malformed),
    /// There are several idempotency keys, or one that is invalid.
    IdempotencyKey,
    /// There is no valid token.
    Unauthenticated {
        reason: AuthError,
        realm: &'static str,
    },
    /// The caller exceeds its rate limit.
    RateLimited { limit: u32, wait: Duration },
}

impl Refusal {
    /// The response. The status does not depend on the media type, since the engine was not reached.
    pub(super) fn into_outcome(self, response_type: ResponseType) -> Outcome {
        let (status, code) = self.status_and_code();
        let facts = ErrorFacts {
            limit: self.limit(),
            ..ErrorFacts::of_code(code)
        };
        let error = facts.into_server_error(self.message());
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
            Self::BodyTooLarge { .. } => (StatusCode::PAYLOAD_TOO_LARGE, LimitExceeded),
            Self::UrlTooLong { .. } => (StatusCode::URI_TOO_LONG, LimitExceeded),
            Self::BatchTooLong { .. } => (StatusCode::BAD_REQUEST, LimitExceeded),
            Self::BodyTooSlow { .. } | Self::BodyStalled { .. } => {
                (StatusCode::REQUEST_TIMEOUT, LimitExceeded)
            }
            Self::RateLimited { .. } => (StatusCode::TOO_MANY_REQUESTS, LimitExceeded),
            Self::Unauthenticated { reason, .. } => match reason {
                AuthError::MissingToken | AuthError::InvalidToken(_) => {
                    (StatusCode::UNAUTHORIZED, Unauthenticated)
                }
                AuthError::MultipleHeaders => (StatusCode::BAD_REQUEST, BadRequest),
                AuthError::MissingScope(_) => (StatusCode::FORBIDDEN, Forbidden),
            },
            Self::Starting | Self::Busy { .. } | Self::BodyMemory { .. } | Self::Stopping => {
                (StatusCode::SERVICE_UNAVAILABLE, ServiceUnavailable)
            }
        }
    }

    fn message(&self) -> String {
        match self {
            Self::Method => "the method must be GET, HEAD or POST".to_owned(),
            Self::NotAcceptable => {
                "the Accept header must allow application/graphql-response+json or \
                 application/json, in UTF-8"
                    .to_owned()
            }
            Self::MediaType => {
                "the Content-Type of the request must be application/json, in UTF-8".to_owned()
            }
            Self::ContentEncoding => {
                "the request body must not be compressed; omit Content-Encoding".to_owned()
            }
            Self::BodyTooLarge { limit, actual } => {
                let actual = actual.map_or_else(
                    || format!("more than {limit} bytes"),
                    |actual| format!("{actual} bytes"),
                );
                format!("the request body exceeds body-limit-bytes ({actual}, limit {limit})")
            }
            Self::UrlTooLong { limit, actual } => format!(
                "the URL exceeds url-limit-bytes ({actual}, limit {limit}); send the request with \
                 POST"
            ),
            Self::BatchTooLong { limit, actual } => {
                format!("the request exceeds batch-limit ({actual} operations, limit {limit})")
            }
            Self::BodyTooSlow { limit } => format!(
                "the request body was not complete after {} seconds (read-timeout-seconds)",
                limit.as_secs()
            ),
            Self::Host(error) => error.to_string(),
            Self::Starting => {
                "the server is starting and waiting for its database; retry later".to_owned()
            }
            Self::BodyStalled { limit } => format!(
                "timeout: less than 1 KiB of the request body arrived in {} seconds \
                 (body-timeout-seconds)",
                limit.as_secs()
            ),
            Self::BodyMemory { limit } => format!(
                "too many request bodies in memory (body-memory-bytes {limit}), and this \
                 connection exceeds an equal share; retry later, or with smaller requests"
            ),
            Self::Busy { limit } => {
                format!("too many concurrent requests (concurrency-limit {limit}); retry later")
            }
            Self::Stopping => {
                "the server stopped before the response was ready; if the operation was a \
                 mutation, its outcome is unknown: check before retrying"
                    .to_owned()
            }
            Self::BodyIncomplete => "the request body ended before it was complete".to_owned(),
            Self::Malformed(malformed) => malformed.to_string(),
            Self::IdempotencyKey => {
                "Idempotency-Key must be one header with 1 to 255 printable ASCII \
                 characters, in quotation marks if there are spaces"
                    .to_owned()
            }
            Self::Unauthenticated { reason, .. } => reason.message(),
            Self::RateLimited { limit, .. } => format!(
                "too many requests from this caller (rate-limit {limit} per second); retry after \
                 the time in Retry-After"
            ),
        }
    }

    /// The exceeded limit, with the actual value if it is known.
    fn limit(&self) -> Option<ExceededLimit> {
        let (limit, actual) = match *self {
            Self::BodyTooLarge { limit, actual } => (Limit::BODY_BYTES.of(limit), actual),
            Self::UrlTooLong { limit, actual } => (Limit::URL_BYTES.of(limit), Some(actual)),
            Self::BatchTooLong { limit, actual } => (Limit::BATCH.of(limit), Some(actual)),
            Self::BodyTooSlow { limit } => (Limit::READ_TIMEOUT.of(limit.as_secs()), None),
            Self::BodyStalled { limit } => (Limit::BODY_TIMEOUT.of(limit.as_secs()), None),
            Self::BodyMemory { limit } => (Limit::BODY_MEMORY.of(limit), None),
            Self::Busy { limit } => (Limit::CONCURRENCY.of(limit), None),
            Self::RateLimited { limit, .. } => (Limit::RATE.of(limit), None),
            Self::Method
            | Self::NotAcceptable
            | Self::MediaType
            | Self::ContentEncoding
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
            Self::Starting | Self::Busy { .. } | Self::BodyMemory { .. } => {
                Some((header::RETRY_AFTER, value("1")))
            }
            Self::RateLimited { wait, .. } => Some((header::RETRY_AFTER, retry_after(*wait))),
            Self::Unauthenticated { reason, realm } => {
                Some((header::WWW_AUTHENTICATE, reason.challenge(realm)))
            }
            Self::NotAcceptable
            | Self::BodyTooLarge { .. }
            | Self::BodyTooSlow { .. }
            | Self::BodyStalled { .. }
            | Self::UrlTooLong { .. }
            | Self::BatchTooLong { .. }
            | Self::Host(_)
            | Self::Stopping
            | Self::BodyIncomplete
            | Self::IdempotencyKey
            | Self::Malformed(_) => None,
        }
    }
}

impl From<Malformed> for Refusal {
    fn from(malformed: Malformed) -> Self {
        Self::Malformed(malformed)
    }
}

impl From<io::Error> for Refusal {
    fn from(error: io::Error) -> Self {
        match error.get_ref().and_then(|error| error.downcast_ref()) {
            Some(&BodyError::TooLarge(limit)) => {
                let actual = None;
                Self::BodyTooLarge { limit, actual }
            }
            Some(&BodyError::Stalled(limit)) => Self::BodyStalled { limit },
            Some(&BodyError::TooSlow(limit)) => Self::BodyTooSlow { limit },
            Some(&BodyError::NoMemory(limit)) => Self::BodyMemory { limit },
            None => Self::BodyIncomplete,
        }
    }
}
