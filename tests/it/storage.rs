//! Stored data: restarts, column types, migrations.

use database::MigrationState;
use sea_orm::ConnectionTrait;
use serde_json::json;

use crate::support::{Backend, TestApp, tests};

tests![
    vehicles_survive_a_restart,
    ids_are_not_reused_after_a_restart,
    two_instances_share_one_database,
    the_launch_date_is_stored_as_a_date,
    migrations_go_up_and_down_and_report_their_state,
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

async fn ids_are_not_reused_after_a_restart(app: TestApp) {
    let before: i64 = app.given_vehicle("XC60").await.parse().unwrap();
    let other_connection = app.other_connection().await;
    let deleted = other_connection
        .execute_unprepared("DELETE FROM vehicle")
        .await;
    deleted.expect("it is a table");
    other_connection.close().await.expect("it is open");
    let app = app.restart().await;
    let after: i64 = app.given_vehicle("XC60").await.parse().unwrap();
    assert!(after > before, "{before} was used again: {after}");
}

async fn two_instances_share_one_database(app: TestApp) {
    let other = app.start_second_instance().await;
    let id = app.given_vehicle("XC60").await;
    let found = other.vehicle(id.as_str()).await;
    assert_eq!(found.data()["vehicle"]["modelCode"], "XC60", "{found}");
    let next = other.given_vehicle("XC90").await;
    assert_ne!(next, id);
    let listed = app.all_vehicles().await.data();
    assert_eq!(listed, other.all_vehicles().await.data());
    assert_eq!(listed["vehicles"].as_array().map(Vec::len), Some(2));
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

async fn migrations_go_up_and_down_and_report_their_state(app: TestApp) {
    app.given_vehicle("XC60").await;
    let store = app.store().await;
    let states = async || {
        let migrations = store.database().migration_status().await;
        let migrations = migrations.expect("the state can be read").into_iter();
        migrations
            .map(|migration| migration.state)
            .collect::<Vec<_>>()
    };
    let applied = states().await;
    let all = |state| vec![state; applied.len()];
    assert!(!applied.is_empty());
    assert_eq!(applied, all(MigrationState::Applied), "at the start");
    assert!(
        store
            .database()
            .migrate_up()
            .await
            .expect("it can be asked")
            .is_empty()
    );

    let steps = applied.len().try_into().unwrap();
    store
        .database()
        .migrate_down(steps)
        .await
        .expect("there is a way back");
    assert_eq!(states().await, all(MigrationState::Pending));
    assert_eq!(app.vehicles(1).await.error_code(), "INTERNAL_SERVER_ERROR");

    store
        .database()
        .migrate_up()
        .await
        .expect("there is a way forward");
    assert_eq!(states().await, all(MigrationState::Applied));
    assert_eq!(app.stored_vehicles().await, 0);
    app.given_vehicle("XC60").await;
    store.database().close().await;
}
