//! HTTP responses from those of the engine: status, media type and headers.

use std::{sync::Arc, time::Duration};

use poem::{
    Response,
    http::{HeaderValue, StatusCode, header},
};

use super::{challenge, media_type::ResponseType, report::OperationReport};
use engine::{EngineResponse, Outcome};

/// The response to a request that reached the engine.
pub(super) fn executed(
    executed: EngineResponse,
    elapsed: Duration,
    response_type: ResponseType,
    realm: &str,
) -> Response {
    let outcome = executed.outcome;
    let status = match outcome {
        Outcome::Executed => StatusCode::OK,
        Outcome::Refused => refused_status(response_type),
        Outcome::MutationNotPermitted => StatusCode::METHOD_NOT_ALLOWED,
        Outcome::ScopeMissing(_) => StatusCode::FORBIDDEN,
    };
    let (report, json) = OperationReport::new(executed, elapsed);
    let mut response = uncached(json, status, response_type);
    let headers = response.headers_mut();
    match outcome {
        Outcome::MutationNotPermitted => {
            headers.insert(header::ALLOW, HeaderValue::from_static("POST"));
        }
        Outcome::ScopeMissing(scope) => {
            let challenge = challenge::scope_missing(realm, scope);
            headers.insert(header::WWW_AUTHENTICATE, challenge);
        }
        Outcome::Executed | Outcome::Refused => {}
    }
    if let Some(wait) = report.wait() {
        let seconds = challenge::retry_after(wait);
        response.headers_mut().insert(header::RETRY_AFTER, seconds);
    }
    response.set_data(Arc::new(report));
    response
}

/// A GraphQL response that no cache may store, and which therefore has no `Vary`.
pub(super) fn uncached(json: Vec<u8>, status: StatusCode, response_type: ResponseType) -> Response {
    Response::builder()
        .status(status)
        .header(header::CONTENT_TYPE, response_type.content_type())
        .header(header::CACHE_CONTROL, "no-store")
        .header(header::X_CONTENT_TYPE_OPTIONS, "nosniff")
        .body(json)
}

/// The legacy media type has the status 200 for every response of the engine, so that clients can distinguish its errors
/// from those of a proxy.
fn refused_status(response_type: ResponseType) -> StatusCode {
    match response_type {
        ResponseType::GraphqlResponse => StatusCode::BAD_REQUEST,
        ResponseType::Json => StatusCode::OK,
    }
}
