//! Triggers that change inserted rows: responses have the stored values, and no stored vehicle is
//! reported as failed.

use serde_json::json;

use crate::support::{Backend, TestApp, execute, tests};

tests![
    values_that_a_trigger_changes_are_returned_as_stored,
    an_update_returns_what_a_trigger_has_changed,
    an_update_that_cannot_be_read_back_stores_nothing,
    // Elsewhere the transaction is repeated, as if another one had changed the row.
    a_change_that_a_trigger_suppresses_is_an_error on Sqlite Postgres,
    a_vehicle_that_cannot_be_read_back_is_not_acknowledged,
];

async fn values_that_a_trigger_changes_are_returned_as_stored(app: TestApp) {
    for trigger in changing(app.backend) {
        execute(&app, trigger).await;
        let arguments = json!({ "type": "SUV", "modelCode": "xc60", "launchDate": "2017-03-07" });
        let created = app.create_vehicle(arguments).await.data()["createVehicle"].take();
        assert_eq!(created["modelCode"], "XC60", "{trigger:?}");
        assert_eq!(created["brandName"], "changed", "{trigger:?}");
        let id = created["id"].as_str().expect("a vehicle has an id");
        let found = app.vehicle(id).await.data()["vehicle"].take();
        assert_eq!(found, created, "{trigger:?}");
        execute(&app, &[drop_trigger(app.backend)]).await;
    }
}

async fn an_update_returns_what_a_trigger_has_changed(app: TestApp) {
    let id = app.given_vehicle("XC60").await;
    for (trigger, number) in changing(app.backend).iter().zip(2..) {
        let trigger: Vec<String> = trigger
            .iter()
            .map(|sql| sql.replace("INSERT ON", "UPDATE ON"))
            // Without the condition the trigger of PostgreSQL would call itself.
            .map(|sql| {
                sql.replace(
                    "FOR EACH ROW EXECUTE",
                    "FOR EACH ROW WHEN (pg_trigger_depth() = 0) EXECUTE",
                )
            })
            .collect();
        execute(&app, &trigger).await;
        let changes = json!({ "modelCode": format!("m{number}") });
        let updated = app.update_vehicle(&id, changes, number - 1).await.data();
        let updated = &updated["updateVehicle"];
        assert_eq!(updated["modelCode"], format!("M{number}"), "{trigger:?}");
        assert_eq!(updated["brandName"], "changed", "{trigger:?}");
        assert_eq!(updated["version"], number, "{trigger:?}");
        assert_eq!(app.versioned_vehicle(&id).await, *updated, "{trigger:?}");
        execute(&app, &[drop_trigger(app.backend)]).await;
    }
}

async fn an_update_that_cannot_be_read_back_stores_nothing(app: TestApp) {
    let id = app.given_vehicle("XC60").await;
    let before = app.versioned_vehicle(&id).await;
    let removing: &[&str] = match app.backend {
        Backend::Sqlite => &["CREATE TRIGGER change AFTER UPDATE ON vehicle BEGIN \
             DELETE FROM vehicle WHERE id = NEW.id; END"],
        Backend::Postgres => &[
            "CREATE FUNCTION change() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN \
             DELETE FROM vehicle WHERE id = NEW.id; RETURN NEW; END'",
            "CREATE TRIGGER change AFTER UPDATE ON vehicle FOR EACH ROW EXECUTE FUNCTION change()",
        ],
        // A trigger of MySQL cannot change other rows of its table.
        Backend::Mariadb | Backend::Mysql => return,
    };
    execute(&app, removing).await;
    let response = app.update_vehicle(&id, json!({ "type": "Car" }), 1).await;
    assert_eq!(response.error_code(), "INTERNAL_SERVER_ERROR", "{response}");
    assert_eq!(app.versioned_vehicle(&id).await, before);
    execute(&app, &[drop_trigger(app.backend)]).await;
    let updated = app.update_vehicle(&id, json!({ "type": "Car" }), 1).await;
    assert_eq!(updated.data()["updateVehicle"]["version"], 2);
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
    let unreadable: &[&str] = match app.backend {
        Backend::Sqlite => &["CREATE TRIGGER change AFTER INSERT ON vehicle BEGIN \
             UPDATE vehicle SET launch_date = 'soon' WHERE id = NEW.id; END"],
        Backend::Postgres => &["ALTER TABLE vehicle ALTER COLUMN launch_date TYPE timestamp"],
        Backend::Mariadb | Backend::Mysql => &["ALTER TABLE vehicle MODIFY launch_date datetime"],
    };
    execute(&app, unreadable).await;
    let arguments = json!({ "type": "SUV", "modelCode": "XC60", "launchDate": "2017-03-07" });
    let response = app.create_vehicle(arguments).await;
    if app.backend == Backend::Mysql {
        // The insert and the read are one transaction.
        assert_eq!(response.error_code(), "INTERNAL_SERVER_ERROR", "{response}");
        assert_eq!(app.stored_vehicles().await, 0, "it is not stored");
        return;
    }
    assert_eq!(response.error_code(), "SERVICE_UNAVAILABLE", "{response}");
    let message = response.error()["message"].take();
    let message = message.as_str().expect("an error has a message");
    assert!(message.starts_with("the outcome is unknown"), "{response}");
    assert_eq!(app.stored_vehicles().await, 1, "it is stored");
}

/// Triggers that make the model code upper-case, before and after the insert.
fn changing(backend: Backend) -> &'static [&'static [&'static str]] {
    match backend {
        Backend::Sqlite => &[&["CREATE TRIGGER change AFTER INSERT ON vehicle BEGIN \
             UPDATE vehicle SET model_code = upper(model_code), brand_name = 'changed' \
             WHERE id = NEW.id; END"]],
        Backend::Postgres => &[
            &[
                "CREATE FUNCTION change() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN \
                 NEW.model_code := upper(NEW.model_code); NEW.brand_name := ''changed''; \
                 RETURN NEW; END'",
                "CREATE TRIGGER change BEFORE INSERT ON vehicle \
                 FOR EACH ROW EXECUTE FUNCTION change()",
            ],
            &[
                "CREATE FUNCTION change() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN \
                 UPDATE vehicle SET model_code = upper(model_code), brand_name = ''changed'' \
                 WHERE id = NEW.id; RETURN NEW; END'",
                "CREATE TRIGGER change AFTER INSERT ON vehicle \
                 FOR EACH ROW EXECUTE FUNCTION change()",
            ],
        ],
        Backend::Mariadb | Backend::Mysql => &[&[
            "CREATE TRIGGER `change` BEFORE INSERT ON vehicle FOR EACH ROW \
                 SET NEW.model_code = UPPER(NEW.model_code), NEW.brand_name = 'changed'",
        ]],
    }
}

fn drop_trigger(backend: Backend) -> &'static str {
    match backend {
        Backend::Postgres => "DROP FUNCTION change CASCADE",
        _ => "DROP TRIGGER `change`",
    }
}
