//! Migrations.

use sea_orm::sea_query::Query;
use sea_orm::{ConnectionTrait, SqliteTransactionMode, TransactionOptions, TransactionTrait};
use testkit::Backend;
use vehicle_catalogue::store::{Database, MigrationError, Settings, StartError, State};

use super::support::{Fixture, create, vehicle};

testkit::tests![
    migrations_can_be_applied_and_reverted,
    an_interrupted_migration_is_repeated,
    waiting_for_the_lock_of_another_instance_times_out,
    a_newer_database_is_accepted_if_it_keeps_the_columns,
    tables_of_another_program_are_refused,
    equal_keys_prevent_the_unique_index_with_a_remedy,
];

const NAMES: [&str; 4] = [
    "m20261121_000001_create_vehicle",
    "m20261122_000001_add_version",
    "m20261122_000002_add_creation_key",
    "m20261122_000003_create_indexes",
];

async fn migrations_can_be_applied_and_reverted(fixture: &Fixture) {
    let store = fixture.store().await;
    let database = store.database();
    let states = async || {
        let migrations = database.migration_status().await.expect("it can be read");
        migrations.iter().map(|it| it.state).collect::<Vec<_>>()
    };
    for _ in 0..2 {
        assert_eq!(states().await, [State::Pending; 4]);
        assert_eq!(database.migrate_up().await.expect("forward"), NAMES);
        assert_eq!(states().await, [State::Applied; 4]);
        assert_eq!(database.migrate_up().await.expect("nothing is left"), [""; 0]);
        create(&store, "XC60").await;
        let reverted = database.migrate_down(1).await.expect("back");
        assert_eq!(reverted, [NAMES[3]]);
        let reverted = database.migrate_down(1000).await.expect("back");
        assert_eq!(reverted, [NAMES[2], NAMES[1], NAMES[0]]);
        assert_eq!(database.migrate_down(1).await.expect("nothing is left"), [""; 0]);
    }
}

/// MySQL commits each statement, so the table can be ahead of the list of migrations.
async fn an_interrupted_migration_is_repeated(fixture: &Fixture) {
    let store = fixture.migrated_store().await;
    create(&store, "XC60").await;
    for applied in (0..4).rev() {
        let forget = format!("DELETE FROM seaql_migrations WHERE version >= '{}'", NAMES[applied]);
        fixture.execute(&[&forget]).await;
        let again = store.database().migrate_up().await.expect("it can be repeated");
        assert_eq!(again, NAMES[applied..]);
    }
    create(&store, "XC60").await;
}

async fn waiting_for_the_lock_of_another_instance_times_out(fixture: &Fixture) {
    let store = fixture.store().await;
    let db = fixture.connect().await;
    let lock = match fixture.backend {
        Backend::Sqlite => "SELECT 1",
        Backend::Postgres => "SELECT pg_advisory_xact_lock(8531339870972175665)",
        Backend::Mariadb | Backend::Mysql => {
            "SELECT GET_LOCK(CONCAT('vehicle-catalogue ', LEFT(SHA2(DATABASE(), 256), 40)), 1)"
        }
    };
    let options = TransactionOptions {
        sqlite_transaction_mode: Some(SqliteTransactionMode::Immediate),
        ..TransactionOptions::default()
    };
    let transaction = db.begin_with_options(options).await.expect("it begins");
    transaction.execute_unprepared(lock).await.expect("the lock is free");
    let settings = Settings {
        migration_lock_timeout: std::time::Duration::from_secs(1),
        timeout: std::time::Duration::from_secs(1),
        ..fixture.settings()
    };
    let waiting = Database::connect(settings).await.expect("the database is there");
    let refused = waiting.migrate_up().await;
    assert!(matches!(refused, Err(StartError::Migrations(MigrationError::Locked(_)))), "{refused:?}");
    transaction.rollback().await.expect("it ends");
    db.close().await.expect("it is open");
    assert_eq!(store.database().migrate_up().await.expect("the lock is free"), NAMES);
}

async fn a_newer_database_is_accepted_if_it_keeps_the_columns(fixture: &Fixture) {
    let store = fixture.migrated_store().await;
    let newer = "INSERT INTO seaql_migrations (version, applied_at) VALUES ('m20300101_000001_add_color', 0)";
    let color = "ALTER TABLE vehicle ADD COLUMN color varchar(255) NULL";
    fixture.execute(&[newer, color]).await;
    let database = store.database();
    assert_eq!(database.migrate_up().await.expect("it keeps the columns"), [""; 0]);
    let states: Vec<_> = database.migration_status().await.expect("it can be read");
    assert_eq!(states.last().map(|it| it.state), Some(State::Unknown));
    create(&store, "XC60").await;
    let refused = database.migrate_down(1).await;
    assert!(matches!(refused, Err(StartError::Migrations(MigrationError::Newer { .. }))), "{refused:?}");
    fixture.execute(&["DELETE FROM vehicle"]).await;
    for (change, obstacle) in [
        ("ALTER TABLE vehicle RENAME COLUMN brand_name TO brand", "vehicle.brand_name does not exist"),
        ("ALTER TABLE vehicle DROP COLUMN version", "vehicle.version does not exist"),
        ("ALTER TABLE vehicle ADD COLUMN tyres varchar(9) NOT NULL", "vehicle.tyres is NOT NULL without default"),
    ] {
        if fixture.backend == Backend::Sqlite && change.contains("tyres") {
            // It adds no such column.
            continue;
        }
        fixture.execute(&[change]).await;
        let refused = database.migrate_up().await;
        let refused = refused.expect_err("a statement would fail").to_string();
        for part in ["m20300101_000001_add_color", obstacle, "start the newer version"] {
            assert!(refused.contains(part), "{refused}");
        }
    }
}

async fn tables_of_another_program_are_refused(fixture: &Fixture) {
    let store = fixture.store().await;
    for (statements, message) in [
        (
            &["CREATE TABLE vehicle (id varchar(9), type varchar(9), owner varchar(9))"][..],
            "the table vehicle was not made by this program: it has no column model_code, brand_name, launch_date; \
             use an empty database",
        ),
        (
            &[
                "DROP TABLE vehicle",
                "DROP TABLE IF EXISTS seaql_migrations",
                "CREATE TABLE seaql_migrations (version varchar(255), applied_at bigint)",
                "INSERT INTO seaql_migrations VALUES ('m20220101_000001_create_fruit', 0)",
            ],
            "the table seaql_migrations was not made by this program: it has the migration \
             m20220101_000001_create_fruit, and none of this program; use an empty database",
        ),
        (
            &["DROP TABLE seaql_migrations", "CREATE TABLE seaql_migrations (number integer)"],
            "the table seaql_migrations was not made by this program: it has no text column version; use an empty \
             database",
        ),
    ] {
        fixture.execute(statements).await;
        let refused = store.database().migrate_up().await;
        assert_eq!(refused.expect_err("it is foreign").to_string(), message);
    }
}

async fn equal_keys_prevent_the_unique_index_with_a_remedy(fixture: &Fixture) {
    let store = fixture.migrated_store().await;
    let database = store.database();
    database.migrate_down(1).await.expect("back");
    let db = fixture.connect().await;
    let mut insert = Query::insert();
    insert.into_table("vehicle").columns(["type", "model_code", "creation_key"]);
    for _ in 0..2 {
        insert.values_panic(["SUV".into(), "XC60".into(), vec![7_u8; 16].into()]);
    }
    db.execute(&insert).await.expect("they are stored");
    let error = database.migrate_up().await.expect_err("the keys are equal");
    let expected = "a migration failed; a pending migration (migrate status) creates a unique index, and \
                    several rows have equal values in its columns: change or delete these rows, and migrate again";
    assert_eq!(error.to_string(), expected);
    let remedy = "UPDATE vehicle SET creation_key = NULL, creation_digest = NULL WHERE id = 2";
    db.execute_unprepared(remedy).await.expect("it is stored");
    assert_eq!(database.migrate_up().await.expect("forward"), [NAMES[3]]);
    let created = store.create(vec![vehicle("XC60")]).await;
    created.expect("the tables are right");
}
