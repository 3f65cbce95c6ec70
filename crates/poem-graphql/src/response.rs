//! HTTP responses of GraphQL: status, media type and headers, and what is recorded of them.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use async_graphql::ServerError;
use async_graphql_strict::{Cause, ErrorCode, ErrorDetails, Operation, RequestError, RequestErrorKind, errors_to_json};
use futures_util::TryFutureExt;
use poem::{
    Endpoint, IntoResponse, Request, Response,
    http::{HeaderValue, StatusCode, Version, header},
};

use crate::media_type::ResponseType;

/// The response of an endpoint, also for an error: `Endpoint::get_response` in a future that does not store the request. The
/// future of a request is copied whenever it is boxed, and each endpoint that awaits another one would add a request to it.
pub(crate) fn response<E: Endpoint>(endpoint: &E, request: Request) -> impl Future<Output = Response> + Send {
    endpoint.call(request).map_ok_or_else(poem::Error::into_response, IntoResponse::into_response)
}

/// Marks the response of a refusal, whose media type is still to be negotiated.
#[derive(Clone, Copy)]
pub(crate) struct IsRefusal;

/// Gives the response of a refusal the media type that its client prefers.
pub(crate) fn negotiate(response: &mut Response, accept: &str) {
    let response_type = ResponseType::negotiate(accept).unwrap_or(ResponseType::Json);
    let content_type = HeaderValue::from_static(response_type.content_type());
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, content_type);
}

/// The response to a request that is not executed. With the legacy media type it has the status 200 if the request is one
/// of GraphQL, so that clients can distinguish its errors from those of a proxy.
pub(crate) fn request_error(error: &RequestError, response_type: ResponseType, realm: &str) -> Response {
    let (status, header) = match error.kind {
        RequestErrorKind::Invalid if response_type == ResponseType::Json => (StatusCode::OK, None),
        RequestErrorKind::Invalid => (StatusCode::BAD_REQUEST, None),
        RequestErrorKind::MutationNotAllowed => {
            let allow = (header::ALLOW, HeaderValue::from_static("POST"));
            (StatusCode::METHOD_NOT_ALLOWED, Some(allow))
        }
        RequestErrorKind::ScopeMissing(scope) => {
            let challenge = (header::WWW_AUTHENTICATE, scope_challenge(realm, scope));
            (StatusCode::FORBIDDEN, Some(challenge))
        }
    };
    let mut response = graphql_response(errors_to_json(&error.errors), status, response_type);
    response.headers_mut().extend(header);
    response
}

/// Announces to the client of a request with this version that its connection will be closed. HTTP/1 has no GOAWAY frame: the
/// client could send its next request on the connection, and it would be lost (RFC 9112, section 9.6).
pub(crate) fn announce_close(response: &mut Response, version: Version) {
    if version < Version::HTTP_2 {
        response.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
    }
}

/// The challenge to a client whose token lacks a scope (RFC 6750, section 3).
pub fn scope_challenge(realm: &str, scope: &str) -> HeaderValue {
    let error = "insufficient_scope";
    let challenge = format!("Bearer realm=\"{realm}\", error=\"{error}\", scope=\"{scope}\"");
    HeaderValue::try_from(challenge).expect("the realm and the scope are ASCII without quotes")
}

/// The value of `Retry-After`, rounded up to whole seconds.
pub fn retry_after(wait: Duration) -> HeaderValue {
    HeaderValue::from(wait.as_secs() + u64::from(wait.subsec_nanos() > 0))
}

/// Adds the report, and how long the client should wait before a retry: the longest time of all errors.
pub(crate) fn with_report(mut response: Response, report: Report) -> Response {
    let waits = report.causes().filter_map(|(_, cause)| cause.retry_after);
    let wait = waits.max().map(retry_after);
    let wait = wait.map(|wait| (header::RETRY_AFTER, wait));
    response.headers_mut().extend(wait);
    response.set_data(report);
    response
}

/// A GraphQL response, which no cache may store.
pub(crate) fn graphql_response(json: Vec<u8>, status: StatusCode, response_type: ResponseType) -> Response {
    let mut response = Response::from(json);
    response.set_status(status);
    let headers = response.headers_mut();
    let value = HeaderValue::from_static;
    headers.insert(header::CONTENT_TYPE, value(response_type.content_type()));
    headers.insert(header::CACHE_CONTROL, value("no-store"));
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, value("nosniff"));
    response
}

/// The operation and the errors of a request, in the data of its response. They are not sent.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// The operation, if the document is valid and has it.
    pub operation: Option<Arc<Operation>>,
    /// The name of the operation that the document does not have.
    pub requested_name: Option<String>,
    /// The details of the errors.
    pub errors: Vec<Arc<ErrorDetails>>,
    /// The time of preparing and executing the operation; `None` if it was refused before.
    pub elapsed: Option<Duration>,
}

impl Report {
    pub(crate) fn of(operation: Option<Arc<Operation>>, errors: &[ServerError]) -> Self {
        Self { operation, errors: errors.iter().filter_map(ErrorDetails::of).collect(), ..Self::default() }
    }

    /// The report of an operation that began then, and ends now.
    pub(crate) fn after(self, started: Instant) -> Self {
        let elapsed = Some(started.elapsed());
        Self { elapsed, ..self }
    }

    /// The name of the operation.
    pub fn name(&self) -> Option<&str> {
        let known = self.operation.as_ref().map(|operation| &operation.name);
        let known = known.and_then(Option::as_ref);
        known.or(self.requested_name.as_ref()).map(String::as_str)
    }

    /// The code of the most severe error.
    pub fn code(&self) -> Option<ErrorCode> {
        self.errors.iter().map(|error| error.code).max()
    }

    /// The name of the exceeded limit.
    pub fn limit(&self) -> Option<&'static str> {
        let limit = self.errors.iter().find_map(|error| error.limit)?;
        Some(limit.name)
    }

    /// The causes of masked errors with their codes, for the log.
    pub fn causes(&self) -> impl Iterator<Item = (ErrorCode, &Cause)> {
        let errors = self.errors.iter();
        errors.filter_map(|error| Some((error.code, error.cause.as_ref()?)))
    }
}

impl From<RequestError> for Report {
    fn from(error: RequestError) -> Self {
        Self { requested_name: error.requested_name, ..Self::of(error.operation, &error.errors) }
    }
}
