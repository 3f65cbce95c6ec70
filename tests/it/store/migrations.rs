//! Migrations.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use chrono::NaiveDate;
use database::{Database, DatabaseSettings, MigrationState};
use sea_orm::sea_query::{Expr, ExprTrait, Order, Query};
use sea_orm::{
    ConnectionTrait, DatabaseConnection, SqliteTransactionMode, Statement, TransactionOptions,
    TransactionTrait,
};
use testkit::Backend;
use tokio::time::sleep;
use vehicle_catalogue::store::{APPLICATION, Store, StoreError};

use super::{Fixture, new_vehicle};

testkit::tests![
    concurrent_instances_migrate_a_new_database_once,
    nothing_pending_only_reads,
    a_migration_can_be_applied_and_reverted,
    an_older_instance_works_while_a_newer_one_migrates,
    accepts_a_newer_database_with_its_columns_but_reverts_nothing,
    accepts_what_a_newer_instance_has_migrated_meanwhile,
    waiting_for_the_lock_of_another_instance_times_out,
    a_failed_run_releases_the_lock,
    the_table_has_the_designed_columns,
];

/// Every migration, newest first.
pub(super) fn newest_first() -> Vec<String> {
    let mut names = migration::known();
    names.reverse();
    names
}

pub(super) async fn up(store: &Store) -> Result<Vec<String>, StoreError> {
    store.database().migrate_up().await
}

pub(super) async fn down(store: &Store, steps: u32) -> Result<Vec<String>, StoreError> {
    store.database().migrate_down(steps).await
}

async fn concurrent_instances_migrate_a_new_database_once(fixture: &Fixture) {
    let settings = fixture.settings();
    let instances: Vec<_> = (0..8)
        .map(|_| {
            let settings = settings.clone();
            tokio::spawn(async move {
                let store = Database::connect(APPLICATION, &settings)
                    .await
                    .map(Store::new)?;
                let applied = up(&store).await?;
                store.database().close().await;
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
    assert_eq!(up(&store).await.expect("there is nothing to do"), [""; 0]);
    drop(lock);
}

async fn a_migration_can_be_applied_and_reverted(fixture: &Fixture) {
    let store = fixture.store().await;
    let state = async || {
        let migrations = store
            .database()
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
    assert_eq!(up(&store).await.expect("forward"), all);
    assert_eq!(state().await, vec![MigrationState::Applied; all.len()]);
    assert_eq!(down(&store, 1000).await.expect("back"), newest_first());
    assert_eq!(state().await, vec![MigrationState::Pending; all.len()]);
    assert!(store.list(1).await.is_err(), "the table is gone");
    assert_eq!(down(&store, 1).await.expect("nothing is left"), [""; 0]);
    assert_eq!(up(&store).await.expect("forward again"), all);
}

/// Creates, finds and lists vehicles with the statements of the release before these migrations.
async fn work(older: &DatabaseConnection, model_code: &str) {
    let columns = ["type", "model_code", "brand_name", "launch_date"];
    let date = NaiveDate::from_ymd_opt(2017, 3, 7).expect("it is in the calendar");
    let mut insert = Query::insert();
    insert
        .into_table("vehicle")
        .columns(columns)
        .values_panic(["SUV".into(), model_code.into(), "Volvo".into(), date.into()])
        .returning(Query::returning().columns(columns));
    let inserted = older.execute(&insert).await.expect("it is stored");
    assert_eq!(inserted.rows_affected(), 1);
    let mut list = Query::select();
    list.column("id").columns(columns).from("vehicle");
    let mut find = list.clone();
    list.order_by("id", Order::Asc).limit(1);
    find.and_where(Expr::col("id").is_in([1_i64]));
    for select in [list, find] {
        let rows = older.query_all(&select).await.expect("it can be read");
        assert_eq!(rows.len(), 1);
    }
}

async fn an_older_instance_works_while_a_newer_one_migrates(fixture: &Fixture) {
    let newer = fixture.migrated_store().await;
    let count = u32::try_from(migration::known().len()).expect("there are few") - 1;
    down(&newer, count).await.expect("back");
    let older = fixture.connect().await;
    work(&older, "before").await;
    let is_migrated = AtomicBool::new(false);
    let create = async {
        let mut done = 0;
        while !is_migrated.load(Ordering::Relaxed) || done < 20 {
            work(&older, &format!("during {done}")).await;
            done += 1;
        }
        done
    };
    let migrate = async {
        let applied = up(&newer).await.expect("forward");
        is_migrated.store(true, Ordering::Relaxed);
        applied
    };
    let (done, applied) = tokio::join!(create, migrate);
    assert_eq!(applied, migration::known()[1..]);
    let created = newer.insert(new_vehicle("XC90")).await;
    let created = created.expect("it can be stored");
    work(&older, "after").await;
    let vehicles = newer.list(10_000).await.expect("they can be read");
    assert_eq!(vehicles.len(), done + 3);
    assert!(vehicles.iter().all(|vehicle| vehicle.version == 1));
    assert!(vehicles.contains(&created));
}

async fn accepts_a_newer_database_with_its_columns_but_reverts_nothing(fixture: &Fixture) {
    let store = fixture.migrated_store().await;
    let db = fixture.connect().await;
    let newer = "INSERT INTO seaql_migrations (version, applied_at) VALUES ('m2999_wings', 0)";
    db.execute_unprepared(newer).await.expect("it is a table");
    let applied = up(&store).await.expect("its columns are there");
    assert_eq!(applied, [""; 0]);
    let error = down(&store, 1).await.expect_err("this program is too old");
    assert!(matches!(error, StoreError::NewerSchema { .. }), "{error:?}");
    let message = error.to_string();
    assert!(
        message.contains("m2999_wings") && message.contains("start the newer version"),
        "{message}"
    );
    let states = store
        .database()
        .migration_status()
        .await
        .expect("the state can be read");
    assert_eq!(
        states.last().map(|last| last.state),
        Some(MigrationState::Unknown)
    );
}

async fn accepts_what_a_newer_instance_has_migrated_meanwhile(fixture: &Fixture) {
    let older = fixture.migrated_store().await;
    let db = fixture.connect().await;
    let last = newest_first().remove(0);
    let delete = format!("DELETE FROM seaql_migrations WHERE version = '{last}'");
    db.execute_unprepared(&delete).await.expect("it is a table");
    let lock = acquire_migration_lock(fixture.backend, &db).await;
    let newer = async {
        // Meanwhile the older instance waits for the lock.
        sleep(Duration::from_millis(300)).await;
        let record = format!(
            "INSERT INTO seaql_migrations (version, applied_at) VALUES ('{last}', 0), ('m2999_wings', 0)"
        );
        if let Some(lock) = lock {
            lock.execute_unprepared(&record)
                .await
                .expect("it is a table");
            lock.commit().await.expect("it is open");
        } else {
            let other = fixture.connect().await;
            other
                .execute_unprepared(&record)
                .await
                .expect("it is a table");
            db.close().await.expect("it is open");
        }
    };
    let (applied, ()) = tokio::join!(up(&older), newer);
    assert_eq!(applied.expect("its columns are there"), [""; 0]);
}

async fn waiting_for_the_lock_of_another_instance_times_out(fixture: &Fixture) {
    let lock_timeout = Duration::from_secs(1);
    let settings = DatabaseSettings {
        timeout: Duration::from_millis(800),
        migration_lock_timeout: lock_timeout,
        ..fixture.settings()
    };
    let store = Database::connect(APPLICATION, &settings)
        .await
        .map(Store::new)
        .expect("the database is there");
    let db = fixture.connect().await;
    let lock = acquire_migration_lock(fixture.backend, &db).await;
    let started = Instant::now();
    let error = up(&store).await.expect_err("somebody else holds the lock");
    assert!(
        matches!(error, StoreError::MigrationLocked { waited_s: 1, .. }),
        "{error:?}"
    );
    assert!(started.elapsed() < Duration::from_secs(10));
    drop(lock);
    db.close().await.expect("it is open");
    let applied = up(&store).await;
    assert_eq!(applied.expect("the lock is free"), migration::known());
}

async fn a_failed_run_releases_the_lock(fixture: &Fixture) {
    let store = fixture.store().await;
    let db = fixture.connect().await;
    // A view with the name of the table makes the migration fail on every database.
    db.execute_unprepared("CREATE VIEW vehicle AS SELECT 1 AS id")
        .await
        .expect("the name is free");
    let error = up(&store).await.expect_err("the name is taken");
    assert!(
        matches!(error, StoreError::ForeignTable { .. }),
        "{error:?}"
    );
    db.execute_unprepared("DROP VIEW vehicle")
        .await
        .expect("it is a view");
    let applied = up(&store).await;
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
            "id bigint auto_increment NO, type varchar(255) COLLATION NO, \
             model_code varchar(255) COLLATION NO, brand_name varchar(255) COLLATION YES, \
             launch_date date YES",
        ),
    };
    let statement = Statement::from_string(db.get_database_backend(), query);
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
    let collation = match fixture.backend {
        Backend::Mysql => "utf8mb4_0900_bin",
        _ => "utf8mb4_nopad_bin",
    };
    let expected = expected.replace("COLLATION", collation);
    // Later migrations add columns at the end.
    let added = columns.strip_prefix(&expected);
    assert!(
        added.is_some_and(|added| added.is_empty() || added.starts_with(", ")),
        "{columns}"
    );
}

/// Acquires the migration lock like another instance, until the value or the connection is dropped.
async fn acquire_migration_lock(
    backend: Backend,
    db: &DatabaseConnection,
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
