//! The response to a request whose handler panics.

use std::any::Any;

use async_graphql_strict::{Cause, ErrorCode};
use poem::{IntoResponse, Response, http::StatusCode, middleware::CatchPanic};
use uuid::Uuid;

use crate::refusal::Refusal;

type Handler = fn(Box<dyn Any + Send>) -> Response;

/// poem's middleware that catches panics, with a GraphQL error as the response. It has a reference, and the report the
/// message of the panic.
pub fn catch_panics() -> CatchPanic<Handler> {
    let handler: Handler = |payload| {
        let text = payload.downcast_ref::<&str>().copied();
        let text = text.or_else(|| payload.downcast_ref::<String>().map(String::as_str));
        let cause = Some(Cause {
            reference: Uuid::new_v4().to_string(),
            chain: format!("panic: {}", text.unwrap_or("without a text")),
            retry_after: None,
        });
        let (status, code) = (StatusCode::INTERNAL_SERVER_ERROR, ErrorCode::InternalServerError);
        let refusal = Refusal::new(status, code, "internal error");
        Refusal { cause, ..refusal }.into_response()
    };
    CatchPanic::new().with_handler(handler)
}
