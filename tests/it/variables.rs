//! The variables of an operation: defaults, what must be given, what does not fit.

use serde_json::{Value, json};

use crate::support::{TestApp, tests};

tests![
    a_variable_takes_its_default_only_when_it_is_omitted,
    a_variable_may_be_nested_in_any_argument,
    a_required_variable_must_not_be_null,
    a_required_variable_must_be_given,
    a_variable_of_the_wrong_type_is_refused,
    a_variable_that_is_not_declared_is_refused,
    variables_that_nobody_declared_are_ignored,
];

const BY_ID: &str = "query ($id: ID) { vehicle(id: $id) { modelCode } }";

async fn a_variable_takes_its_default_only_when_it_is_omitted(app: TestApp) {
    app.given_three_vehicles().await;
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
    app.given_three_vehicles().await;
    let document = "query ($a: ID, $b: ID!, $yes: Boolean!) {
        a: vehicle(id: $a) { modelCode } b: vehicle(id: $b) { modelCode @include(if: $yes) } }";
    let answer = app
        .ask(document, json!({ "a": 1, "b": "2", "yes": true }))
        .await;
    let expected = json!({ "a": { "modelCode": "XC40" }, "b": { "modelCode": "XC60" } });
    assert_eq!(answer.data(), expected, "{answer}");
}

const NEEDS_ID: &str = "query ($id: ID!) { vehicle(id: $id) { modelCode } }";

async fn a_required_variable_must_not_be_null(app: TestApp) {
    let of_a_count = "query ($c: Int!) { vehicles(count: $c) { id } }";
    for (document, variables) in [
        (NEEDS_ID, json!({ "id": null })),
        (of_a_count, json!({ "c": null })),
    ] {
        app.ask(document, variables).await.assert_refused();
    }
}

async fn a_required_variable_must_be_given(app: TestApp) {
    let of_a_directive = "query ($yes: Boolean!) { vehicle(id: 1) { modelCode @skip(if: $yes) } }";
    for (document, variables) in [
        (NEEDS_ID, json!({})),
        (NEEDS_ID, Value::Null),
        (NEEDS_ID, json!({ "ID": 1 })),
        (of_a_directive, json!({})),
    ] {
        app.ask(document, variables).await.assert_refused();
    }
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
        answer.assert_refused();
    }
}

async fn a_variable_that_is_not_declared_is_refused(app: TestApp) {
    let answer = app
        .ask("{ vehicle(id: $id) { id } }", json!({ "id": 1 }))
        .await;
    answer.assert_refused();
}

async fn variables_that_nobody_declared_are_ignored(app: TestApp) {
    app.given_three_vehicles().await;
    let answer = app.ask(BY_ID, json!({ "id": 1, "more": [{}] })).await;
    let expected = json!({ "vehicle": { "modelCode": "XC40" } });
    assert_eq!(answer.data(), expected, "{answer}");
}
