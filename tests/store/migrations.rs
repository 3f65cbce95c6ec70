//! Bringing the tables up to date.

use std::error::Error;
use std::time::{Duration, Instant};

use sea_orm::{ConnectionTrait, SqliteTransactionMode, TransactionOptions, TransactionTrait};
use vehicle_catalogue::store::{DatabaseSettings, MigrationState, Store, StoreError};

use crate::databases::Backend;
use crate::{Fixture, cases, new_vehicle};

cases![
    eight_instances_migrate_one_fresh_database_at_once,
    nothing_pending_only_reads,
    a_migration_goes_forward_and_back,
    // The others undo what was not finished.
    a_half_finished_migration_can_be_repeated on Mysql,
    a_newer_database_is_refused_with_what_to_do,
    the_lock_of_another_instance_is_not_waited_for_forever,
    a_failed_run_gives_the_lock_back,
    the_table_has_the_columns_of_the_design,
];

const FIRST: &str = "m20261121_000001_create_vehicle";

async fn eight_instances_migrate_one_fresh_database_at_once(fixture: &Fixture) {
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
    let mut applied = Vec::new();
    for instance in instances {
        applied.extend(
            instance
                .await
                .expect("no instance panics")
                .expect("every instance succeeds"),
        );
    }
    assert_eq!(applied, [FIRST], "one instance has applied it, once");
    let store = fixture.store().await;
    let vehicle = store
        .insert(new_vehicle("XC60"))
        .await
        .expect("the table is right");
    assert_eq!(vehicle.id.get(), 1);
}

async fn nothing_pending_only_reads(fixture: &Fixture) {
    let store = fixture.migrated_store().await;
    let stranger = fixture.stranger().await;
    // Nobody could change a table or take the lock now.
    let held = hold_the_lock(fixture.backend, &stranger).await;
    assert_eq!(
        store.migrate_up().await.expect("there is nothing to do"),
        [""; 0]
    );
    drop(held);
}

async fn a_migration_goes_forward_and_back(fixture: &Fixture) {
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
    assert_eq!(state().await, [MigrationState::Pending]);
    assert_eq!(store.migrate_up().await.expect("forward"), [FIRST]);
    assert_eq!(state().await, [MigrationState::Applied]);
    assert_eq!(store.migrate_down(1).await.expect("back"), [FIRST]);
    assert_eq!(state().await, [MigrationState::Pending]);
    assert!(store.list(1).await.is_err(), "the table is gone");
    assert_eq!(
        store.migrate_down(1).await.expect("nothing is left"),
        [""; 0]
    );
    assert_eq!(store.migrate_up().await.expect("forward again"), [FIRST]);
}

async fn a_half_finished_migration_can_be_repeated(fixture: &Fixture) {
    let store = fixture.migrated_store().await;
    let stranger = fixture.stranger().await;
    stranger
        .execute_unprepared("DELETE FROM seaql_migrations")
        .await
        .expect("it is a table");
    assert_eq!(store.migrate_up().await.expect("forward"), [FIRST]);
    stranger
        .execute_unprepared("DROP TABLE vehicle")
        .await
        .expect("it is a table");
    assert_eq!(store.migrate_down(1).await.expect("back"), [FIRST]);
}

async fn a_newer_database_is_refused_with_what_to_do(fixture: &Fixture) {
    let store = fixture.migrated_store().await;
    let stranger = fixture.stranger().await;
    let newer = "INSERT INTO seaql_migrations (version, applied_at) VALUES ('m2999_wings', 0)";
    stranger
        .execute_unprepared(newer)
        .await
        .expect("it is a table");
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

async fn the_lock_of_another_instance_is_not_waited_for_forever(fixture: &Fixture) {
    let patience = Duration::from_secs(1);
    let settings = DatabaseSettings {
        timeout: Duration::from_millis(800),
        migration_lock_timeout: patience,
        ..fixture.settings()
    };
    let store = Store::connect(&settings)
        .await
        .expect("the database is there");
    let stranger = fixture.stranger().await;
    let held = hold_the_lock(fixture.backend, &stranger).await;
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
    drop(held);
    stranger.close().await.expect("it is open");
    assert_eq!(store.migrate_up().await.expect("the lock is free"), [FIRST]);
}

async fn a_failed_run_gives_the_lock_back(fixture: &Fixture) {
    let store = fixture.store().await;
    let stranger = fixture.stranger().await;
    // A view of the name is in the way on every database.
    stranger
        .execute_unprepared("CREATE VIEW vehicle AS SELECT 1 AS id")
        .await
        .expect("the name is free");
    let error = store.migrate_up().await.expect_err("the name is taken");
    assert!(matches!(error, StoreError::Migration(_)), "{error:?}");
    assert!(error.source().is_some());
    stranger
        .execute_unprepared("DROP VIEW vehicle")
        .await
        .expect("it is a view");
    assert_eq!(store.migrate_up().await.expect("the lock is free"), [FIRST]);
}

async fn the_table_has_the_columns_of_the_design(fixture: &Fixture) {
    let _store = fixture.migrated_store().await;
    let stranger = fixture.stranger().await;
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
        Backend::Mysql => (
            "SELECT GROUP_CONCAT(CONCAT_WS(' ', column_name, column_type, collation_name, extra, \
             is_nullable) ORDER BY ordinal_position SEPARATOR ', ') FROM information_schema.columns \
             WHERE table_name = 'vehicle' AND table_schema = DATABASE()",
            "id bigint auto_increment NO, type varchar(255) utf8mb4_bin NO, \
             model_code varchar(255) utf8mb4_bin NO, brand_name varchar(255) utf8mb4_bin YES, \
             launch_date date YES",
        ),
    };
    let statement = sea_orm::Statement::from_string(stranger.get_database_backend(), query);
    let row = stranger
        .query_one_raw(statement)
        .await
        .expect("the catalogue can be read");
    let columns: String = row
        .expect("there is a row")
        .try_get_by_index(0)
        .expect("it is a text");
    // Older servers print a display width, and one more blank for an empty extra.
    let columns = columns.replace("bigint(20)", "bigint").replace("  ", " ");
    assert_eq!(columns, expected);
}

/// Takes the migration lock as another instance would, until the value or the connection goes.
async fn hold_the_lock(
    backend: Backend,
    stranger: &sea_orm::DatabaseConnection,
) -> Option<sea_orm::DatabaseTransaction> {
    let lock = match backend {
        Backend::Sqlite => {
            let options = TransactionOptions {
                sqlite_transaction_mode: Some(SqliteTransactionMode::Immediate),
                ..TransactionOptions::default()
            };
            return Some(
                stranger
                    .begin_with_options(options)
                    .await
                    .expect("the file is free"),
            );
        }
        Backend::Postgres => "SELECT pg_advisory_lock(x'76656869636c6531'::bigint)",
        Backend::Mysql => "DO GET_LOCK(CONCAT('vehicle-catalogue ', SHA1(DATABASE())), 0)",
    };
    stranger
        .execute_unprepared(lock)
        .await
        .expect("the lock is free");
    None
}
