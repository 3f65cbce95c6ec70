//! The document cache: responses are the same with and without it.

use serde_json::{Value, json};

use crate::support::{TestApp, tests};

tests![cached_documents_do_not_change_the_response];

const FIELDS: &str = "id type modelCode brandName launchDate";

/// Valid and invalid requests, with variables and operation names that change their validity.
fn requests() -> Vec<Value> {
    let one = format!("query One($id: ID!) {{ vehicle(id: $id) {{ {FIELDS} }} }}");
    let list = format!("query ($count: Int = 2) {{ vehicles(count: $count) {{ {FIELDS} }} }}");
    let two = "query A { __typename } query B { vehicles { id } } mutation C { __typename }";
    let skip = "query ($skip: Boolean!) { a: __typename @skip(if: $skip) b: __typename }";
    let create = "mutation ($m: String!) { createVehicle(type: \"SUV\", modelCode: $m) { type } }";
    vec![
        json!({ "query": "{ __typename }" }),
        json!({ "query": "{ __typename }", "operationName": "Missing" }),
        json!({ "query": "{ __typename }", "variables": { "extra": 1 } }),
        json!({ "query": one, "variables": { "id": 1 } }),
        json!({ "query": one, "variables": { "id": "2" } }),
        json!({ "query": one, "variables": { "id": true } }),
        json!({ "query": one, "variables": { "id": null } }),
        json!({ "query": one, "variables": {} }),
        json!({ "query": one }),
        json!({ "query": one, "variables": { "id": "3" }, "operationName": "One" }),
        json!({ "query": one, "variables": { "id": "3" }, "operationName": "Two" }),
        json!({ "query": list }),
        json!({ "query": list, "variables": { "count": 1 } }),
        json!({ "query": list, "variables": { "count": null } }),
        json!({ "query": list, "variables": { "count": -1 } }),
        json!({ "query": list, "variables": { "count": 5_000_000_000_u64 } }),
        json!({ "query": list, "variables": { "count": "1" } }),
        json!({ "query": list, "variables": { "count": 1001 } }),
        json!({ "query": two }),
        json!({ "query": two, "operationName": "A" }),
        json!({ "query": two, "operationName": "B" }),
        json!({ "query": two, "operationName": "C" }),
        json!({ "query": skip, "variables": { "skip": true } }),
        json!({ "query": skip, "variables": { "skip": false } }),
        json!({ "query": skip }),
        json!({ "query": create, "variables": { "m": "" } }),
        json!({ "query": create, "variables": { "m": 7 } }),
        json!({ "query": create, "variables": { "m": "XC90" } }),
        json!({ "query": "{ vehicle(id: 1) { wheels } }" }),
        json!({ "query": "{ vehicle(id: {}) { id } }" }),
        json!({ "query": "{ vehicle { id } }" }),
        json!({ "query": "{ vehicles(count: 99999) { id } }" }),
        json!({ "query": "{ vehicles { id " }),
        json!({ "query": "" }),
        json!({ "query": "{ ...F } fragment F on Query { __typename ...F }" }),
        json!({ "query": "{ __schema { queryType { name } } }" }),
        json!({ "query": "{ __type(name: \"Vehicle\") { kind } }" }),
        json!({ "query": format!("{{ {} }}", "a: __typename ".repeat(101)) }),
    ]
}

async fn cached_documents_do_not_change_the_response(app: TestApp) {
    app.given_three_vehicles().await;
    let with_cache = app;
    let without_cache = with_cache
        .start_second_instance_with(&["--document-cache-bytes=0"])
        .await;
    let response = async |app: &TestApp, request: &Value| {
        let response = app.post(request.to_string()).await;
        (response.status(), response.text().to_owned())
    };
    for request in requests() {
        let first = response(&with_cache, &request).await;
        let second = response(&with_cache, &request).await;
        let expected = response(&without_cache, &request).await;
        assert_eq!(first, expected, "the first time: {request}");
        assert_eq!(second, expected, "the second time: {request}");
    }
    for (app, cached) in [(&with_cache, true), (&without_cache, false)] {
        let metrics = app.get("/metrics").await;
        let none = metrics
            .text()
            .contains("\ncatalogue_document_cache_documents 0.0\n");
        assert_eq!(!none, cached, "{}", metrics.text());
    }
}
