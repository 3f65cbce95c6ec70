//! The `Schema-Hash` header and the entity tag of the schema document.

use reqwest::Method;
use serde_json::json;
use vehicle_catalogue::graphql::CONTRACT;

use crate::support::{TestApp, tests};

tests![
    every_graphql_response_has_the_schema_hash,
    the_entity_tag_of_the_schema_is_the_hash_in_every_content_coding,
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

async fn the_entity_tag_of_the_schema_is_the_hash_in_every_content_coding(app: TestApp) {
    let tag = format!("W/\"{}\"", CONTRACT.hash());
    for coding in ["identity", "br", "gzip"] {
        let request = || {
            app.request(Method::GET, "/schema.graphql")
                .header("accept-encoding", coding)
        };
        let response = app.send(coding, request()).await;
        assert_eq!(response.status(), 200, "{response}");
        assert_eq!(response.header("etag"), tag, "{response}");
        for entity_tag in [tag.as_str(), tag.trim_start_matches("W/"), "\"other\", *"] {
            let response = app
                .send(entity_tag, request().header("if-none-match", entity_tag))
                .await;
            assert_eq!(response.status(), 304, "{coding} {entity_tag}: {response}");
        }
        let other = app
            .send("another", request().header("if-none-match", "\"other\""))
            .await;
        assert_eq!(other.status(), 200, "{other}");
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
