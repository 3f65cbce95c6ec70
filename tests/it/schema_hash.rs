//! The `Schema-Hash` header.

use reqwest::Method;
use serde_json::json;
use vehicle_catalogue::graphql::CONTRACT;

use crate::support::{TestApp, tests};

tests![
    every_graphql_response_has_the_schema_hash,
    cors_exposes_the_schema_hash,
];

async fn every_graphql_response_has_the_schema_hash(app: TestApp) {
    let schema = schema::Schema::parse("schema.graphql", CONTRACT.sdl()).unwrap();
    let hash = schema.hash().to_string();
    assert_eq!(hash, CONTRACT.hash().to_string());
    let refused = app.request(Method::PUT, "/graphql");
    for response in [
        app.query("{ __typename }", json!({})).await,
        app.query("{ nothing }", json!({})).await,
        app.send(
            "a query by GET",
            app.get_request(&[("query", "{ __typename }")]),
        )
        .await,
        app.send("a wrong method", refused).await,
    ] {
        assert_eq!(response.header("schema-hash"), hash, "{response}");
    }
}

async fn cors_exposes_the_schema_hash(app: TestApp) {
    let app = app.restart_with(&["--cors-origins=*"]).await;
    let body = json!({ "query": "{ __typename }" }).to_string();
    let request = app
        .post_request(&body)
        .header("origin", "https://a.example");
    let response = app.send("a page", request).await;
    let readable = response.header("access-control-expose-headers");
    assert!(
        readable.split(", ").any(|name| name == "schema-hash"),
        "{response}"
    );
}
