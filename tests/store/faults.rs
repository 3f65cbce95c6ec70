//! Lost connections, and errors of the database.

use testkit::Backend;
use vehicle_catalogue::store::{Batch, Error, OnConflict};

use super::support::{Fixture, create, models, vehicle};

testkit::tests![
    reads_and_writes_survive_a_lost_connection on Postgres Mariadb Mysql,
    a_batch_of_an_import_survives_a_lost_connection on Postgres Mariadb Mysql,
    // The driver panics on a date outside the range of chrono.
    a_panicking_read_is_unexpected_and_not_an_unknown_write on Postgres,
    the_error_of_a_value_that_cannot_be_read_does_not_contain_it,
    exhausted_ids_are_reported_with_a_remedy on Postgres Mariadb,
];

async fn reads_and_writes_survive_a_lost_connection(fixture: &Fixture) {
    let store = fixture.migrated_store().await;
    for stored in 1..=3 {
        let created = create(&store, "XC60").await;
        fixture.kill_all_connections().await;
        let found = store.find(created.id).await.expect("a read is sent again");
        assert_eq!(found.map(|found| found.id), Some(created.id));
        fixture.kill_all_connections().await;
        assert_eq!(models(&store).await.len(), stored);
        fixture.kill_all_connections().await;
        let deleted = store.delete(created.id + 1000, None).await;
        assert_eq!(deleted.expect("a transaction is begun again"), Ok(None));
        fixture.kill_all_connections().await;
    }
}

async fn a_batch_of_an_import_survives_a_lost_connection(fixture: &Fixture) {
    let store = fixture.migrated_store().await;
    for stored in 1..=3 {
        let batch = store.import(vec![vehicle("XC60")], OnConflict::Stop).await;
        let expected = Batch { stored: 1, ..Batch::default() };
        assert_eq!(batch.expect("a batch is sent again"), expected);
        assert_eq!(models(&store).await.len(), stored);
        fixture.kill_all_connections().await;
    }
}

async fn a_panicking_read_is_unexpected_and_not_an_unknown_write(fixture: &Fixture) {
    let store = fixture.migrated_store().await;
    let insert = "INSERT INTO vehicle (type, model_code, launch_date) VALUES ('t', 'm', 'infinity')";
    fixture.execute(&[insert]).await;
    for error in [store.list(1).await.map(drop), store.find(1).await.map(drop)] {
        assert!(matches!(error, Err(Error::Unexpected(_))), "{error:?}");
    }
}

/// The error and its sources, as `Display` and as `Debug`.
fn error_text(error: &Error) -> String {
    let causes = std::iter::successors(Some(error as &dyn std::error::Error), |&error| error.source());
    let text = causes.map(|error| format!("{error}: {error:?}"));
    text.collect::<Vec<_>>().join(": ")
}

async fn the_error_of_a_value_that_cannot_be_read_does_not_contain_it(fixture: &Fixture) {
    let store = fixture.migrated_store().await;
    let undecodable = match fixture.backend {
        Backend::Sqlite => "PRAGMA ignore_check_constraints = ON",
        Backend::Postgres => "ALTER TABLE vehicle ALTER COLUMN launch_date TYPE text",
        Backend::Mariadb | Backend::Mysql => "ALTER TABLE vehicle MODIFY launch_date varchar(20)",
    };
    let insert = "INSERT INTO vehicle (type, model_code, launch_date) VALUES ('t', 'm', 'canary')";
    fixture.execute(&[undecodable, insert]).await;
    let error = store.list(1).await.expect_err("no date can be read");
    let text = error_text(&error);
    assert!(text.contains("column launch_date cannot be decoded"), "{text}");
    assert!(!text.contains("canary"), "{text}");
}

async fn exhausted_ids_are_reported_with_a_remedy(fixture: &Fixture) {
    let store = fixture.migrated_store().await;
    let highest = "INSERT INTO vehicle (id, type, model_code) VALUES (9223372036854775807, 't', 'm')";
    fixture.execute(&[highest]).await;
    if fixture.backend == Backend::Postgres {
        let set = "SELECT setval(pg_get_serial_sequence('vehicle', 'id'), 9223372036854775807)";
        fixture.execute(&[set]).await;
    }
    let error = store.create(vec![vehicle("XC60")]).await;
    let error = error.expect_err("no id is left").to_string();
    for part in ["the ids of the table are exhausted", "set the counter of the ids back"] {
        assert!(error.contains(part), "{error}");
    }
}
