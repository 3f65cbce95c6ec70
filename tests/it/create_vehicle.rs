//! `createVehicle`: what is stored, what is refused, and who sees it when.

use std::collections::HashSet;

use futures_util::future::join_all;
use serde_json::{Value, json};

use crate::support::{TestApp, tests};

tests![
    answers_the_vehicle_as_it_is_stored,
    makes_ids_in_ascending_order,
    needs_neither_brand_nor_launch_date,
    needs_type_and_model_code_as_literals,
    needs_type_and_model_code_as_variables,
    is_refused_when_a_required_variable_is_omitted,
    reports_every_broken_argument,
    reports_every_rule_that_one_argument_breaks,
    a_refused_vehicle_takes_no_other_with_it,
    many_at_once_get_ids_of_their_own,
    everybody_reads_their_own_writes_at_once,
];

async fn answers_the_vehicle_as_it_is_stored(app: TestApp) {
    let arguments = json!({
        "type": "SUV", "modelCode": "XC60", "brandName": "Volvo", "launchDate": "2017-03-07",
    });
    let created = app.create_vehicle(arguments.clone()).await.data()["createVehicle"].take();
    let id = created["id"].as_str().expect("an id is a string");
    assert!(id.parse::<i64>().is_ok_and(|number| number > 0), "{id}");

    let mut expected = arguments;
    expected["id"] = json!(id);
    assert_eq!(created, expected);
    assert_eq!(
        app.vehicle(id).await.data(),
        json!({ "vehicle": expected.clone() })
    );
    assert_eq!(
        app.all_vehicles().await.data(),
        json!({ "vehicles": [expected] })
    );
}

async fn makes_ids_in_ascending_order(app: TestApp) {
    let mut last = 0;
    for model_code in ["C", "A", "B", "A"] {
        let id: i64 = app.given_vehicle(model_code).await.parse().unwrap();
        assert!(id > last, "{id} after {last}");
        last = id;
    }
}

async fn needs_neither_brand_nor_launch_date(app: TestApp) {
    let base = json!({ "type": "SUV", "modelCode": "XC60" });
    let cases = [
        (json!({}), Value::Null),
        (
            json!({ "brandName": null, "launchDate": null }),
            Value::Null,
        ),
        // An empty text is a text.
        (json!({ "brandName": "" }), json!("")),
    ];
    for (optional, brand_name) in cases {
        let mut arguments = base.clone();
        let optional = optional.as_object().unwrap().clone();
        arguments.as_object_mut().unwrap().extend(optional);
        let answer = app.create_vehicle(arguments).await;
        let created = answer.data()["createVehicle"].take();
        assert_eq!(created["brandName"], brand_name, "{answer}");
        assert_eq!(created["launchDate"], Value::Null, "{answer}");
        let found = app.vehicle(created["id"].clone()).await;
        assert_eq!(found.data()["vehicle"], created, "{found}");
    }
}

async fn needs_type_and_model_code_as_literals(app: TestApp) {
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
        let answer = app.ask(&document, json!({})).await;
        answer.assert_not_executed(&["GRAPHQL_VALIDATION_FAILED"]);
    }
    assert_eq!(app.stored_vehicles().await, 0, "nothing was stored");
}

async fn needs_type_and_model_code_as_variables(app: TestApp) {
    for arguments in [
        json!({ "type": null, "modelCode": "XC60" }),
        json!({ "type": "SUV", "modelCode": null }),
        json!({ "type": 7, "modelCode": "XC60" }),
        json!({ "type": ["SUV"], "modelCode": "XC60" }),
    ] {
        let answer = app.create_vehicle(arguments).await;
        answer.assert_not_executed(&["BAD_USER_INPUT", "GRAPHQL_VALIDATION_FAILED"]);
    }
    assert_eq!(app.stored_vehicles().await, 0, "nothing was stored");
}

async fn is_refused_when_a_required_variable_is_omitted(app: TestApp) {
    for arguments in [
        json!({ "modelCode": "XC60" }),
        json!({ "type": "SUV" }),
        json!({}),
    ] {
        let answer = app.create_vehicle(arguments).await;
        assert_eq!(app.stored_vehicles().await, 0, "{answer}");
        answer.assert_refused();
    }
}

async fn reports_every_broken_argument(app: TestApp) {
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
        let answer = app.create_vehicle(arguments).await;
        assert_eq!(answer.violations(), owned(&expected), "{answer}");
        assert_eq!(answer.error()["path"], json!(["createVehicle"]), "{answer}");
        assert_eq!(answer.json()["data"], json!({ "createVehicle": null }));
        assert_eq!(answer.status(), 200);
    }
    assert_eq!(app.stored_vehicles().await, 0, "nothing was stored");
}

async fn reports_every_rule_that_one_argument_breaks(app: TestApp) {
    let long = format!("{}\0", "x".repeat(255));
    let arguments = json!({ "type": "SUV", "modelCode": long });
    let mut violations = app.create_vehicle(arguments).await.violations();
    violations.sort();
    let expected = [("modelCode", "max_length"), ("modelCode", "no_nul")];
    assert_eq!(violations, owned(&expected));
    assert_eq!(app.stored_vehicles().await, 0, "nothing was stored");
}

async fn a_refused_vehicle_takes_no_other_with_it(app: TestApp) {
    let document = r#"mutation {
        a: createVehicle(type: "SUV", modelCode: "XC60") { modelCode }
        b: createVehicle(type: "SUV", modelCode: "") { modelCode }
        c: createVehicle(type: "SUV", modelCode: "XC90") { modelCode }
    }"#;
    let answer = app.ask(document, json!({})).await;
    assert_eq!(answer.violations(), owned(&[("modelCode", "not_blank")]));
    assert_eq!(answer.error()["path"], json!(["b"]), "{answer}");
    let data = json!({ "a": { "modelCode": "XC60" }, "b": null, "c": { "modelCode": "XC90" } });
    assert_eq!(answer.json()["data"], data, "{answer}");

    let stored = app.ask("{ vehicles { modelCode } }", json!({})).await;
    let expected = json!([{ "modelCode": "XC60" }, { "modelCode": "XC90" }]);
    assert_eq!(stored.data()["vehicles"], expected, "in document order");
}

async fn many_at_once_get_ids_of_their_own(app: TestApp) {
    let model_codes: Vec<String> = (0..50).map(|number| format!("M{number}")).collect();
    let ids = join_all(model_codes.iter().map(|code| app.given_vehicle(code))).await;
    let distinct: HashSet<&String> = ids.iter().collect();
    assert_eq!(distinct.len(), 50, "{ids:?}");

    let number = |id: &String| id.parse::<i64>().unwrap();
    let last: i64 = app.given_vehicle("last").await.parse().unwrap();
    assert!(ids.iter().all(|id| number(id) < last), "{last} {ids:?}");

    let listed = app.all_vehicles().await.data()["vehicles"].take();
    let mut expected: Vec<(i64, &str)> = ids.iter().map(number).zip(codes(&model_codes)).collect();
    expected.push((last, "last"));
    expected.sort_unstable();
    let listed: Vec<(i64, &str)> = listed.as_array().unwrap().iter().map(row).collect();
    assert_eq!(listed, expected, "every vehicle has the id it was told");
}

async fn everybody_reads_their_own_writes_at_once(app: TestApp) {
    let write_and_read = async |number: u32| {
        let model_code = format!("M{number}");
        let id = app.given_vehicle(&model_code).await;
        let found = app.vehicle(id.clone()).await;
        let vehicle = found.data()["vehicle"].take();
        assert_eq!(vehicle["modelCode"], json!(model_code), "{found}");
        let listed = app.all_vehicles().await.data()["vehicles"].take();
        let listed = listed.as_array().unwrap();
        assert!(listed.contains(&vehicle), "{id} is not in {listed:?}");
    };
    join_all((0..50).map(write_and_read)).await;
}

fn codes(model_codes: &[String]) -> impl Iterator<Item = &str> {
    model_codes.iter().map(String::as_str)
}

fn row(vehicle: &Value) -> (i64, &str) {
    let id = vehicle["id"].as_str().unwrap();
    (id.parse().unwrap(), vehicle["modelCode"].as_str().unwrap())
}

fn owned(violations: &[(&str, &str)]) -> Vec<(String, String)> {
    let violations = violations.iter();
    violations
        .map(|&(argument, rule)| (argument.to_owned(), rule.to_owned()))
        .collect()
}
