//! Batch requests: several operations in one request, up to `--batch-limit`.

use serde_json::json;

use crate::support::{TestApp, tests};

tests![
    a_batch_is_refused_by_default,
    responses_of_a_batch_are_in_request_order,
    one_malformed_operation_refuses_the_batch,
    the_number_of_operations_in_a_batch_is_limited,
];

async fn a_batch_is_refused_by_default(app: TestApp) {
    let response = app.post(r#"[{"query":"{ __typename }"}]"#).await;
    assert_eq!(response.status(), 400, "{response}");
    response.assert_not_executed(&["BAD_REQUEST"]);
    let message = response.error()["message"].as_str().unwrap().to_owned();
    assert!(
        message.ends_with(": batches are not enabled (batch-limit)"),
        "{response}"
    );
}

async fn responses_of_a_batch_are_in_request_order(app: TestApp) {
    let app = app.restart_with(&["--batch-limit=4"]).await;
    let create = r#"mutation { createVehicle(type: "SUV", modelCode: "XC60") { id } }"#;
    let body = json!([
        { "query": create },
        { "query": "query ($id: ID) { vehicle(id: $id) { modelCode } }", "variables": { "id": 1 } },
        { "query": "{ nothing }" },
        { "query": "query A { a: __typename } query B { b: __typename }", "operationName": "B" },
    ]);
    let response = app.post(body.to_string()).await;
    assert_eq!(response.status(), 200, "{response}");
    assert_eq!(response.header("cache-control"), "no-store", "{response}");
    let json = response.json();
    assert_eq!(
        json[0],
        json!({ "data": { "createVehicle": { "id": "1" } } })
    );
    assert_eq!(
        json[1],
        json!({ "data": { "vehicle": { "modelCode": "XC60" } } })
    );
    let code = &json[2]["errors"][0]["extensions"]["code"];
    assert_eq!(code, "GRAPHQL_VALIDATION_FAILED", "{response}");
    assert_eq!(json[2].get("data"), None, "{response}");
    assert_eq!(json[3], json!({ "data": { "b": "Query" } }));
    let single = app.post(r#"{"query":"{ __typename }"}"#).await;
    assert_eq!(single.data(), json!({ "__typename": "Query" }));
}

async fn one_malformed_operation_refuses_the_batch(app: TestApp) {
    let app = app.restart_with(&["--batch-limit=4"]).await;
    for (body, expected) in [
        ("[]", "the request body is an empty list"),
        ("[7]", "operation 1 of the list: it must be a JSON object"),
        (
            r#"[["{ __typename }"]]"#,
            "operation 1 of the list: it must be a JSON object",
        ),
        (
            r#"[{"query":"mutation { createVehicle(type: \"a\", modelCode: \"b\") { id } }"},{"query":7}]"#,
            "operation 2 of the list: `query` must be a string",
        ),
        (
            r#"[{"query":"{ a }","query":"{ b }"}]"#,
            "operation 1 of the list: the request body cannot be read as JSON: duplicate field `query`",
        ),
        (
            r#"[{"query":18446744073709551616}]"#,
            "operation 1 of the list: `query` must be a string, not a number",
        ),
        (
            r#"[{"query":"{ __typename }"}"#,
            "the request body cannot be read as JSON",
        ),
    ] {
        let response = app.post(body).await;
        assert_eq!(response.status(), 400, "{response}");
        response.assert_not_executed(&["BAD_REQUEST"]);
        let message = response.error()["message"].as_str().unwrap().to_owned();
        assert!(message.starts_with(expected), "{message}");
    }
    assert_eq!(app.stored_vehicles().await, 0, "nothing was stored");
}

async fn the_number_of_operations_in_a_batch_is_limited(app: TestApp) {
    let app = app.restart_with(&["--batch-limit=2"]).await;
    let list = |count| json!(vec![json!({ "query": "{ __typename }" }); count]).to_string();
    assert_eq!(app.post(list(2)).await.json().as_array().unwrap().len(), 2);
    let response = app.post(list(3)).await;
    assert_eq!(response.status(), 400, "{response}");
    response.assert_not_executed(&["LIMIT_EXCEEDED"]);
    let limit = json!({ "name": "batch-limit", "value": 2, "actual": 3 });
    assert_eq!(response.error()["extensions"]["limit"], limit, "{response}");
}
