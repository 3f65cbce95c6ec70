//! The response to a request whose handler panics.

use std::any::Any;

use poem::{IntoResponse, Response, middleware::CatchPanic};

use super::refusal::Refusal;

type Handler = fn(Box<dyn Any + Send>) -> Response;

/// poem's middleware that catches panics, with a GraphQL error as the response. It has a reference, under which the access
/// log has the message of the panic.
pub fn catch_panics() -> CatchPanic<Handler> {
    let handler: Handler = |payload| Refusal::panicked(&*payload).into_response();
    CatchPanic::new().with_handler(handler)
}

#[cfg(test)]
mod tests {
    use std::{io, sync::Arc};

    use poem::{Endpoint, EndpointExt, Request, Response, endpoint::make_sync, http::StatusCode};
    use serde_json::Value;
    use telemetry::metrics::{Metrics, MetricsSettings};
    use uuid::Uuid;

    use super::catch_panics;
    use crate::{RefusalTypes, RequestIds, RequestTelemetry};

    const CANARY: &str = "canary-4b1c";
    const ACCEPTED: &str = "application/graphql-response+json";

    #[tokio::test]
    async fn logs_a_panic_under_a_reference_and_hides_it_from_the_client() {
        let (log, writer) = io::pipe().unwrap();
        let subscriber = tracing_subscriber::fmt().json();
        let subscriber = subscriber.with_writer(Arc::new(writer)).finish();
        let subscriber = tracing::subscriber::set_default(subscriber);
        let panics = make_sync(|_| -> Response { panic!("{CANARY}") });
        let app = panics.with(catch_panics());
        let metrics = Arc::new(Metrics::new(MetricsSettings::default()));
        let app = app.with(RequestTelemetry::new("hash", metrics, None));
        let app = app.with(RefusalTypes).with(RequestIds);
        let response = app.get_response(request()).await;
        assert_eq!(response.status(), StatusCode::INTERNAL_SERVER_ERROR);
        let content_type = response.content_type().unwrap();
        assert!(content_type.starts_with(ACCEPTED), "{content_type}");
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

        // The log ends with its writer.
        drop(subscriber);
        let log = io::read_to_string(log).unwrap();
        let logged: Vec<_> = log.lines().filter(|line| line.contains(CANARY)).collect();
        assert_eq!(logged.len(), 1, "{log}");
        assert!(logged[0].contains(reference), "{log}");
    }

    fn request() -> Request {
        let request = Request::builder().header("host", "localhost");
        request.header("accept", ACCEPTED).finish()
    }
}
