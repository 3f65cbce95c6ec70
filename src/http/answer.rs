//! What the engine answers, as an HTTP response.

use std::collections::BTreeMap;

use async_graphql::{ServerError, Value};
use async_graphql_poem::GraphQLResponse;
use poem::{
    IntoResponse, Response,
    http::{HeaderValue, StatusCode, header},
    web::Json,
};
use serde::Serialize;

use super::media_type::ResponseType;
use crate::graphql::{Answer, Outcome};

/// The response to a request that reached the engine.
pub(super) fn render(answer: Answer, response_type: ResponseType) -> Response {
    match answer.outcome {
        Outcome::Executed => carry(
            GraphQLResponse(answer.response),
            StatusCode::OK,
            response_type,
        ),
        Outcome::Refused => request_error(
            &answer.response,
            refused_status(response_type),
            response_type,
        ),
        Outcome::MutationNotPermitted => {
            let mut response = request_error(
                &answer.response,
                StatusCode::METHOD_NOT_ALLOWED,
                response_type,
            );
            response
                .headers_mut()
                .insert(header::ALLOW, HeaderValue::from_static("POST"));
            response
        }
    }
}

/// A response of errors alone: `data` is absent, not null, when nothing was executed.
pub(super) fn request_error(
    response: &async_graphql::Response,
    status: StatusCode,
    response_type: ResponseType,
) -> Response {
    let envelope = RequestError {
        errors: &response.errors,
        extensions: &response.extensions,
    };
    carry(Json(envelope), status, response_type)
}

#[derive(Serialize)]
struct RequestError<'a> {
    errors: &'a [ServerError],
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    extensions: &'a BTreeMap<String, Value>,
}

/// The legacy media type says 200 for whatever the engine answers, so that a client
/// can tell its errors from those of a proxy.
fn refused_status(response_type: ResponseType) -> StatusCode {
    match response_type {
        ResponseType::GraphqlResponse => StatusCode::BAD_REQUEST,
        ResponseType::Json => StatusCode::OK,
    }
}

fn carry(body: impl IntoResponse, status: StatusCode, response_type: ResponseType) -> Response {
    let mut response = body.into_response();
    response.set_status(status);
    let headers = response.headers_mut();
    headers.insert(
        header::CONTENT_TYPE,
        HeaderValue::from_static(response_type.content_type()),
    );
    headers.insert(header::VARY, HeaderValue::from_static("Accept"));
    response
}
