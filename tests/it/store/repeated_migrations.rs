//! Migrations that are interrupted or repeated.

use std::time::Duration;

use database::{Application, Database, Index, Migration, Step, text_column};
use sea_orm::sea_query::Table;
use sea_orm::{ConnectionTrait, DatabaseConnection, Statement, TransactionTrait};
use vehicle_catalogue::store::{APPLICATION, StoreError};

use super::Fixture;
use super::migrations::{down, newest_first, up};

testkit::tests![
    // The other databases roll back a failed migration.
    a_half_finished_migration_can_be_repeated on Mariadb Mysql,
    an_interrupted_creation_of_an_index_is_repeated on Postgres,
    a_table_with_an_index_can_be_created_again on Postgres Mariadb Mysql,
    a_statement_timeout_of_the_database_does_not_abort_a_migration on Postgres,
];

async fn a_half_finished_migration_can_be_repeated(fixture: &Fixture) {
    let store = fixture.migrated_store().await;
    let db = fixture.connect().await;
    db.execute_unprepared("DELETE FROM seaql_migrations")
        .await
        .expect("it is a table");
    assert_eq!(up(&store).await.expect("forward"), migration::known());
    db.execute_unprepared("DROP TABLE vehicle")
        .await
        .expect("it is a table");
    assert_eq!(down(&store, 1000).await.expect("back"), newest_first());
}

async fn an_interrupted_creation_of_an_index_is_repeated(fixture: &Fixture) {
    let store = fixture.migrated_store().await;
    let names = migration::known();
    let creation = names
        .iter()
        .position(|name| name.contains("create_indexes"));
    let reverted = &names[creation.expect("it is known")..];
    let count_reverted = u32::try_from(reverted.len()).expect("they are few");
    down(&store, count_reverted).await.expect("back");
    // The creation waits for this transaction.
    let other = fixture.connect().await;
    let transaction = other.begin().await.expect("it is open");
    let insert = "INSERT INTO vehicle (type, model_code) VALUES ('SUV', 'XC60')";
    transaction
        .execute_unprepared(insert)
        .await
        .expect("it is stored");
    let migration = tokio::spawn({
        let store = store.clone();
        async move { up(&store).await }
    });
    let db = fixture.connect().await;
    let invalid = "SELECT count(*) FROM pg_index \
         WHERE indexrelid = to_regclass('vehicle_creation_key') AND NOT indisvalid";
    testkit::until("the creation waits", async || {
        count(&db, invalid).await == 1
    })
    .await;
    let inserted = db.execute_unprepared(insert).await;
    inserted.expect("the creation does not block it");
    let cancel = "SELECT count(pg_cancel_backend(pid)) FROM pg_stat_activity \
         WHERE datname = current_database() AND query LIKE 'CREATE UNIQUE INDEX CONCURRENTLY %'";
    assert_eq!(count(&db, cancel).await, 1);
    let error = migration.await.expect("it ends");
    let error = error.expect_err("it is cancelled");
    assert!(matches!(error, StoreError::Migration(_)), "{error:?}");
    assert_eq!(count(&db, invalid).await, 1, "the index is left");
    transaction.rollback().await.expect("it is open");
    assert_eq!(up(&store).await.expect("forward"), reverted);
    assert_eq!(count(&db, VALID_INDEXES).await, 6);

    for statement in [
        "DELETE FROM seaql_migrations WHERE version LIKE '%create_indexes'",
        "DROP INDEX vehicle_brand_name_launch_date",
    ] {
        db.execute_unprepared(statement).await.expect(statement);
    }
    assert_eq!(up(&store).await.expect("forward"), reverted[..1]);
    assert_eq!(
        count(&db, VALID_INDEXES).await,
        6,
        "the missing one is created"
    );
}

async fn a_table_with_an_index_can_be_created_again(fixture: &Fixture) {
    const CREATE_BOOK: Migration = Migration {
        name: "create_book",
        steps: |backend| {
            let title = text_column("title", 9, backend);
            let index = Index {
                name: "book_title",
                table: "book",
                is_unique: false,
                columns: "(title)",
            };
            let table = Table::create().table("book").col(title).take();
            vec![Step::CreateTable(table), Step::CreateIndex(index)]
        },
    };
    let application = Application {
        table: "book",
        migrations: &[CREATE_BOOK],
        ..APPLICATION
    };
    let books = Database::connect(application, &fixture.settings()).await;
    let books = books.expect("the database is there");
    let db = fixture.connect().await;
    for interrupted in ["DELETE FROM seaql_migrations", "DROP TABLE book"] {
        assert_eq!(books.migrate_up().await.expect("forward"), ["create_book"]);
        db.execute_unprepared(interrupted)
            .await
            .expect("it is a table");
    }
}

async fn a_statement_timeout_of_the_database_does_not_abort_a_migration(fixture: &Fixture) {
    let store = fixture.migrated_store().await;
    let reverted = down(&store, 1).await.expect("back");
    let db = fixture.connect().await;
    let set = "DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET statement_timeout = 200', current_database()); END $$";
    db.execute_unprepared(set).await.expect("it is the owner");
    // The creation of indexes waits for this transaction.
    let transaction = db.begin().await.expect("it is open");
    let lock = "LOCK TABLE vehicle IN ROW EXCLUSIVE MODE";
    let locked = transaction.execute_unprepared(lock).await;
    locked.expect("nothing is locked");
    let unlock = async {
        tokio::time::sleep(Duration::from_secs(1)).await;
        transaction.rollback().await.expect("it is open");
    };
    let (applied, ()) = tokio::join!(up(&store), unlock);
    assert_eq!(applied.expect("forward"), reverted);
}

/// With that of the primary key.
const VALID_INDEXES: &str =
    "SELECT count(*) FROM pg_index WHERE indrelid = 'vehicle'::regclass AND indisvalid";

/// The number that a query returns.
async fn count(db: &DatabaseConnection, query: &str) -> i64 {
    let statement = Statement::from_string(db.get_database_backend(), query);
    let row = db.query_one_raw(statement).await.expect("it can be read");
    let row = row.expect("there is a row");
    row.try_get_by_index(0).expect("it is a number")
}
