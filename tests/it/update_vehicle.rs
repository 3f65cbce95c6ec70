//! `updateVehicle`: changes, versions and refusals.

use serde_json::{Value, json};

use crate::support::{Response, TestApp, execute, permit, refuse, tests};

tests![
    changes_what_is_given_and_returns_the_vehicle_as_stored,
    null_removes_brand_and_launch_date_and_omission_keeps_them,
    compares_texts_byte_for_byte,
    a_change_to_what_the_vehicle_already_is_changes_nothing,
    another_version_than_expected_is_a_conflict,
    reports_every_violation_before_anything_else on Sqlite,
    is_not_found_for_an_id_of_no_vehicle on Sqlite,
    mutations_of_one_request_are_executed_in_order,
    the_highest_version_cannot_be_changed,
    an_update_that_the_database_refuses_stores_nothing,
];

pub(crate) async fn given_volvo(app: &TestApp) -> String {
    let created = app
        .create_vehicle(json!({
            "type": "SUV", "modelCode": "XC60", "brandName": "Volvo", "launchDate": "2017-03-07",
        }))
        .await;
    let id = created.data()["createVehicle"]["id"].take();
    id.as_str().expect("an id is a string").to_owned()
}

/// The vehicle of a successful update.
#[track_caller]
pub(crate) fn updated(response: &Response) -> Value {
    response.data()["updateVehicle"].take()
}

async fn changes_what_is_given_and_returns_the_vehicle_as_stored(app: TestApp) {
    let (id, other) = (given_volvo(&app).await, given_volvo(&app).await);
    let mut expected = app.versioned_vehicle(&id).await;
    let unchanged = app.versioned_vehicle(&other).await;
    assert_eq!(expected["version"], 1);
    for (version, (field, value)) in [
        ("type", "Wagon"),
        ("modelCode", "V60"),
        ("brandName", ""),
        ("launchDate", "2018-02-21"),
        ("brandName", "🚗 'é\\\""),
    ]
    .into_iter()
    .enumerate()
    {
        let response = app.update_vehicle(&id, json!({ field: value }), version + 1).await;
        expected[field] = json!(value);
        expected["version"] = json!(version + 2);
        assert_eq!(updated(&response), expected);
        assert_eq!(app.versioned_vehicle(&id).await, expected);
    }
    let all = json!({
        "type": "SUV", "modelCode": "EX30", "brandName": "Volvo", "launchDate": "2023-06-07",
    });
    let response = app.update_vehicle(&id, all, Value::Null).await;
    let list = "{ vehicles { id type modelCode brandName launchDate version } }";
    let listed = app.query(list, json!({})).await.data()["vehicles"].take();
    assert_eq!(listed, json!([updated(&response), unchanged]));
}

async fn null_removes_brand_and_launch_date_and_omission_keeps_them(app: TestApp) {
    let id = given_volvo(&app).await;
    let kept = updated(&app.update_vehicle(&id, json!({ "type": "Car" }), 1).await);
    assert_eq!((&kept["brandName"], &kept["launchDate"]), (&json!("Volvo"), &json!("2017-03-07")));
    let removed = updated(&app.update_vehicle(&id, json!({ "brandName": null }), 2).await);
    assert_eq!((&removed["brandName"], &removed["launchDate"]), (&json!(null), &json!("2017-03-07")));
    let literal =
        format!("mutation {{ updateVehicle(id: {id}, changes: {{ launchDate: null }}) {{ launchDate version }} }}");
    let removed = updated(&app.query(&literal, json!({})).await);
    assert_eq!(removed, json!({ "launchDate": null, "version": 4 }));
    // A variable without a value is an omitted field.
    let document = format!(
        "mutation ($brand: String) {{ updateVehicle(id: {id}, changes: {{ type: \"SUV\", brandName: $brand }}) {{ brandName }} }}"
    );
    for (variables, brand_name) in [
        (json!({ "brand": "Saab" }), json!("Saab")),
        (json!({}), json!("Saab")),
        (json!({ "brand": null }), Value::Null),
    ] {
        let response = app.query(&document, variables).await;
        assert_eq!(updated(&response)["brandName"], brand_name, "{response}");
    }
}

async fn compares_texts_byte_for_byte(app: TestApp) {
    let id = app.given_vehicle("x").await;
    for (version, model_code) in ["X", "x ", "x", "é", "e\u{301}"].iter().zip(2..).map(|(m, v)| (v, m)) {
        let changed = updated(&app.update_vehicle(&id, json!({ "modelCode": model_code }), Value::Null).await);
        assert_eq!((&changed["modelCode"], &changed["version"]), (&json!(model_code), &json!(version)));
    }
}

async fn a_change_to_what_the_vehicle_already_is_changes_nothing(app: TestApp) {
    let id = given_volvo(&app).await;
    app.update_vehicle(&id, json!({ "type": "Car", "brandName": null }), 1).await.data();
    let before = app.versioned_vehicle(&id).await;
    for changes in [
        json!({}),
        json!({ "type": "Car" }),
        json!({ "brandName": null }),
        json!({ "modelCode": "XC60", "launchDate": "2017-03-07" }),
    ] {
        // A retry of a change that was made expects the version before it.
        for expected_version in [json!(null), json!(2), json!(1), json!(99)] {
            let response = app.update_vehicle(&id, changes.clone(), expected_version).await;
            assert_eq!(updated(&response), before, "{response}");
        }
    }
    assert_eq!(app.versioned_vehicle(&id).await, before);
}

async fn another_version_than_expected_is_a_conflict(app: TestApp) {
    let id = given_volvo(&app).await;
    app.update_vehicle(&id, json!({ "type": "Car" }), 1).await.data();
    let before = app.versioned_vehicle(&id).await;
    for expected in [1, 3, i32::MAX] {
        let response = app.update_vehicle(&id, json!({ "type": "Van" }), expected).await;
        response.assert_failed("updateVehicle", "CONFLICT");
        let error = response.error();
        let conflict = json!({ "expectedVersion": expected, "currentVersion": 2 });
        assert_eq!(error["extensions"]["conflict"], conflict, "{response}");
        let message = format!("the vehicle has version 2, not {expected}; read it again and decide whether to retry");
        assert_eq!(error["message"], message);
    }
    assert_eq!(app.versioned_vehicle(&id).await, before);
}

async fn reports_every_violation_before_anything_else(app: TestApp) {
    let id = given_volvo(&app).await;
    let before = app.versioned_vehicle(&id).await;
    let long = "x".repeat(256);
    let cases = [
        (
            json!({ "type": null, "modelCode": null, "brandName": long, "launchDate": "soon" }),
            json!(0),
            vec![
                ("changes.type", "required"),
                ("changes.modelCode", "required"),
                ("changes.brandName", "max_length"),
                ("changes.launchDate", "date_form"),
                ("expectedVersion", "range"),
            ],
        ),
        (
            json!({ "type": " ", "modelCode": long, "brandName": "\0", "launchDate": "2023-02-29" }),
            json!(null),
            vec![
                ("changes.type", "not_blank"),
                ("changes.modelCode", "max_length"),
                ("changes.brandName", "no_nul"),
                ("changes.launchDate", "date_exists"),
            ],
        ),
        (json!({ "launchDate": "0999-12-31" }), json!(7), vec![("changes.launchDate", "date_range")]),
        (json!({}), json!(0), vec![("expectedVersion", "range")]),
        (json!({ "type": "Car" }), json!(-1), vec![("expectedVersion", "range")]),
        (json!({ "type": "Car" }), json!(i32::MIN), vec![("expectedVersion", "range")]),
    ];
    for (changes, expected_version, violations) in cases {
        // Neither an unknown id nor another version is reported before them.
        for id in [&*id, "4711", "no id"] {
            let response = app.update_vehicle(id, changes.clone(), expected_version.clone()).await;
            response.assert_failed("updateVehicle", "BAD_USER_INPUT");
            response.assert_violations(&violations);
        }
    }
    let response = app.update_vehicle(&id, json!({ "type": null }), 0).await;
    let message = "changes.type must not be null; omit it to keep its value; expectedVersion must be at least 1";
    assert_eq!(response.error()["message"], message);
    assert_eq!(app.versioned_vehicle(&id).await, before);
}

async fn is_not_found_for_an_id_of_no_vehicle(app: TestApp) {
    let id = given_volvo(&app).await;
    for unknown in ["4711", "9223372036854775807", "9223372036854775808", "0", "-1", "01", "", "x"] {
        for (changes, expected_version) in [(json!({ "type": "Car" }), json!(null)), (json!({}), json!(7))] {
            let response = app.update_vehicle(unknown, changes, expected_version).await;
            response.assert_failed("updateVehicle", "NOT_FOUND");
            assert_eq!(response.error()["message"], "there is no vehicle with this id");
        }
    }
    app.delete_vehicle(&id, Value::Null).await.data();
    let response = app.update_vehicle(&id, json!({ "type": "Car" }), 1).await;
    response.assert_failed("updateVehicle", "NOT_FOUND");
    assert_eq!(app.stored_vehicles().await, 0, "nothing was stored");
}

async fn mutations_of_one_request_are_executed_in_order(app: TestApp) {
    let id = given_volvo(&app).await;
    let document = format!(
        "mutation {{
            a: updateVehicle(id: {id}, changes: {{ type: \"A\" }}, expectedVersion: 1) {{ type version }}
            b: updateVehicle(id: {id}, changes: {{ type: \"B\" }}, expectedVersion: 1) {{ type version }}
            c: updateVehicle(id: {id}, changes: {{ modelCode: \"C\" }}, expectedVersion: 2) {{ type version }}
            d: deleteVehicle(id: {id}, expectedVersion: 3) {{ type modelCode version }}
            e: updateVehicle(id: {id}, changes: {{ type: \"E\" }}) {{ id }}
        }}"
    );
    let response = app.query(&document, json!({})).await;
    let expected = json!({
        "a": { "type": "A", "version": 2 },
        "b": null,
        "c": { "type": "A", "version": 3 },
        "d": { "type": "A", "modelCode": "C", "version": 3 },
        "e": null,
    });
    assert_eq!(response.json()["data"], expected, "{response}");
    let errors = response.errors();
    let codes: Vec<_> = errors.iter().map(|error| (&error["path"][0], &error["extensions"]["code"])).collect();
    assert_eq!(codes, [(&json!("b"), &json!("CONFLICT")), (&json!("e"), &json!("NOT_FOUND"))]);
}

async fn the_highest_version_cannot_be_changed(app: TestApp) {
    let id = given_volvo(&app).await;
    execute(&app, &["UPDATE vehicle SET version = 2147483646"]).await;
    let last = updated(&app.update_vehicle(&id, json!({ "type": "Car" }), 2_147_483_646).await);
    assert_eq!(last["version"], i32::MAX);
    let response = app.update_vehicle(&id, json!({ "type": "Van" }), Value::Null).await;
    response.assert_failed("updateVehicle", "INTERNAL_SERVER_ERROR");
    let unchanged = app.update_vehicle(&id, json!({ "type": "Car" }), Value::Null).await;
    assert_eq!(updated(&unchanged), last);
    assert_eq!(app.versioned_vehicle(&id).await, last);
}

async fn an_update_that_the_database_refuses_stores_nothing(app: TestApp) {
    let id = given_volvo(&app).await;
    let before = app.versioned_vehicle(&id).await;
    refuse(&app, "UPDATE").await;
    for _ in 0..3 {
        let response = app.update_vehicle(&id, json!({ "type": "Car" }), 1).await;
        response.assert_failed("updateVehicle", "INTERNAL_SERVER_ERROR");
        assert_eq!(app.versioned_vehicle(&id).await, before);
    }
    permit(&app).await;
    let response = app.update_vehicle(&id, json!({ "type": "Car" }), 1).await;
    assert_eq!(updated(&response)["version"], 2);
    let other = app.start_second_instance().await;
    assert_eq!(other.versioned_vehicle(&id).await["type"], "Car");
}
