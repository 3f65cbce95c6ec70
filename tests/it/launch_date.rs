//! The argument `launchDate` of `createVehicle`: one form, dates that exist, within bounds.

use serde_json::{Value, json};

use crate::support::{Answer, TestApp, tests};

tests![
    a_date_comes_back_as_it_was_given,
    only_one_form_is_a_date,
    a_day_that_does_not_exist_is_refused,
    a_day_out_of_bounds_is_refused,
];

async fn a_date_comes_back_as_it_was_given(app: TestApp) {
    for date in [
        "1000-01-01",
        "1000-01-02",
        // Older calendars skip these days.
        "1582-10-04",
        "1582-10-05",
        "1582-10-15",
        "1900-02-28",
        "1969-12-31",
        "1970-01-01",
        "2000-02-29",
        "2024-02-29",
        "2038-01-20",
        "2024-12-31",
        "9999-12-30",
        "9999-12-31",
    ] {
        let answer = launched(&app, date).await;
        let created = answer.data()["createVehicle"].take();
        assert_eq!(created["launchDate"], date, "{answer}");
        let found = app.vehicle(created["id"].clone()).await;
        assert_eq!(found.data()["vehicle"]["launchDate"], date, "{found}");
    }
}

async fn only_one_form_is_a_date(app: TestApp) {
    for text in [
        "",
        " ",
        "2024",
        "2024-02",
        "2024-2-9",
        "2024-02-9",
        "2024-2-29",
        "24-02-29",
        "20240229",
        "2024/02/29",
        "2024.02.29",
        "29-02-2024",
        "29.02.2024",
        "2024-060",
        "2024-W09-4",
        "2024-02-29T00:00",
        "2024-02-29T00:00:00Z",
        "2024-02-29 00:00:00",
        "2024-02-29Z",
        " 2024-02-29",
        "2024-02-29 ",
        "2024-02-29\n",
        "2024-02-29\0",
        "\0",
        "+2024-02-29",
        "-2024-02-29",
        "-024-02-29",
        "+024-02-29",
        "02024-02-29",
        "10000-01-01",
        "99999-12-31",
        "２０２４-０２-２９",
        "２０２４－０２－２９",
        "٢٠٢٤-٠٢-٢٩",
        "2024‐02‐29",
        "2024−02−29",
        "\u{feff}2024-02-29",
        "today",
        "now()",
        "null",
        "1709164800",
    ] {
        refused(&app, text, "date_form").await;
    }
    assert_eq!(app.stored_vehicles().await, 0, "nothing was stored");
}

async fn a_day_that_does_not_exist_is_refused(app: TestApp) {
    for text in [
        "2023-02-29",
        "1900-02-29",
        "2100-02-29",
        "2024-02-30",
        "2024-04-31",
        "2024-06-31",
        "2024-00-01",
        "2024-13-01",
        "2024-01-00",
        "2024-01-32",
        "9999-12-32",
        "0000-00-00",
    ] {
        refused(&app, text, "date_exists").await;
    }
    assert_eq!(app.stored_vehicles().await, 0, "nothing was stored");
}

async fn a_day_out_of_bounds_is_refused(app: TestApp) {
    for text in ["0999-12-31", "0001-01-01", "0000-01-01"] {
        refused(&app, text, "date_range").await;
    }
    assert_eq!(app.stored_vehicles().await, 0, "nothing was stored");
}

async fn launched(app: &TestApp, date: &str) -> Answer {
    app.create_vehicle(json!({ "type": "SUV", "modelCode": "XC60", "launchDate": date }))
        .await
}

async fn refused(app: &TestApp, text: &str, rule: &str) {
    let answer = launched(app, text).await;
    let expected = [("launchDate".to_owned(), rule.to_owned())];
    assert_eq!(answer.violations(), expected, "{answer}");
    assert_eq!(answer.json()["data"]["createVehicle"], Value::Null);
}
