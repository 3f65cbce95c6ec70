//! What GraphQL itself promises of an operation: variables, aliases, fragments, directives, names.

use serde_json::{Value, json};

use crate::support::{Answer, TestApp, tests};

tests![
    a_variable_takes_its_default_only_when_it_is_omitted,
    a_variable_may_be_nested_in_any_argument,
    a_required_variable_must_be_given,
    a_variable_of_the_wrong_type_is_refused,
    a_variable_that_is_not_declared_is_refused,
    variables_that_nobody_declared_are_ignored,
    aliases_name_the_same_field_twice,
    fragments_are_spread_and_merged,
    skip_and_include_leave_fields_out,
    the_operation_is_chosen_by_its_name,
    an_operation_that_cannot_be_chosen_is_refused,
    only_the_named_operation_is_executed,
    the_answer_has_the_order_of_the_document,
    typename_is_known_everywhere,
    what_does_not_fit_the_schema_is_refused_with_its_place,
    what_is_not_graphql_is_refused_with_its_place,
];

const BY_ID: &str = "query ($id: ID) { vehicle(id: $id) { modelCode } }";

async fn a_variable_takes_its_default_only_when_it_is_omitted(app: TestApp) {
    given(&app).await;
    let document = "query ($count: Int = 1) { vehicles(count: $count) { id } }";
    for (variables, expected) in [
        (json!({}), 1),
        (json!({ "count": 2 }), 2),
        (json!({ "count": 0 }), 0),
        // Null is a value: no count at all.
        (json!({ "count": null }), 3),
    ] {
        let answer = app.ask(document, variables).await;
        let vehicles = answer.data()["vehicles"].as_array().map(Vec::len);
        assert_eq!(vehicles, Some(expected), "{answer}");
    }
}

async fn a_variable_may_be_nested_in_any_argument(app: TestApp) {
    given(&app).await;
    let document = "query ($a: ID, $b: ID!, $yes: Boolean!) {
        a: vehicle(id: $a) { modelCode } b: vehicle(id: $b) { modelCode @include(if: $yes) } }";
    let answer = app
        .ask(document, json!({ "a": 1, "b": "2", "yes": true }))
        .await;
    let expected = json!({ "a": { "modelCode": "XC40" }, "b": { "modelCode": "XC60" } });
    assert_eq!(answer.data(), expected, "{answer}");
}

async fn a_required_variable_must_be_given(app: TestApp) {
    given(&app).await;
    let document = "query ($id: ID!) { vehicle(id: $id) { modelCode } }";
    for variables in [json!({}), json!({ "id": null }), json!({ "ID": 1 })] {
        let answer = app.ask(document, variables).await;
        answer.assert_not_executed(&["BAD_USER_INPUT", "GRAPHQL_VALIDATION_FAILED"]);
    }
    let body = json!({ "query": document });
    let answer = app.post(body.to_string()).await;
    answer.assert_not_executed(&["BAD_USER_INPUT", "GRAPHQL_VALIDATION_FAILED"]);
}

async fn a_variable_of_the_wrong_type_is_refused(app: TestApp) {
    for (document, variables) in [
        // The value does not fit the type of the variable …
        (BY_ID, json!({ "id": {} })),
        (
            "query ($c: Int) { vehicles(count: $c) { id } }",
            json!({ "c": "1" }),
        ),
        (
            "query ($c: Int = \"1\") { vehicles(count: $c) { id } }",
            json!({}),
        ),
        // … the variable does not fit the argument …
        (
            "query ($c: String) { vehicles(count: $c) { id } }",
            json!({ "c": "1" }),
        ),
        (
            "query ($y: Boolean) { __typename @skip(if: $y) }",
            json!({ "y": true }),
        ),
        // … or there is no such type.
        (
            "query ($c: Long) { vehicles(count: $c) { id } }",
            json!({ "c": 1 }),
        ),
        ("query ($v: Vehicle) { __typename }", json!({})),
    ] {
        let answer = app.ask(document, variables).await;
        assert_refused(&answer);
    }
}

async fn a_variable_that_is_not_declared_is_refused(app: TestApp) {
    let answer = app
        .ask("{ vehicle(id: $id) { id } }", json!({ "id": 1 }))
        .await;
    assert_refused(&answer);
}

async fn variables_that_nobody_declared_are_ignored(app: TestApp) {
    given(&app).await;
    let answer = app.ask(BY_ID, json!({ "id": 1, "more": [{}] })).await;
    let expected = json!({ "vehicle": { "modelCode": "XC40" } });
    assert_eq!(answer.data(), expected, "{answer}");
}

async fn aliases_name_the_same_field_twice(app: TestApp) {
    given(&app).await;
    let document = "{ first: vehicle(id: 1) { code: modelCode modelCode } second: vehicle(id: 2) { code: modelCode } }";
    let expected = json!({
        "first": { "code": "XC40", "modelCode": "XC40" }, "second": { "code": "XC60" },
    });
    assert_eq!(app.ask(document, json!({})).await.data(), expected);

    let conflict = "{ vehicle(id: 1) { id } vehicle(id: 2) { id } }";
    assert_refused(&app.ask(conflict, json!({})).await);
}

async fn fragments_are_spread_and_merged(app: TestApp) {
    given(&app).await;
    let document =
        "query { vehicle(id: 1) { ...Outer ... on Vehicle { brandName } ... { type } id } ...Root }
        fragment Outer on Vehicle { id ...Inner }
        fragment Inner on Vehicle { modelCode }
        fragment Root on Query { vehicle(id: 1) { launchDate } vehicles(count: 1) { ...Inner } }";
    let answer = app.ask(document, json!({})).await;
    let expected = json!({
        "vehicle": {
            "id": "1", "modelCode": "XC40", "brandName": null, "type": "SUV", "launchDate": null,
        },
        "vehicles": [{ "modelCode": "XC40" }],
    });
    assert_eq!(answer.data(), expected, "{answer}");

    for wrong in [
        "{ vehicle(id: 1) { ...Missing } }",
        "{ vehicle(id: 1) { ...F } } fragment F on Query { __typename }",
        "{ vehicle(id: 1) { ...F } } fragment F on Vehicle { ...F }",
        "{ ...A } fragment A on Query { ...B } fragment B on Query { ...A }",
        "{ __typename } fragment Unused on Vehicle { id }",
        "{ vehicle(id: 1) { ... on Nothing { id } } }",
    ] {
        assert_refused(&app.ask(wrong, json!({})).await);
    }
}

async fn skip_and_include_leave_fields_out(app: TestApp) {
    given(&app).await;
    let document = "query ($yes: Boolean!, $no: Boolean = false) {
        a: __typename @skip(if: $yes) b: __typename @skip(if: $no)
        c: __typename @include(if: $yes) d: __typename @include(if: $no)
        e: __typename @include(if: true) @skip(if: true)
        vehicle(id: 1) { id @skip(if: true) ...F @include(if: $no) ... @skip(if: $yes) { type } modelCode }
        none: vehicle @include(if: false) { id }
    } fragment F on Vehicle { brandName }";
    let answer = app.ask(document, json!({ "yes": true })).await;
    let expected = json!({ "b": "Query", "c": "Query", "vehicle": { "modelCode": "XC40" } });
    assert_eq!(answer.data(), expected, "{answer}");
}

const SEVERAL: &str = r#"
    query A { a: __typename }
    query B { b: __typename }
    mutation C { createVehicle(type: "SUV", modelCode: "C") { modelCode } }
"#;

async fn the_operation_is_chosen_by_its_name(app: TestApp) {
    for (name, expected) in [
        ("A", json!({ "a": "Query" })),
        ("B", json!({ "b": "Query" })),
        ("C", json!({ "createVehicle": { "modelCode": "C" } })),
    ] {
        let answer = named(&app, SEVERAL, json!(name)).await;
        assert_eq!(answer.data(), expected, "{answer}");
    }
    let only = "query Only { __typename }";
    for name in [json!("Only"), Value::Null] {
        let answer = named(&app, only, name).await;
        assert_eq!(answer.data(), json!({ "__typename": "Query" }), "{answer}");
    }
}

async fn an_operation_that_cannot_be_chosen_is_refused(app: TestApp) {
    for (document, name) in [
        (SEVERAL, Value::Null),
        (SEVERAL, json!("D")),
        (SEVERAL, json!("a")),
        (SEVERAL, json!("")),
        ("{ __typename }", json!("A")),
        ("query A { __typename }", json!("B")),
        ("fragment F on Vehicle { id }", Value::Null),
    ] {
        let answer = named(&app, document, name).await;
        answer.assert_not_executed(&["OPERATION_RESOLUTION_FAILURE"]);
    }
}

async fn only_the_named_operation_is_executed(app: TestApp) {
    named(&app, SEVERAL, json!("A")).await.data();
    assert_eq!(app.stored_vehicles().await, 0);
    named(&app, SEVERAL, json!("C")).await.data();
    assert_eq!(app.stored_vehicles().await, 1);
}

async fn the_answer_has_the_order_of_the_document(app: TestApp) {
    given(&app).await;
    let document = "{ z: vehicles(count: 3) { id } y: __typename ...F x: vehicle(id: 1) { type id: id modelCode a: id }
        w: vehicle(id: \"x\") { id } } fragment F on Query { v: vehicle(id: 2) { launchDate id } u: __typename }";
    // Several times, because what is ready first may come first.
    for _ in 0..10 {
        let answer = app.ask(document, json!({})).await;
        let expected = r#"{"data":{"z":[{"id":"1"},{"id":"2"},{"id":"3"}],"y":"Query","v":{"launchDate":null,"id":"2"},"u":"Query","x":{"type":"SUV","id":"1","modelCode":"XC40","a":"1"},"w":null}}"#;
        assert_eq!(answer.text(), expected);
    }
}

async fn typename_is_known_everywhere(app: TestApp) {
    given(&app).await;
    let document =
        "{ __typename v: vehicle(id: 1) { __typename } l: vehicles(count: 1) { t: __typename } }";
    let expected = json!({
        "__typename": "Query", "v": { "__typename": "Vehicle" }, "l": [{ "t": "Vehicle" }],
    });
    assert_eq!(app.ask(document, json!({})).await.data(), expected);
    let mutation = app.ask("mutation { __typename }", json!({})).await;
    assert_eq!(mutation.data(), json!({ "__typename": "Mutation" }));
}

async fn what_does_not_fit_the_schema_is_refused_with_its_place(app: TestApp) {
    for document in [
        "{\n  vehicel(id: 1) { id } }",
        "{\n  vehicle(id: 1) { formattedDate } }",
        "{\n  vehicle(id: 1) }",
        "{\n  vehicle(id: 1) { id { id } } }",
        "{\n  vehicle(id: 1, more: 2) { id } }",
        "{\n  vehicle(id: 1, id: 2) { id } }",
        "{\n  createVehicle(type: \"a\", modelCode: \"b\") { id } }",
        "mutation {\n  vehicle(id: 1) { id } }",
        "{\n  __typename @nothing }",
        "query A { a: __typename }\nquery A { b: __typename }",
        "subscription {\n  __typename }",
    ] {
        let answer = app.ask(document, json!({})).await;
        let json = answer.json();
        assert_eq!(json.get("data"), None, "it was executed: {answer}");
        for error in json["errors"].as_array().unwrap() {
            let code = &error["extensions"]["code"];
            assert_eq!(code, "GRAPHQL_VALIDATION_FAILED", "{answer}");
            assert!(error["locations"][0]["line"].is_u64(), "{answer}");
        }
    }
}

async fn what_is_not_graphql_is_refused_with_its_place(app: TestApp) {
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
        "type Vehicle { id: ID! }",
        "{ __typename } extend type Vehicle { x: Int }",
    ] {
        let answer = app.ask(document, json!({})).await;
        answer.assert_not_executed(&["GRAPHQL_PARSE_FAILED"]);
        let line = &answer.error()["locations"][0]["line"];
        assert!(line.is_u64(), "there is no place: {answer}");
    }
}

async fn given(app: &TestApp) {
    for model_code in ["XC40", "XC60", "XC90"] {
        app.given_vehicle(model_code).await;
    }
}

async fn named(app: &TestApp, document: &str, name: Value) -> Answer {
    let body = json!({ "query": document, "operationName": name });
    app.post(body.to_string()).await
}

/// Refused before anything was executed; validation may have found more than one reason.
#[track_caller]
fn assert_refused(answer: &Answer) {
    let json = answer.json();
    assert_eq!(json.get("data"), None, "it was executed: {answer}");
    let errors = json["errors"].as_array().expect("there are errors");
    assert!(!errors.is_empty(), "{answer}");
    for error in errors {
        let code = error["extensions"]["code"].as_str();
        let known = ["BAD_USER_INPUT", "GRAPHQL_VALIDATION_FAILED"];
        assert!(code.is_some_and(|code| known.contains(&code)), "{answer}");
    }
}
