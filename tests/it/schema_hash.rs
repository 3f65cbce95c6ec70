//! The `Schema-Hash` header.

use reqwest::Method;
use serde_json::json;
use vehicle_catalogue::graphql::CONTRACT;

use crate::support::{TestApp, tests};

tests![every_graphql_response_has_the_schema_hash,];

async fn every_graphql_response_has_the_schema_hash(app: TestApp) {
    let hash = CONTRACT.hash().to_string();
    let refused = app.request(Method::PUT, "/graphql");
    for response in [
        app.query("{ __typename }", json!({})).await,
        app.query("{ nothing }", json!({})).await,
        app.send("a query by GET", app.get_request(&[("query", "{ __typename }")])).await,
        app.send("a wrong method", refused).await,
    ] {
        assert_eq!(response.header("schema-hash"), hash, "{response}");
    }
}
