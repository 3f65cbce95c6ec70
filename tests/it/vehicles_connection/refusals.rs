//! Invalid arguments of `vehiclesConnection`, and the cost of pages.

use futures_util::future::join_all;
use serde_json::json;

use crate::support::{Response, TestApp, tests};

tests![
    a_size_out_of_bounds_is_refused_before_the_cost,
    several_texts_are_refused,
    a_condition_with_an_order_by_id_is_refused,
    an_invalid_date_is_refused,
    a_text_that_is_no_cursor_of_the_order_is_refused,
    every_violation_is_reported,
    concurrent_equal_pages_are_equal,
    a_page_above_the_response_limit_is_refused,
];

/// Asserts that the page is refused with one violation.
#[track_caller]
fn assert_violation(response: &Response, argument: &str, rule: &str, message: &str) {
    response.assert_violations(&[(argument, rule)]);
    assert_eq!(response.error()["message"], message, "{response}");
    response.assert_failed("vehiclesConnection", "BAD_USER_INPUT");
}

async fn a_size_out_of_bounds_is_refused_before_the_cost(app: TestApp) {
    let app = app.restart_with(&["--list-limit=100", "--cost-limit=20"]).await;
    let page = app.page_response(json!({ "first": 20 })).await;
    page.assert_not_executed(&["LIMIT_EXCEEDED"]);
    for (first, reason) in [
        (0, "it is 0"),
        (-1, "it is negative"),
        (i32::MIN, "it is negative"),
        (101, "it exceeds the list limit"),
        (i32::MAX, "it exceeds the list limit"),
    ] {
        let in_literal = format!("{{ vehiclesConnection(first: {first}) {{ nodes {{ id }} }} }}");
        let responses = [app.page_response(json!({ "first": first })).await, app.query(&in_literal, json!({})).await];
        for response in responses {
            let message = format!("first must be from 1 to 100, {reason}");
            assert_violation(&response, "first", "range", &message);
        }
    }
}

async fn several_texts_are_refused(app: TestApp) {
    for filter in [
        json!({ "type": "SUV", "modelCode": "XC60" }),
        json!({ "modelCode": "", "brandName": "" }),
        json!({ "type": "SUV", "brandName": "\0" }),
        json!({ "type": "SUV", "modelCode": "XC60", "brandName": "Volvo", "launchedFrom": null }),
    ] {
        let response = app.page_response(json!({ "filter": filter })).await;
        let message = "filter must have at most one of type, modelCode and brandName";
        assert_violation(&response, "filter", "one_condition", message);
    }
}

async fn a_condition_with_an_order_by_id_is_refused(app: TestApp) {
    let message = "orderBy must be LAUNCH_DATE_ASC or LAUNCH_DATE_DESC if filter has a condition";
    for order in ["ID_ASC", "ID_DESC"] {
        for filter in [
            json!({ "type": "SUV" }),
            json!({ "modelCode": "XC60" }),
            json!({ "brandName": "" }),
            json!({ "launchedFrom": "2020-01-01" }),
            json!({ "launchedUntil": "2020-01-01" }),
        ] {
            let arguments = json!({ "filter": filter, "orderBy": order });
            let response = app.page_response(arguments).await;
            assert_violation(&response, "orderBy", "order", message);
        }
    }
}

async fn an_invalid_date_is_refused(app: TestApp) {
    for (date, rule, message) in [
        ("", "date_form", "have the form YYYY-MM-DD, for example 2024-02-29"),
        ("2020-1-1", "date_form", "have the form YYYY-MM-DD, for example 2024-02-29"),
        ("2020-01-01T00:00", "date_form", "have the form YYYY-MM-DD, for example 2024-02-29"),
        ("2023-02-29", "date_exists", "be a calendar date"),
        ("0999-12-31", "date_range", "be between 1000-01-01 and 9999-12-31"),
    ] {
        for name in ["launchedFrom", "launchedUntil"] {
            let response = app.page_response(json!({ "filter": { name: date } })).await;
            let argument = format!("filter.{name}");
            let message = format!("{argument} must {message}");
            assert_violation(&response, &argument, rule, &message);
        }
    }
}

async fn a_text_that_is_no_cursor_of_the_order_is_refused(app: TestApp) {
    app.given_launched([Some("2020-01-01"), None]).await;
    let orders = ["ID_ASC", "ID_DESC", "LAUNCH_DATE_ASC", "LAUNCH_DATE_DESC"];
    let message = "after must be a cursor, startCursor or endCursor of vehiclesConnection in the same order";
    for order in orders {
        let page = app.page(json!({ "orderBy": order })).await;
        let cursor = page.cursors[0].as_str();
        // The property tests of `src/catalogue/cursor.rs` have those that are nearly cursors.
        let mut invalid = vec![
            String::new(),
            "1".to_owned(),
            cursor[1..].to_owned(),
            format!("{cursor}A"),
            format!(" {cursor}"),
            "x".repeat(5000),
        ];
        for other in orders.into_iter().filter(|other| *other != order) {
            let page = app.page(json!({ "orderBy": other })).await;
            invalid.extend(page.cursors);
        }
        for cursor in invalid {
            let arguments = json!({ "orderBy": order, "after": cursor });
            let response = app.page_response(arguments).await;
            assert_violation(&response, "after", "cursor", message);
        }
    }
}

async fn every_violation_is_reported(app: TestApp) {
    let filter = json!({ "type": "SUV", "brandName": "Volvo", "launchedFrom": "soon" });
    let arguments = json!({ "filter": filter, "orderBy": "ID_ASC", "first": 0, "after": "" });
    let violations = app.page_response(arguments).await.violations();
    let arguments: Vec<_> = violations.iter().map(|(argument, _)| argument).collect();
    let expected = ["filter", "filter.launchedFrom", "orderBy", "first", "after"];
    assert_eq!(arguments, expected);
}

async fn a_page_above_the_response_limit_is_refused(app: TestApp) {
    let app = app.restart_with(&["--response-limit-bytes=65536"]).await;
    for _ in 0..50 {
        app.given(json!({ "brandName": "\u{1}".repeat(255) })).await;
    }
    for fields in ["nodes { brandName }", "edges { node { brandName } }"] {
        let document = format!("{{ vehiclesConnection {{ {fields} pageInfo {{ hasNextPage }} }} }}");
        let response = app.query(&document, json!({})).await;
        assert_eq!(response.error_code(), "LIMIT_EXCEEDED", "{response}");
    }
}

async fn concurrent_equal_pages_are_equal(app: TestApp) {
    app.insert_numbered(30).await;
    let pages = (0..40).map(|number| {
        let first = if number % 2 == 0 { 10 } else { 20 };
        app.page(json!({ "first": first }))
    });
    for (number, page) in join_all(pages).await.into_iter().enumerate() {
        let first = if number % 2 == 0 { 10 } else { 20 };
        assert_eq!((page.ids.len(), page.has_next), (first, true));
    }
}
