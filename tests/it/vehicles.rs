//! `vehicles`: how many, in which order, and what is said of a list that was cut.

use serde_json::{Value, json};

use crate::support::{Answer, TestApp, tests};

tests![
    are_none_in_an_empty_catalogue,
    are_in_ascending_order_of_id,
    are_at_most_as_many_as_asked_for,
    a_count_out_of_bounds_is_refused,
    a_count_that_is_no_int_is_refused,
    a_count_beyond_32_bits_is_refused,
    the_limit_is_1000_unless_set,
    a_list_that_just_fits_is_not_cut,
    a_list_that_was_cut_says_so,
    every_cut_list_is_told_by_its_alias,
];

async fn are_none_in_an_empty_catalogue(app: TestApp) {
    for answer in [
        app.all_vehicles().await,
        app.vehicles(Value::Null).await,
        app.vehicles(0).await,
        app.vehicles(5).await,
    ] {
        assert_eq!(
            answer.json(),
            json!({ "data": { "vehicles": [] } }),
            "{answer}"
        );
    }
}

async fn are_in_ascending_order_of_id(app: TestApp) {
    // Twelve, so that the order of texts ("10" before "9") would be another one.
    let ids = given(&app, 12).await;
    let mut sorted = ids.clone();
    sorted.sort_by_key(|id| id.parse::<i64>().unwrap());
    for answer in [app.all_vehicles().await, app.vehicles(12).await] {
        assert_eq!(listed(&answer), sorted, "{answer}");
    }
    assert_eq!(listed(&app.vehicles(5).await), sorted[..5]);
}

async fn are_at_most_as_many_as_asked_for(app: TestApp) {
    let app = app.restart_with(&["--list-limit=4"]).await;
    let ids = given(&app, 3).await;
    for (count, expected) in [(0, 0), (1, 1), (2, 2), (3, 3), (4, 3)] {
        let in_literal = format!("{{ vehicles(count: {count}) {{ id }} }}");
        let answers = [
            app.vehicles(count).await,
            app.ask(&in_literal, json!({})).await,
        ];
        for answer in answers {
            assert_eq!(listed(&answer), ids[..expected], "{answer}");
            assert_eq!(answer.json().get("extensions"), None, "{answer}");
        }
    }
}

async fn a_count_out_of_bounds_is_refused(app: TestApp) {
    let app = app.restart_with(&["--list-limit=3"]).await;
    given(&app, 3).await;
    for count in [-1, -2, i32::MIN, 4, 5, 1000, i32::MAX] {
        let in_literal = format!("{{ vehicles(count: {count}) {{ id }} }}");
        let answers = [
            app.vehicles(count).await,
            app.ask(&in_literal, json!({})).await,
        ];
        for answer in answers {
            let expected = [("count".to_owned(), "range".to_owned())];
            assert_eq!(answer.violations(), expected, "{answer}");
            assert_eq!(answer.error()["path"], json!(["vehicles"]), "{answer}");
            assert_eq!(answer.json()["data"], json!({ "vehicles": null }));
            let message = answer.error()["message"].to_string();
            assert!(message.contains('3'), "the limit is not named: {answer}");
        }
    }
}

async fn a_count_that_is_no_int_is_refused(app: TestApp) {
    for text in ["1.0", "\"1\"", "true", "[1]"] {
        let document = format!("{{ vehicles(count: {text}) {{ id }} }}");
        let answer = app.ask(&document, json!({})).await;
        answer.assert_not_executed(&["GRAPHQL_VALIDATION_FAILED"]);
    }
    for value in [json!(1.5), json!("1"), json!(true), json!([1])] {
        let answer = app.vehicles(value).await;
        answer.assert_not_executed(&["BAD_USER_INPUT", "GRAPHQL_VALIDATION_FAILED"]);
    }
}

/// Such a number is no `Int`, so it is the request that is wrong, not the answer to a field.
async fn a_count_beyond_32_bits_is_refused(app: TestApp) {
    for number in [2_147_483_648, -2_147_483_649, i64::MAX] {
        let document = format!("{{ vehicles(count: {number}) {{ id }} }}");
        let answers = [
            app.ask(&document, json!({})).await,
            app.vehicles(number).await,
        ];
        for answer in answers {
            answer.assert_not_executed(&["BAD_USER_INPUT", "GRAPHQL_VALIDATION_FAILED"]);
        }
    }
}

async fn the_limit_is_1000_unless_set(app: TestApp) {
    let ids = given(&app, 2).await;
    assert_eq!(listed(&app.vehicles(1000).await), ids);
    let answer = app.vehicles(1001).await;
    assert_eq!(answer.violations().len(), 1, "{answer}");
    let message = answer.error()["message"].to_string();
    assert!(message.contains("1000"), "the limit is not named: {answer}");
}

async fn a_list_that_just_fits_is_not_cut(app: TestApp) {
    let app = app.restart_with(&["--list-limit=3"]).await;
    let ids = given(&app, 3).await;
    for answer in [app.all_vehicles().await, app.vehicles(Value::Null).await] {
        assert_eq!(listed(&answer), ids, "{answer}");
        assert_eq!(answer.json().get("extensions"), None, "{answer}");
    }
}

async fn a_list_that_was_cut_says_so(app: TestApp) {
    let app = app.restart_with(&["--list-limit=3"]).await;
    let ids = given(&app, 4).await;
    let with_null = app.ask("{ vehicles(count: null) { id } }", json!({})).await;
    let with_absent_variable = app
        .ask("query ($c: Int) { vehicles(count: $c) { id } }", json!({}))
        .await;
    for answer in [
        app.all_vehicles().await,
        app.vehicles(Value::Null).await,
        with_null,
        with_absent_variable,
    ] {
        assert_eq!(listed(&answer), ids[..3], "{answer}");
        let expected =
            json!({ "truncated": [{ "path": ["vehicles"], "returned": 3, "limit": 3 }] });
        assert_eq!(answer.json()["extensions"], expected, "{answer}");
    }
    // Who asks for three and gets three has what was asked for.
    let answer = app.vehicles(3).await;
    assert_eq!(listed(&answer), ids[..3], "{answer}");
    assert_eq!(answer.json().get("extensions"), None, "{answer}");
}

async fn every_cut_list_is_told_by_its_alias(app: TestApp) {
    let app = app.restart_with(&["--list-limit=2"]).await;
    given(&app, 3).await;
    let document = "{ a: vehicles { id } b: vehicles(count: 1) { id } ...F }
        fragment F on Query { c: vehicles(count: null) { modelCode } }";
    let answer = app.ask(document, json!({})).await;
    answer.data();
    let extensions = answer.json()["extensions"].take();
    let mut truncated = extensions["truncated"].as_array().unwrap().clone();
    truncated.sort_by_key(Value::to_string);
    let entry = |alias| json!({ "path": [alias], "returned": 2, "limit": 2 });
    assert_eq!(truncated, [entry("a"), entry("c")], "{answer}");
}

async fn given(app: &TestApp, number: usize) -> Vec<String> {
    let mut ids = Vec::new();
    for number in 0..number {
        ids.push(app.given_vehicle(&format!("M{number}")).await);
    }
    ids
}

/// The ids of an answer to `vehicles`, which may also tell of a cut.
#[track_caller]
fn listed(answer: &Answer) -> Vec<String> {
    let data = answer.data();
    let vehicles = data["vehicles"].as_array();
    let vehicles = vehicles.unwrap_or_else(|| panic!("there is no list: {answer}"));
    let ids = vehicles.iter().map(|vehicle| vehicle["id"].as_str());
    ids.map(|id| id.expect("an id is a string").to_owned())
        .collect()
}
