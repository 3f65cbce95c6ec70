//! Execution of operations: aliases, fragments, directives, operation names, order, validation.

use serde_json::{Value, json};

use crate::support::{Response, TestApp, tests};

tests![
    aliases_select_the_same_field_twice,
    fragments_are_spread_and_merged,
    skip_and_include_leave_fields_out,
    a_condition_that_is_null_is_refused,
    the_operation_is_selected_by_name,
    an_unresolvable_operation_name_is_refused,
    response_keys_have_document_order,
    a_schema_mismatch_is_refused_with_its_location,
    a_syntax_error_is_refused_with_its_location,
];

async fn aliases_select_the_same_field_twice(app: TestApp) {
    app.given_three_vehicles().await;
    let document = "{ first: vehicle(id: 1) { code: modelCode modelCode } second: vehicle(id: 2) { code: modelCode } }";
    let expected = json!({
        "first": { "code": "XC40", "modelCode": "XC40" }, "second": { "code": "XC60" },
    });
    assert_eq!(app.query(document, json!({})).await.data(), expected);

    let conflict = "{ vehicle(id: 1) { id } vehicle(id: 2) { id } }";
    app.query(conflict, json!({})).await.assert_refused();
}

async fn fragments_are_spread_and_merged(app: TestApp) {
    app.given_three_vehicles().await;
    let document =
        "query { vehicle(id: 1) { ...Outer ... on Vehicle { brandName } ... { type } id } ...Root }
        fragment Outer on Vehicle { id ...Inner }
        fragment Inner on Vehicle { modelCode }
        fragment Root on Query { vehicle(id: 1) { launchDate } vehicles(count: 1) { ...Inner } }";
    let response = app.query(document, json!({})).await;
    let expected = json!({
        "vehicle": {
            "id": "1", "modelCode": "XC40", "brandName": null, "type": "SUV", "launchDate": null,
        },
        "vehicles": [{ "modelCode": "XC40" }],
    });
    assert_eq!(response.data(), expected, "{response}");

    for wrong in [
        "{ vehicle(id: 1) { ...Missing } }",
        "{ vehicle(id: 1) { ...F } } fragment F on Query { __typename }",
        "{ vehicle(id: 1) { ...F } } fragment F on Vehicle { ...F }",
        "{ ...A } fragment A on Query { ...B } fragment B on Query { ...A }",
        "{ __typename } fragment Unused on Vehicle { id }",
        "{ vehicle(id: 1) { ... on Nothing { id } } }",
        "{ vehicle(id: 1) { id @nothing } }",
        "query @skip(if: true) { __typename }",
        "{ __typename @skip(if: true, unless: true) }",
        "{ __typename { name } }",
        "query A { a: __typename } query A { b: __typename }",
        "fragment F on Vehicle { id }",
        "{ __typename } extend type Vehicle { x: Int }",
    ] {
        app.query(wrong, json!({})).await.assert_refused();
    }
}

async fn skip_and_include_leave_fields_out(app: TestApp) {
    app.given_three_vehicles().await;
    let document = "query ($yes: Boolean!, $no: Boolean = false) {
        a: __typename @skip(if: $yes) b: __typename @skip(if: $no)
        c: __typename @include(if: $yes) d: __typename @include(if: $no)
        e: __typename @include(if: true) @skip(if: true)
        vehicle(id: 1) { id @skip(if: true) ...F @include(if: $no) ... @skip(if: $yes) { type } modelCode }
        none: vehicle @include(if: false) { id }
        empty: vehicle(id: 1) { id @skip(if: true) }
    } fragment F on Vehicle { brandName }";
    let response = app.query(document, json!({ "yes": true })).await;
    let expected = json!({
        "b": "Query", "c": "Query", "vehicle": { "modelCode": "XC40" }, "empty": {},
    });
    assert_eq!(response.data(), expected, "{response}");
}

/// Validation permits a nullable variable with a default value, which the request can set to null. Errors as of graphql-js.
async fn a_condition_that_is_null_is_refused(app: TestApp) {
    for selections in [
        "__typename @include(if: $n)",
        "... @include(if: $n) { vehicle(id: 1) { id } } __typename",
        "__typename __schema { types @skip(if: $n) { name } }",
        "vehicle(id: 1) { id brandName @skip(if: $n) } __typename",
        "vehicles { id ... @include(if: $n) { type } }",
    ] {
        let document = format!("query ($n: Boolean = true) {{ {selections} }} ");
        let response = app.query(&document, json!({ "n": null })).await;
        response.assert_not_executed(&["BAD_USER_INPUT"]);
        let error = response.error();
        let message = error["message"].as_str().unwrap_or_default();
        assert!(message.contains("must not be null"), "{response}");
        assert!(error["locations"][0]["line"].is_u64(), "{response}");
    }
}

const SEVERAL: &str = r#"
    query A { a: __typename }
    query B { b: __typename }
    mutation C { createVehicle(type: "SUV", modelCode: "C") { modelCode } }
"#;

async fn the_operation_is_selected_by_name(app: TestApp) {
    for (name, expected) in [
        ("A", json!({ "a": "Query" })),
        ("B", json!({ "b": "Query" })),
        ("C", json!({ "createVehicle": { "modelCode": "C" } })),
    ] {
        let response = query_named(&app, SEVERAL, json!(name)).await;
        assert_eq!(response.data(), expected, "{response}");
    }
    assert_eq!(app.stored_vehicles().await, 1, "only C is a mutation");
    let only = "query Only { __typename }";
    for name in [json!("Only"), Value::Null] {
        let response = query_named(&app, only, name).await;
        assert_eq!(
            response.data(),
            json!({ "__typename": "Query" }),
            "{response}"
        );
    }
}

async fn an_unresolvable_operation_name_is_refused(app: TestApp) {
    for (document, name) in [
        (SEVERAL, Value::Null),
        (SEVERAL, json!("D")),
        (SEVERAL, json!("a")),
        (SEVERAL, json!("")),
        ("{ __typename }", json!("A")),
        ("query A { __typename }", json!("B")),
    ] {
        let response = query_named(&app, document, name).await;
        response.assert_not_executed(&["OPERATION_RESOLUTION_FAILURE"]);
    }
}

async fn response_keys_have_document_order(app: TestApp) {
    app.given_three_vehicles().await;
    let document = "{ z: vehicles(count: 3) { id } y: __typename ...F x: vehicle(id: 1) { type id: id modelCode a: id }
        w: vehicle(id: \"x\") { id } } fragment F on Query { v: vehicle(id: 2) { launchDate id } u: __typename }";
    // Repeated, because resolvers complete in any order.
    for _ in 0..10 {
        let response = app.query(document, json!({})).await;
        let expected = r#"{"data":{"z":[{"id":"1"},{"id":"2"},{"id":"3"}],"y":"Query","v":{"launchDate":null,"id":"2"},"u":"Query","x":{"type":"SUV","id":"1","modelCode":"XC40","a":"1"},"w":null}}"#;
        assert_eq!(response.text(), expected);
    }
}

async fn a_schema_mismatch_is_refused_with_its_location(app: TestApp) {
    for document in [
        "{\n  vehicel(id: 1) { id } }",
        "{\n  vehicle(id: 1) { formattedDate } }",
        "{\n  vehicle(id: 1) }",
        "{\n  vehicle(id: 1) { id { id } } }",
        "{\n  vehicle(id: 1, more: 2) { id } }",
        "{\n  vehicle(id: 1, id: 2) { id } }",
        "{\n  createVehicle(type: \"a\", modelCode: \"b\") { id } }",
        "mutation {\n  vehicle(id: 1) { id } }",
        "subscription {\n  __typename }",
    ] {
        let response = app.query(document, json!({})).await;
        let json = response.json();
        assert_eq!(json.get("data"), None, "it was executed: {response}");
        for error in json["errors"].as_array().unwrap() {
            let code = &error["extensions"]["code"];
            assert_eq!(code, "GRAPHQL_VALIDATION_FAILED", "{response}");
            assert!(error["locations"][0]["line"].is_u64(), "{response}");
        }
    }
}

async fn a_syntax_error_is_refused_with_its_location(app: TestApp) {
    for document in [
        "",
        "   # nothing",
        "{",
        "}",
        "{}",
        "{ vehicle(id: 1) { } }",
        "{ vehicle(id: ) { id } }",
        "query ($id ID) { vehicle(id: $id) { id } }",
        "{ vehicle(id: \"1) { id } }",
        "{ vehicle(id: 01) { id } }",
        "SELECT * FROM vehicle",
    ] {
        let response = app.query(document, json!({})).await;
        response.assert_not_executed(&["GRAPHQL_PARSE_FAILED"]);
        let line = &response.error()["locations"][0]["line"];
        assert!(line.is_u64(), "there is no place: {response}");
    }
}

async fn query_named(app: &TestApp, document: &str, name: Value) -> Response {
    let body = json!({ "query": document, "operationName": name });
    app.post(body.to_string()).await
}
