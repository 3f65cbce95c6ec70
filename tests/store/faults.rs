//! Unreachable databases, killed connections, and errors of the database.

use std::error::Error as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

use testkit::Backend;
use tokio::task::JoinSet;
use tokio::time::sleep;
use vehicle_catalogue::store::{Created, Database, DatabaseUrl, Error, Settings};

use super::creates::refuse_model;
use super::support::{Fixture, create, models, vehicle};

testkit::tests![
    no_create_is_lost_or_unknown_while_connections_are_killed on Postgres Mariadb Mysql,
    reads_and_writes_survive_a_lost_connection on Postgres Mariadb Mysql,
    a_closed_store_is_unavailable,
    an_unreachable_database_reports_the_cause,
    // The driver panics on a date outside the range of chrono.
    a_panicking_read_is_unexpected_and_not_an_unknown_write on Postgres,
    no_error_contains_a_value_of_a_vehicle,
    exhausted_ids_are_reported_with_a_remedy on Postgres Mariadb,
];

async fn no_create_is_lost_or_unknown_while_connections_are_killed(fixture: &Fixture) {
    let store = fixture.migrated_store().await;
    let (kills, least) = (25, 1600);
    let is_done = Arc::new(AtomicBool::new(false));
    let mut tasks = JoinSet::new();
    for task in 0..16 {
        let (store, is_done) = (store.clone(), Arc::clone(&is_done));
        tasks.spawn(async move {
            let mut acknowledged = Vec::new();
            // At least so many, and on until all connections were killed so often.
            while acknowledged.len() < least / 16 || !is_done.load(Relaxed) {
                let model = format!("M{task}-{}", acknowledged.len());
                match store.create(vec![vehicle(&model)]).await {
                    Ok(Created::New(created)) => {
                        assert_eq!(created[0].model_code, model);
                        acknowledged.push(model);
                    }
                    other => panic!("the outcome is not known: {other:?}"),
                }
                sleep(Duration::from_millis(3)).await;
            }
            acknowledged
        });
    }
    let db = fixture.connect().await;
    for _ in 0..kills {
        sleep(Duration::from_millis(20)).await;
        fixture.kill_connections(&db).await;
    }
    is_done.store(true, Relaxed);
    let mut acknowledged: Vec<_> = tasks.join_all().await.into_iter().flatten().collect();
    let mut stored = models(&store).await;
    acknowledged.sort();
    stored.sort();
    assert_eq!(stored.len(), acknowledged.len());
    assert_eq!(
        stored, acknowledged,
        "each acknowledged vehicle is stored once"
    );
}

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

async fn a_closed_store_is_unavailable(fixture: &Fixture) {
    let store = fixture.migrated_store().await;
    store.database().close().await;
    for error in [
        store.create(vec![vehicle("XC60")]).await.map(drop),
        store.find(1).await.map(drop),
        store.list(1).await.map(drop),
        store.delete(1, None).await.map(drop),
        store.database().ping().await,
    ] {
        assert!(matches!(error, Err(Error::Unavailable(_))), "{error:?}");
    }
}

async fn an_unreachable_database_reports_the_cause(fixture: &Fixture) {
    let (url, remedy, reason) = match fixture.backend {
        Backend::Sqlite => (
            "sqlite:/no/such/folder/vehicles.db",
            "the folder of the file must exist",
            "unable to open",
        ),
        Backend::Postgres => (
            "postgres://u:secret@127.0.0.1:1/shop",
            "nothing listens at this address",
            "refused",
        ),
        Backend::Mariadb | Backend::Mysql => (
            "mysql://u:secret@127.0.0.1:1/shop",
            "nothing listens at this address",
            "refused",
        ),
    };
    let settings = Settings {
        url: DatabaseUrl::parse(url).expect("the URL is right"),
        connect_timeout: Duration::from_millis(300),
        ..fixture.settings()
    };
    let started = Instant::now();
    let shown = format!("{settings:?}");
    let error = Database::connect(settings)
        .await
        .err()
        .expect("nobody is there");
    assert!(started.elapsed() < Duration::from_secs(5));
    let message = error.to_string();
    assert!(message.starts_with("cannot connect to the "), "{message}");
    assert!(message.contains(remedy), "{message}");
    let cause = error.source().map(ToString::to_string).unwrap_or_default();
    assert!(cause.contains(reason), "{cause}");
    let everything = format!("{shown} {error} {error:?} {cause}");
    assert!(!everything.contains("secret"), "{everything}");
}

async fn a_panicking_read_is_unexpected_and_not_an_unknown_write(fixture: &Fixture) {
    let store = fixture.migrated_store().await;
    let insert =
        "INSERT INTO vehicle (type, model_code, launch_date) VALUES ('t', 'm', 'infinity')";
    fixture.execute(&[insert]).await;
    for error in [store.list(1).await.map(drop), store.find(1).await.map(drop)] {
        assert!(matches!(error, Err(Error::Unexpected(_))), "{error:?}");
    }
}

/// The error and its sources, as `Display` and as `Debug`.
fn error_text(error: &Error) -> String {
    let causes = std::iter::successors(Some(error as &dyn std::error::Error), |&error| {
        error.source()
    });
    let text = causes.map(|error| format!("{error}: {error:?}"));
    text.collect::<Vec<_>>().join(": ")
}

/// The message of a trigger, and a value that cannot be decoded.
async fn no_error_contains_a_value_of_a_vehicle(fixture: &Fixture) {
    let store = fixture.migrated_store().await;
    refuse_model(fixture, "canary").await;
    let error = store.create(vec![vehicle("canary")]).await;
    let error = error.expect_err("the trigger refuses it");
    let code = match fixture.backend {
        Backend::Sqlite => "SQLite error 1811",
        Backend::Postgres => "PostgreSQL error P0001: a trigger or a function raised an error",
        Backend::Mariadb | Backend::Mysql => {
            "MySQL or MariaDB error 1644 (SQLSTATE 45000): a trigger or a function raised an error"
        }
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
    fixture.execute(&[undecodable, insert]).await;
    let error = store.list(1).await.expect_err("no date can be read");
    let text = error_text(&error);
    assert!(
        text.contains("column launch_date cannot be decoded"),
        "{text}"
    );
    assert!(!text.contains("canary"), "{text}");
}

async fn exhausted_ids_are_reported_with_a_remedy(fixture: &Fixture) {
    let store = fixture.migrated_store().await;
    let highest =
        "INSERT INTO vehicle (id, type, model_code) VALUES (9223372036854775807, 't', 'm')";
    fixture.execute(&[highest]).await;
    if fixture.backend == Backend::Postgres {
        let set = "SELECT setval(pg_get_serial_sequence('vehicle', 'id'), 9223372036854775807)";
        fixture.execute(&[set]).await;
    }
    let error = store.create(vec![vehicle("XC60")]).await;
    let error = error.expect_err("no id is left").to_string();
    for part in [
        "the ids of the table are exhausted",
        "set the counter of the ids back",
    ] {
        assert!(error.contains(part), "{error}");
    }
}
