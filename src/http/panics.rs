//! What a client is told when answering it panicked: a reference to the log, and nothing else.

use std::{
    any::Any,
    future::{Future, ready},
    panic::{AssertUnwindSafe, catch_unwind},
    sync::Arc,
};

use futures_util::{FutureExt, future::Either};
use poem::{Endpoint, Request, Response, http::StatusCode};
use uuid::Uuid;

use super::{
    answer,
    media_type::ResponseType,
    observe::{self, Operation},
};
use crate::graphql::{Cause, ErrorCode, request_error};

/// An endpoint whose panics are answered, too.
pub(super) struct Caught<E>(pub(super) E);

impl<E: Endpoint<Output = Response>> Endpoint for Caught<E> {
    type Output = Response;

    fn call(&self, request: Request) -> impl Future<Output = poem::Result<Response>> + Send {
        let ended = match catch_unwind(AssertUnwindSafe(|| self.0.call(request))) {
            Ok(answer) => Either::Left(AssertUnwindSafe(answer).catch_unwind()),
            Err(payload) => Either::Right(ready(Err(payload))),
        };
        ended.map(|ended| ended.unwrap_or_else(|payload| Ok(answer(&*payload))))
    }
}

/// Answers a new reference, under which what an endpoint panicked with is logged.
fn answer(payload: &(dyn Any + Send)) -> Response {
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
            wait: None,
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
    use std::{
        io,
        sync::{Arc, Mutex},
    };

    use poem::{Endpoint, Request, Response, endpoint::make_sync, http::StatusCode};
    use serde_json::Value;
    use uuid::Uuid;

    use super::Caught;
    use crate::{
        http::{Watch, observe::Observe},
        telemetry::Metrics,
    };

    const CANARY: &str = "canary-4b1c";

    /// What was logged.
    #[derive(Clone, Default)]
    struct Log(Arc<Mutex<Vec<u8>>>);

    impl io::Write for Log {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().unwrap().write(bytes)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[tokio::test]
    async fn the_words_of_a_panic_are_in_the_log_beside_a_reference_and_not_in_the_answer() {
        let log = Log::default();
        let writer = log.clone();
        let lines = tracing_subscriber::fmt().json();
        let lines = lines.with_writer(move || writer.clone()).finish();
        let _lines = tracing::subscriber::set_default(lines);
        let panics = make_sync(|_| -> Response { panic!("{CANARY}") });
        let watch = Watch {
            metrics: Arc::new(Metrics::new(1, &[], std::iter::empty())),
            slow: None,
            traces: None,
        };
        let watched = Observe::new(Caught(panics), watch);
        let response = watched.get_response(Request::default()).await;
        assert_eq!(response.status(), StatusCode::INTERNAL_SERVER_ERROR);
        let headers = format!("{:?}", response.headers());
        let text = response.into_body().into_string().await.unwrap();
        assert!(
            !text.contains(CANARY) && !headers.contains(CANARY),
            "{text}"
        );
        let error = &serde_json::from_str::<Value>(&text).unwrap()["errors"][0];
        assert_eq!(error["message"], "internal error");
        assert_eq!(error["extensions"]["code"], "INTERNAL_SERVER_ERROR");
        let reference = error["extensions"]["reference"].as_str().unwrap();
        assert!(Uuid::parse_str(reference).is_ok());

        let log = String::from_utf8(log.0.lock().unwrap().clone()).unwrap();
        let told: Vec<_> = log.lines().filter(|line| line.contains(CANARY)).collect();
        assert_eq!(told.len(), 1, "{log}");
        assert!(told[0].contains(reference), "{log}");
    }
}
