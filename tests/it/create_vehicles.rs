//! `createVehicles`: all vehicles or none, order, violations, limits.

use std::collections::HashSet;

use futures_util::future::join_all;
use serde_json::{Value, json};

use crate::support::{Response, TestApp, refuse_if, tests};

tests![
    returns_the_stored_vehicles_in_the_order_given,
    the_number_of_vehicles_has_bounds on Sqlite,
    the_largest_bulk_limit_is_stored_with_one_request,
    reports_every_violation_of_every_vehicle on Sqlite,
    a_vehicle_that_the_database_refuses_prevents_all,
    concurrent_creates_get_distinct_ids,
    each_vehicle_counts_towards_the_cost_limit on Sqlite,
];

const DOCUMENT: &str = "mutation ($vehicles: [NewVehicle!]!) { createVehicles(vehicles: $vehicles) \
     { id type modelCode brandName launchDate version } }";

async fn create(app: &TestApp, vehicles: Value) -> Response {
    app.query(DOCUMENT, json!({ "vehicles": vehicles })).await
}

fn vehicles(numbers: impl IntoIterator<Item = usize>) -> Value {
    let vehicles = numbers.into_iter();
    let vehicles = vehicles.map(|number| json!({ "type": "SUV", "modelCode": format!("M{number}") }));
    vehicles.collect()
}

fn model_codes(created: &Value) -> Vec<&str> {
    let created = created["createVehicles"].as_array().unwrap().iter();
    let codes = created.map(|vehicle| vehicle["modelCode"].as_str().unwrap());
    codes.collect()
}

async fn assert_nothing_is_stored(app: &TestApp, response: &Response) {
    let null = json!({ "createVehicles": null });
    assert_eq!(response.json()["data"], null, "{response}");
    assert_eq!(app.stored_vehicles().await, 0, "{response}");
}

async fn returns_the_stored_vehicles_in_the_order_given(app: TestApp) {
    let given = json!([
        { "type": "SUV", "modelCode": "XC90", "brandName": "Volvo", "launchDate": "2002-10-29" },
        { "type": "SUV", "modelCode": "XC40", "brandName": null },
        { "type": "Saloon", "modelCode": "S90", "brandName": "", "launchDate": null },
        { "type": "SUV", "modelCode": "XC40" },
    ]);
    let created = create(&app, given.clone()).await.data();
    let created = created["createVehicles"].as_array().unwrap();
    let ids: Vec<i64> = created.iter().map(|vehicle| vehicle["id"].as_str().unwrap().parse().unwrap()).collect();
    assert!(ids.is_sorted(), "{ids:?}");
    for ((created, given), id) in created.iter().zip(given.as_array().unwrap()).zip(&ids) {
        for field in ["type", "modelCode", "brandName", "launchDate"] {
            assert_eq!(created[field], given[field], "{created}");
        }
        assert_eq!(created["version"], 1, "{created}");
        let found = app.vehicle(id.to_string()).await.data();
        assert_eq!(found["vehicle"]["modelCode"], given["modelCode"]);
    }
    assert_eq!(app.stored_vehicles().await, 4);

    let literal = r#"mutation { createVehicles(vehicles: [
        { type: "SUV", modelCode: "b" }, { type: "SUV", modelCode: "a" }]) { modelCode } }"#;
    let created = app.query(literal, json!({})).await.data();
    assert_eq!(model_codes(&created), ["b", "a"]);
}

async fn the_number_of_vehicles_has_bounds(app: TestApp) {
    for count in [0, 101, 2000] {
        let response = create(&app, vehicles(0..count)).await;
        assert_eq!(response.error_code(), "BAD_USER_INPUT", "{count}");
        let violation = json!([{
            "argument": "vehicles",
            "rule": "range",
            "message": format!("vehicles must have 1 to 100 items, it has {count}"),
        }]);
        let error = response.error();
        assert_eq!(error["extensions"]["violations"], violation);
        assert_nothing_is_stored(&app, &response).await;
    }
    let created = create(&app, vehicles(0..100)).await.data();
    let codes: Vec<_> = (0..100).map(|number| format!("M{number}")).collect();
    assert_eq!(model_codes(&created), codes);

    let app = app.restart_with(&["--bulk-limit=2"]).await;
    create(&app, vehicles(0..2)).await.data();
    let response = create(&app, vehicles(0..3)).await;
    assert_eq!(response.error()["message"], "vehicles must have 1 to 2 items, it has 3");
    assert_eq!(app.stored_vehicles().await, 102);
}

async fn the_largest_bulk_limit_is_stored_with_one_request(app: TestApp) {
    let app = app.restart_with(&["--bulk-limit=1000"]).await;
    let document = DOCUMENT.replace("id type modelCode brandName launchDate version", "modelCode");
    let variables = json!({ "vehicles": vehicles((0..1000).rev()) });
    let created = app.query(&document, variables).await.data();
    let codes: Vec<_> = (0..1000).rev().map(|number| format!("M{number}")).collect();
    assert_eq!(model_codes(&created), codes);
    assert_eq!(app.stored_vehicles().await, 1000);
}

async fn reports_every_violation_of_every_vehicle(app: TestApp) {
    let response = create(
        &app,
        json!([
            { "type": "", "modelCode": "XC60", "launchDate": "2023-02-29" },
            { "type": "SUV", "modelCode": "XC60" },
            { "type": "SUV", "modelCode": "x".repeat(256), "brandName": "\0" },
        ]),
    )
    .await;
    let expected = [
        ("vehicles[0].type", "not_blank"),
        ("vehicles[0].launchDate", "date_exists"),
        ("vehicles[2].modelCode", "max_length"),
        ("vehicles[2].brandName", "no_nul"),
    ];
    response.assert_violations(&expected);
    assert_nothing_is_stored(&app, &response).await;

    let invalid = json!({ "type": "\0", "modelCode": "\0", "brandName": "\0", "launchDate": "" });
    let response = create(&app, vec![invalid; 100].into()).await;
    assert_eq!(response.violations().len(), 400, "{response}");
    assert_nothing_is_stored(&app, &response).await;

    for null in [json!(null), json!([null]), json!([{ "type": "SUV" }])] {
        let response = create(&app, null).await;
        response.assert_not_executed(&["BAD_USER_INPUT"]);
    }
    assert_eq!(app.stored_vehicles().await, 0);
}

async fn a_vehicle_that_the_database_refuses_prevents_all(app: TestApp) {
    refuse_if(&app, "INSERT", "NEW.model_code = 'M70'").await;
    let response = create(&app, vehicles(0..100)).await;
    assert_eq!(response.error_code(), "INTERNAL_SERVER_ERROR", "{response}");
    assert_nothing_is_stored(&app, &response).await;
    create(&app, vehicles(0..70)).await.data();
    assert_eq!(app.stored_vehicles().await, 70);
}

async fn concurrent_creates_get_distinct_ids(app: TestApp) {
    let requests = (0..20).map(|request| {
        let app = &app;
        async move {
            let numbers = request * 10..request * 10 + 10;
            let created = create(app, vehicles(numbers.clone())).await.data();
            let codes: Vec<_> = numbers.map(|number| format!("M{number}")).collect();
            assert_eq!(model_codes(&created), codes);
            created["createVehicles"].clone()
        }
    });
    let single = (200..220).map(|number| {
        let app = &app;
        async move { app.given_vehicle(&format!("M{number}")).await }
    });
    let (created, single) = tokio::join!(join_all(requests), join_all(single));
    let created: Vec<_> = created.iter().flat_map(|list| list.as_array().unwrap()).collect();
    for vehicle in &created {
        let found = app.vehicle(vehicle["id"].clone()).await.data();
        assert_eq!(found["vehicle"]["modelCode"], vehicle["modelCode"]);
    }
    let ids = created.iter().map(|vehicle| vehicle["id"].as_str().unwrap());
    let ids: HashSet<_> = ids.chain(single.iter().map(String::as_str)).collect();
    assert_eq!(ids.len(), 220);
}

async fn each_vehicle_counts_towards_the_cost_limit(app: TestApp) {
    let app = app.restart_with(&["--cost-limit=170"]).await;
    let document = "mutation ($vehicles: [NewVehicle!]!) { createVehicles(vehicles: $vehicles) { id type version } }";
    let create = async |vehicles| app.query(document, json!({ "vehicles": vehicles })).await;
    let response = create(vehicles(0..13)).await;
    response.assert_not_executed(&["LIMIT_EXCEEDED"]);
    let expected = json!({ "name": "cost-limit", "value": 170, "actual": 13 * (10 + 1 + 3) });
    assert_eq!(response.error()["extensions"]["limit"], expected);
    let literal = "mutation { createVehicles(vehicles: [ITEMS]) { id } }";
    let items = r#"{ type: "SUV", modelCode: "XC60" }"#.repeat(15);
    let response = app.query(&literal.replace("ITEMS", &items), json!({})).await;
    let expected = json!({ "name": "cost-limit", "value": 170, "actual": 15 * (10 + 1 + 1) });
    assert_eq!(response.error()["extensions"]["limit"], expected);
    assert_eq!(app.stored_vehicles().await, 0);
    create(vehicles(0..12)).await.data();
}
