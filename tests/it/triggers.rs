//! Triggers that change rows before they are stored: responses have the stored values, and no stored vehicle is reported
//! as failed.

use serde_json::json;

use crate::support::{Backend, TestApp, execute, tests};

tests![
    // SQLite has no triggers that change what is about to be stored.
    values_that_a_trigger_changes_are_returned_as_stored on Postgres Mariadb Mysql,
    an_update_returns_what_a_trigger_has_changed on Postgres Mariadb Mysql,
    // Those of MySQL cannot.
    a_change_that_a_trigger_suppresses_is_an_error on Sqlite Postgres,
    a_vehicle_that_cannot_be_read_back_is_not_acknowledged on Postgres Mariadb Mysql,
];

async fn values_that_a_trigger_changes_are_returned_as_stored(app: TestApp) {
    execute(&app, &changing(app.backend, "INSERT")).await;
    let arguments = json!({ "type": "SUV", "modelCode": "xc60", "launchDate": "2017-03-07" });
    let created = app.create_vehicle(arguments).await.data()["createVehicle"].take();
    assert_eq!(created["modelCode"], "XC60");
    assert_eq!(created["brandName"], "changed");
    let id = created["id"].as_str().expect("a vehicle has an id");
    assert_eq!(app.vehicle(id).await.data()["vehicle"], created);
}

async fn an_update_returns_what_a_trigger_has_changed(app: TestApp) {
    let id = app.given_vehicle("XC60").await;
    execute(&app, &changing(app.backend, "UPDATE")).await;
    let updated = app.update_vehicle(&id, json!({ "modelCode": "m2" }), 1).await;
    let updated = updated.data()["updateVehicle"].take();
    assert_eq!(updated["modelCode"], "M2");
    assert_eq!(updated["brandName"], "changed");
    assert_eq!(updated["version"], 2);
    assert_eq!(app.versioned_vehicle(&id).await, updated);
}

async fn a_change_that_a_trigger_suppresses_is_an_error(app: TestApp) {
    let id = app.given_vehicle("XC60").await;
    let before = app.versioned_vehicle(&id).await;
    for operation in ["UPDATE", "DELETE"] {
        let suppressing = format!("CREATE TRIGGER change BEFORE {operation} ON vehicle");
        let statements = match app.backend {
            Backend::Sqlite => vec![format!("{suppressing} BEGIN SELECT RAISE(IGNORE); END")],
            _ => vec![
                "CREATE FUNCTION change() RETURNS trigger LANGUAGE plpgsql \
                 AS $$ BEGIN RETURN NULL; END $$"
                    .to_owned(),
                format!("{suppressing} FOR EACH ROW EXECUTE FUNCTION change()"),
            ],
        };
        execute(&app, &statements).await;
        let response = match operation {
            "UPDATE" => app.update_vehicle(&id, json!({ "type": "Car" }), 1).await,
            _ => app.delete_vehicle(&id, 1).await,
        };
        assert_eq!(response.error_code(), "INTERNAL_SERVER_ERROR", "{response}");
        assert_eq!(app.versioned_vehicle(&id).await, before);
        execute(&app, &[drop_trigger(app.backend)]).await;
    }
}

async fn a_vehicle_that_cannot_be_read_back_is_not_acknowledged(app: TestApp) {
    let unreadable = match app.backend {
        Backend::Postgres => "ALTER TABLE vehicle ALTER COLUMN launch_date TYPE timestamp",
        _ => "ALTER TABLE vehicle MODIFY launch_date datetime",
    };
    execute(&app, &[unreadable]).await;
    let arguments = json!({ "type": "SUV", "modelCode": "XC60", "launchDate": "2017-03-07" });
    let response = app.create_vehicle(arguments).await;
    assert_eq!(response.error_code(), "SERVICE_UNAVAILABLE", "{response}");
    let message = response.error()["message"].take();
    let message = message.as_str().expect("an error has a message");
    assert!(message.starts_with("the outcome is unknown"), "{response}");
    assert_eq!(app.stored_vehicles().await, 1, "it is stored");
}

/// A trigger that makes the model code upper-case before an `operation`.
fn changing(backend: Backend, operation: &str) -> Vec<String> {
    match backend {
        Backend::Postgres => vec![
            "CREATE FUNCTION change() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN \
             NEW.model_code := upper(NEW.model_code); NEW.brand_name := ''changed''; RETURN NEW; END'"
                .to_owned(),
            format!("CREATE TRIGGER change BEFORE {operation} ON vehicle FOR EACH ROW EXECUTE FUNCTION change()"),
        ],
        _ => vec![format!(
            "CREATE TRIGGER `change` BEFORE {operation} ON vehicle FOR EACH ROW \
             SET NEW.model_code = UPPER(NEW.model_code), NEW.brand_name = 'changed'"
        )],
    }
}

fn drop_trigger(backend: Backend) -> &'static str {
    match backend {
        Backend::Postgres => "DROP FUNCTION change CASCADE",
        _ => "DROP TRIGGER `change`",
    }
}
