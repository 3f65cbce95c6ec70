//! What the engine answers, as an HTTP response.

use std::{collections::BTreeMap, time::Duration};

use async_graphql::{ServerError, Value};
use async_graphql_poem::GraphQLResponse;
use poem::{
    IntoResponse, Response,
    http::{HeaderMap, HeaderValue, StatusCode, header},
};
use serde::Serialize;

use super::{entity_tag, guard, media_type::ResponseType};
use crate::graphql::{Answer, Cause, Outcome};

/// What caches may do with an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Caching {
    /// Keep it, and ask each time whether it still holds.
    Revalidated,
    /// Nothing.
    Forbidden,
}

/// How many headers an answer has in the end, at least nearly.
const HEADERS: usize = 12;

/// The response to a request that reached the engine. An answer with errors is never kept:
/// the next one may have none.
pub(super) async fn render(
    answer: Answer,
    response_type: ResponseType,
    caching: Caching,
) -> Response {
    let status = match answer.outcome {
        Outcome::Executed => StatusCode::OK,
        Outcome::Refused => refused_status(response_type),
        Outcome::MutationNotPermitted => StatusCode::METHOD_NOT_ALLOWED,
        Outcome::ScopeMissing(_) => StatusCode::FORBIDDEN,
    };
    let caching = match answer.outcome {
        Outcome::Executed if answer.response.errors.is_empty() => caching,
        _ => Caching::Forbidden,
    };
    let (outcome, wait) = (answer.outcome, wait(&answer));
    let (mut headers, body) = match (outcome, answer.text) {
        (Outcome::Executed, Some(text)) => (HeaderMap::new(), text),
        (Outcome::Executed, None) => executed(answer.response).await,
        (Outcome::Refused | Outcome::MutationNotPermitted | Outcome::ScopeMissing(_), _) => (
            HeaderMap::new(),
            to_json(&RequestError::of(&answer.response)),
        ),
    };
    if outcome == Outcome::MutationNotPermitted {
        headers.insert(header::ALLOW, HeaderValue::from_static("POST"));
    }
    if let Outcome::ScopeMissing(scope) = outcome {
        headers.insert(header::WWW_AUTHENTICATE, guard::scope_missing(scope));
    }
    let mut response = carry(body, status, response_type, caching);
    response.headers_mut().extend(headers);
    tell_to_wait(&mut response, wait);
    response
}

/// How long the client should wait before it asks again, if anything says so.
fn wait(answer: &Answer) -> Option<Duration> {
    let errors = answer.response.errors.iter();
    let causes = errors.filter_map(|error| error.source.as_ref()?.downcast_ref::<Cause>());
    causes.filter_map(|cause| cause.wait).max()
}

fn tell_to_wait(response: &mut Response, wait: Option<Duration>) {
    if let Some(wait) = wait {
        let seconds = guard::retry_after(wait);
        response.headers_mut().insert(header::RETRY_AFTER, seconds);
    }
}

/// What async-graphql or the contract itself has answered as values, as JSON.
async fn executed(response: async_graphql::Response) -> (HeaderMap, Vec<u8>) {
    let mut response = GraphQLResponse(response).into_response();
    let body = response.take_body().into_vec().await;
    let mut headers = std::mem::take(response.headers_mut());
    // These are decided by what was negotiated.
    headers.remove(header::CONTENT_TYPE);
    headers.remove(header::CACHE_CONTROL);
    (headers, body.expect("the body is in memory"))
}

/// The response to a list of requests that reached the engine: their answers in the same order.
pub(super) fn render_batch(answers: Vec<Answer>, response_type: ResponseType) -> Response {
    let wait = answers.iter().filter_map(wait).max();
    let answers: Vec<Vec<u8>> = answers.into_iter().map(json).collect();
    let list = [b"[".as_slice(), &answers.join(&b','), b"]"].concat();
    let mut response = carry(list, StatusCode::OK, response_type, Caching::Forbidden);
    tell_to_wait(&mut response, wait);
    response
}

/// A response of errors alone: `data` is absent, not null, when nothing was executed.
pub(super) fn request_error(
    response: &async_graphql::Response,
    status: StatusCode,
    response_type: ResponseType,
) -> Response {
    let body = to_json(&RequestError::of(response));
    carry(body, status, response_type, Caching::Forbidden)
}

#[derive(Serialize)]
struct RequestError<'a> {
    errors: &'a [ServerError],
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    extensions: &'a BTreeMap<String, Value>,
}

impl<'a> RequestError<'a> {
    fn of(response: &'a async_graphql::Response) -> Self {
        Self {
            errors: &response.errors,
            extensions: &response.extensions,
        }
    }
}

fn json(answer: Answer) -> Vec<u8> {
    match answer.outcome {
        Outcome::Executed => answer.text.unwrap_or_else(|| to_json(&answer.response)),
        Outcome::Refused | Outcome::MutationNotPermitted | Outcome::ScopeMissing(_) => {
            to_json(&RequestError::of(&answer.response))
        }
    }
}

fn to_json(value: &impl Serialize) -> Vec<u8> {
    serde_json::to_vec(value).expect("GraphQL values are JSON values")
}

/// The legacy media type says 200 for whatever the engine answers, so that a client
/// can tell its errors from those of a proxy.
fn refused_status(response_type: ResponseType) -> StatusCode {
    match response_type {
        ResponseType::GraphqlResponse => StatusCode::BAD_REQUEST,
        ResponseType::Json => StatusCode::OK,
    }
}

fn carry(
    body: Vec<u8>,
    status: StatusCode,
    response_type: ResponseType,
    caching: Caching,
) -> Response {
    let content_type = response_type.content_type();
    let cache_control = match caching {
        Caching::Revalidated => "no-cache",
        Caching::Forbidden => "no-store",
    };
    let mut response = Response::builder().status(status).finish();
    let headers = response.headers_mut();
    headers.reserve(HEADERS);
    for (name, value) in [
        (header::CONTENT_TYPE, content_type),
        (header::VARY, "Accept"),
        (header::CACHE_CONTROL, cache_control),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    if caching == Caching::Revalidated {
        let tag = entity_tag::of(content_type, &body);
        headers.insert(
            header::ETAG,
            HeaderValue::try_from(tag).expect("it is ASCII"),
        );
    }
    response.set_body(body);
    response
}
