//! When the database fails: clients are told that, and nothing about it.

use sea_orm::ConnectionTrait;
use serde_json::{Value, json};

use crate::support::{Answer, TestApp, tests};

tests![
    a_lost_table_is_told_without_a_word_of_the_database,
    one_field_that_fails_leaves_the_others_their_answers,
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
