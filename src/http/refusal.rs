//! Why a request does not reach the engine, and what the client is told: one table.

use poem::{
    Response,
    http::{HeaderName, HeaderValue, StatusCode, header},
};

use super::{answer, media_type::ResponseType, request::Malformed};
use crate::graphql::{self, ErrorCode};

/// Why a request does not reach the engine.
#[derive(Debug)]
pub(super) enum Refusal {
    /// Neither GET nor POST.
    Method,
    /// The client accepts no media type that there is.
    NotAcceptable,
    /// The body is not JSON in UTF-8.
    MediaType,
    /// The body is compressed.
    ContentEncoding,
    /// The body has more bytes than this.
    BodyTooLarge(usize),
    /// The body broke off.
    BodyIncomplete,
    /// Not a well-formed GraphQL over HTTP request.
    Malformed(Malformed),
}

impl Refusal {
    /// As a response; a refused request was never a GraphQL request, so both media types carry the same status.
    pub(super) fn into_response(self, response_type: ResponseType) -> Response {
        let error = graphql::request_error(ErrorCode::BadRequest, self.sentence());
        let mut response = answer::request_error(&error, self.status(), response_type);
        if let Some((name, value)) = self.header() {
            response
                .headers_mut()
                .insert(name, HeaderValue::from_static(value));
        }
        response
    }

    fn status(&self) -> StatusCode {
        match self {
            Self::Method => StatusCode::METHOD_NOT_ALLOWED,
            Self::NotAcceptable => StatusCode::NOT_ACCEPTABLE,
            Self::MediaType | Self::ContentEncoding => StatusCode::UNSUPPORTED_MEDIA_TYPE,
            Self::BodyTooLarge(_) => StatusCode::PAYLOAD_TOO_LARGE,
            Self::BodyIncomplete | Self::Malformed(_) => StatusCode::BAD_REQUEST,
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
            Self::BodyTooLarge(limit) => {
                format!("the request body is larger than {limit} bytes, the limit of this server")
            }
            Self::BodyIncomplete => "the request body ended before it was complete".to_owned(),
            Self::Malformed(malformed) => malformed.to_string(),
        }
    }

    fn header(&self) -> Option<(HeaderName, &'static str)> {
        match self {
            Self::Method => Some((header::ALLOW, "GET, POST")),
            Self::MediaType => Some((header::ACCEPT, "application/json")),
            Self::ContentEncoding => Some((header::ACCEPT_ENCODING, "identity")),
            Self::NotAcceptable
            | Self::BodyTooLarge(_)
            | Self::BodyIncomplete
            | Self::Malformed(_) => None,
        }
    }
}

impl From<Malformed> for Refusal {
    fn from(malformed: Malformed) -> Self {
        Self::Malformed(malformed)
    }
}
