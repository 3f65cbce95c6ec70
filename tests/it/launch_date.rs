//! The argument `launchDate` of `createVehicle`: form, existence and range.

use serde_json::json;

use crate::support::{Response, TestApp, tests};

tests![
    a_date_round_trips,
    a_text_that_is_no_date_is_refused_with_its_rule on Sqlite,
];

async fn a_date_round_trips(app: TestApp) {
    // The switch to the Gregorian calendar skips days of October 1582.
    let dates = "1000-01-01 1000-01-02 1582-10-04 1582-10-05 1582-10-15 1900-02-28 1969-12-31 1970-01-01 2000-02-29 \
        2038-01-20 9999-12-30 9999-12-31";
    for date in dates.split(' ') {
        let response = create_with_date(&app, date).await;
        let created = response.data()["createVehicle"].take();
        assert_eq!(created["launchDate"], date, "{response}");
        let found = app.vehicle(created["id"].clone()).await;
        assert_eq!(found.data()["vehicle"]["launchDate"], date, "{found}");
    }
}

/// The property test of `src/catalogue/launch_date.rs` has the forms that are nearly dates.
async fn a_text_that_is_no_date_is_refused_with_its_rule(app: TestApp) {
    let forms = "| |2024-02|2024-2-29|20240229|2024/02/29|29.02.2024|2024-060|2024-W09-4|2024-02-29T00:00:00Z| 2024-02-29|\
        2024-02-29\n|2024-02-29\0|+2024-02-29|-024-02-29|10000-01-01|２０２４-０２-２９|٢٠٢٤-٠٢-٢٩|2024−02−29|\u{feff}2024-02-29|today";
    let missing = "2023-02-29|1900-02-29|2024-04-31|2024-00-01|2024-13-01|2024-01-00|2024-01-32|0000-00-00";
    let early = "0999-12-31|0001-01-01|0000-01-01";
    for (texts, rule) in [(forms, "date_form"), (missing, "date_exists"), (early, "date_range")] {
        for text in texts.split('|') {
            let response = create_with_date(&app, text).await;
            response.assert_violations(&[("launchDate", rule)]);
        }
    }
    assert_eq!(app.stored_vehicles().await, 0, "nothing was stored");
}

async fn create_with_date(app: &TestApp, date: &str) -> Response {
    app.create_vehicle(json!({ "type": "SUV", "modelCode": "XC60", "launchDate": date })).await
}
