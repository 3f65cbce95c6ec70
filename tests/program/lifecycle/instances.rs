//! Several instances on one database, and instances with a different schema version than the database.

use std::time::{Duration, Instant};

use futures_util::future::join_all;
use sea_orm::{ConnectionTrait, Statement};
use testkit::{Backend, Context, TIMEOUT, connect, until};
use tokio::time::sleep;

use crate::support::{Vehicles as _, migrations, serve, start};

testkit::tests![
    concurrently_started_instances_migrate_once on Sqlite Postgres Mariadb Mysql,
    startup_fails_after_the_migration_lock_timeout on Sqlite Postgres Mariadb Mysql,
    pending_migrations_make_the_service_not_ready on Sqlite Postgres Mariadb Mysql,
    a_service_without_an_index_serves_all_but_its_pages on Sqlite Postgres Mariadb Mysql,
];

const POSTGRES_LOCK: &str = "SELECT pg_advisory_lock(x'76656869636c6531'::bigint)";

async fn concurrently_started_instances_migrate_once(context: Context) {
    for count in [2, 4] {
        let database = context.database();
        let starting = (0..count).map(|_| serve(database.url(), &[]));
        let instances = join_all(starting).await;
        let creations = instances.iter().enumerate();
        let creations = creations.map(|(number, instance)| async move {
            for index in 0..5 {
                let response = instance.create(&format!("{number}-{index}")).await.unwrap();
                assert!(
                    response.get("errors").is_none(),
                    "{response}\n{}",
                    instance.log()
                );
            }
        });
        join_all(creations).await;
        for instance in &instances {
            assert_eq!(instance.models().await.len(), count * 5);
            assert_eq!(instance.readiness().await, 200);
        }
        let admin = connect(database.url()).await;
        let applied = "SELECT COUNT(*), COUNT(DISTINCT version) FROM seaql_migrations";
        let applied = Statement::from_string(admin.get_database_backend(), applied);
        let row = admin.query_one_raw(applied).await.unwrap().unwrap();
        let column = |index| row.try_get_by_index::<i64>(index).unwrap();
        let known = i64::try_from(migrations().len()).unwrap();
        assert_eq!(
            (column(0), column(1)),
            (known, known),
            "each is applied once"
        );
    }
}

async fn startup_fails_after_the_migration_lock_timeout(context: Context) {
    let database = context.database();
    // A database without tables, but with the file of SQLite.
    for arguments in [&["up"][..], &["down", "--steps=4", "--yes"]] {
        let mut first = start(database.url(), &[&["migrate"], arguments].concat());
        assert_eq!(first.ended().await.code(), Some(0), "{}", first.log());
    }
    let admin = connect(database.url()).await;
    let lock = match context.backend {
        Backend::Sqlite => "BEGIN IMMEDIATE",
        Backend::Postgres => POSTGRES_LOCK,
        Backend::Mariadb | Backend::Mysql => {
            "DO GET_LOCK(CONCAT('vehicle-catalogue ', LEFT(SHA2(DATABASE(), 256), 40)), 0)"
        }
    };
    admin.execute_unprepared(lock).await.unwrap();
    let mut started = start(database.url(), &["--database-timeout-seconds=1"]);
    let begun = Instant::now();
    while started.status().is_none() {
        assert!(begun.elapsed() < TIMEOUT * 2, "{}", started.log());
        sleep(Duration::from_millis(100)).await;
    }
    assert_eq!(started.ended().await.code(), Some(1));
    let log = started.log();
    // SQLite waits as long as for any other lock of the file.
    let seconds = match context.backend {
        Backend::Sqlite => 1,
        Backend::Postgres | Backend::Mariadb | Backend::Mysql => 60,
    };
    let sentence = format!(
        "error: cannot migrate the database: another instance has been migrating the database for {seconds} seconds"
    );
    let lines: Vec<_> = log.lines().collect();
    assert_eq!(lines.len(), 2, "{log}");
    let waiting = "waiting for another instance that is migrating the database";
    assert!(lines[0].contains(waiting), "{log}");
    assert!(lines[1].starts_with(&sentence), "{log}");
}

async fn pending_migrations_make_the_service_not_ready(context: Context) {
    let database = context.database();
    let running = serve(database.url(), &["--migrate=never"]).await;
    assert_eq!(running.readiness().await, 503);
    let log = running.log();
    let pending = "migrations are pending: not ready until vehicle-catalogue migrate up has run";
    assert!(log.contains(pending), "{log}");
    let mut up = start(database.url(), &["migrate", "up"]);
    assert_eq!(up.ended().await.code(), Some(0), "{}", up.log());
    until("ready", async || running.readiness().await == 200).await;
    assert!(
        running
            .create("XC60")
            .await
            .unwrap()
            .get("errors")
            .is_none()
    );
}

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
    assert!(
        report.contains("m20261122_000003_create_indexes"),
        "{report}"
    );
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
