//! Request ids: `X-Request-Id` and `traceparent`.

use reqwest::RequestBuilder;

use crate::support::{TestApp, tests};

tests![
    the_trace_id_is_the_request_id,
    several_traceparents_start_a_new_trace,
    an_invalid_request_id_is_replaced,
    every_response_has_a_request_id,
];

const TYPENAME: &str = r#"{"query":"{ __typename }"}"#;
const TRACE: &str = "4bf92f3577b34da6a3ce929d0e0e4736";

async fn id(app: &TestApp, request: RequestBuilder) -> String {
    let response = app.send("a request", request).await;
    let id = response.header("x-request-id").to_owned();
    assert!(!id.is_empty(), "{response}");
    id
}

async fn the_trace_id_is_the_request_id(app: TestApp) {
    let traceparent = format!("00-{TRACE}-00f067aa0ba902b7-01");
    let traced = || app.post_request(TYPENAME).header("traceparent", &traceparent);
    assert_eq!(id(&app, traced()).await, TRACE);
    assert_eq!(id(&app, traced().header("x-request-id", "mine")).await, "mine");
    let broken = app.post_request(TYPENAME).header("traceparent", "00-00-00-00");
    assert_ne!(id(&app, broken).await, "00");
}

/// W3C Trace Context: a recipient of more than one does not use any.
async fn several_traceparents_start_a_new_trace(app: TestApp) {
    let other = TRACE.replace('4', "5");
    for second in [TRACE, &other, "nonsense"] {
        let request = app
            .post_request(TYPENAME)
            .header("traceparent", format!("00-{TRACE}-00f067aa0ba902b7-01"))
            .header("traceparent", format!("00-{second}-00f067aa0ba902b7-01"));
        let id = id(&app, request).await;
        assert!(id != TRACE && id != second && id.len() == 32, "{id}");
    }
}

async fn an_invalid_request_id_is_replaced(app: TestApp) {
    for insane in ["", "two words", "tab\there", &"x".repeat(129)] {
        let request = app.post_request(TYPENAME).header("x-request-id", insane);
        let id = id(&app, request).await;
        assert!(id.len() == 32 && id.bytes().all(|byte| byte.is_ascii_hexdigit()), "{id}");
    }
}

async fn every_response_has_a_request_id(app: TestApp) {
    let mut ids = Vec::new();
    for path in ["/graphql", "/graphql?query={__typename}", "/nowhere", "/metrics"] {
        ids.push(id(&app, app.request(reqwest::Method::GET, path)).await);
    }
    let count = ids.len();
    ids.sort();
    ids.dedup();
    assert_eq!(ids.len(), count, "every request has a name of its own");
}
