//! What happens between the client and a server that does not always answer.

use std::time::{Duration, Instant};

use serde_json::json;
use vehicle_catalogue_client::{
    BuildError, CallSource, CatalogueClient, Code, Effect, Error, NewVehicle, Retries,
    TransportCause,
};

use crate::support::{Reply, Server};

/// Short pauses, so that tests are short.
const TWICE: Retries = Retries::up_to(2).first_pause(Duration::from_millis(1));

fn no_vehicle() -> Reply {
    Reply::json(&json!({ "data": { "vehicle": null } }))
}

/// The refusal of a server that has too much to do.
fn busy() -> Reply {
    let limit = json!({ "name": "concurrency-limit", "value": 1 });
    let extensions = json!({ "code": "SERVICE_UNAVAILABLE", "limit": limit });
    let body = json!({ "errors": [{ "message": "try again later", "extensions": extensions }] });
    Reply::status(503, body.to_string())
}

/// The answer of a server whose database is away.
fn unavailable(field: &str) -> Reply {
    let extensions = json!({ "code": "SERVICE_UNAVAILABLE", "reference": "r-1" });
    let error = json!({ "message": "try again later", "path": [field], "extensions": extensions });
    Reply::json(&json!({ "data": { field: null }, "errors": [error] }))
}

fn volvo() -> NewVehicle {
    NewVehicle::new("SUV", "XC60")
}

#[track_caller]
fn cause(error: &Error) -> &TransportCause {
    match error {
        Error::Transport(transport) => transport.cause(),
        error => panic!("the service answered: {error}"),
    }
}

#[tokio::test]
async fn a_read_is_tried_again_until_it_is_answered() {
    for trouble in [
        busy(),
        unavailable("vehicle"),
        Reply::status(502, "<html>"),
        Reply::HangUp,
    ] {
        let server = Server::replying([trouble, Reply::HangUp, no_vehicle()]).await;
        let client = server.client().retries(TWICE).build().unwrap();
        assert_eq!(client.vehicle("1").await.unwrap(), None);
        let asked = server.asked();
        assert_eq!(asked.len(), 3);
        assert_eq!(asked[0], asked[2], "it is the same request");
    }
}

#[tokio::test]
async fn a_read_is_not_tried_more_often_than_permitted() {
    let server = Server::replying([busy(), busy(), busy(), no_vehicle()]).await;
    let client = server.client().retries(TWICE).build().unwrap();
    let error = client.vehicle("1").await.unwrap_err();
    assert_eq!(error.refused().unwrap().code(), &Code::ServiceUnavailable);
    assert_eq!(server.asked().len(), 3);

    let server = Server::replying([]).await;
    let client = server.client().retries(TWICE).build().unwrap();
    let error = client.vehicle("1").await.unwrap_err();
    assert_eq!(
        error.to_string(),
        "the vehicle catalogue did not answer in 3 attempts"
    );
    assert_eq!(error.effect(), Effect::Nothing);
}

#[tokio::test]
async fn a_refused_read_is_not_tried_again() {
    let wrong =
        json!({ "errors": [{ "message": "no", "extensions": { "code": "BAD_USER_INPUT" } }] });
    let server = Server::replying([Reply::json(&wrong), no_vehicle()]).await;
    let client = server.client().retries(TWICE).build().unwrap();
    let error = client.vehicle("1").await.unwrap_err();
    assert_eq!(error.refused().unwrap().code(), &Code::BadUserInput);
    assert_eq!(server.asked().len(), 1);
}

#[tokio::test]
async fn a_mutation_is_sent_once_and_says_what_is_known_of_its_effect() {
    for (trouble, effect) in [
        (busy(), Effect::Nothing),
        (unavailable("createVehicle"), Effect::Unknown),
        (Reply::status(502, "<html>"), Effect::Unknown),
        (Reply::status(200, "{"), Effect::Unknown),
        (Reply::HangUp, Effect::Unknown),
    ] {
        let server = Server::replying([trouble]).await;
        let client = server.client().retries(TWICE).build().unwrap();
        let error = client.create_vehicle(volvo()).await.unwrap_err();
        assert_eq!(error.effect(), effect, "{error}");
        let says_so = error
            .to_string()
            .contains("it is unknown whether anything was stored");
        assert_eq!(says_so, effect == Effect::Unknown, "{error}");
        assert_eq!(server.asked().len(), 1, "{error}");
    }
}

#[tokio::test]
async fn a_mutation_that_nobody_could_receive_changed_nothing() {
    let server = Server::replying([]).await;
    let client = server.client().retries(Retries::none()).build().unwrap();
    drop(server);
    tokio::task::yield_now().await;
    let error = client.create_vehicle(volvo()).await.unwrap_err();
    assert!(matches!(cause(&error), TransportCause::Http(_)), "{error}");
    assert_eq!(error.effect(), Effect::Nothing, "{error}");
}

#[tokio::test]
async fn the_server_is_not_asked_sooner_than_it_wants() {
    let server = Server::replying([busy().header("Retry-After: 1"), no_vehicle()]).await;
    let client = server.client().retries(TWICE).build().unwrap();
    let begin = Instant::now();
    client.vehicle("1").await.unwrap();
    assert!(begin.elapsed() >= Duration::from_secs(1));
}

#[tokio::test]
async fn a_server_that_wants_to_be_left_alone_for_long_is_not_asked_again() {
    let server = Server::replying([busy().header("Retry-After: 3600"), no_vehicle()]).await;
    let client = server.client().retries(TWICE).build().unwrap();
    client.vehicle("1").await.unwrap_err();
    assert_eq!(server.asked().len(), 1);
}

#[tokio::test]
async fn an_answer_that_takes_too_long_is_not_waited_for() {
    let server = Server::replying([Reply::Silence, Reply::Silence]).await;
    let client = server.client().retries(Retries::none());
    let client = client.request_timeout(Duration::from_millis(200)).build();
    let client = client.unwrap();
    for (error, effect) in [
        (client.vehicle("1").await.unwrap_err(), Effect::Nothing),
        (
            client.create_vehicle(volvo()).await.unwrap_err(),
            Effect::Unknown,
        ),
    ] {
        let TransportCause::Http(cause) = cause(&error) else {
            panic!("{error}")
        };
        assert!(cause.is_timeout(), "{cause:?}");
        assert_eq!(error.effect(), effect);
    }
}

#[tokio::test]
async fn what_is_not_the_endpoint_is_told_by_its_status() {
    let moved = Reply::status(307, "").header("Location: /elsewhere");
    for (reply, expected) in [(Reply::status(404, "<html>"), 404), (moved, 307)] {
        let server = Server::replying([reply]).await;
        let client = server.client().retries(TWICE).build().unwrap();
        let error = client.vehicle("1").await.unwrap_err();
        let TransportCause::NotGraphql { status, .. } = cause(&error) else {
            panic!("{error}")
        };
        assert_eq!(*status, expected);
        assert_eq!(server.asked().len(), 1);
    }
}

#[tokio::test]
async fn a_null_that_no_error_explains_is_no_answer() {
    let server = Server::replying([
        Reply::json(&json!({ "data": { "createVehicle": null } })),
        Reply::json(&json!({ "data": { "vehicles": null } })),
        Reply::json(&json!({ "data": { "vehicles": [null] } })),
    ])
    .await;
    let client = server.client().build().unwrap();
    let error = client.create_vehicle(volvo()).await.unwrap_err();
    assert_eq!(error.effect(), Effect::Unknown);
    assert!(matches!(error, Error::Decoding(_)), "{error}");
    for _ in 0..2 {
        let error = client.vehicles(None).await.unwrap_err();
        assert!(matches!(error, Error::Decoding(_)), "{error}");
    }
}

#[tokio::test]
async fn who_asks_is_told_in_headers_and_the_token_is_kept_secret() {
    let server = Server::replying([no_vehicle()]).await;
    let client = server.client().call_source(CallSource::Android);
    let client = client.app_version("7.1").bearer_token("s3cret");
    let client = client.header("X-Request-Id", "r-1").build().unwrap();
    client.vehicle("1").await.unwrap();
    let asked = server.asked().remove(0).to_lowercase();
    for line in [
        "call-source: android\r\n",
        "app-version: 7.1\r\n",
        "authorization: bearer s3cret\r\n",
        "x-request-id: r-1\r\n",
        "content-type: application/json\r\n",
    ] {
        assert!(asked.contains(line), "{line} is not in {asked}");
    }
    assert!(!format!("{client:?}").contains("s3cret"));
}

#[test]
fn what_cannot_be_asked_or_sent_is_refused_when_the_client_is_made() {
    for url in [
        "",
        "localhost:8000",
        "http://localhost:8000",
        "ftp://a/graphql",
        "http://a/b?c",
    ] {
        let error = CatalogueClient::builder(url).build().unwrap_err();
        assert!(matches!(error, BuildError::Url { .. }), "{url}: {error}");
    }
    let with =
        |build: fn(vehicle_catalogue_client::Builder) -> vehicle_catalogue_client::Builder| {
            build(CatalogueClient::builder("http://localhost:8000/graphql"))
                .build()
                .unwrap_err()
        };
    let error = with(|client| client.bearer_token("two\nlines"));
    assert!(error.to_string().contains("Authorization"), "{error}");
    assert!(!error.to_string().contains("two"), "{error}");
    let error = with(|client| client.root_certificates_pem("no certificate"));
    assert!(matches!(error, BuildError::NoCertificate), "{error}");
    let error = CatalogueClient::builder("http://me:s3cret@localhost/graphql").build();
    let error = error.unwrap_err().to_string();
    assert!(
        error.contains("password") && !error.contains("s3cret"),
        "{error}"
    );
}
