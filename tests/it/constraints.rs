//! The constraints that the contract declares: values at each limit are accepted, those beyond it are refused.

use graphql_sdl::{Constraint, Element, Limit};
use serde_json::{Value, json};
use vehicle_catalogue::graphql::CONTRACT;

use crate::support::{Response, TestApp, tests};

tests![the_service_enforces_every_constraint_of_its_contract];

async fn the_service_enforces_every_constraint_of_its_contract(app: TestApp) {
    let id = app.given_vehicle("XC60").await;
    let inputs = CONTRACT.elements().into_iter();
    let inputs: Vec<_> = inputs.filter(|element| element.input().is_some()).collect();
    let mut count = 0;
    for input in inputs {
        let constraint = Constraint::of(&CONTRACT, input).expect("it is valid");
        let Some(constraint) = constraint else {
            continue;
        };
        for (valid, invalid) in samples(&constraint) {
            let (response, argument) = send(&app, input, &id, valid).await;
            let has_errors = response.json().get("errors").is_some();
            assert!(!has_errors, "{argument} is at its limit: {response}");
            let (response, argument) = send(&app, input, &id, invalid).await;
            let violations = response.violations().into_iter();
            let violated: Vec<_> = violations.map(|(violated, _)| violated).collect();
            assert_eq!(violated, [argument], "{response}");
            count += 1;
        }
    }
    assert!(count >= 25, "{count} limits are tested");
}

/// Values at the limits, each with one beyond it.
fn samples(constraint: &Constraint) -> Vec<(Value, Value)> {
    let vehicles = |count| vec![json!({ "type": "SUV", "modelCode": "XC60" }); count];
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the contract has small limits")]
    let limits = constraint.limits.iter().map(|(limit, number)| {
        let (number, count) = (*number as i32, *number as usize);
        match limit {
            Limit::MinLength => (json!("x".repeat(count)), json!("x".repeat(count - 1))),
            // Four bytes and two UTF-16 code units.
            Limit::MaxLength => (json!("🚗".repeat(count)), json!("🚗".repeat(count + 1))),
            Limit::Min => (json!(number), json!(number - 1)),
            Limit::Max => (json!(number), json!(number + 1)),
            Limit::MinItems => (json!(vehicles(count)), json!(vehicles(count - 1))),
            Limit::MaxItems => (json!(vehicles(count)), json!(vehicles(count + 1))),
        }
    });
    let format = constraint.format.map(|format| match format {
        "date" => (json!("2024-02-29"), json!("2023-02-29")),
        other => panic!("add a sample of the format {other}"),
    });
    assert_eq!(constraint.pattern, None, "add a sample of the pattern");
    limits.chain(format).collect()
}

/// Sends a request with the value, and returns the path of its argument in violations.
async fn send(app: &TestApp, input: Element<'_>, id: &str, value: Value) -> (Response, String) {
    let name = input.name().expect("an input has a name").as_str();
    let mut vehicle = json!({ "type": "SUV", "modelCode": "XC60" });
    let create_all = "mutation ($vehicles: [NewVehicle!]!) { createVehicles(vehicles: $vehicles) { id } }";
    match input.coordinate().as_str() {
        coordinate if coordinate.starts_with("Mutation.createVehicle(") => {
            vehicle[name] = value;
            (app.create_vehicle(vehicle).await, name.to_owned())
        }
        coordinate if coordinate.starts_with("NewVehicle.") => {
            vehicle[name] = value;
            let response = app.query(create_all, json!({ "vehicles": [vehicle] }));
            (response.await, format!("vehicles[0].{name}"))
        }
        coordinate if coordinate.starts_with("VehicleChanges.") => {
            let response = app.update_vehicle(id, json!({ name: value }), Value::Null);
            (response.await, format!("changes.{name}"))
        }
        coordinate if coordinate.starts_with("VehicleFilter.") => {
            let query = "query ($filter: VehicleFilter) { vehiclesConnection(filter: $filter) { nodes { id } } }";
            let response = app.query(query, json!({ "filter": { name: value } }));
            (response.await, format!("filter.{name}"))
        }
        "Query.vehiclesConnection(first:)" => {
            let query = "query ($first: Int) { vehiclesConnection(first: $first) { nodes { id } } }";
            (app.query(query, json!({ "first": value })).await, name.to_owned())
        }
        "Query.vehicles(count:)" => (app.vehicles(value).await, name.to_owned()),
        "Mutation.createVehicles(vehicles:)" => {
            let response = app.query(create_all, json!({ "vehicles": value }));
            (response.await, name.to_owned())
        }
        "Mutation.updateVehicle(expectedVersion:)" => {
            let response = app.update_vehicle(id, json!({}), value);
            (response.await, name.to_owned())
        }
        "Mutation.deleteVehicle(expectedVersion:)" => {
            // The id of no vehicle.
            let response = app.delete_vehicle("9223372036854775807", value);
            (response.await, name.to_owned())
        }
        other => panic!("add a request with {other}"),
    }
}
