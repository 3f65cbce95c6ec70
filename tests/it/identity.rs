//! Every answer says which contract it is an answer under.

use reqwest::Method;
use serde_json::json;
use vehicle_catalogue::graphql::{SCHEMA, contract_hash};

use crate::support::{TestApp, tests};

tests![
    every_answer_of_the_endpoint_names_the_contract,
    the_tag_of_the_schema_is_the_hash_in_every_coding,
    a_page_may_read_the_hash,
];

async fn every_answer_of_the_endpoint_names_the_contract(app: TestApp) {
    let schema = contract::Schema::parse("schema.graphql", SCHEMA).unwrap();
    let hash = contract::hash(&schema).to_string();
    assert_eq!(hash, contract_hash().to_string());
    let refused = app.request(Method::PUT, "/graphql");
    for answer in [
        app.ask("{ __typename }", json!({})).await,
        app.ask("{ nothing }", json!({})).await,
        app.send(
            "a query by GET",
            app.getting(&[("query", "{ __typename }")]),
        )
        .await,
        app.send("a wrong method", refused).await,
    ] {
        assert_eq!(answer.header("schema-hash"), hash, "{answer}");
    }
}

async fn the_tag_of_the_schema_is_the_hash_in_every_coding(app: TestApp) {
    let tag = format!("W/\"{}\"", contract_hash());
    for coding in ["identity", "br", "gzip"] {
        let asked = || {
            app.request(Method::GET, "/schema.graphql")
                .header("accept-encoding", coding)
        };
        let answer = app.send(coding, asked()).await;
        assert_eq!(answer.status(), 200, "{answer}");
        assert_eq!(answer.header("etag"), tag, "{answer}");
        for known in [tag.as_str(), tag.trim_start_matches("W/"), "\"other\", *"] {
            let answer = app
                .send(known, asked().header("if-none-match", known))
                .await;
            assert_eq!(answer.status(), 304, "{coding} {known}: {answer}");
        }
        let other = app
            .send("another", asked().header("if-none-match", "\"other\""))
            .await;
        assert_eq!(other.status(), 200, "{other}");
    }
}

async fn a_page_may_read_the_hash(app: TestApp) {
    let app = app.restart_with(&["--cors-origins=*"]).await;
    let body = json!({ "query": "{ __typename }" }).to_string();
    let request = app.posting(&body).header("origin", "https://a.example");
    let answer = app.send("a page", request).await;
    let readable = answer.header("access-control-expose-headers");
    assert!(
        readable.split(", ").any(|name| name == "schema-hash"),
        "{answer}"
    );
}
