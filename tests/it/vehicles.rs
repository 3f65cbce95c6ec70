//! `vehicles`: count, order, limit and truncation.

use serde_json::{Value, json};

use crate::support::{Response, TestApp, tests};

tests![
    are_in_ascending_order_of_id,
    are_at_most_count,
    a_count_out_of_bounds_is_refused on Sqlite,
    a_truncated_list_is_reported,
];

async fn are_in_ascending_order_of_id(app: TestApp) {
    // Twelve vehicles, so that lexical order ("10" before "9") differs from numeric order.
    let ids = create_vehicles(&app, 12).await;
    let mut sorted = ids.clone();
    sorted.sort_by_key(|id| id.parse::<i64>().unwrap());
    for response in [app.all_vehicles().await, app.vehicles(12).await] {
        assert_eq!(listed_ids(&response), sorted, "{response}");
    }
    assert_eq!(listed_ids(&app.vehicles(5).await), sorted[..5]);
}

async fn are_at_most_count(app: TestApp) {
    let app = app.restart_with(&["--list-limit=4"]).await;
    let ids = create_vehicles(&app, 3).await;
    for (count, expected) in [(0, 0), (1, 1), (2, 2), (3, 3), (4, 3)] {
        let in_literal = format!("{{ vehicles(count: {count}) {{ id }} }}");
        let responses = [app.vehicles(count).await, app.query(&in_literal, json!({})).await];
        for response in responses {
            assert_eq!(listed_ids(&response), ids[..expected], "{response}");
            assert_eq!(response.json().get("extensions"), None, "{response}");
        }
    }
}

async fn a_count_out_of_bounds_is_refused(app: TestApp) {
    let app = app.restart_with(&["--list-limit=3"]).await;
    create_vehicles(&app, 3).await;
    for count in [-1, -2, i32::MIN, 4, 5, 1000, i32::MAX] {
        let in_literal = format!("{{ vehicles(count: {count}) {{ id }} }}");
        let responses = [app.vehicles(count).await, app.query(&in_literal, json!({})).await];
        for response in responses {
            response.assert_violations(&[("count", "range")]);
            response.assert_failed("vehicles", "BAD_USER_INPUT");
            let message = response.error()["message"].to_string();
            assert!(message.contains('3'), "the limit is not named: {response}");
        }
    }
}

async fn a_truncated_list_is_reported(app: TestApp) {
    let app = app.restart_with(&["--list-limit=3"]).await;
    let ids = create_vehicles(&app, 4).await;
    let with_null = app.query("{ vehicles(count: null) { id } }", json!({})).await;
    let with_absent_variable = app.query("query ($c: Int) { vehicles(count: $c) { id } }", json!({})).await;
    for response in [app.all_vehicles().await, app.vehicles(Value::Null).await, with_null, with_absent_variable] {
        assert_eq!(listed_ids(&response), ids[..3], "{response}");
        let expected = json!({ "truncated": [{ "path": ["vehicles"], "returned": 3, "limit": 3 }] });
        assert_eq!(response.json()["extensions"], expected, "{response}");
    }
    // An explicit count is not a truncation.
    let response = app.vehicles(3).await;
    assert_eq!(listed_ids(&response), ids[..3], "{response}");
    assert_eq!(response.json().get("extensions"), None, "{response}");
}

async fn create_vehicles(app: &TestApp, number: usize) -> Vec<String> {
    let mut ids = Vec::new();
    for number in 0..number {
        ids.push(app.given_vehicle(&format!("M{number}")).await);
    }
    ids
}

/// The ids in a `vehicles` response, which may be truncated.
#[track_caller]
fn listed_ids(response: &Response) -> Vec<String> {
    let data = response.data();
    let vehicles = data["vehicles"].as_array();
    let vehicles = vehicles.unwrap_or_else(|| panic!("there is no list: {response}"));
    let ids = vehicles.iter().map(|vehicle| vehicle["id"].as_str());
    ids.map(|id| id.expect("an id is a string").to_owned()).collect()
}
