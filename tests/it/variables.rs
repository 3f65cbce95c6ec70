//! Long integers in variables.

use serde_json::json;

use crate::support::{TestApp, tests};

tests![accepts_an_integer_of_64_bits_as_an_id, a_long_integer_is_refused_where_a_short_one_is,];

const BY_ID: &str = "query ($id: ID) { vehicle(id: $id) { modelCode } }";

async fn accepts_an_integer_of_64_bits_as_an_id(app: TestApp) {
    app.given_three_vehicles().await;
    let nothing = json!({ "vehicle": null });
    let (long, longest) = ("9".repeat(30), "9".repeat(400));
    for (id, expected) in [
        ("2", Some(json!({ "vehicle": { "modelCode": "XC60" } }))),
        ("-0", Some(nothing.clone())),
        ("18446744073709551615", Some(nothing.clone())),
        // Others are rounded where JSON is read.
        ("18446744073709551616", None),
        ("-9223372036854775809", None),
        (&long, None),
        (&longest, None),
    ] {
        let variables = format!("{{\"id\": {id}}}");
        let body = format!("{{\"query\": \"{BY_ID}\", \"variables\": {variables}}}");
        let parameters = [("query", BY_ID), ("variables", variables.as_str())];
        for response in [app.post(body).await, app.send(&variables, app.get_request(&parameters)).await] {
            match &expected {
                Some(expected) => assert_eq!(response.data(), *expected, "{id}"),
                None => assert!(!response.errors().is_empty(), "{id}: {response}"),
            }
        }
        let document = format!("{{ vehicle(id: {id}) {{ modelCode }} }}");
        let in_document = app.query(&document, json!({})).await.data();
        assert_eq!(in_document, expected.unwrap_or(nothing.clone()), "{id}");
    }
}

async fn a_long_integer_is_refused_where_a_short_one_is(app: TestApp) {
    let create = "mutation ($v: String!) { createVehicle(type: $v, modelCode: \"a\") { id } }";
    let list = "query ($v: Int) { vehicles(count: $v) { id } }";
    let page = "query ($v: VehicleOrder) { vehiclesConnection(orderBy: $v) { nodes { id } } }";
    for (document, ty) in [(create, "String"), (list, "Int"), (page, "VehicleOrder")] {
        for number in ["9".repeat(11), "9".repeat(19)] {
            let body = format!("{{\"query\": {document:?}, \"variables\": {{\"v\": {number}}}}}");
            let response = app.post(body).await;
            response.assert_not_executed(&["BAD_USER_INPUT"]);
            let message = format!("$v must be of the type {ty}, it is {number}");
            assert_eq!(response.error()["message"], message, "{response}");
        }
    }
    assert_eq!(app.stored_vehicles().await, 0);
}
