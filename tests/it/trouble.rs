//! When the database fails: clients are told that, and nothing about it.

use std::time::Duration;

use sea_orm::{ConnectionTrait, DatabaseConnection};
use serde_json::{Value, json};
use tokio::time::timeout;

use crate::support::{Answer, Backend, TestApp, tests};

tests![
    a_lost_table_is_told_without_a_word_of_the_database,
    one_field_that_fails_leaves_the_others_their_answers,
    a_database_that_is_too_slow_is_told_as_unavailable,
    an_operation_that_takes_too_long_is_given_up,
];

async fn a_lost_table_is_told_without_a_word_of_the_database(app: TestApp) {
    app.given_vehicle("secret model").await;
    lose_the_table(&app).await;
    let arguments = json!({ "type": "SUV", "modelCode": "secret model" });
    let mut references = Vec::new();
    for (field, answer) in [
        ("vehicle", app.vehicle("1").await),
        ("vehicles", app.vehicles(1).await),
        ("vehicles", app.all_vehicles().await),
        ("createVehicle", app.create_vehicle(arguments).await),
    ] {
        assert_tells_nothing(&answer);
        assert_eq!(answer.error()["path"], json!([field]), "{answer}");
        assert_eq!(answer.json()["data"], json!({ field: null }), "{answer}");
        references.push(answer.error()["extensions"]["reference"].to_string());
    }
    references.sort();
    references.dedup();
    assert_eq!(references.len(), 4, "every error has its own reference");
}

async fn one_field_that_fails_leaves_the_others_their_answers(app: TestApp) {
    lose_the_table(&app).await;
    let document = r#"{ a: vehicle(id: 1) { id } b: __typename c: vehicle(id: "x") { id } }"#;
    let answer = app.ask(document, json!({})).await;
    assert_tells_nothing(&answer);
    let expected = json!({ "a": null, "b": "Query", "c": null });
    assert_eq!(answer.json()["data"], expected, "{answer}");
}

async fn a_database_that_is_too_slow_is_told_as_unavailable(app: TestApp) {
    let app = app.restart_with(&["--database-timeout-seconds=1"]).await;
    app.given_vehicle("XC60").await;
    let stranger = app.stranger().await;
    lock(&app, &stranger).await;
    let arguments = json!({ "type": "SUV", "modelCode": "XC90" });
    let asked = async {
        let mut answers = vec![app.create_vehicle(arguments).await];
        // Readers of SQLite never wait for a writer.
        if app.backend != Backend::Sqlite {
            answers.push(app.vehicle("1").await);
            answers.push(app.all_vehicles().await);
        }
        answers
    };
    let answers = timeout(Duration::from_secs(15), asked).await;
    for answer in answers.expect("the time-out of the setting is kept") {
        assert_tells_nothing(&answer);
        assert_eq!(answer.error_code(), "SERVICE_UNAVAILABLE", "{answer}");
    }
    stranger.close().await.expect("it is open");
    app.given_vehicle("XC40").await;
    assert_eq!(
        app.vehicle("1").await.data()["vehicle"]["modelCode"],
        "XC60"
    );
}

async fn an_operation_that_takes_too_long_is_given_up(app: TestApp) {
    let app = app
        .restart_with(&[
            "--execution-timeout-seconds=1",
            "--database-timeout-seconds=30",
        ])
        .await;
    let stranger = app.stranger().await;
    lock(&app, &stranger).await;
    let arguments = json!({ "type": "SUV", "modelCode": "XC90" });
    let asked = timeout(Duration::from_secs(15), app.create_vehicle(arguments));
    let answer = asked.await.expect("the time-out of the setting is kept");
    assert_tells_nothing(&answer);
    assert_eq!(answer.error_code(), "SERVICE_UNAVAILABLE", "{answer}");
    assert_eq!(answer.json()["data"], json!(null), "{answer}");
    stranger.close().await.expect("it is open");
}

/// Keeps everybody else from writing vehicles.
async fn lock(app: &TestApp, stranger: &DatabaseConnection) {
    let lock = match app.backend {
        Backend::Sqlite => "BEGIN IMMEDIATE",
        Backend::Postgres => "BEGIN; LOCK TABLE vehicle IN ACCESS EXCLUSIVE MODE",
        Backend::Mysql => "LOCK TABLES vehicle WRITE",
    };
    let locked = stranger.execute_unprepared(lock).await;
    locked.expect("nobody else holds the lock");
}

async fn lose_the_table(app: &TestApp) {
    let stranger = app.stranger().await;
    let dropped = stranger.execute_unprepared("DROP TABLE vehicle").await;
    dropped.expect("it is a table");
}

#[track_caller]
fn assert_tells_nothing(answer: &Answer) {
    let code = answer.error_code();
    let known = ["INTERNAL_SERVER_ERROR", "SERVICE_UNAVAILABLE"];
    assert!(known.contains(&code.as_str()), "{answer}");
    let error = answer.error();
    let reference = error["extensions"]["reference"].as_str();
    assert!(reference.is_some_and(|text| text.len() >= 16), "{answer}");
    let members: Vec<&String> = error["extensions"].as_object().unwrap().keys().collect();
    assert_eq!(members, ["code", "reference"], "{answer}");

    let mut told = error;
    // Both are the client's own.
    told["path"] = Value::Null;
    told["locations"] = Value::Null;
    let told = told.to_string().to_lowercase();
    for word in [
        "vehicle_", "vehicle", "sql", "sqlx", "table", "relation", "column", "postgres", "maria",
        "sea_orm", "database", "secret", "panic", "src/",
    ] {
        assert!(!told.contains(word), "{word:?} is in {answer}");
    }
}
