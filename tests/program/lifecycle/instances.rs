//! Instances that wait for a migration, or lack an index.

use sea_orm::ConnectionTrait;
use testkit::{Backend, Context, connect, until};

use crate::support::{Vehicles as _, serve, start};

testkit::tests![
    a_service_without_an_index_serves_all_but_its_pages on Sqlite Postgres Mariadb,
    startup_fails_after_the_migration_lock_timeout on Sqlite,
];

async fn a_service_without_an_index_serves_all_but_its_pages(context: Context) {
    let database = context.database();
    let mut up = start(database.url(), &["migrate", "up"]);
    assert_eq!(up.ended().await.code(), Some(0), "{}", up.log());
    let db = connect(database.url()).await;
    let on_table = match context.backend {
        Backend::Mariadb | Backend::Mysql => "ON vehicle",
        Backend::Sqlite | Backend::Postgres => "",
    };
    for sql in [
        &format!("DROP INDEX vehicle_type_launch_date {on_table}"),
        "DELETE FROM seaql_migrations WHERE version = 'm20261122_000003_create_indexes'",
    ] {
        db.execute_unprepared(sql).await.unwrap();
    }
    db.close().await.unwrap();
    let running = serve(database.url(), &["--migrate=never"]).await;
    assert_eq!(running.readiness().await, 503);
    let mut check = start(database.url(), &["schema", "check"]);
    assert_eq!(check.ended().await.code(), Some(1), "{}", check.log());
    let report = check.printed();
    assert!(report.contains("m20261122_000003_create_indexes"), "{report}");
    running.create("XC60").await.unwrap();
    running.update("1", "XC90").await;
    for by_id in [
        r#"{ vehicle(id: "1") { modelCode } }"#,
        "{ vehicles { modelCode } }",
        "{ vehiclesConnection { nodes { modelCode } } }",
    ] {
        let response = running.query(by_id).await.unwrap();
        assert!(response.to_string().contains("XC90"), "{response}");
    }
    let by_date = r#"{ vehiclesConnection(filter: { type: "SUV" }) { nodes { modelCode } } }"#;
    let response = running.query(by_date).await.unwrap();
    if context.backend == Backend::Postgres {
        assert!(response.to_string().contains("XC90"), "{response}");
    } else {
        let code = &response["errors"][0]["extensions"]["code"];
        assert_eq!(code, "INTERNAL_SERVER_ERROR", "{response}");
    }
    let mut up = start(database.url(), &["migrate", "up"]);
    assert_eq!(up.ended().await.code(), Some(0), "{}", up.log());
    until("ready", async || running.readiness().await == 200).await;
    let response = running.query(by_date).await.unwrap();
    assert!(response.to_string().contains("XC90"), "{response}");
}

async fn startup_fails_after_the_migration_lock_timeout(context: Context) {
    let database = context.database();
    // A database without tables, but with the file of SQLite.
    for arguments in [&["up"][..], &["down", "--steps=4", "--yes"]] {
        let mut first = start(database.url(), &[&["migrate"], arguments].concat());
        assert_eq!(first.ended().await.code(), Some(0), "{}", first.log());
    }
    let admin = connect(database.url()).await;
    admin.execute_unprepared("BEGIN IMMEDIATE").await.unwrap();
    // SQLite waits as long as for any other lock of the file.
    let mut started = start(database.url(), &["--database-timeout-seconds=1"]);
    assert_eq!(started.ended().await.code(), Some(1));
    let log = started.log();
    let sentence = "error: cannot migrate the database: another instance has been migrating the database for 1 seconds";
    let lines: Vec<_> = log.lines().collect();
    assert_eq!(lines.len(), 2, "{log}");
    let waiting = "waiting for another instance that is migrating the database";
    assert!(lines[0].contains(waiting), "{log}");
    assert!(lines[1].starts_with(sentence), "{log}");
}
