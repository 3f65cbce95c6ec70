//! Why a request does not reach the engine, and what the client is told: one table.

use std::time::Duration;

use async_graphql::{ErrorExtensionValues, Value, value};
use poem::{
    Response,
    http::{HeaderName, HeaderValue, StatusCode, header},
};

use super::{
    answer,
    guard::{self, Unauthenticated},
    limit::Limit,
    media_type::ResponseType,
    observe::{self, Operation},
    request::Malformed,
};
use crate::graphql::{self, ErrorCode};

/// The methods of the endpoint.
pub(super) const METHODS: &str = "GET, POST, OPTIONS";

/// Why a request does not reach the engine.
#[derive(Debug)]
pub(super) enum Refusal {
    /// No method of the endpoint.
    Method,
    /// The client accepts no media type that there is.
    NotAcceptable,
    /// The body is not JSON in UTF-8.
    MediaType,
    /// The body is compressed.
    ContentEncoding,
    /// The body has more bytes than the limit: how many, if it was announced.
    BodyTooLarge { limit: usize, actual: Option<usize> },
    /// The URL has more bytes than the limit.
    UrlTooLong { limit: usize, actual: usize },
    /// The request has more operations than the limit.
    BatchTooLong { limit: usize, actual: usize },
    /// The body took longer than this.
    BodyTooSlow { limit: Duration },
    /// As many requests as permitted are being answered.
    Busy { limit: usize },
    /// The service ends, and the request has not been answered in time.
    Stopping,
    /// The body broke off.
    BodyIncomplete,
    /// Not a well-formed GraphQL over HTTP request.
    Malformed(Malformed),
    /// There is no token that counts.
    Unauthenticated(Unauthenticated),
    /// The caller asks more often than so many times a second, and should wait.
    TooOften { limit: u32, wait: Duration },
}

impl Refusal {
    /// As a response; a refused request was never a GraphQL request, so both media types carry the same status.
    pub(super) fn into_response(self, response_type: ResponseType) -> Response {
        let mut error = graphql::request_error(self.code(), self.sentence());
        if let Some((limit, actual)) = self.limit() {
            for error in &mut error.errors {
                tell(error.extensions.get_or_insert_default(), limit, actual);
            }
        }
        let mut response = answer::request_error(&error, self.status(), response_type);
        observe::note(&mut response, vec![Operation::failed(&error.errors)]);
        if let Some((name, value)) = self.header() {
            response.headers_mut().insert(name, value);
        }
        response
    }

    fn status(&self) -> StatusCode {
        match self {
            Self::Method => StatusCode::METHOD_NOT_ALLOWED,
            Self::NotAcceptable => StatusCode::NOT_ACCEPTABLE,
            Self::MediaType | Self::ContentEncoding => StatusCode::UNSUPPORTED_MEDIA_TYPE,
            Self::BodyTooLarge { .. } => StatusCode::PAYLOAD_TOO_LARGE,
            Self::UrlTooLong { .. } => StatusCode::URI_TOO_LONG,
            Self::BodyTooSlow { .. } => StatusCode::REQUEST_TIMEOUT,
            Self::Busy { .. } | Self::Stopping => StatusCode::SERVICE_UNAVAILABLE,
            Self::TooOften { .. } => StatusCode::TOO_MANY_REQUESTS,
            Self::Unauthenticated(Unauthenticated::Several) => StatusCode::BAD_REQUEST,
            Self::Unauthenticated(Unauthenticated::NoScope) => StatusCode::FORBIDDEN,
            Self::Unauthenticated(Unauthenticated::NoToken | Unauthenticated::Untrusted(_)) => {
                StatusCode::UNAUTHORIZED
            }
            Self::BatchTooLong { .. } | Self::BodyIncomplete | Self::Malformed(_) => {
                StatusCode::BAD_REQUEST
            }
        }
    }

    fn code(&self) -> ErrorCode {
        match self {
            Self::Method
            | Self::NotAcceptable
            | Self::MediaType
            | Self::ContentEncoding
            | Self::BodyIncomplete
            | Self::Unauthenticated(Unauthenticated::Several)
            | Self::Malformed(_) => ErrorCode::BadRequest,
            Self::BodyTooLarge { .. }
            | Self::UrlTooLong { .. }
            | Self::BatchTooLong { .. }
            | Self::BodyTooSlow { .. }
            | Self::TooOften { .. } => ErrorCode::LimitExceeded,
            Self::Unauthenticated(Unauthenticated::NoScope) => ErrorCode::Forbidden,
            Self::Unauthenticated(Unauthenticated::NoToken | Unauthenticated::Untrusted(_)) => {
                ErrorCode::Unauthenticated
            }
            Self::Busy { .. } | Self::Stopping => ErrorCode::ServiceUnavailable,
        }
    }

    fn sentence(&self) -> String {
        match self {
            Self::Method => "GraphQL is asked with GET or POST".to_owned(),
            Self::NotAcceptable => {
                "the Accept header must allow application/graphql-response+json or \
                 application/json, in UTF-8"
                    .to_owned()
            }
            Self::MediaType => {
                "the Content-Type of the request must be application/json, in UTF-8".to_owned()
            }
            Self::ContentEncoding => {
                "the request body must not be compressed: leave Content-Encoding out".to_owned()
            }
            Self::BodyTooLarge { limit, actual } => {
                let actual = actual.map_or_else(
                    || format!("more than {limit} bytes"),
                    |actual| format!("{actual} bytes"),
                );
                format!(
                    "the request body has {actual}; the limit of this server, body-limit-bytes, is {limit}"
                )
            }
            Self::UrlTooLong { limit, actual } => format!(
                "the URL has {actual} bytes; the limit of this server, url-limit-bytes, is {limit}: \
                 send the request with POST"
            ),
            Self::BatchTooLong { limit, actual } => format!(
                "the request has {actual} operations; the limit of this server, batch-limit, is {limit}"
            ),
            Self::BodyTooSlow { limit } => format!(
                "the request body was not complete after {} seconds, read-timeout-seconds of this server",
                limit.as_secs()
            ),
            Self::Busy { limit } => format!(
                "this server answers as many requests as it may, concurrency-limit {limit}; try again later"
            ),
            Self::Stopping => {
                "this server is being stopped and gave the request up: if it was a mutation, it is not \
                 known whether it was executed; look before trying again"
                    .to_owned()
            }
            Self::BodyIncomplete => "the request body ended before it was complete".to_owned(),
            Self::Malformed(malformed) => malformed.to_string(),
            Self::Unauthenticated(why) => why.sentence(),
            Self::TooOften { limit, .. } => format!(
                "this caller asks more often than the limit of this server, rate-limit, permits, {limit} \
                 requests per second: wait as long as Retry-After says"
            ),
        }
    }

    /// The limit that was exceeded, and by what.
    fn limit(&self) -> Option<(Limit, Option<usize>)> {
        match *self {
            Self::BodyTooLarge { limit, actual } => Some((Limit::body_bytes(limit), actual)),
            Self::UrlTooLong { limit, actual } => Some((Limit::url_bytes(limit), Some(actual))),
            Self::BatchTooLong { limit, actual } => Some((Limit::batch(limit), Some(actual))),
            Self::BodyTooSlow { limit } => Some((Limit::read_timeout(limit), None)),
            Self::Busy { limit } => Some((Limit::concurrency(limit), None)),
            Self::TooOften { limit, .. } => Some((Limit::rate(limit), None)),
            Self::Method
            | Self::NotAcceptable
            | Self::MediaType
            | Self::ContentEncoding
            | Self::Stopping
            | Self::BodyIncomplete
            | Self::Unauthenticated(_)
            | Self::Malformed(_) => None,
        }
    }

    fn header(&self) -> Option<(HeaderName, HeaderValue)> {
        let always = HeaderValue::from_static;
        match self {
            Self::Method => Some((header::ALLOW, always(METHODS))),
            Self::MediaType => Some((header::ACCEPT, always("application/json"))),
            Self::ContentEncoding => Some((header::ACCEPT_ENCODING, always("identity"))),
            Self::Busy { .. } => Some((header::RETRY_AFTER, always("1"))),
            Self::TooOften { wait, .. } => Some((header::RETRY_AFTER, guard::retry_after(*wait))),
            Self::Unauthenticated(why) => Some((header::WWW_AUTHENTICATE, why.challenge())),
            Self::NotAcceptable
            | Self::BodyTooLarge { .. }
            | Self::BodyTooSlow { .. }
            | Self::UrlTooLong { .. }
            | Self::BatchTooLong { .. }
            | Self::Stopping
            | Self::BodyIncomplete
            | Self::Malformed(_) => None,
        }
    }
}

fn tell(extensions: &mut ErrorExtensionValues, limit: Limit, actual: Option<usize>) {
    let mut told = value!({ "name": limit.name, "value": limit.value });
    if let (Value::Object(told), Some(actual)) = (&mut told, actual) {
        told.insert(async_graphql::Name::new("actual"), actual.into());
    }
    extensions.set("limit", told);
}

impl From<Malformed> for Refusal {
    fn from(malformed: Malformed) -> Self {
        Self::Malformed(malformed)
    }
}
