//! Retries, timeouts, headers and transport errors of the client.

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use vehicle_catalogue_client::{
    BuildError, CatalogueClient, Effect, ErrorCode, ErrorKind, NewVehicle, RetryPolicy, VehicleChanges,
};

use crate::support::{Reply, Server};

/// A short backoff keeps the tests fast.
const TWO_RETRIES: RetryPolicy = RetryPolicy { initial_backoff: Duration::from_millis(1), ..RetryPolicy::new(2) };

fn no_vehicle() -> Reply {
    Reply::json(&json!({ "data": { "vehicle": null } }))
}

/// The response of a server at its concurrency limit.
fn overloaded() -> Reply {
    let limit = json!({ "name": "concurrency-limit", "value": 1 });
    let extensions = json!({ "code": "SERVICE_UNAVAILABLE", "limit": limit });
    let body = json!({ "errors": [{ "message": "try again later", "extensions": extensions }] });
    Reply::status(503, body.to_string())
}

/// An error with a code beside this data.
fn failed(code: &str, data: &Value) -> Reply {
    let error = json!({ "message": "no", "extensions": { "code": code } });
    Reply::json(&json!({ "data": data, "errors": [error] }))
}

/// The response of a server whose database is unavailable.
fn unavailable(field: &str) -> Reply {
    failed("SERVICE_UNAVAILABLE", &json!({ field: null }))
}

/// A server with these replies, and a client that retries twice.
async fn retrying(replies: impl IntoIterator<Item = Reply>) -> (Server, CatalogueClient) {
    let server = Server::with_replies(replies).await;
    let client = server.client().retry_policy(TWO_RETRIES).build().unwrap();
    (server, client)
}

fn volvo() -> NewVehicle {
    NewVehicle::new("SUV", "XC60")
}

#[tokio::test]
async fn a_query_is_retried_until_it_succeeds() {
    for failure in [overloaded(), unavailable("vehicle"), Reply::status(502, "<html>"), Reply::HangUp] {
        let (server, client) = retrying([failure, Reply::HangUp, no_vehicle()]).await;
        assert_eq!(client.vehicle("1").await.unwrap(), None);
        let requests = server.requests();
        assert_eq!(requests.len(), 3);
        assert_eq!(requests[0], requests[2], "a retry sends the same request");
    }
}

#[tokio::test]
async fn a_query_fails_when_the_retries_are_used_up() {
    let (server, client) = retrying([overloaded(), overloaded(), overloaded(), no_vehicle()]).await;
    let error = client.vehicle("1").await.unwrap_err();
    assert_eq!(error.error_response().unwrap().code(), &ErrorCode::ServiceUnavailable);
    assert_eq!(server.requests().len(), 3);

    let (_server, client) = retrying([]).await;
    let error = client.vehicle("1").await.unwrap_err();
    assert_eq!(error.to_string(), "no response from the vehicle catalogue after 3 attempts");
    assert_eq!(error.effect, Effect::Nothing);
}

#[tokio::test]
async fn a_mutation_is_sent_once_and_reports_its_effect() {
    let none = json!({ "updateVehicle": null });
    let partial = json!({ "a": { "id": "1" }, "b": null });
    for (failure, effect) in [
        (overloaded(), Effect::Nothing),
        (failed("BAD_USER_INPUT", &none), Effect::Nothing),
        (failed("BAD_USER_INPUT", &partial), Effect::Unknown),
        (unavailable("updateVehicle"), Effect::Unknown),
        (failed("INTERNAL_SERVER_ERROR", &none), Effect::Unknown),
        (failed("TEAPOT", &none), Effect::Unknown),
        (Reply::status(502, "<html>"), Effect::Unknown),
        (Reply::status(200, "{"), Effect::Unknown),
        (Reply::HangUp, Effect::Unknown),
    ] {
        let (server, client) = retrying([failure]).await;
        let error = client.update_vehicle("1", VehicleChanges::new(), None).await.unwrap_err();
        assert_eq!(error.effect, effect, "{error}");
        let reported = error.to_string().contains("it is unknown whether anything was stored");
        assert_eq!(reported, effect == Effect::Unknown, "{error}");
        assert_eq!(server.requests().len(), 1, "{error}");
    }
}

#[tokio::test]
async fn a_create_is_retried_with_the_same_key() {
    // The keys do not depend on the vehicle.
    let created = || Reply::json(&json!({ "data": { "createVehicle": null } }));
    let lost = unavailable("createVehicle");
    let (server, client) = retrying([Reply::HangUp, lost, created(), created()]).await;
    for _ in 0..2 {
        let error = client.create_vehicle(volvo()).await.unwrap_err();
        assert!(matches!(error.kind, ErrorKind::Null(_)), "{error}");
    }
    let requests = server.requests();
    let keys = requests.iter().map(|request| {
        let mut lines = request.lines();
        lines.find(|line| line.starts_with("idempotency-key: ")).unwrap()
    });
    let keys: Vec<_> = keys.collect();
    assert_eq!(keys.len(), 4);
    assert!(keys[0] == keys[1] && keys[1] == keys[2], "{keys:?}");
    assert_ne!(keys[2], keys[3], "each create has a key of its own");
}

#[tokio::test]
async fn an_earlier_attempt_can_have_stored_a_create_that_fails() {
    let (server, client) = retrying([Reply::HangUp, overloaded(), overloaded()]).await;
    let error = client.create_vehicle(volvo()).await.unwrap_err();
    assert_eq!(server.requests().len(), 3);
    assert_eq!(error.effect, Effect::Unknown, "{error}");
}

#[tokio::test]
async fn a_mutation_that_cannot_connect_stores_nothing() {
    let server = Server::with_replies([]).await;
    let client = server.client().retry_policy(RetryPolicy::none()).build().unwrap();
    drop(server);
    tokio::task::yield_now().await;
    let error = client.create_vehicle(volvo()).await.unwrap_err();
    assert!(matches!(error.kind, ErrorKind::Http(_)), "{error}");
    assert_eq!(error.effect, Effect::Nothing, "{error}");
}

#[tokio::test]
async fn retry_after_delays_the_retry() {
    let (_server, client) = retrying([overloaded().header("Retry-After: 1"), no_vehicle()]).await;
    let start = Instant::now();
    client.vehicle("1").await.unwrap();
    assert!(start.elapsed() >= Duration::from_secs(1));
}

#[tokio::test]
async fn a_rejected_query_and_one_to_retry_much_later_are_not_retried() {
    for (failure, code) in [
        (failed("BAD_USER_INPUT", &Value::Null), ErrorCode::BadUserInput),
        (overloaded().header("Retry-After: 3600"), ErrorCode::ServiceUnavailable),
    ] {
        let (server, client) = retrying([failure, no_vehicle()]).await;
        let error = client.vehicle("1").await.unwrap_err();
        assert_eq!(error.error_response().unwrap().code(), &code);
        assert_eq!(server.requests().len(), 1);
    }
}

#[tokio::test]
async fn the_request_timeout_ends_an_attempt() {
    let server = Server::with_replies([Reply::NoResponse, Reply::NoResponse]).await;
    let client = server.client().retry_policy(RetryPolicy::none());
    let client = client.request_timeout(Duration::from_millis(200)).build();
    let client = client.unwrap();
    for (error, effect) in [
        (client.vehicle("1").await.unwrap_err(), Effect::Nothing),
        (client.create_vehicle(volvo()).await.unwrap_err(), Effect::Unknown),
    ] {
        let ErrorKind::Http(cause) = &error.kind else { panic!("{error}") };
        assert!(cause.is_timeout(), "{cause:?}");
        assert_eq!(error.effect, effect);
    }
}

#[tokio::test]
async fn a_response_that_is_not_graphql_is_reported_with_its_status() {
    let moved = Reply::status(307, "").header("Location: /elsewhere");
    for (reply, expected) in [(Reply::status(404, "<html>"), 404), (moved, 307)] {
        let (server, client) = retrying([reply]).await;
        let error = client.vehicle("1").await.unwrap_err();
        let ErrorKind::NotGraphql { status, .. } = &error.kind else { panic!("{error}") };
        assert_eq!(*status, expected);
        let message = format!("the response with HTTP status {expected} is not a GraphQL response");
        assert!(error.to_string().starts_with(&message), "{error}");
        assert_eq!(server.requests().len(), 1);
    }
}

#[tokio::test]
async fn a_response_of_another_shape_is_a_decode_error() {
    for body in ["", "[]", "{}", r#"{"data":{"vehicle":5}}"#] {
        let server = Server::with_replies([Reply::status(200, body)]).await;
        let client = server.client().retry_policy(RetryPolicy::none());
        let error = client.build().unwrap().vehicle("1").await.unwrap_err();
        assert!(matches!(error.kind, ErrorKind::Decode(_)), "{body}: {error}");
    }
}

#[tokio::test]
async fn a_null_without_an_error_is_a_decode_error() {
    let server = Server::with_replies([
        Reply::json(&json!({ "data": { "createVehicle": null } })),
        Reply::json(&json!({ "data": { "vehicles": null } })),
        Reply::json(&json!({ "data": { "vehicles": [null] } })),
    ])
    .await;
    let client = server.client().build().unwrap();
    let error = client.create_vehicle(volvo()).await.unwrap_err();
    assert_eq!(error.effect, Effect::Unknown);
    assert!(matches!(error.kind, ErrorKind::Null(_)), "{error}");
    for _ in 0..2 {
        let error = client.vehicles(None).await.unwrap_err();
        assert!(matches!(error.kind, ErrorKind::Null(_)), "{error}");
    }
}

#[tokio::test]
async fn headers_are_sent_and_the_token_is_omitted_from_debug_output() {
    let server = Server::with_replies([no_vehicle()]).await;
    let client = server.client().header("Call-Source", "ANDROID");
    let client = client.bearer_token("s3cret").build().unwrap();
    client.vehicle("1").await.unwrap();
    let request = server.requests().remove(0).to_lowercase();
    for line in ["call-source: android\r\n", "authorization: bearer s3cret\r\n", "content-type: application/json\r\n"] {
        assert!(request.contains(line), "{line} is not in {request}");
    }
    assert!(!format!("{client:?}").contains("s3cret"));
}

#[test]
fn invalid_urls_headers_and_certificates_are_build_errors() {
    for url in ["", "localhost:8000", "http://localhost:8000", "ftp://a/graphql", "http://a/b?c"] {
        let error = CatalogueClient::builder(url).build().unwrap_err();
        assert!(matches!(error, BuildError::Url { .. }), "{url}: {error}");
    }
    let build_error = |build: fn(vehicle_catalogue_client::Builder) -> vehicle_catalogue_client::Builder| {
        build(CatalogueClient::builder("http://localhost:8000/graphql")).build().unwrap_err()
    };
    let error = build_error(|client| client.bearer_token("two\nlines"));
    assert!(error.to_string().contains("Authorization"), "{error}");
    assert!(!error.to_string().contains("two"), "{error}");
    let error = build_error(|client| client.root_certificates_pem("no certificate"));
    assert!(matches!(error, BuildError::Certificate(_)), "{error}");
}

#[test]
fn an_error_of_the_url_contains_no_secret() {
    for url in [
        "http://u:canary@a.example/graphql",
        "http://u:canary@a.example",
        "http://u:canary@a.example:99999/graphql",
        "ftp://u:canary@a.example/",
        "u:canary@a.example/graphql",
        "http://a.example/graphql?key=canary",
    ] {
        let error = CatalogueClient::builder(url).build().unwrap_err();
        assert!(!format!("{error} {error:?}").contains("canary"), "{error:?}");
    }
}
