//! The argument `launchDate` of `createVehicle`: form, existence and range.

use serde_json::{Value, json};

use crate::support::{Response, TestApp, tests};

tests![
    a_date_round_trips,
    only_the_iso_8601_calendar_form_is_a_date on Sqlite,
    a_nonexistent_date_is_refused on Sqlite,
    a_date_out_of_range_is_refused on Sqlite,
];

async fn a_date_round_trips(app: TestApp) {
    for date in [
        "1000-01-01",
        "1000-01-02",
        // The switch to the Gregorian calendar skips these days.
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
        let response = create_with_date(&app, date).await;
        let created = response.data()["createVehicle"].take();
        assert_eq!(created["launchDate"], date, "{response}");
        let found = app.vehicle(created["id"].clone()).await;
        assert_eq!(found.data()["vehicle"]["launchDate"], date, "{found}");
    }
}

async fn only_the_iso_8601_calendar_form_is_a_date(app: TestApp) {
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
        assert_refused(&app, text, "date_form").await;
    }
    assert_eq!(app.stored_vehicles().await, 0, "nothing was stored");
}

async fn a_nonexistent_date_is_refused(app: TestApp) {
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
        assert_refused(&app, text, "date_exists").await;
    }
    assert_eq!(app.stored_vehicles().await, 0, "nothing was stored");
}

async fn a_date_out_of_range_is_refused(app: TestApp) {
    for text in ["0999-12-31", "0001-01-01", "0000-01-01"] {
        assert_refused(&app, text, "date_range").await;
    }
    assert_eq!(app.stored_vehicles().await, 0, "nothing was stored");
}

async fn create_with_date(app: &TestApp, date: &str) -> Response {
    app.create_vehicle(json!({ "type": "SUV", "modelCode": "XC60", "launchDate": date })).await
}

async fn assert_refused(app: &TestApp, text: &str, rule: &str) {
    let response = create_with_date(app, text).await;
    let expected = [("launchDate".to_owned(), rule.to_owned())];
    assert_eq!(response.violations(), expected, "{response}");
    assert_eq!(response.json()["data"]["createVehicle"], Value::Null);
}
