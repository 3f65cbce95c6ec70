//! The document cache: responses are the same with and without it.

use proptest::{
    prelude::*,
    sample::select,
    strategy::ValueTree,
    test_runner::{Config, RngAlgorithm, TestRng, TestRunner},
};
use serde_json::{Value, json};

use crate::support::{TestApp, tests};

tests![
    cached_documents_do_not_change_the_response,
    cached_documents_do_not_change_the_response_to_generated_requests,
];

/// Number of generated requests; each is sent three times.
const GENERATED: usize = 150;

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

/// Selection sets of a vehicle: some are invalid, some depend on a variable.
fn vehicle_selections() -> impl Strategy<Value = String> {
    let selection = prop_oneof![
        30 => select(vec![
            "id",
            "type",
            "modelCode",
            "code: modelCode",
            "__typename",
            "brandName @skip(if: $flag)",
            "launchDate @include(if: $flag)",
            "... @include(if: $flag) { id }",
            "... on Vehicle { type brandName }",
            "...Parts",
        ]),
        1 => Just("wheels"),
    ];
    prop::collection::vec(selection, 1..5).prop_map(|selections| selections.join(" "))
}

fn root_field() -> impl Strategy<Value = String> {
    let lookup = select(vec!["(id: $id)", "(id: 1)", "(id: \"3\")", "(id: 0)", ""]);
    let list = select(vec![
        "",
        "(count: $count)",
        "(count: 2)",
        "(count: null)",
        "(count: -1)",
    ]);
    let vehicles = prop_oneof![
        lookup.prop_map(|arguments| format!("vehicle{arguments}")),
        list.prop_map(|arguments| format!("vehicles{arguments}")),
    ];
    let key = select(vec!["", "a: ", "b: ", "c: ", "d: ", "e: "]);
    let directive = select(vec!["", "", "@skip(if: $flag)"]);
    prop_oneof![
        8 => (key, vehicles, directive, vehicle_selections())
            .prop_map(|(key, field, directive, set)| format!("{key}{field} {directive} {{ {set} }}")),
        1 => Just("__typename".to_owned()),
        1 => Just("t: __type(name: \"Vehicle\") { name fields(includeDeprecated: $flag) { name } }".to_owned()),
        1 => Just("__schema { queryType { name } }".to_owned()),
    ]
}

/// A request with one or two operations and the same variables for both.
fn request() -> impl Strategy<Value = Value> {
    let fields = || prop::collection::vec(root_field(), 1..4).prop_map(|fields| fields.join(" "));
    let variables = select(vec![
        json!({ "id": "1", "flag": true, "count": 1 }),
        json!({ "id": 2, "flag": false }),
        json!({ "id": null, "flag": true, "count": null }),
        json!({ "id": "x", "flag": "yes" }),
        json!({ "count": 1001, "flag": false, "extra": [1, { "a": 2 }] }),
        json!({}),
    ]);
    let name = select(vec![None, Some("A"), Some("B"), Some("C")]);
    (fields(), proptest::option::of(fields()), variables, name).prop_map(
        |(first, second, variables, name)| {
            // Declares only used variables, since validation rejects unused ones.
            let operation = |name: &str, fields: &str| {
                let fragments = if fields.contains("...Parts") {
                    " $flag"
                } else {
                    ""
                };
                let uses =
                    |variable: &str| fields.contains(variable) || fragments.contains(variable);
                let declared = [
                    ("$id", "$id: ID = 3"),
                    ("$flag", "$flag: Boolean!"),
                    ("$count", "$count: Int = 2"),
                ];
                let declared = declared.iter().filter(|(variable, _)| uses(variable));
                let declared: Vec<_> = declared.map(|(_, declared)| *declared).collect();
                let declared = if declared.is_empty() {
                    String::new()
                } else {
                    format!("({})", declared.join(", "))
                };
                format!("query {name}{declared} {{ {fields} }} ")
            };
            let mut query = operation("A", &first);
            if let Some(second) = second {
                query += &operation("B", &second);
            }
            if query.contains("...Parts") {
                query += "fragment Parts on Vehicle { launchDate id @skip(if: $flag) }";
            }
            json!({ "query": query, "variables": variables, "operationName": name })
        },
    )
}

async fn cached_documents_do_not_change_the_response_to_generated_requests(app: TestApp) {
    app.given_three_vehicles().await;
    let without_cache = app
        .start_second_instance_with(&["--document-cache-bytes=0"])
        .await;
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &[14; 32]);
    let mut runner = TestRunner::new_with_rng(Config::default(), rng);
    let mut executed = 0;
    for _ in 0..GENERATED {
        let tree = request().new_tree(&mut runner);
        let request = tree.expect("every request can be generated").current();
        let response = async |app: &TestApp| {
            let response = app.post(request.to_string()).await;
            (response.status(), response.text().to_owned())
        };
        let expected = response(&without_cache).await;
        assert_eq!(response(&app).await, expected, "the first time: {request}");
        assert_eq!(response(&app).await, expected, "the second time: {request}");
        executed += usize::from(expected.1.starts_with("{\"data\":{"));
    }
    assert!(
        executed > GENERATED / 10,
        "only {executed} requests are valid"
    );
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
