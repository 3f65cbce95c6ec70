//! What a client is told when answering it panicked: a reference to the log, and nothing else.

use std::any::Any;

use poem::{Response, http::StatusCode};
use uuid::Uuid;

use super::{answer, media_type::ResponseType};
use crate::graphql::{ErrorCode, request_error};

/// Logs what a handler panicked with under a new reference, and answers the reference.
pub(super) fn answer(payload: Box<dyn Any + Send>) -> Response {
    let reference = Uuid::new_v4().to_string();
    let text = payload
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| payload.downcast_ref::<String>().map(String::as_str));
    tracing::error!(%reference, "a request panicked: {}", text.unwrap_or("without a text"));

    let mut response = request_error(ErrorCode::InternalServerError, "internal error");
    for error in &mut response.errors {
        error
            .extensions
            .get_or_insert_default()
            .set("reference", reference.as_str());
    }
    answer::request_error(
        &response,
        StatusCode::INTERNAL_SERVER_ERROR,
        ResponseType::Json,
    )
}
