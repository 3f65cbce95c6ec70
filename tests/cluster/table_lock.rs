//! Migrations under the row of a table, on a database without locks of its own.

use std::time::{Duration, Instant};

use futures_util::future::join_all;
use sea_orm::ConnectionTrait;

use crate::{
    cases,
    databases::{Backend, Extras, OwnServer},
    postgres::{stranger, value},
    running::{Running, Started},
};

cases![
    instances_migrate_once_where_there_are_no_advisory_locks,
    a_holder_that_has_ended_is_succeeded_and_one_that_counts_is_not,
];

/// A PostgreSQL that has no advisory locks, as some of its kin.
async fn without_advisory_locks(server: &OwnServer) -> String {
    let url = server.database();
    let lock = "ALTER FUNCTION pg_catalog.pg_advisory_xact_lock(bigint) RENAME TO gone";
    stranger(&url).await.execute_unprepared(lock).await.unwrap();
    url
}

async fn instances_migrate_once_where_there_are_no_advisory_locks() {
    let server = OwnServer::start(Backend::Postgres, &Extras::default());
    let url = without_advisory_locks(&server).await;
    let instances = join_all((0..4).map(|_| Running::start(&url, &[]))).await;
    for instance in &instances {
        assert!(
            instance
                .create("XC60")
                .await
                .unwrap()
                .get("errors")
                .is_none()
        );
    }
    let db = stranger(&url).await;
    let applied = value(&db, "SELECT count(*)::text FROM seaql_migrations").await;
    assert_eq!(applied, migration::known().len().to_string());
    let held = value(&db, "SELECT count(*)::text FROM vehicle_migration_lock").await;
    assert_eq!(held, "0", "{}", instances[0].log());
}

async fn a_holder_that_has_ended_is_succeeded_and_one_that_counts_is_not() {
    let server = OwnServer::start(Backend::Postgres, &Extras::default());
    let url = without_advisory_locks(&server).await;
    for direction in ["up", "down"] {
        let mut first = Started::new(&url, &["migrate", direction]);
        assert_eq!(first.ended().await.code(), Some(0), "{}", first.log());
    }
    let db = stranger(&url).await;
    let holder = "INSERT INTO vehicle_migration_lock (id, holder, beat) VALUES (1, 'another', 7)";
    db.execute_unprepared(holder).await.unwrap();

    let flags = ["--migration-lock-timeout-seconds=14"];
    let mut started = Started::new(&url, &flags);
    let begun = Instant::now();
    while begun.elapsed() < Duration::from_secs(13) {
        let count = "UPDATE vehicle_migration_lock SET beat = beat + 1";
        db.execute_unprepared(count).await.unwrap();
        tokio::time::sleep(Duration::from_secs(1)).await;
    }
    assert_eq!(started.ended().await.code(), Some(1), "{}", started.log());
    let log = started.log();
    assert!(log.contains("another instance has been migrating"), "{log}");

    let running = Running::start(&url, &[]).await;
    assert!(
        running
            .create("XC60")
            .await
            .unwrap()
            .get("errors")
            .is_none()
    );
}
