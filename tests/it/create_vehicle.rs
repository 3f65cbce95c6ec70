//! `createVehicle`: stored values, violations, ids and visibility of writes.

use futures_util::future::join_all;
use serde_json::{Value, json};

use crate::support::{TestApp, refuse_if, tests};

tests![
    returns_the_stored_vehicle,
    accepts_a_vehicle_without_brand_and_launch_date,
    reports_every_invalid_argument on Sqlite,
    reports_every_violation_of_one_argument on Sqlite,
    an_invalid_vehicle_does_not_affect_the_others on Sqlite,
    a_create_that_the_database_refuses_fails_no_concurrent_one,
    requires_type_and_model_code_as_literals on Sqlite,
];

async fn returns_the_stored_vehicle(app: TestApp) {
    let arguments = json!({
        "type": "SUV", "modelCode": "XC60", "brandName": "Volvo", "launchDate": "2017-03-07",
    });
    let created = app.create_vehicle(arguments.clone()).await.data()["createVehicle"].take();
    let id = created["id"].as_str().expect("an id is a string");
    assert!(id.parse::<i64>().is_ok_and(|number| number > 0), "{id}");

    let mut expected = arguments;
    expected["id"] = json!(id);
    assert_eq!(created, expected);
    assert_eq!(app.vehicle(id).await.data(), json!({ "vehicle": expected.clone() }));
    assert_eq!(app.all_vehicles().await.data(), json!({ "vehicles": [expected] }));
}

async fn accepts_a_vehicle_without_brand_and_launch_date(app: TestApp) {
    let base = json!({ "type": "SUV", "modelCode": "XC60" });
    let cases = [
        (json!({}), Value::Null),
        (json!({ "brandName": null, "launchDate": null }), Value::Null),
        // An empty string is not null.
        (json!({ "brandName": "" }), json!("")),
    ];
    for (optional, brand_name) in cases {
        let mut arguments = base.clone();
        let optional = optional.as_object().unwrap().clone();
        arguments.as_object_mut().unwrap().extend(optional);
        let response = app.create_vehicle(arguments).await;
        let created = response.data()["createVehicle"].take();
        assert_eq!(created["brandName"], brand_name, "{response}");
        assert_eq!(created["launchDate"], Value::Null, "{response}");
        let found = app.vehicle(created["id"].clone()).await;
        assert_eq!(found.data()["vehicle"], created, "{found}");
    }
}

async fn reports_every_invalid_argument(app: TestApp) {
    let long = "x".repeat(256);
    let cases = [
        (
            json!({ "type": "", "modelCode": " ", "brandName": long, "launchDate": "soon" }),
            vec![
                ("type", "not_blank"),
                ("modelCode", "not_blank"),
                ("brandName", "max_length"),
                ("launchDate", "date_form"),
            ],
        ),
        (
            json!({ "launchDate": "2023-02-29", "brandName": "\0", "modelCode": long, "type": "\t" }),
            vec![
                ("type", "not_blank"),
                ("modelCode", "max_length"),
                ("brandName", "no_nul"),
                ("launchDate", "date_exists"),
            ],
        ),
        (
            json!({ "type": "SUV", "modelCode": "\0", "brandName": "Volvo", "launchDate": "0999-12-31" }),
            vec![("modelCode", "no_nul"), ("launchDate", "date_range")],
        ),
    ];
    for (arguments, expected) in cases {
        let response = app.create_vehicle(arguments).await;
        response.assert_violations(&expected);
        response.assert_failed("createVehicle", "BAD_USER_INPUT");
    }
    assert_eq!(app.stored_vehicles().await, 0, "nothing was stored");
}

async fn reports_every_violation_of_one_argument(app: TestApp) {
    let long = format!("{}\0", "x".repeat(255));
    let arguments = json!({ "type": "SUV", "modelCode": long });
    let mut violations = app.create_vehicle(arguments).await.violations();
    violations.sort();
    let expected = [("modelCode", "max_length"), ("modelCode", "no_nul")];
    assert_eq!(violations, expected.map(|(argument, rule)| (argument.to_owned(), rule.to_owned())));
    assert_eq!(app.stored_vehicles().await, 0, "nothing was stored");
}

async fn an_invalid_vehicle_does_not_affect_the_others(app: TestApp) {
    let document = r#"mutation {
        a: createVehicle(type: "SUV", modelCode: "XC60") { modelCode }
        b: createVehicle(type: "SUV", modelCode: "") { modelCode }
        c: createVehicle(type: "SUV", modelCode: "XC90") { modelCode }
    }"#;
    let response = app.query(document, json!({})).await;
    response.assert_violations(&[("modelCode", "not_blank")]);
    assert_eq!(response.error()["path"], json!(["b"]), "{response}");
    let data = json!({ "a": { "modelCode": "XC60" }, "b": null, "c": { "modelCode": "XC90" } });
    assert_eq!(response.json()["data"], data, "{response}");

    let stored = app.query("{ vehicles { modelCode } }", json!({})).await;
    let expected = json!([{ "modelCode": "XC60" }, { "modelCode": "XC90" }]);
    assert_eq!(stored.data()["vehicles"], expected, "in document order");
}

async fn a_create_that_the_database_refuses_fails_no_concurrent_one(app: TestApp) {
    refuse_if(&app, "INSERT", "NEW.model_code = 'refused'").await;
    let creates = (0..60).map(async |number| {
        let model_code = if number % 10 == 0 { "refused" } else { "good" };
        let arguments = json!({ "type": "SUV", "modelCode": model_code });
        (model_code, app.create_vehicle(arguments).await)
    });
    for (model_code, response) in join_all(creates).await {
        match model_code {
            "good" => drop(response.data()),
            _ => assert_eq!(response.error_code(), "INTERNAL_SERVER_ERROR"),
        }
    }
    assert_eq!(app.stored_vehicles().await, 54);
}

async fn requires_type_and_model_code_as_literals(app: TestApp) {
    for fields in [
        r#"modelCode: "XC60""#,
        r#"type: "SUV""#,
        r#"type: null, modelCode: "XC60""#,
        r#"type: "SUV", modelCode: null"#,
        r#"type: 7, modelCode: "XC60""#,
        r#"type: ["SUV"], modelCode: "XC60""#,
        r#"type: SUV, modelCode: "XC60""#,
    ] {
        let document = format!("mutation {{ createVehicle({fields}) {{ id }} }}");
        let response = app.query(&document, json!({})).await;
        response.assert_not_executed(&["GRAPHQL_VALIDATION_FAILED"]);
    }
    assert_eq!(app.stored_vehicles().await, 0, "nothing was stored");
}
