//! What GraphQL itself promises of an operation: aliases, fragments, directives, names, order.

use serde_json::{Value, json};

use crate::support::{Answer, TestApp, tests};

tests![
    aliases_name_the_same_field_twice,
    fragments_are_spread_and_merged,
    skip_and_include_leave_fields_out,
    an_answer_of_which_nothing_is_left_is_an_empty_object,
    a_directive_may_stand_at_typename,
    the_operation_is_chosen_by_its_name,
    an_operation_that_cannot_be_chosen_is_refused,
    a_document_without_an_operation_or_with_two_of_one_name_is_refused,
    only_the_named_operation_is_executed,
    the_answer_has_the_order_of_the_document,
    typename_is_known_everywhere,
    what_does_not_fit_the_schema_is_refused_with_its_place,
    a_directive_that_does_not_exist_is_refused,
    typename_is_checked_like_any_other_field,
    what_is_not_graphql_is_refused_with_its_place,
    definitions_of_types_are_not_executed,
];

async fn aliases_name_the_same_field_twice(app: TestApp) {
    app.given_three_vehicles().await;
    let document = "{ first: vehicle(id: 1) { code: modelCode modelCode } second: vehicle(id: 2) { code: modelCode } }";
    let expected = json!({
        "first": { "code": "XC40", "modelCode": "XC40" }, "second": { "code": "XC60" },
    });
    assert_eq!(app.ask(document, json!({})).await.data(), expected);

    let conflict = "{ vehicle(id: 1) { id } vehicle(id: 2) { id } }";
    app.ask(conflict, json!({})).await.assert_refused();
}

async fn fragments_are_spread_and_merged(app: TestApp) {
    app.given_three_vehicles().await;
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
        app.ask(wrong, json!({})).await.assert_refused();
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
    } fragment F on Vehicle { brandName }";
    let answer = app.ask(document, json!({ "yes": true })).await;
    let expected = json!({ "b": "Query", "c": "Query", "vehicle": { "modelCode": "XC40" } });
    assert_eq!(answer.data(), expected, "{answer}");
}

async fn an_answer_of_which_nothing_is_left_is_an_empty_object(app: TestApp) {
    app.given_three_vehicles().await;
    for (document, expected) in [
        ("{ __typename @skip(if: true) }", json!({})),
        ("{ vehicle(id: 1) @include(if: false) { id } }", json!({})),
        (
            "{ vehicle(id: 1) { id @skip(if: true) } }",
            json!({ "vehicle": {} }),
        ),
    ] {
        let answer = app.ask(document, json!({})).await;
        assert_eq!(answer.data(), expected, "{answer}");
    }
}

async fn a_directive_may_stand_at_typename(app: TestApp) {
    let document = "query ($yes: Boolean!) { a: __typename @skip(if: $yes) b: __typename }";
    let answer = app.ask(document, json!({ "yes": true })).await;
    assert_eq!(answer.data(), json!({ "b": "Query" }), "{answer}");
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
    ] {
        let answer = named(&app, document, name).await;
        answer.assert_not_executed(&["OPERATION_RESOLUTION_FAILURE"]);
    }
}

async fn a_document_without_an_operation_or_with_two_of_one_name_is_refused(app: TestApp) {
    for document in [
        "fragment F on Vehicle { id }",
        "query A { a: __typename } query A { b: __typename }",
        "query A { a: __typename } { b: __typename }",
        "{ a: __typename } { b: __typename }",
    ] {
        let answer = app.ask(document, json!({})).await;
        answer.assert_not_executed(&[
            "GRAPHQL_PARSE_FAILED",
            "GRAPHQL_VALIDATION_FAILED",
            "OPERATION_RESOLUTION_FAILURE",
        ]);
    }
}

async fn only_the_named_operation_is_executed(app: TestApp) {
    named(&app, SEVERAL, json!("A")).await.data();
    assert_eq!(app.stored_vehicles().await, 0);
    named(&app, SEVERAL, json!("C")).await.data();
    assert_eq!(app.stored_vehicles().await, 1);
}

async fn the_answer_has_the_order_of_the_document(app: TestApp) {
    app.given_three_vehicles().await;
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
    app.given_three_vehicles().await;
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

async fn a_directive_that_does_not_exist_is_refused(app: TestApp) {
    for document in [
        "{ vehicle(id: 1) @nothing { id } }",
        "{ vehicle(id: 1) { id @nothing } }",
        "query @nothing { __typename }",
        "{ vehicle(id: 1) { ... @nothing { id } } }",
        // It exists, but not at this place, not twice, or not in this form.
        "query @skip(if: true) { __typename }",
        "{ vehicle(id: 1) { id @deprecated } }",
        "{ vehicle(id: 1) { id @skip } }",
        "{ vehicle(id: 1) { id @skip(if: 1) } }",
        "{ vehicle(id: 1) { id @skip(if: true, unless: true) } }",
        "{ vehicle(id: 1) { id @skip(if: true) @skip(if: false) } }",
    ] {
        app.ask(document, json!({})).await.assert_refused();
    }
}

async fn typename_is_checked_like_any_other_field(app: TestApp) {
    for document in [
        "{ __typename @nothing }",
        "{ __typename @deprecated }",
        "{ __typename @skip }",
        "{ __typename(more: 1) }",
        "{ __typename { name } }",
        "{ __typename @skip(if: true, unless: true) }",
        "{ __typename @skip(if: true) @skip(if: false) }",
    ] {
        app.ask(document, json!({})).await.assert_refused();
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
    ] {
        let answer = app.ask(document, json!({})).await;
        answer.assert_not_executed(&["GRAPHQL_PARSE_FAILED"]);
        let line = &answer.error()["locations"][0]["line"];
        assert!(line.is_u64(), "there is no place: {answer}");
    }
}

async fn definitions_of_types_are_not_executed(app: TestApp) {
    for document in [
        "type Vehicle { id: ID! }",
        "{ __typename } extend type Vehicle { x: Int }",
    ] {
        app.ask(document, json!({})).await.assert_refused();
    }
}

async fn named(app: &TestApp, document: &str, name: Value) -> Answer {
    let body = json!({ "query": document, "operationName": name });
    app.post(body.to_string()).await
}
