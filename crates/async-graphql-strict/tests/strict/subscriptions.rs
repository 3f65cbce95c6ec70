//! Subscriptions behind [`Strict`], whose executor streams their responses.

use std::sync::Arc;

use async_graphql::{Data, Executor, Request, Response};
use async_graphql_strict::{ErrorDetails, Limits, Settings, Strict, TrustedDocuments, TrustedMode};
use futures_util::StreamExt as _;
use serde_json::{Value, json};

use crate::support::{TestSchema, connection_of, strict, with_variables};

async fn responses(strict: &Strict<TestSchema>, request: impl Into<Request>, data: Data) -> Vec<Response> {
    let responses = Executor::execute_stream(strict, request.into(), Some(Arc::new(data)));
    responses.collect().await
}

async fn streamed(settings: Settings, request: impl Into<Request>) -> Vec<Value> {
    let responses = responses(&strict(settings), request, Data::default()).await.into_iter();
    let json = responses.map(|response| serde_json::to_value(response).expect("it is JSON"));
    json.collect()
}

fn limits(limits: Limits) -> Settings {
    Settings { limits, ..Settings::default() }
}

#[tokio::test]
async fn each_event_is_a_response() {
    let counted = streamed(Settings::default(), "subscription { n: count }").await;
    assert_eq!(counted, [1, 2].map(|number| json!({ "data": { "n": number } })));
    let query = "subscription ($to: Int!) { ...F } fragment F on Subscription { count(to: $to) }";
    let request = with_variables(query, json!({ "to": 3 }));
    assert_eq!(streamed(Settings::default(), request).await.len(), 3);
}

#[tokio::test]
async fn a_failed_event_is_masked_and_the_stream_continues() {
    let strict = strict(Settings::default());
    let responses = responses(&strict, "subscription { failing }", Data::default()).await;
    let details = ErrorDetails::of(&responses[1].errors[0]).expect("it has some");
    let cause = details.cause.as_ref().expect("it is for the log");
    assert_eq!(cause.chain, "the password is 123");
    let json = serde_json::to_value(&responses).expect("it is JSON");
    let error = json!({
        "message": "retry later",
        "locations": [{ "line": 1, "column": 16 }],
        "path": ["failing"],
        "extensions": { "code": "SERVICE_UNAVAILABLE", "reference": cause.reference },
    });
    let expected = json!([
        { "data": { "failing": 1 } },
        { "data": { "failing": null }, "errors": [error] },
        { "data": { "failing": null } },
    ]);
    assert_eq!(json, expected);
}

#[tokio::test]
async fn queries_and_mutations_are_streams_of_one_response() {
    for (query, expected) in [
        ("{ int(v: 1) }", json!({ "int": 1 })),
        ("subscription { user }", json!({ "user": "Ada" })),
        ("mutation { addBook(title: \"Bo\") { title } }", json!({ "addBook": { "title": "Bo" } })),
    ] {
        let strict = strict(Settings::default());
        let responses = responses(&strict, query, connection_of("Ada")).await;
        let json = serde_json::to_value(&responses).expect("it is JSON");
        assert_eq!(json, json!([{ "data": expected }]), "{query}");
    }
}

#[tokio::test]
async fn a_subscription_is_validated() {
    let long = format!("subscription {{ count {} }}", " ".repeat(200));
    let settings = || limits(Limits { query_bytes: 200, ..Limits::default() });
    for (query, expected) in [
        ("subscription { counts }", "did you mean"),
        ("subscription { count user }", "one root field"),
        ("subscription { __typename }", "introspection"),
        ("subscription { count(to: \"2\") }", "Int"),
        ("subscription ($to: Int!) { count(to: $to) }", "$to"),
        ("subscription { count @skip(if: true) }", "skip"),
        (&long, "query-limit-bytes"),
    ] {
        let responses = streamed(settings(), query).await;
        assert_eq!(responses.len(), 1, "{responses:?}");
        assert_eq!(responses[0]["data"], Value::Null);
        let message = responses[0]["errors"][0]["message"].to_string();
        assert!(message.contains(expected), "{query}: {message}");
    }
}

#[tokio::test]
async fn each_response_has_the_maximum_size() {
    let settings = || limits(Limits { response_bytes: 1000, ..Limits::default() });
    let small = streamed(settings(), "subscription { text(size: 900) }").await;
    assert!(small.iter().all(|response| response["errors"].is_null()));
    assert_eq!(small.len(), 3);
    let large = streamed(settings(), "subscription { text(size: 1000) }").await;
    assert!(large.iter().all(|response| response["data"].is_null()));
    let message = &large[2]["errors"][0]["message"];
    assert_eq!(message, "the response exceeds response-limit-bytes (1000 bytes); request fewer items or fields");
}

#[tokio::test]
async fn subscriptions_are_among_the_trusted_documents() {
    let trusted = [("count".to_owned(), "subscription { count }".to_owned())];
    let settings = || Settings {
        trusted_documents: TrustedDocuments::new(TrustedMode::Enforce, trusted.clone()),
        ..Settings::default()
    };
    assert_eq!(streamed(settings(), "subscription { count }").await.len(), 2);
    let refused = streamed(settings(), "subscription { user }").await;
    assert!(refused[0]["errors"][0]["message"].to_string().contains("not a trusted document"));
}

#[tokio::test]
async fn a_subscription_requires_a_stream() {
    let response = Executor::execute(&strict(Settings::default()), "subscription { count }".into()).await;
    let message = "a subscription requires a transport that streams responses, such as WebSocket";
    assert_eq!(response.errors[0].message, message);
}
