//! Migrations of a Galera cluster.

use std::time::{Duration, Instant};

use futures_util::future::join_all;
use sea_orm::{ConnectionTrait, DatabaseConnection, DbBackend, Statement};
use testkit::until;
use tokio::time::sleep;

use super::nodes::Nodes;
use crate::proxy::{NetworkCondition, Proxy};
use crate::support::{Vehicles as _, serve, start};

testkit::tests![
    instances_on_different_nodes_migrate_once,
    a_migration_stops_before_its_lock_can_be_taken_over,
    a_migration_keeps_its_lock_during_a_long_change_of_a_table,
    an_instance_starts_after_a_long_change_of_a_table,
];

async fn instances_on_different_nodes_migrate_once() {
    let nodes = Nodes::acquire();
    let urls = [nodes.url(0), nodes.url(1), nodes.url(2), nodes.url(1)];
    let instances = join_all(urls.iter().map(|url| serve(url, &[]))).await;
    for (number, instance) in instances.iter().enumerate() {
        let response = instance.create(&number.to_string()).await.unwrap();
        assert!(
            response.get("errors").is_none(),
            "{response}\n{}",
            instance.log()
        );
        assert_eq!(instance.readiness().await, 200);
    }
    let db = nodes.connect(2).await;
    for (query, expected) in [
        (
            "SELECT COUNT(*) FROM seaql_migrations",
            migration::known().len(),
        ),
        ("SELECT COUNT(*) FROM vehicle_migration_lock", 0),
    ] {
        let query = Statement::from_string(DbBackend::MySql, query);
        let row = db.query_one_raw(query).await.unwrap().unwrap();
        let count: i64 = row.try_get_by_index(0).unwrap();
        assert_eq!(usize::try_from(count), Ok(expected));
    }
    nodes.release();
}

async fn a_migration_stops_before_its_lock_can_be_taken_over() {
    let nodes = Nodes::acquire();
    let proxy = Proxy::new(&nodes.url(1)).await;
    proxy.set(NetworkCondition::Delayed(Duration::from_millis(100)));
    let mut holder = start(&proxy.url(&nodes.url(1)), &["migrate", "up"]);
    let db = nodes.connect(1).await;
    wait_for_heartbeat(&db).await;
    proxy.set(NetworkCondition::Stalled);
    let stalled = Instant::now();
    assert_eq!(holder.ended().await.code(), Some(1), "{}", holder.log());
    assert!(
        stalled.elapsed() < Duration::from_secs(10),
        "{:?} {}",
        stalled.elapsed(),
        holder.log()
    );
    nodes.release();
}

async fn a_migration_keeps_its_lock_during_a_long_change_of_a_table() {
    let nodes = Nodes::acquire();
    let (db, other) = (nodes.connect(1).await, nodes.connect(2).await);
    // The reads of the migration wait for the change, too.
    set_read_timeout(&db, "PT5M").await;
    let change = slow_change(&other).await;
    let proxy = Proxy::new(&nodes.url(1)).await;
    proxy.set(NetworkCondition::Delayed(Duration::from_millis(100)));
    let mut holder = start(&proxy.url(&nodes.url(1)), &["migrate", "up"]);
    wait_for_heartbeat(&db).await;
    let mut waiting = start(&nodes.url(0), &["migrate", "up"]);
    // It polls the lock.
    sleep(Duration::from_secs(1)).await;
    let changed = Instant::now();
    other.execute_unprepared(&change).await.unwrap();
    let lease = Duration::from_secs(7);
    assert!(changed.elapsed() > lease, "{:?}", changed.elapsed());
    proxy.set(NetworkCondition::Normal);
    for instance in [&mut holder, &mut waiting] {
        let code = instance.ended().await.code();
        assert_eq!(code, Some(0), "{}", instance.log());
    }
    set_read_timeout(&db, "PT30S").await;
    nodes.release();
}

async fn an_instance_starts_after_a_long_change_of_a_table() {
    let nodes = Nodes::acquire();
    let (db, other) = (nodes.connect(1).await, nodes.connect(2).await);
    set_read_timeout(&db, "PT1S").await;
    let change = slow_change(&other).await;
    let start = async {
        // The change has begun.
        sleep(Duration::from_millis(500)).await;
        let running = serve(&nodes.url(1), &["--database-timeout-seconds=2"]).await;
        running.logged("waiting until the migrations can be").await;
        running
    };
    let (changed, running) = tokio::join!(other.execute_unprepared(&change), start);
    changed.unwrap();
    let is_ready = async || running.readiness().await == 200;
    until("it is ready", is_ready).await;
    set_read_timeout(&db, "PT30S").await;
    nodes.release();
}

/// Sets how long reads of a node wait for changes of other nodes.
async fn set_read_timeout(db: &DatabaseConnection, timeout: &str) {
    let option = format!("repl.causal_read_timeout={timeout}");
    let set = format!("SET GLOBAL wsrep_provider_options = '{option}'");
    db.execute_unprepared(&set).await.unwrap();
}

/// Creates a table and returns a change of it that takes about 15 seconds, and at least 7 on a machine
/// that becomes twice as fast after the sample.
async fn slow_change(db: &DatabaseConnection) -> String {
    let slow = "LENGTH(COMPRESS(REPEAT(MD5(id), 100000)))";
    let started = Instant::now();
    let sample = format!("SELECT SUM({slow}) FROM (SELECT seq AS id FROM seq_1_to_200) AS sample");
    db.execute_unprepared(&sample).await.unwrap();
    let rows = 200 * 15_000 / started.elapsed().as_millis().max(1);
    let create = "CREATE TABLE slow (id INT PRIMARY KEY) SELECT seq AS id FROM seq_1_to_";
    let create = format!("{create}{rows}");
    db.execute_unprepared(&create).await.unwrap();
    format!("ALTER TABLE slow ADD COLUMN slow INT AS ({slow}) STORED")
}

/// Waits until a migration has renewed its lock.
async fn wait_for_heartbeat(db: &DatabaseConnection) {
    let beat = "SELECT COUNT(*) FROM vehicle_migration_lock WHERE beat > 0";
    until("a heartbeat", async || {
        let query = Statement::from_string(DbBackend::MySql, beat);
        // The table may not exist yet.
        let row = db.query_one_raw(query).await.ok().flatten();
        row.is_some_and(|row| row.try_get_by_index::<i64>(0).unwrap() == 1)
    })
    .await;
}
