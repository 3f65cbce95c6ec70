//! A schema that was written by hand, behind an engine that writes its responses.

#![allow(
    missing_docs,
    clippy::expect_used,
    reason = "a test fails by panicking"
)]

use async_graphql::{EmptyMutation, EmptySubscription, Object, Schema};
use engine::{Contract, Engine, EngineSettings, Permitted};
use serde_json::{Value, json};

struct Query;

#[Object]
impl Query {
    async fn greeting(&self) -> &str {
        "hello"
    }
}

#[tokio::test]
async fn a_large_field_of_introspection_is_written() {
    let description = "long ".repeat(40_000);
    let sdl = format!("type Query {{ \"{description}\" greeting: String! }}");
    let contract = Contract::new("schema.graphql", sdl.leak());
    let schema = Schema::new(Query, EmptyMutation, EmptySubscription);
    let engine = Engine::new(
        Box::leak(Box::new(contract)),
        schema,
        EngineSettings::default(),
    );
    let query = "{ __type(name: \"Query\") { fields { description } } }";
    let response = engine.execute(query.into(), Permitted::QUERIES).await;
    let response: Value = serde_json::from_slice(&response.json).expect("it is JSON");
    let expected = json!({ "data": { "__type": { "fields": [{ "description": description }] } } });
    assert_eq!(response, expected);
}
