//! The header `Idempotency-Key`: a create with the same key is stored once.

use std::collections::HashSet;

use futures_util::future::join_all;
use serde_json::{Value, json};

use crate::support::{Response, TestApp, execute, tests};

tests![
    a_create_with_the_same_key_is_stored_once,
    concurrent_creates_with_the_same_key_are_stored_once,
    creates_with_and_without_keys_share_batches,
    a_replay_returns_the_vehicle_as_it_is_now,
    a_key_of_other_arguments_is_refused,
    a_list_with_the_same_key_is_stored_once,
    a_list_of_which_a_vehicle_was_deleted_is_refused,
    a_deleted_vehicle_frees_its_key,
    a_refused_create_frees_its_key,
    each_field_has_its_own_key,
    other_fields_of_the_operation_do_not_change_the_key on Sqlite,
    an_invalid_key_is_refused on Sqlite,
];

const CREATE: &str = r#"mutation { createVehicle(type: "SUV", modelCode: "XC60") { id modelCode } }"#;

const LIST: &str = "mutation ($vehicles: [NewVehicle!]!) { createVehicles(vehicles: $vehicles) { id } }";

/// Posts a body with this header.
async fn post(app: &TestApp, key: &str, body: &Value) -> Response {
    let request = app.post_request(&body.to_string());
    app.send(key, request.header("idempotency-key", key)).await
}

async fn create(app: &TestApp, key: &str) -> Response {
    post(app, key, &json!({ "query": CREATE })).await
}

async fn create_model(app: &TestApp, key: &str, model_code: &str) -> Response {
    let query = CREATE.replace("XC60", model_code);
    post(app, key, &json!({ "query": query })).await
}

async fn create_list(app: &TestApp, key: &str, model_codes: &[&str]) -> Response {
    let vehicles = model_codes.iter();
    let vehicles = vehicles.map(|code| json!({ "type": "SUV", "modelCode": code }));
    let variables = json!({ "vehicles": vehicles.collect::<Value>() });
    post(app, key, &json!({ "query": LIST, "variables": variables })).await
}

fn id(response: &Response) -> String {
    let data = response.data();
    data["createVehicle"]["id"].as_str().unwrap().to_owned()
}

fn is_replay(response: &Response) -> bool {
    match response.header("idempotent-replayed") {
        "true" => true,
        "" => false,
        other => panic!("{other}"),
    }
}

#[track_caller]
fn assert_reused(response: &Response) {
    assert_eq!(response.error_code(), "IDEMPOTENCY_KEY_REUSED", "{response}");
    assert_eq!(response.status(), 200, "{response}");
    assert!(!is_replay(response), "{response}");
    let message = response.error()["message"].as_str().unwrap().to_owned();
    assert!(message.contains("use a new key"), "{message}");
}

async fn a_create_with_the_same_key_is_stored_once(app: TestApp) {
    let first = create(&app, "a").await;
    assert!(!is_replay(&first), "{first}");
    for _ in 0..3 {
        let again = create(&app, "a").await;
        assert_eq!(again.data(), first.data());
        assert!(is_replay(&again), "{again}");
    }
    let other = create(&app, "b").await;
    assert_ne!(id(&other), id(&first));
    assert!(!is_replay(&other), "{other}");
    assert_eq!(app.stored_vehicles().await, 2);
    // After a restart, and on another instance.
    let app = app.restart().await;
    let instance = app.start_second_instance().await;
    assert_eq!(id(&create(&instance, "a").await), id(&first));
    assert_eq!(app.stored_vehicles().await, 2);
}

async fn concurrent_creates_with_the_same_key_are_stored_once(app: TestApp) {
    let instance = app.start_second_instance().await;
    for key in ["a", "b", "c"] {
        let creates = (0..20).map(|number| {
            let app = if number % 2 == 0 { &app } else { &instance };
            create(app, key)
        });
        let responses = join_all(creates).await;
        let ids: HashSet<String> = responses.iter().map(id).collect();
        assert_eq!(ids.len(), 1, "{ids:?}");
        let new = responses.iter().filter(|response| !is_replay(response));
        assert_eq!(new.count(), 1);
    }
    assert_eq!(app.stored_vehicles().await, 3);
}

async fn creates_with_and_without_keys_share_batches(app: TestApp) {
    let creates = (0..90).map(|number| {
        let app = &app;
        async move {
            let code = format!("M{number}");
            let query = CREATE.replace("XC60", &code);
            let body = json!({ "query": query });
            let response = match number % 3 {
                0 => app.post(body.to_string()).await,
                1 => post(app, &code, &body).await,
                _ => {
                    let twice = join_all([post(app, &code, &body), post(app, &code, &body)]).await;
                    assert_eq!(twice[0].data(), twice[1].data());
                    twice.into_iter().next().unwrap()
                }
            };
            let data = response.data()["createVehicle"].take();
            assert_eq!(data["modelCode"], code);
            let found = app.vehicle(data["id"].clone()).await.data();
            assert_eq!(found["vehicle"]["modelCode"], code);
        }
    });
    join_all(creates).await;
    assert_eq!(app.stored_vehicles().await, 90);
}

async fn a_replay_returns_the_vehicle_as_it_is_now(app: TestApp) {
    create(&app, "a").await.data();
    execute(&app, &["UPDATE vehicle SET model_code = 'now', version = 2"]).await;
    let again = create(&app, "a").await;
    assert!(is_replay(&again), "{again}");
    assert_eq!(again.data()["createVehicle"]["modelCode"], "now");
}

async fn a_key_of_other_arguments_is_refused(app: TestApp) {
    create(&app, "a").await.data();
    assert_reused(&create_model(&app, "a", "XC90").await);
    for arguments in [
        r#"type: "SUV", modelCode: "XC60", brandName: """#,
        r#"type: "SUV", modelCode: "XC60", launchDate: "2017-03-07""#,
        r#"type: "SU", modelCode: "VXC60""#,
    ] {
        let query = format!("mutation {{ createVehicle({arguments}) {{ id }} }}");
        assert_reused(&post(&app, "a", &json!({ "query": query })).await);
    }
    assert_reused(&create_list(&app, "a", &["XC60"]).await);
    assert_eq!(app.stored_vehicles().await, 1);
    // An omitted argument and null are the same.
    let query = r#"mutation { createVehicle(modelCode: "XC60", type: "SUV", brandName: null) { id } }"#;
    let again = post(&app, "a", &json!({ "query": query })).await;
    assert!(is_replay(&again), "{again}");
}

async fn a_list_with_the_same_key_is_stored_once(app: TestApp) {
    // The same vehicle twice is two vehicles.
    let first = create_list(&app, "a", &["A", "B", "A"]).await;
    assert!(!is_replay(&first), "{first}");
    let again = create_list(&app, "a", &["A", "B", "A"]).await;
    assert_eq!(again.data(), first.data());
    assert!(is_replay(&again), "{again}");
    for other in [&["A", "B"][..], &["A", "B", "A", "C"], &["B", "A", "A"]] {
        let refused = create_list(&app, "a", other).await;
        assert_reused(&refused);
        assert_eq!(app.stored_vehicles().await, 3, "{refused}");
    }
    let creates = (0..10).map(|_| create_list(&app, "b", &["A", "B", "C", "D"]));
    let responses = join_all(creates).await;
    for response in &responses {
        assert_eq!(response.data(), responses[0].data());
    }
    assert_eq!(app.stored_vehicles().await, 7);
}

async fn a_list_of_which_a_vehicle_was_deleted_is_refused(app: TestApp) {
    create_list(&app, "a", &["A", "B"]).await.data();
    execute(&app, &["DELETE FROM vehicle WHERE model_code = 'B'"]).await;
    assert_reused(&create_list(&app, "a", &["A", "B"]).await);
    assert_eq!(app.stored_vehicles().await, 1);
    execute(&app, &["DELETE FROM vehicle"]).await;
    let again = create_list(&app, "a", &["A", "B"]).await;
    assert!(!is_replay(&again), "{again}");
    assert_eq!(app.stored_vehicles().await, 2);
}

async fn a_deleted_vehicle_frees_its_key(app: TestApp) {
    let first = create(&app, "a").await;
    execute(&app, &["DELETE FROM vehicle"]).await;
    let again = create_model(&app, "a", "XC90").await;
    assert!(!is_replay(&again), "{again}");
    assert_ne!(id(&again), id(&first), "an id is never reused");
}

async fn a_refused_create_frees_its_key(app: TestApp) {
    let refused = create_model(&app, "a", "").await;
    assert_eq!(refused.error_code(), "BAD_USER_INPUT", "{refused}");
    assert!(!is_replay(&refused), "{refused}");
    let created = create(&app, "a").await;
    assert!(!is_replay(&created), "{created}");
    assert_eq!(app.stored_vehicles().await, 1);
}

async fn each_field_has_its_own_key(app: TestApp) {
    let two = r#"mutation { a: createVehicle(type: "SUV", modelCode: "XC60") { id }
        b: createVehicle(type: "SUV", modelCode: "XC60") { id } }"#;
    let body = json!({ "query": two });
    let first = post(&app, "a", &body).await;
    assert_eq!(app.stored_vehicles().await, 2, "{first}");
    assert!(!is_replay(&first), "{first}");
    let again = post(&app, "a", &body).await;
    assert!(is_replay(&again), "{again}");
    assert_eq!(again.json(), first.json());
    assert_eq!(app.stored_vehicles().await, 2);
}

async fn other_fields_of_the_operation_do_not_change_the_key(app: TestApp) {
    let a = r#"createVehicle(type: "SUV", modelCode: "A") { id }"#;
    let b = r#"createVehicles(vehicles: { type: "SUV", modelCode: "B" }) { id }"#;
    let execute = async |fields: String| {
        let query = format!("mutation ($yes: Boolean = true) {{ {fields} n: __typename @skip(if: $yes) }}");
        post(&app, "a", &json!({ "query": query })).await
    };
    let first = execute(format!("t: __typename @skip(if: $yes) a: {a} b: {b}")).await;
    assert!(!is_replay(&first), "{first}");
    let (vehicle, list) = (&first.data()["a"], &first.data()["b"]);
    // Fields that are left out, and those that are merged, have no position.
    let without = |field: &str| field.replace(" {", " @skip(if: $yes) {");
    for fields in [
        format!("t: __typename @skip(if: $yes) a: {a} b: {b}"),
        format!("__typename a: {a} d: deleteVehicle(id: 77) {{ id }} b: {b}"),
        format!("d: deleteVehicle(id: 77) {{ id }} a: {a} t: __typename b: {b} __typename"),
        format!("x: {} y: {} a: {a} b: {b}", without(a), without("createVehicles(vehicles: []) { id }")),
        format!("... {{ __typename a: {a} }} a: {a} ... @include(if: $yes) {{ b: {b} }}"),
    ] {
        let again = execute(fields.clone()).await;
        assert!(is_replay(&again), "{fields}: {again}");
        let data = again.data();
        assert_eq!((&data["a"], &data["b"]), (vehicle, list), "{fields}");
    }
    assert_eq!(app.stored_vehicles().await, 2);
    // An argument that is refused does not give its position to the next field.
    let two = |value: Value| {
        let query = r#"mutation ($type: String = "SUV") { createVehicle(type: $type, modelCode: "C") { id }
            d: createVehicle(type: "SUV", modelCode: "D") { id } }"#;
        json!({ "query": query, "variables": { "type": value } })
    };
    post(&app, "b", &two(Value::Null)).await.error();
    post(&app, "b", &two(json!("SUV"))).await.data();
    assert_eq!(app.stored_vehicles().await, 4);
}

/// The forms of keys are tested in `poem-graphql`.
async fn an_invalid_key_is_refused(app: TestApp) {
    let response = create(&app, &"x".repeat(256)).await;
    assert_eq!(response.status(), 400, "{response}");
    response.assert_not_executed(&["BAD_USER_INPUT"]);
    let message = response.error()["message"].take();
    assert!(message.as_str().unwrap().contains("1 to 255"), "{message}");
    assert_eq!(app.stored_vehicles().await, 0);
    create(&app, &"x".repeat(255)).await.data();
}
