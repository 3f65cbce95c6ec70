//! Stored data: restarts, column types, migrations.

use serde_json::json;

use crate::support::{Backend, TestApp, tests};

tests![
    vehicles_survive_a_restart,
    the_launch_date_is_stored_as_a_date,
];

async fn vehicles_survive_a_restart(app: TestApp) {
    for (model_code, brand_name, launch_date) in [
        ("XC60", Some("Volvo"), Some("2017-03-07")),
        (
            " \u{feff}👨‍👩‍👧 e\u{301}é\r\n'; -- ",
            Some(""),
            Some("1000-01-01"),
        ),
        ("\\", None, None),
    ] {
        let arguments = json!({
            "type": "SUV", "modelCode": model_code, "brandName": brand_name, "launchDate": launch_date,
        });
        app.create_vehicle(arguments).await.data();
    }
    let before = app.all_vehicles().await;
    let app = app.restart().await;
    let after = app.all_vehicles().await;
    assert_eq!(after.text(), before.text(), "byte for byte");
    assert_eq!(after.data()["vehicles"].as_array().map(Vec::len), Some(3));
}

async fn the_launch_date_is_stored_as_a_date(app: TestApp) {
    let arguments = json!({ "type": "SUV", "modelCode": "XC60", "launchDate": "2024-02-28" });
    app.create_vehicle(arguments).await.data();
    let (declared, expected, next_day) = match app.backend {
        // SQLite has no date type; its date functions accept ISO 8601 text.
        Backend::Sqlite => (
            "SELECT lower(type) FROM pragma_table_info('vehicle') WHERE name = 'launch_date'",
            "date_text",
            "SELECT date(launch_date, '+1 day') FROM vehicle",
        ),
        Backend::Postgres => (
            "SELECT data_type::text FROM information_schema.columns
             WHERE table_name = 'vehicle' AND column_name = 'launch_date'",
            "date",
            "SELECT (launch_date + 1)::text FROM vehicle",
        ),
        Backend::Mariadb | Backend::Mysql => (
            "SELECT CAST(column_type AS CHAR) FROM information_schema.columns WHERE
             table_schema = DATABASE() AND table_name = 'vehicle' AND column_name = 'launch_date'",
            "date",
            "SELECT CAST(launch_date + INTERVAL 1 DAY AS CHAR) FROM vehicle",
        ),
    };
    assert_eq!(app.query_scalar::<String>(declared).await, expected);
    assert_eq!(app.query_scalar::<String>(next_day).await, "2024-02-29");
}
