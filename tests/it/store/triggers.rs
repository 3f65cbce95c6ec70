//! Triggers that set ids or delete rows, and inserts that are read back.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use futures_util::future::join_all;
use sea_orm::ConnectionTrait;
use testkit::Backend;
use tokio::time::sleep;
use vehicle_catalogue::store::{Create, Created, StoreError};

use super::{Fixture, new_vehicle};

testkit::tests![
    // The other databases generate the ids after the trigger.
    returns_the_right_vehicles_when_a_trigger_sets_the_ids on Postgres,
    // A trigger of MySQL cannot delete a row of its own table.
    a_vehicle_that_a_trigger_deletes_is_not_acknowledged on Sqlite Postgres,
    vehicles_that_are_deleted_at_once_are_acknowledged,
];

async fn returns_the_right_vehicles_when_a_trigger_sets_the_ids(fixture: &Fixture) {
    let store = fixture.migrated_store().await;
    let db = fixture.connect().await;
    for statement in [
        "CREATE FUNCTION number() RETURNS trigger LANGUAGE plpgsql AS \
         'BEGIN NEW.id := 1000000 - NEW.id; RETURN NEW; END'",
        "CREATE TRIGGER number BEFORE INSERT ON vehicle FOR EACH ROW EXECUTE FUNCTION number()",
    ] {
        let result = db.execute_unprepared(statement).await;
        result.unwrap_or_else(|error| panic!("{statement}: {error}"));
    }
    let model_codes: Vec<_> = (0..100).map(|number| format!("M{number}")).collect();
    let inserts = model_codes.iter();
    let inserts = inserts.map(|code| store.insert(new_vehicle(code)));
    for (stored, model_code) in join_all(inserts).await.into_iter().zip(&model_codes) {
        let stored = stored.expect("it can be stored");
        assert_eq!(&stored.model_code, model_code);
        let found = store.find(stored.id).await.expect("it can be read");
        assert_eq!(found, Some(stored.into()));
    }
}

async fn a_vehicle_that_a_trigger_deletes_is_not_acknowledged(fixture: &Fixture) {
    let store = fixture.migrated_store().await;
    let triggers = match fixture.backend {
        Backend::Sqlite => vec![vec![
            "CREATE TRIGGER remove AFTER INSERT ON vehicle BEGIN \
             DELETE FROM vehicle WHERE id = NEW.id; END",
        ]],
        _ => vec![
            vec![
                "CREATE FUNCTION remove() RETURNS trigger LANGUAGE plpgsql AS \
                 'BEGIN DELETE FROM vehicle WHERE id = NEW.id; RETURN NEW; END'",
                "CREATE TRIGGER remove AFTER INSERT ON vehicle \
                 FOR EACH ROW EXECUTE FUNCTION remove()",
            ],
            vec![
                "DROP TRIGGER remove ON vehicle",
                "CREATE FUNCTION leave_out() RETURNS trigger LANGUAGE plpgsql AS \
                 'BEGIN RETURN NULL; END'",
                "CREATE TRIGGER leave_out BEFORE INSERT ON vehicle \
                 FOR EACH ROW EXECUTE FUNCTION leave_out()",
            ],
        ],
    };
    let db = fixture.connect().await;
    let mut errors = Vec::new();
    for statements in triggers {
        for statement in statements {
            let result = db.execute_unprepared(statement).await;
            result.unwrap_or_else(|error| panic!("{statement}: {error}"));
        }
        // The first insert detects that there are triggers, the next ones are in a transaction with their reads.
        for _ in 0..2 {
            let error = store.insert(new_vehicle("XC60")).await;
            errors.push(error.expect_err("it is gone"));
        }
    }
    let (first, later) = errors.split_first().expect("there are several");
    assert!(matches!(first, StoreError::OutcomeUnknown(_)), "{first:?}");
    let is_definite = |error: &StoreError| matches!(error, StoreError::Unexpected(_));
    assert!(later.iter().all(is_definite), "{later:?}");
}

async fn vehicles_that_are_deleted_at_once_are_acknowledged(fixture: &Fixture) {
    let store = fixture.migrated_store().await;
    let db = fixture.connect().await;
    let triggers: &[&str] = match fixture.backend {
        Backend::Sqlite => &["CREATE TRIGGER shout AFTER INSERT ON vehicle BEGIN \
             UPDATE vehicle SET model_code = upper(model_code) WHERE id = NEW.id; END"],
        Backend::Postgres => &[
            "CREATE FUNCTION shout() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN \
             UPDATE vehicle SET model_code = upper(model_code) WHERE id = NEW.id; \
             RETURN NEW; END'",
            "CREATE TRIGGER shout AFTER INSERT ON vehicle \
             FOR EACH ROW EXECUTE FUNCTION shout()",
        ],
        Backend::Mariadb | Backend::Mysql => &["CREATE TRIGGER shout BEFORE INSERT ON vehicle \
             FOR EACH ROW SET NEW.model_code = UPPER(NEW.model_code)"],
    };
    for trigger in triggers {
        let result = db.execute_unprepared(trigger).await;
        result.unwrap_or_else(|error| panic!("{trigger}: {error}"));
    }
    let is_done = AtomicBool::new(false);
    let delete = async {
        while !is_done.load(Ordering::Relaxed) {
            if let Err(error) = db.execute_unprepared("DELETE FROM vehicle").await {
                assert!(error.to_string().contains("Deadlock"), "{error}");
            }
            sleep(Duration::from_millis(1)).await;
        }
    };
    let create = async |number: u32| {
        let model_code = format!("m{number}");
        let vehicle = Create {
            vehicle: new_vehicle(&model_code),
            key: None,
        };
        let created = store.create_all(vec![vehicle; 3]).await;
        let Created::New(created) = created.expect("it is stored") else {
            panic!("it has no key");
        };
        let model_codes = created.iter().map(|vehicle| &vehicle.model_code);
        assert!(model_codes.eq(&vec![model_code.to_uppercase(); 3]));
    };
    // The first insert detects that there are triggers.
    create(0).await;
    let create_all = async {
        for number in 1..200 {
            create(number).await;
        }
        is_done.store(true, Ordering::Relaxed);
    };
    tokio::join!(create_all, delete);
}
