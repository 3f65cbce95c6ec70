//! The name of a request: every answer has it.

use reqwest::RequestBuilder;
use serde_json::json;

use crate::support::{TestApp, tests};

tests![
    the_name_that_a_client_gives_is_answered,
    a_trace_is_a_name_too,
    a_name_that_could_do_harm_is_replaced,
    every_answer_has_a_name,
    the_errors_of_a_request_keep_their_references,
];

const TYPENAME: &str = r#"{"query":"{ __typename }"}"#;
const TRACE: &str = "4bf92f3577b34da6a3ce929d0e0e4736";

async fn id(app: &TestApp, request: RequestBuilder) -> String {
    let answer = app.send("a request", request).await;
    let id = answer.header("x-request-id").to_owned();
    assert!(!id.is_empty(), "{answer}");
    id
}

async fn the_name_that_a_client_gives_is_answered(app: TestApp) {
    let request = app.posting(TYPENAME).header("x-request-id", "order-7/a");
    assert_eq!(id(&app, request).await, "order-7/a");
}

async fn a_trace_is_a_name_too(app: TestApp) {
    let traceparent = format!("00-{TRACE}-00f067aa0ba902b7-01");
    let traced = || app.posting(TYPENAME).header("traceparent", &traceparent);
    assert_eq!(id(&app, traced()).await, TRACE);
    assert_eq!(
        id(&app, traced().header("x-request-id", "mine")).await,
        "mine"
    );
    let broken = app.posting(TYPENAME).header("traceparent", "00-00-00-00");
    assert_ne!(id(&app, broken).await, "00");
}

async fn a_name_that_could_do_harm_is_replaced(app: TestApp) {
    for insane in ["", "two words", "tab\there", &"x".repeat(129)] {
        let request = app.posting(TYPENAME).header("x-request-id", insane);
        let id = id(&app, request).await;
        assert!(
            id.len() == 32 && id.bytes().all(|byte| byte.is_ascii_hexdigit()),
            "{id}"
        );
    }
}

async fn every_answer_has_a_name(app: TestApp) {
    let mut ids = Vec::new();
    for path in [
        "/graphql",
        "/graphql?query={__typename}",
        "/limits",
        "/nowhere",
        "/metrics",
    ] {
        ids.push(id(&app, app.request(reqwest::Method::GET, path)).await);
    }
    let count = ids.len();
    ids.sort();
    ids.dedup();
    assert_eq!(ids.len(), count, "every request has a name of its own");
}

async fn the_errors_of_a_request_keep_their_references(app: TestApp) {
    let stranger = app.stranger().await;
    let rename = "ALTER TABLE vehicle RENAME TO elsewhere";
    sea_orm::ConnectionTrait::execute_unprepared(&stranger, rename)
        .await
        .unwrap();
    let answer = app.ask("{ vehicle(id: 1) { id } }", json!({})).await;
    let reference = answer.error()["extensions"]["reference"].to_string();
    assert_ne!(reference, "null", "{answer}");
    assert!(
        !reference.contains(answer.header("x-request-id")),
        "{answer}"
    );
}
