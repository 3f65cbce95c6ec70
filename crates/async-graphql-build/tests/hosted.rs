//! Generated code in an integration of async-graphql's, alone and behind an engine.

#![allow(
    missing_docs,
    dead_code,
    clippy::expect_used,
    reason = "a test fails by panicking"
)]

#[path = "synchronous_resolution/mod.rs"]
mod served;

use async_graphql::Executor;
use async_graphql_poem::GraphQL;
use poem::{Endpoint, Request, http::Method};
use serde_json::{Value, json};

async fn executed(executor: impl Executor, query: &str) -> Value {
    let body = json!({ "query": query, "variables": { "yes": true } });
    let request = Request::builder().method(Method::POST);
    let request = request.content_type("application/json");
    let request = request.body(body.to_string());
    let response = GraphQL::new(executor).get_response(request).await;
    let body = response.into_body().into_string().await;
    serde_json::from_str(&body.expect("there is a body")).expect("it is JSON")
}

#[tokio::test]
async fn poem_hosts_generated_code() {
    let query = "query ($yes: Boolean!) {
        things { __typename ... on Node { id } ...V } } fragment V on Vehicle { wheels @skip(if: $yes) electric }";
    let expected = json!({ "data": { "things": [
        { "__typename": "Vehicle", "id": "3", "electric": false },
        { "__typename": "Owner", "id": "4" },
    ] } });
    assert_eq!(executed(served::schema(1), query).await, expected);
    assert_eq!(executed(served::generated(1), query).await, expected);
}

#[tokio::test]
async fn requests_that_no_engine_has_validated_are_validated() {
    let response = executed(served::schema(1), "{ vehicle { colour } }").await;
    let message = response["errors"][0]["message"].as_str();
    assert!(
        message.is_some_and(|text| text.contains("colour")),
        "{response}"
    );
}
