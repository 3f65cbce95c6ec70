//! What a client is told when answering it panicked: a reference to the log, and nothing else.

use std::{any::Any, sync::Arc};

use poem::{Response, http::StatusCode};
use uuid::Uuid;

use super::{
    answer,
    media_type::ResponseType,
    observe::{self, Operation},
};
use crate::graphql::{Cause, ErrorCode, request_error};

/// Answers a new reference, under which what a handler panicked with is logged.
pub(super) fn answer(payload: &(dyn Any + Send)) -> Response {
    let reference = Uuid::new_v4().to_string();
    let text = payload
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| payload.downcast_ref::<String>().map(String::as_str));

    let mut response = request_error(ErrorCode::InternalServerError, "internal error");
    for error in &mut response.errors {
        error
            .extensions
            .get_or_insert_default()
            .set("reference", reference.as_str());
        error.source = Some(Arc::new(Cause {
            reference: reference.clone(),
            chain: format!("panic: {}", text.unwrap_or("without a text")),
        }));
    }
    let mut answer = answer::request_error(
        &response,
        StatusCode::INTERNAL_SERVER_ERROR,
        ResponseType::Json,
    );
    observe::note(&mut answer, vec![Operation::failed(&response.errors)]);
    answer
}

#[cfg(test)]
mod tests {
    use poem::{
        Endpoint, EndpointExt, Request, Response, endpoint::make_sync, http::StatusCode,
        middleware::CatchPanic,
    };
    use serde_json::Value;
    use uuid::Uuid;

    #[tokio::test]
    async fn a_panic_is_answered_with_a_reference_and_none_of_its_words() {
        let panics = make_sync(|_| -> Response { panic!("secret") });
        let caught = panics.with(
            CatchPanic::new()
                .with_handler(|payload: Box<dyn std::any::Any + Send>| super::answer(&*payload)),
        );
        let response = caught.get_response(Request::default()).await;
        assert_eq!(response.status(), StatusCode::INTERNAL_SERVER_ERROR);
        let text = response.into_body().into_string().await.unwrap();
        assert!(!text.contains("secret"), "{text}");
        let error = &serde_json::from_str::<Value>(&text).unwrap()["errors"][0];
        assert_eq!(error["message"], "internal error");
        assert_eq!(error["extensions"]["code"], "INTERNAL_SERVER_ERROR");
        assert!(Uuid::parse_str(error["extensions"]["reference"].as_str().unwrap()).is_ok());
    }
}
