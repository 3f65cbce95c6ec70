//! HTTP responses from the results of the engine.

use std::{
    any::Any,
    time::{Duration, Instant},
};

use async_graphql::ServerError;
use poem::{
    Response,
    http::{HeaderMap, HeaderValue, StatusCode, header},
};
use uuid::Uuid;

use super::{
    challenge, encoding, entity_tag,
    media_type::ResponseType,
    outcome::{OperationReport, Outcome},
    response_headers::{self, EngineHeaders},
};
use engine::{Cause, EngineResponse, ErrorCode, ErrorFacts, errors_to_json};

/// Whether caches may store a response.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Caching {
    /// Caches must revalidate it each time.
    Revalidate,
    /// Caches must not store it.
    NoStore,
}

/// The response to a request that reached the engine. A response with errors is never cached, since a
/// retry may succeed.
pub(super) fn single(
    executed: EngineResponse,
    started: Instant,
    (response_type, headers): (ResponseType, &EngineHeaders),
    caching: Caching,
    realm: &str,
) -> Outcome {
    let outcome = executed.outcome;
    let status = match outcome {
        engine::Outcome::Executed => StatusCode::OK,
        engine::Outcome::Refused => refused_status(response_type),
        engine::Outcome::MutationNotPermitted => StatusCode::METHOD_NOT_ALLOWED,
        engine::Outcome::ScopeMissing(_) => StatusCode::FORBIDDEN,
    };
    let caching = match outcome {
        engine::Outcome::Executed if executed.errors.is_empty() => caching,
        _ => Caching::NoStore,
    };
    let (mut report, json) = OperationReport::new(executed);
    let content_bytes = json.len();
    let mut response = new_response(json, status, headers.of(response_type), caching);
    let headers = response.headers_mut();
    if outcome == engine::Outcome::MutationNotPermitted {
        headers.insert(header::ALLOW, HeaderValue::from_static("POST"));
    }
    if let engine::Outcome::ScopeMissing(scope) = outcome {
        let challenge = challenge::scope_missing(realm, scope);
        headers.insert(header::WWW_AUTHENTICATE, challenge);
    }
    set_retry_after(&mut response, report.wait());
    report.elapsed = Some(started.elapsed());
    Outcome {
        response,
        operations: vec![report],
        content_bytes,
    }
}

/// The response to a batch, built from the responses to its operations in the same order.
pub(super) struct Batch {
    list: Vec<u8>,
    operations: Vec<OperationReport>,
}

impl Batch {
    pub(super) fn new(operations: usize) -> Self {
        Self {
            list: Vec::new(),
            operations: Vec::with_capacity(operations),
        }
    }

    /// Adds the response to an operation, and returns its size.
    pub(super) fn push(&mut self, executed: EngineResponse, started: Instant) -> usize {
        let (mut report, json) = OperationReport::new(executed);
        self.list
            .push(if self.list.is_empty() { b'[' } else { b',' });
        self.list.extend_from_slice(&json);
        report.elapsed = Some(started.elapsed());
        self.operations.push(report);
        json.len()
    }

    pub(super) fn finish(mut self, headers: HeaderMap) -> Outcome {
        self.list.push(b']');
        let wait = self.operations.iter().filter_map(OperationReport::wait);
        let wait = wait.max();
        let (status, caching) = (StatusCode::OK, Caching::NoStore);
        let content_bytes = self.list.len();
        let mut response = new_response(self.list, status, headers, caching);
        set_retry_after(&mut response, wait);
        Outcome {
            response,
            operations: self.operations,
            content_bytes,
        }
    }
}

fn set_retry_after(response: &mut Response, wait: Option<Duration>) {
    if let Some(wait) = wait {
        let seconds = challenge::retry_after(wait);
        response.headers_mut().insert(header::RETRY_AFTER, seconds);
    }
}

/// The response to a request that did not reach the engine.
pub(super) fn error(
    error: ServerError,
    status: StatusCode,
    response_type: ResponseType,
) -> Outcome {
    let errors = [error];
    let body = errors_to_json(&errors);
    let content_bytes = body.len();
    let headers = response_headers::of_graphql(response_type);
    Outcome {
        response: new_response(body, status, headers, Caching::NoStore),
        operations: vec![OperationReport::from_errors(&errors)],
        content_bytes,
    }
}

/// An internal error with a new reference, under which the payload of a panic is logged.
pub(super) fn internal_error(payload: &(dyn Any + Send), response_type: ResponseType) -> Outcome {
    let text = payload
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| payload.downcast_ref::<String>().map(String::as_str));
    let facts = ErrorFacts {
        cause: Some(Cause {
            reference: Uuid::new_v4().to_string(),
            chain: format!("panic: {}", text.unwrap_or("without a text")),
            wait: None,
        }),
        ..ErrorFacts::of_code(ErrorCode::InternalServerError)
    };
    let error = facts.into_server_error("internal error");
    self::error(error, StatusCode::INTERNAL_SERVER_ERROR, response_type)
}

/// The legacy media type has the status 200 for every response of the engine, so that clients
/// can distinguish its errors from those of a proxy.
fn refused_status(response_type: ResponseType) -> StatusCode {
    match response_type {
        ResponseType::GraphqlResponse => StatusCode::BAD_REQUEST,
        ResponseType::Json => StatusCode::OK,
    }
}

fn new_response(
    body: Vec<u8>,
    status: StatusCode,
    mut headers: HeaderMap,
    caching: Caching,
) -> Response {
    if caching == Caching::Revalidate {
        let vary = HeaderValue::from_static(encoding::ACCEPT_AND_ENCODING);
        headers.insert(header::VARY, vary);
        let tag = entity_tag::strong(headers[header::CONTENT_TYPE].as_bytes(), &body);
        let no_cache = HeaderValue::from_static("no-cache");
        headers.insert(header::CACHE_CONTROL, no_cache);
        headers.insert(
            header::ETAG,
            HeaderValue::try_from(tag).expect("the tag is ASCII"),
        );
    }
    let mut response = Response::builder().status(status).body(body);
    *response.headers_mut() = headers;
    response
}
