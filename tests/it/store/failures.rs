//! Unreachable, broken and closed databases.

use std::error::Error;
use std::time::{Duration, Instant};

use sea_orm::sea_query::Query;
use sea_orm::{ConnectionTrait, DatabaseConnection, Statement};
use testkit::Backend;
use vehicle_catalogue::catalogue::VehicleId;
use vehicle_catalogue::store::{Commit, NewRow, OnConflict, StoreError};

use super::{Fixture, new_vehicle};

testkit::tests![
    a_batch_of_an_import_survives_a_lost_connection on Postgres Mariadb Mysql,
    a_closed_store_is_unavailable,
    // The driver panics on a date outside the range of chrono.
    a_panicking_read_is_unexpected_and_not_an_unknown_write on Postgres,
    no_error_contains_a_value_of_a_vehicle,
    equal_keys_prevent_the_unique_index_with_a_remedy,
    exhausted_ids_are_reported_with_a_remedy on Sqlite Postgres Mariadb,
];

async fn a_batch_of_an_import_survives_a_lost_connection(fixture: &Fixture) {
    let store = fixture.migrated_store().await;
    let bulk = store.bulk(Commit::EachBatch).await;
    let bulk = bulk.expect("the database is there");
    for stored in 1..=2 {
        let row = NewRow {
            id: None,
            vehicle: new_vehicle("XC60"),
            version: None,
        };
        let batch = bulk.store(&[row], OnConflict::Stop).await;
        assert_eq!(batch.expect("a batch is sent again").stored, 1);
        let vehicles = store.list(9).await.expect("a read is sent again");
        assert_eq!(vehicles.len(), stored);
        kill_all_connections(fixture).await;
    }
}

/// Kills the connections of batched queries and all others.
async fn kill_all_connections(fixture: &Fixture) {
    let db = fixture.connect().await;
    let deadline = Instant::now() + Duration::from_secs(10);
    loop {
        let others = other_connections(fixture.backend, &db).await;
        if others.is_empty() {
            return;
        }
        assert!(Instant::now() < deadline, "{others:?} do not go");
        for id in others {
            let kill = match fixture.backend {
                Backend::Mariadb | Backend::Mysql => format!("KILL {id}"),
                _ => format!("SELECT pg_terminate_backend({id})"),
            };
            // The connection may have been closed already.
            drop(db.execute_unprepared(&kill).await);
        }
    }
}

async fn other_connections(backend: Backend, db: &DatabaseConnection) -> Vec<i64> {
    let others = match backend {
        Backend::Mariadb | Backend::Mysql => {
            "SELECT CAST(id AS SIGNED) FROM information_schema.processlist \
             WHERE db = DATABASE() AND id <> CONNECTION_ID()"
        }
        _ => {
            "SELECT pid::bigint FROM pg_stat_activity \
             WHERE datname = current_database() AND pid <> pg_backend_pid()"
        }
    };
    let list = Statement::from_string(db.get_database_backend(), others);
    let list = db.query_all_raw(list).await;
    let list = list.expect("the server lists its connections");
    list.iter()
        .map(|row| row.try_get_by_index(0).expect("it is a number"))
        .collect()
}

async fn a_closed_store_is_unavailable(fixture: &Fixture) {
    let store = fixture.migrated_store().await;
    store.database().close().await;
    for error in [
        store.insert(new_vehicle("XC60")).await.map(|_| ()),
        store.find(VehicleId::from_key(1)).await.map(|_| ()),
        store.list(1).await.map(|_| ()),
        store.database().ping().await,
    ] {
        assert!(
            matches!(error, Err(StoreError::Unavailable(_))),
            "{error:?}"
        );
    }
}

async fn a_panicking_read_is_unexpected_and_not_an_unknown_write(fixture: &Fixture) {
    let store = fixture.migrated_store().await;
    let db = fixture.connect().await;
    let insert =
        "INSERT INTO vehicle (type, model_code, launch_date) VALUES ('t', 'm', 'infinity')";
    let stored = db.execute_unprepared(insert).await;
    stored.expect("PostgreSQL has the date");
    for error in [
        store.list(1).await.map(|_| ()),
        store.find(VehicleId::from_key(1)).await.map(|_| ()),
    ] {
        assert!(matches!(error, Err(StoreError::Unexpected(_))), "{error:?}");
    }
}

/// The message of a trigger, and an undecodable value.
async fn no_error_contains_a_value_of_a_vehicle(fixture: &Fixture) {
    let store = fixture.migrated_store().await;
    let db = fixture.connect().await;
    let statements: &[&str] = match fixture.backend {
        Backend::Sqlite => &["CREATE TRIGGER refuse BEFORE INSERT ON vehicle \
             BEGIN SELECT RAISE(ABORT, 'no ' || NEW.model_code); END"],
        Backend::Postgres => &[
            "CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS \
             'BEGIN RAISE EXCEPTION ''no %'', NEW.model_code; END'",
            "CREATE TRIGGER refuse BEFORE INSERT ON vehicle \
             FOR EACH ROW EXECUTE FUNCTION refuse()",
        ],
        Backend::Mariadb | Backend::Mysql => &[
            "CREATE TRIGGER refuse BEFORE INSERT ON vehicle FOR EACH ROW BEGIN \
             DECLARE said text DEFAULT CONCAT('no ', NEW.model_code); \
             SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = said; END",
        ],
    };
    for statement in statements {
        let result = db.execute_unprepared(statement).await;
        result.unwrap_or_else(|error| panic!("{statement}: {error}"));
    }
    let error = store.insert(new_vehicle("canary")).await;
    let error = error.expect_err("the trigger refuses it");
    let code = match fixture.backend {
        Backend::Sqlite => "SQLite error 1811",
        Backend::Postgres => "PostgreSQL error P0001",
        Backend::Mariadb | Backend::Mysql => "MySQL or MariaDB error 1644 (SQLSTATE 45000)",
    };
    let text = error_text(&error);
    assert!(text.contains(code), "{text}");
    assert!(!text.contains("canary"), "{text}");

    let undecodable = match fixture.backend {
        Backend::Sqlite => "PRAGMA ignore_check_constraints = ON",
        Backend::Postgres => "ALTER TABLE vehicle ALTER COLUMN launch_date TYPE text",
        Backend::Mariadb | Backend::Mysql => "ALTER TABLE vehicle MODIFY launch_date varchar(20)",
    };
    let insert = "INSERT INTO vehicle (type, model_code, launch_date) VALUES ('t', 'm', 'canary')";
    for statement in ["DROP TRIGGER refuse", "DROP FUNCTION refuse CASCADE"] {
        // Each database supports one of them.
        drop(db.execute_unprepared(statement).await);
    }
    for statement in [undecodable, insert] {
        let result = db.execute_unprepared(statement).await;
        result.unwrap_or_else(|error| panic!("{statement}: {error}"));
    }
    let error = store.list(1).await.expect_err("no date can be read");
    let text = error_text(&error);
    assert!(
        text.contains("column launch_date cannot be decoded"),
        "{text}"
    );
    assert!(!text.contains("canary"), "{text}");
}

/// The error and its sources, as `Display` and as `Debug`.
fn error_text(error: &StoreError) -> String {
    let causes = std::iter::successors(Some(error as &dyn Error), |&error| error.source());
    let text = causes.map(|error| format!("{error}: {error:?}"));
    text.collect::<Vec<_>>().join(": ")
}

async fn equal_keys_prevent_the_unique_index_with_a_remedy(fixture: &Fixture) {
    let store = fixture.migrated_store().await;
    let names = migration::known();
    let reverted = names.iter().rev();
    let reverted = reverted.take_while(|name| !name.contains("add_creation_key"));
    let reverted = u32::try_from(reverted.count()).expect("they are few");
    let down = store.database().migrate_down(reverted).await;
    down.expect("back");
    let db = fixture.connect().await;
    let mut insert = Query::insert();
    insert
        .into_table("vehicle")
        .columns(["type", "model_code", "creation_key"]);
    for _ in 0..2 {
        insert.values_panic(["SUV".into(), "XC60".into(), vec![7_u8; 16].into()]);
    }
    db.execute(&insert).await.expect("they are stored");
    let error = store
        .database()
        .migrate_up()
        .await
        .expect_err("the keys are equal");
    let expected = "a migration failed; a pending migration (migrate status) creates a unique index, and \
                    several rows have equal values in its columns: change or delete these rows, and migrate again";
    assert_eq!(error.to_string(), expected);
    // The remedy of docs/troubleshooting.md.
    let remedy = "UPDATE vehicle SET creation_key = NULL, creation_digest = NULL WHERE id = 2";
    db.execute_unprepared(remedy).await.expect("it is stored");
    let applied = store.database().migrate_up().await.expect("forward");
    assert!(
        names.ends_with(&applied) && !applied.is_empty(),
        "{applied:?}"
    );
}

async fn exhausted_ids_are_reported_with_a_remedy(fixture: &Fixture) {
    let store = fixture.migrated_store().await;
    let db = fixture.connect().await;
    let highest =
        "INSERT INTO vehicle (id, type, model_code) VALUES (9223372036854775807, 't', 'm')";
    let inserted = db.execute_unprepared(highest).await;
    inserted.expect("the id is free");
    if fixture.backend == Backend::Postgres {
        let set = "SELECT setval(pg_get_serial_sequence('vehicle', 'id'), 9223372036854775807)";
        let set = db.execute_unprepared(set).await;
        set.expect("the counter can be set");
    }
    let error = store.insert(new_vehicle("XC60")).await;
    let error = error.expect_err("no id is left").to_string();
    assert!(
        error.contains("the ids of the table vehicle are exhausted")
            && error.contains("set the counter of the ids back"),
        "{error}"
    );
}
