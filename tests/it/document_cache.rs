//! The document cache: responses are the same with a cached document.

use serde_json::{Value, json};

use crate::{
    metrics::values,
    support::{TestApp, tests},
};

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
    let response = async |request: &Value| {
        let response = app.post(request.to_string()).await;
        (response.status(), response.text().to_owned())
    };
    for request in requests() {
        let (first, second) = (response(&request).await, response(&request).await);
        assert_eq!(first, second, "{request}");
    }
    let hits = values(&app, "catalogue_document_cache_hits_total").await;
    assert!(hits[0].1 >= 20.0, "{hits:?}");
}
