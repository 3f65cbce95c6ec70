//! Database failures: clients get a stable error without details of the database.

use std::time::Duration;

use sea_orm::ConnectionTrait;
use serde_json::{Value, json};
use tokio::time::timeout;

use crate::support::{Backend, Response, TestApp, execute, tests};

tests![
    a_missing_table_is_reported_without_database_details,
    a_database_timeout_is_reported_as_unavailable,
    operations_succeed_after_a_change_of_the_type_of_a_column on Postgres Mariadb Mysql,
    an_operation_is_aborted_after_the_execution_timeout on Sqlite,
];

async fn a_missing_table_is_reported_without_database_details(app: TestApp) {
    app.given_vehicle("secret model").await;
    drop_table(&app).await;
    let arguments = json!({ "type": "SUV", "modelCode": "secret model" });
    let mut references = Vec::new();
    for (field, response) in [
        ("vehicle", app.vehicle("1").await),
        ("vehicles", app.vehicles(1).await),
        ("vehicles", app.all_vehicles().await),
        ("createVehicle", app.create_vehicle(arguments).await),
    ] {
        assert_reveals_nothing(&response);
        assert_eq!(response.error()["path"], json!([field]), "{response}");
        assert_eq!(response.json()["data"], json!({ field: null }), "{response}");
        references.push(response.error()["extensions"]["reference"].to_string());
    }
    references.sort();
    references.dedup();
    assert_eq!(references.len(), 4, "every error has its own reference");
}

async fn a_database_timeout_is_reported_as_unavailable(app: TestApp) {
    let app = app.restart_with(&["--database-timeout-seconds=1"]).await;
    app.given_vehicle("XC60").await;
    let other_connection = app.lock_vehicles().await;
    let arguments = json!({ "type": "SUV", "modelCode": "XC90" });
    let requests = async {
        let mut responses = vec![app.create_vehicle(arguments).await];
        // SQLite readers do not wait for a writer.
        if app.backend != Backend::Sqlite {
            responses.push(app.vehicle("1").await);
            responses.push(app.all_vehicles().await);
        }
        responses
    };
    let responses = timeout(Duration::from_secs(15), requests).await;
    for response in responses.expect("the timeout of the setting is kept") {
        assert_reveals_nothing(&response);
        assert_eq!(response.error_code(), "SERVICE_UNAVAILABLE", "{response}");
    }
    other_connection.close().await.expect("it is open");
    app.given_vehicle("XC40").await;
    assert_eq!(app.vehicle("1").await.data()["vehicle"]["modelCode"], "XC60");
}

/// PostgreSQL refuses statements that were prepared before.
async fn operations_succeed_after_a_change_of_the_type_of_a_column(app: TestApp) {
    let change = match app.backend {
        Backend::Postgres => "ALTER TABLE vehicle ALTER model_code TYPE varchar(300)",
        _ => "ALTER TABLE vehicle MODIFY model_code varchar(300) NOT NULL",
    };
    for statements in [&[][..], &[change]] {
        execute(&app, statements).await;
        for _ in 0..3 {
            app.vehicle("1").await.data();
            app.vehicles(1).await.data();
        }
        let id = app.given_vehicle("XC60").await;
        for (kind, version) in [("Car", 1), ("SUV", 2)] {
            let changes = json!({ "type": kind });
            app.update_vehicle(&id, changes, version).await.data();
        }
        app.delete_vehicle(&id, 3).await.data();
    }
}

async fn an_operation_is_aborted_after_the_execution_timeout(app: TestApp) {
    let app = app.restart_with(&["--execution-timeout-seconds=1", "--database-timeout-seconds=30"]).await;
    let other_connection = app.lock_vehicles().await;
    let arguments = json!({ "type": "SUV", "modelCode": "XC90" });
    let requests = timeout(Duration::from_secs(15), app.create_vehicle(arguments));
    let response = requests.await.expect("the timeout of the setting is kept");
    assert_reveals_nothing(&response);
    assert_eq!(response.error_code(), "SERVICE_UNAVAILABLE", "{response}");
    assert_eq!(response.json()["data"], json!(null), "{response}");
    other_connection.close().await.expect("it is open");
}

async fn drop_table(app: &TestApp) {
    let other_connection = app.other_connection().await;
    let dropped = other_connection.execute_unprepared("DROP TABLE vehicle").await;
    dropped.expect("it is a table");
}

#[track_caller]
fn assert_reveals_nothing(response: &Response) {
    let code = response.error_code();
    let allowed = ["INTERNAL_SERVER_ERROR", "SERVICE_UNAVAILABLE"];
    assert!(allowed.contains(&code.as_str()), "{response}");
    let error = response.error();
    let reference = error["extensions"]["reference"].as_str();
    assert!(reference.is_some_and(|text| text.len() >= 16), "{response}");
    let members: Vec<&String> = error["extensions"].as_object().unwrap().keys().collect();
    assert_eq!(members, ["code", "reference"], "{response}");

    let mut error_text = error;
    // Path and locations come from the request.
    error_text["path"] = Value::Null;
    error_text["locations"] = Value::Null;
    let error_text = error_text.to_string().to_lowercase();
    for detail in [
        "vehicle_", "vehicle", "sql", "sqlx", "table", "relation", "column", "postgres", "maria", "sea_orm",
        "database", "secret", "panic", "src/",
    ] {
        assert!(!error_text.contains(detail), "{detail:?} is in {response}");
    }
}
