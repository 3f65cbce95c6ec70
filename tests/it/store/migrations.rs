//! Migrations.

use std::sync::atomic::{AtomicBool, Ordering};

use chrono::NaiveDate;
use sea_orm::sea_query::{Expr, ExprTrait, Order, Query};
use sea_orm::{
    ConnectionTrait, DatabaseConnection, SqliteTransactionMode, Statement, TransactionOptions,
    TransactionTrait,
};
use testkit::Backend;
use vehicle_catalogue::store::{Store, StoreError};

use super::{Fixture, new_vehicle};

testkit::tests![
    nothing_pending_only_reads,
    an_older_instance_works_while_a_newer_one_migrates,
    a_failed_run_releases_the_lock,
    // The other databases roll back a failed migration.
    a_half_finished_migration_can_be_repeated on Mariadb Mysql,
    the_table_has_the_designed_columns,
];

async fn up(store: &Store) -> Result<Vec<String>, StoreError> {
    store.database().migrate_up().await
}

async fn down(store: &Store, steps: u32) -> Result<Vec<String>, StoreError> {
    store.database().migrate_down(steps).await
}

async fn nothing_pending_only_reads(fixture: &Fixture) {
    let store = fixture.migrated_store().await;
    let db = fixture.connect().await;
    // No other session can change a table or acquire the lock now.
    let lock = acquire_migration_lock(fixture.backend, &db).await;
    assert_eq!(up(&store).await.expect("there is nothing to do"), [""; 0]);
    drop(lock);
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

async fn a_half_finished_migration_can_be_repeated(fixture: &Fixture) {
    let store = fixture.migrated_store().await;
    let db = fixture.connect().await;
    let forgotten = db.execute_unprepared("DELETE FROM seaql_migrations").await;
    forgotten.expect("it is a table");
    assert_eq!(up(&store).await.expect("forward"), migration::known());
    let dropped = db.execute_unprepared("DROP TABLE vehicle").await;
    dropped.expect("it is a table");
    let reverted = down(&store, 1000).await.expect("back");
    assert_eq!(reverted.len(), migration::known().len());
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
