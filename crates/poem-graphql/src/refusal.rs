//! Why a request is not executed: a status, a code, a message and a header; also that of a panic.

use std::{any::Any, borrow::Cow};

use async_graphql_strict::{Cause, ErrorCode, ErrorDetails, ExceededLimit, errors_to_json};
use poem::{
    IntoResponse, Response,
    http::{HeaderName, HeaderValue, StatusCode, header},
    middleware::CatchPanic,
};
use uuid::Uuid;

use crate::{
    media_type::ResponseType,
    response::{IsRefusal, Report, graphql_response},
};

/// Why a request is not executed. Middleware returns it as an error of poem's, whose response is that of GraphQL.
#[derive(Debug)]
pub struct Refusal {
    /// The status of the response.
    pub status: StatusCode,
    /// What is wrong, for the client.
    pub message: Cow<'static, str>,
    /// A header of the response.
    pub header: Option<(HeaderName, HeaderValue)>,
    /// The code, the exceeded limit and the cause.
    pub details: ErrorDetails,
}

impl Refusal {
    /// A refusal with this status, code and message.
    pub fn new(status: StatusCode, code: ErrorCode, message: impl Into<Cow<'static, str>>) -> Self {
        Self { status, message: message.into(), header: None, details: ErrorDetails::new(code) }
    }

    /// A request that violates HTTP or GraphQL over HTTP.
    pub fn bad_request(status: StatusCode, message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(status, ErrorCode::BadRequest, message)
    }

    /// Too much work at the moment: the client can retry in a second.
    pub fn busy(message: impl Into<Cow<'static, str>>) -> Self {
        let status = StatusCode::SERVICE_UNAVAILABLE;
        let refusal = Self::new(status, ErrorCode::ServiceUnavailable, message);
        refusal.with_header(header::RETRY_AFTER, HeaderValue::from_static("1"))
    }

    /// The same with a header.
    #[must_use]
    pub fn with_header(self, name: HeaderName, value: HeaderValue) -> Self {
        let header = Some((name, value));
        Self { header, ..self }
    }

    /// The same with the exceeded limit.
    #[must_use]
    pub fn with_limit(mut self, name: &'static str, value: u64, actual: Option<u64>) -> Self {
        self.details.limit = Some(ExceededLimit { name, value, actual });
        self
    }
}

impl From<Refusal> for poem::Error {
    fn from(refusal: Refusal) -> Self {
        let errors = [refusal.details.into_server_error(refusal.message)];
        let json = errors_to_json(&errors);
        let mut response = graphql_response(json, refusal.status, ResponseType::Json);
        response.headers_mut().extend(refusal.header);
        let mut error = Self::from_response(response);
        error.set_data(Report::of(None, &errors));
        error.set_data(IsRefusal);
        error
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        poem::Error::from(self).into_response()
    }
}

type Handler = fn(Box<dyn Any + Send>) -> Response;

/// poem's middleware that catches panics, with a GraphQL error as the response. It has a reference, and the report the
/// message of the panic.
pub fn catch_panics() -> CatchPanic<Handler> {
    let handler: Handler = |payload| {
        let text = payload.downcast_ref::<&str>().copied();
        let text = text.or_else(|| payload.downcast_ref::<String>().map(String::as_str));
        let (status, code) = (StatusCode::INTERNAL_SERVER_ERROR, ErrorCode::InternalServerError);
        let mut refusal = Refusal::new(status, code, "internal error");
        refusal.details.cause = Some(Cause {
            reference: Uuid::new_v4().to_string(),
            chain: format!("panic: {}", text.unwrap_or("without a text")),
            retry_after: None,
        });
        refusal.into_response()
    };
    CatchPanic::new().with_handler(handler)
}
