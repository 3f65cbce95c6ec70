//! Migrations with the table lock, on a database without advisory locks.

use std::time::{Duration, Instant};

use futures_util::future::join_all;
use sea_orm::ConnectionTrait;
use testkit::{Backend, Extras, OwnServer, until};

use super::postgres::{connect, value};
use crate::proxy::{NetworkCondition, Proxy};
use crate::support::{Vehicles as _, serve, start};

testkit::tests![
    takes_over_a_lock_only_from_a_holder_without_heartbeat,
    a_holder_stops_before_its_lock_can_be_taken_over,
    instances_migrate_once_without_advisory_locks,
];

/// Removes advisory locks from PostgreSQL, like some compatible databases.
async fn without_advisory_locks(server: &OwnServer) -> String {
    let url = server.database();
    let lock = "ALTER FUNCTION pg_catalog.pg_try_advisory_xact_lock(bigint) RENAME TO gone";
    connect(&url).await.execute_unprepared(lock).await.unwrap();
    url
}

async fn instances_migrate_once_without_advisory_locks() {
    let server = OwnServer::start(Backend::Postgres, &Extras::default());
    let url = without_advisory_locks(&server).await;
    let instances = join_all((0..4).map(|_| serve(&url, &[]))).await;
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
    let db = connect(&url).await;
    let applied = value(&db, "SELECT count(*)::text FROM seaql_migrations").await;
    assert_eq!(applied, migration::known().len().to_string());
    let held = value(&db, "SELECT count(*)::text FROM vehicle_migration_lock").await;
    assert_eq!(held, "0", "{}", instances[0].log());
}

async fn takes_over_a_lock_only_from_a_holder_without_heartbeat() {
    let server = OwnServer::start(Backend::Postgres, &Extras::default());
    let url = without_advisory_locks(&server).await;
    for direction in ["up", "down"] {
        let mut first = start(&url, &["migrate", direction]);
        assert_eq!(first.ended().await.code(), Some(0), "{}", first.log());
    }
    let db = connect(&url).await;
    let holder = "INSERT INTO vehicle_migration_lock (id, holder, beat) VALUES (1, 'another', 7)";
    db.execute_unprepared(holder).await.unwrap();

    let flags = ["--migration-lock-timeout-seconds=14"];
    let mut started = start(&url, &flags);
    let waiting_since = Instant::now();
    while waiting_since.elapsed() < Duration::from_secs(13) {
        let heartbeat = "UPDATE vehicle_migration_lock SET beat = beat + 1";
        db.execute_unprepared(heartbeat).await.unwrap();
        tokio::time::sleep(Duration::from_secs(1)).await;
    }
    assert_eq!(started.ended().await.code(), Some(1), "{}", started.log());
    let log = started.log();
    assert!(log.contains("another instance has been migrating"), "{log}");

    // Shorter than a takeover.
    let running = serve(&url, &["--migration-lock-timeout-seconds=1"]).await;
    assert!(
        running
            .create("XC60")
            .await
            .unwrap()
            .get("errors")
            .is_none()
    );
}

async fn a_holder_stops_before_its_lock_can_be_taken_over() {
    let server = OwnServer::start(Backend::Postgres, &Extras::default());
    let url = without_advisory_locks(&server).await;
    for direction in ["up", "down"] {
        let mut first = start(&url, &["migrate", direction]);
        assert_eq!(first.ended().await.code(), Some(0), "{}", first.log());
    }
    let db = connect(&url).await;
    db.execute_unprepared("BEGIN; LOCK TABLE vehicle")
        .await
        .unwrap();
    let proxy = Proxy::new(&url).await;
    let mut holder = start(&proxy.url(&url), &["migrate", "up"]);
    let other = connect(&url).await;
    let beat = "SELECT coalesce(max(beat), 0)::text FROM vehicle_migration_lock";
    until("a heartbeat", async || value(&other, beat).await == "1").await;
    proxy.set(NetworkCondition::Stalled);
    let stalled = Instant::now();
    assert_eq!(holder.ended().await.code(), Some(1), "{}", holder.log());
    assert!(
        stalled.elapsed() < Duration::from_secs(9),
        "{}",
        holder.log()
    );
}
