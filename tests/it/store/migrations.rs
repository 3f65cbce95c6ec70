//! Migrations.

use std::error::Error;
use std::time::{Duration, Instant};

use sea_orm::{ConnectionTrait, SqliteTransactionMode, TransactionOptions, TransactionTrait};
use testkit::Backend;
use vehicle_catalogue::store::{DatabaseSettings, MigrationState, Store, StoreError};

use super::{Fixture, new_vehicle};

testkit::tests![
    concurrent_instances_migrate_a_new_database_once,
    nothing_pending_only_reads,
    a_migration_can_be_applied_and_reverted,
    // The other databases roll back a failed migration.
    a_half_finished_migration_can_be_repeated on Mariadb Mysql,
    missing_and_invalid_indexes_are_created_again on Postgres,
    rejects_a_newer_database_with_a_hint,
    waiting_for_the_lock_of_another_instance_times_out,
    a_failed_run_releases_the_lock,
    the_table_has_the_designed_columns,
];

/// Every migration, newest first.
fn newest_first() -> Vec<String> {
    let mut names = migration::known();
    names.reverse();
    names
}

/// Reverts every migration, and returns their names, newest first.
async fn revert_all(store: &Store) -> Result<Vec<String>, StoreError> {
    store.migrate_down(1000).await
}

async fn concurrent_instances_migrate_a_new_database_once(fixture: &Fixture) {
    let settings = fixture.settings();
    let instances: Vec<_> = (0..8)
        .map(|_| {
            let settings = settings.clone();
            tokio::spawn(async move {
                let store = Store::connect(&settings).await?;
                let applied = store.migrate_up().await?;
                store.close().await;
                Ok::<_, StoreError>(applied)
            })
        })
        .collect();
    let mut applied: Vec<String> = Vec::new();
    for instance in instances {
        applied.extend(
            instance
                .await
                .expect("no instance panics")
                .expect("every instance succeeds"),
        );
    }
    // Instances may take turns, since what runs outside of a transaction ends the transaction before.
    applied.sort();
    assert_eq!(applied, migration::known(), "each is applied once");
    let store = fixture.store().await;
    let vehicle = store
        .insert(new_vehicle("XC60"))
        .await
        .expect("the table is right");
    assert_eq!(vehicle.id.get(), 1);
}

async fn nothing_pending_only_reads(fixture: &Fixture) {
    let store = fixture.migrated_store().await;
    let db = fixture.connect().await;
    // No other session can change a table or acquire the lock now.
    let lock = acquire_migration_lock(fixture.backend, &db).await;
    assert_eq!(
        store.migrate_up().await.expect("there is nothing to do"),
        [""; 0]
    );
    drop(lock);
}

async fn a_migration_can_be_applied_and_reverted(fixture: &Fixture) {
    let store = fixture.store().await;
    let state = async || {
        let migrations = store
            .migration_status()
            .await
            .expect("the state can be read");
        migrations
            .into_iter()
            .map(|migration| migration.state)
            .collect::<Vec<_>>()
    };
    let all = migration::known();
    assert_eq!(state().await, vec![MigrationState::Pending; all.len()]);
    assert_eq!(store.migrate_up().await.expect("forward"), all);
    assert_eq!(state().await, vec![MigrationState::Applied; all.len()]);
    assert_eq!(revert_all(&store).await.expect("back"), newest_first());
    assert_eq!(state().await, vec![MigrationState::Pending; all.len()]);
    assert!(store.list(1).await.is_err(), "the table is gone");
    assert_eq!(
        store.migrate_down(1).await.expect("nothing is left"),
        [""; 0]
    );
    assert_eq!(store.migrate_up().await.expect("forward again"), all);
}

async fn a_half_finished_migration_can_be_repeated(fixture: &Fixture) {
    let store = fixture.migrated_store().await;
    let db = fixture.connect().await;
    db.execute_unprepared("DELETE FROM seaql_migrations")
        .await
        .expect("it is a table");
    assert_eq!(
        store.migrate_up().await.expect("forward"),
        migration::known()
    );
    db.execute_unprepared("DROP TABLE vehicle")
        .await
        .expect("it is a table");
    assert_eq!(revert_all(&store).await.expect("back"), newest_first());
}

/// What an interrupted `CREATE INDEX CONCURRENTLY` leaves.
async fn missing_and_invalid_indexes_are_created_again(fixture: &Fixture) {
    let store = fixture.migrated_store().await;
    let db = fixture.connect().await;
    let name = migration::known()
        .into_iter()
        .find(|name| name.ends_with("create_page_indexes"))
        .expect("it is known");
    for statement in [
        format!("DELETE FROM seaql_migrations WHERE version = '{name}'"),
        "DROP INDEX vehicle_brand_name_launch_date".to_owned(),
        "UPDATE pg_index SET indisvalid = false \
         WHERE indexrelid = 'vehicle_type_launch_date'::regclass"
            .to_owned(),
    ] {
        db.execute_unprepared(&statement).await.expect(&statement);
    }
    assert_eq!(store.migrate_up().await.expect("forward"), [name]);
    let valid = "SELECT count(*) FROM pg_index \
         WHERE indrelid = 'vehicle'::regclass AND indisvalid AND NOT indisunique";
    let statement = sea_orm::Statement::from_string(db.get_database_backend(), valid);
    let row = db.query_one_raw(statement).await.expect("it can be read");
    let count: i64 = row
        .expect("there is a row")
        .try_get_by_index(0)
        .expect("it is a number");
    assert_eq!(count, 4);
}

async fn rejects_a_newer_database_with_a_hint(fixture: &Fixture) {
    let store = fixture.migrated_store().await;
    let db = fixture.connect().await;
    let newer = "INSERT INTO seaql_migrations (version, applied_at) VALUES ('m2999_wings', 0)";
    db.execute_unprepared(newer).await.expect("it is a table");
    for result in [store.migrate_up().await, store.migrate_down(1).await] {
        let error = result.expect_err("this program is too old");
        assert!(matches!(error, StoreError::NewerSchema { .. }), "{error:?}");
        let message = error.to_string();
        assert!(
            message.contains("m2999_wings") && message.contains("start the newer version"),
            "{message}"
        );
    }
    let states = store
        .migration_status()
        .await
        .expect("the state can be read");
    assert_eq!(
        states.last().map(|last| last.state),
        Some(MigrationState::Unknown)
    );
}

async fn waiting_for_the_lock_of_another_instance_times_out(fixture: &Fixture) {
    let lock_timeout = Duration::from_secs(1);
    let settings = DatabaseSettings {
        timeout: Duration::from_millis(800),
        migration_lock_timeout: lock_timeout,
        ..fixture.settings()
    };
    let store = Store::connect(&settings)
        .await
        .expect("the database is there");
    let db = fixture.connect().await;
    let lock = acquire_migration_lock(fixture.backend, &db).await;
    let started = Instant::now();
    let error = store
        .migrate_up()
        .await
        .expect_err("somebody else holds the lock");
    assert!(
        matches!(error, StoreError::MigrationLocked { waited_s: 1, .. }),
        "{error:?}"
    );
    assert!(started.elapsed() < Duration::from_secs(10));
    drop(lock);
    db.close().await.expect("it is open");
    let applied = store.migrate_up().await;
    assert_eq!(applied.expect("the lock is free"), migration::known());
}

async fn a_failed_run_releases_the_lock(fixture: &Fixture) {
    let store = fixture.store().await;
    let db = fixture.connect().await;
    // A view with the name of the table makes the migration fail on every database.
    db.execute_unprepared("CREATE VIEW vehicle AS SELECT 1 AS id")
        .await
        .expect("the name is free");
    let error = store.migrate_up().await.expect_err("the name is taken");
    assert!(matches!(error, StoreError::Migration(_)), "{error:?}");
    assert!(error.source().is_some());
    db.execute_unprepared("DROP VIEW vehicle")
        .await
        .expect("it is a view");
    let applied = store.migrate_up().await;
    assert_eq!(applied.expect("the lock is free"), migration::known());
}

async fn the_table_has_the_designed_columns(fixture: &Fixture) {
    let _store = fixture.migrated_store().await;
    let db = fixture.connect().await;
    let (query, expected) = match fixture.backend {
        Backend::Sqlite => (
            "SELECT group_concat(name || ' ' || lower(type) || ' ' || (\"notnull\" OR pk), ', ') \
             FROM pragma_table_info('vehicle')",
            "id integer 1, type varchar(255) 1, model_code varchar(255) 1, \
             brand_name varchar(255) 0, launch_date date_text 0",
        ),
        Backend::Postgres => (
            "SELECT string_agg(concat_ws(' ', column_name, data_type, character_maximum_length, \
             is_identity, is_nullable), ', ' ORDER BY ordinal_position) \
             FROM information_schema.columns WHERE table_name = 'vehicle'",
            "id bigint YES NO, type character varying 255 NO NO, \
             model_code character varying 255 NO NO, brand_name character varying 255 NO YES, \
             launch_date date NO YES",
        ),
        Backend::Mariadb | Backend::Mysql => (
            "SELECT GROUP_CONCAT(CONCAT_WS(' ', column_name, column_type, collation_name, extra, \
             is_nullable) ORDER BY ordinal_position SEPARATOR ', ') FROM information_schema.columns \
             WHERE table_name = 'vehicle' AND table_schema = DATABASE()",
            "id bigint auto_increment NO, type varchar(255) utf8mb4_bin NO, \
             model_code varchar(255) utf8mb4_bin NO, brand_name varchar(255) utf8mb4_bin YES, \
             launch_date date YES",
        ),
    };
    let statement = sea_orm::Statement::from_string(db.get_database_backend(), query);
    let row = db
        .query_one_raw(statement)
        .await
        .expect("the catalogue can be read");
    let columns: String = row
        .expect("there is a row")
        .try_get_by_index(0)
        .expect("it is a text");
    // Older servers print a display width, and two spaces around an empty `extra`.
    let columns = columns.replace("bigint(20)", "bigint").replace("  ", " ");
    // Later migrations add columns at the end.
    let added = columns.strip_prefix(expected);
    assert!(
        added.is_some_and(|added| added.is_empty() || added.starts_with(", ")),
        "{columns}"
    );
}

/// Acquires the migration lock like another instance, until the value or the connection is dropped.
async fn acquire_migration_lock(
    backend: Backend,
    db: &sea_orm::DatabaseConnection,
) -> Option<sea_orm::DatabaseTransaction> {
    let lock = match backend {
        Backend::Sqlite => {
            let options = TransactionOptions {
                sqlite_transaction_mode: Some(SqliteTransactionMode::Immediate),
                ..TransactionOptions::default()
            };
            return Some(
                db.begin_with_options(options)
                    .await
                    .expect("the file is free"),
            );
        }
        Backend::Postgres => "SELECT pg_advisory_lock(x'76656869636c6531'::bigint)",
        Backend::Mariadb | Backend::Mysql => {
            "DO GET_LOCK(CONCAT('vehicle-catalogue ', LEFT(SHA2(DATABASE(), 256), 40)), 0)"
        }
    };
    db.execute_unprepared(lock).await.expect("the lock is free");
    None
}
