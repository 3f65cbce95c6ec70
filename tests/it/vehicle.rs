//! `vehicle`: lookup by id.

use serde_json::{Value, json};

use crate::support::{Response, TestApp, tests};

tests![
    accepts_an_id_as_string_or_integer on Sqlite,
    is_null_for_an_id_in_another_form on Sqlite,
    requires_an_id on Sqlite,
    finds_many_in_one_request,
    response_keys_have_the_order_of_the_document on Sqlite,
];

async fn accepts_an_id_as_string_or_integer(app: TestApp) {
    let id = app.given_vehicle("XC60").await;
    let number: i64 = id.parse().unwrap();
    // A text, since `serde_json` would normalize the number, which GraphQL regards as an integer (section 3.5).
    let exponent =
        format!(r#"{{"query":"query ($id: ID) {{ vehicle(id: $id) {{ id }} }}","variables":{{"id":{id}0e-1}}}}"#);
    let responses = [
        app.post(exponent).await,
        query_with_literal(&app, &id).await,
        query_with_literal(&app, &format!("\"{id}\"")).await,
        app.vehicle(number).await,
        app.vehicle(id.as_str()).await,
    ];
    for response in responses {
        let vehicle = response.data()["vehicle"].take();
        assert_eq!(vehicle["id"], Value::String(id.clone()), "{response}");
    }
}

async fn is_null_for_an_id_in_another_form(app: TestApp) {
    assert_eq!(app.given_vehicle("XC60").await, "1");
    let texts = "| |0|-0|-1|+1|01|001| 1|1 |1\n|\t1|1.0|1.|1,0|1e0|0x1|1_0|1\0|\0|\u{feff}1|1\u{200b}|١|１|¹|Ⅰ|one|null|true|1 OR 1=1|\
        1; DROP TABLE vehicle|'1'|9223372036854775807|9223372036854775808|-9223372036854775808|-9223372036854775809|\
        18446744073709551616|18446744073709551617|4294967297|99999999999999999999999999999999999999999";
    for text in texts.split('|') {
        assert_no_vehicle(&app.vehicle(text).await);
        let text = Value::from(text).to_string();
        assert_no_vehicle(&query_with_literal(&app, &text).await);
    }
    let longest = "1".repeat(100_000);
    assert_no_vehicle(&app.vehicle(longest).await);
    for number in ["0", "-1", "-9223372036854775808"] {
        assert_no_vehicle(&query_with_literal(&app, number).await);
        assert_no_vehicle(&app.vehicle(number.parse::<i64>().unwrap()).await);
    }
}

async fn requires_an_id(app: TestApp) {
    app.given_vehicle("XC60").await;
    let with_variable = "query ($id: ID) { vehicle(id: $id) { id } }";
    let responses = [
        app.query("{ vehicle { id } }", json!({})).await,
        app.query("{ vehicle(id: null) { id } }", json!({})).await,
        app.query(with_variable, json!({})).await,
        app.query(with_variable, json!({ "id": null })).await,
    ];
    for response in responses {
        response.assert_violations(&[("id", "required")]);
        response.assert_failed("vehicle", "BAD_USER_INPUT");
    }
}

async fn finds_many_in_one_request(app: TestApp) {
    let mut fields = vec![
        "again: vehicle(id: 1) { id }".to_owned(),
        "none: vehicle(id: 4711) { id }".to_owned(),
        "odd: vehicle(id: \"x\") { id }".to_owned(),
    ];
    let mut expected = json!({ "again": { "id": "1" }, "none": null, "odd": null });
    for number in 0..10 {
        let model_code = format!("M{number}");
        let id = app.given_vehicle(&model_code).await;
        fields.push(format!("{model_code}: vehicle(id: {id}) {{ modelCode }}"));
        expected[&model_code] = json!({ "modelCode": model_code });
    }
    let document = format!("{{ {} }}", fields.join(" "));
    assert_eq!(app.query(&document, json!({})).await.data(), expected);
}

async fn response_keys_have_the_order_of_the_document(app: TestApp) {
    app.given_three_vehicles().await;
    let document = "{ z: vehicles(count: 3) { id } y: __typename ...F x: vehicle(id: 1) { type id: id modelCode a: id }
        w: vehicle(id: \"x\") { id } } fragment F on Query { v: vehicle(id: 2) { launchDate id } u: __typename }";
    // Repeated, because resolvers complete in any order.
    for _ in 0..10 {
        let response = app.query(document, json!({})).await;
        let expected = r#"{"data":{"z":[{"id":"1"},{"id":"2"},{"id":"3"}],"y":"Query","v":{"launchDate":null,"id":"2"},"u":"Query","x":{"type":"SUV","id":"1","modelCode":"XC40","a":"1"},"w":null}}"#;
        assert_eq!(response.text(), expected);
    }
}

/// Queries with the id as a GraphQL literal.
async fn query_with_literal(app: &TestApp, id: &str) -> Response {
    let document = format!("{{ vehicle(id: {id}) {{ id }} }}");
    app.query(&document, json!({})).await
}

#[track_caller]
fn assert_no_vehicle(response: &Response) {
    let expected = json!({ "data": { "vehicle": null } });
    assert_eq!(response.json(), expected, "{response}");
    assert_eq!(response.status(), 200, "{response}");
}
