//! A Galera cluster whose nodes fail and recover.

use std::{fs, time::Duration};

use futures_util::future::join_all;
use sea_orm::{ConnectionTrait, DatabaseConnection, DbBackend, Statement};
use serde_json::Value;
use tempfile::TempDir;
use testkit::{Running, until};

use super::{
    address::Address,
    load::{assert_no_lost_writes, run_under_load},
    nodes::Nodes,
    replica::model,
};
use crate::support::{Vehicles as _, serve, start};

testkit::tests![
    no_write_is_lost_when_a_node_is_killed_and_restarted,
    no_write_is_lost_when_a_node_is_frozen,
    no_write_is_lost_when_a_node_is_isolated,
    an_isolated_node_serves_no_stale_reads,
    retries_a_write_that_another_node_aborts,
    retries_an_import_batch_that_another_node_aborts,
    loses_no_update_of_instances_on_the_same_node,
    retries_an_update_that_another_node_aborts,
    reads_a_write_of_another_node,
    reads_an_update_and_a_deletion_of_another_node,
    returns_the_right_ids_while_the_cluster_grows,
];

/// Starts the service on an address that leads to the second node.
async fn service(nodes: &Nodes, timeout_seconds: u32) -> (Running, Address) {
    let address = Address::of(nodes.nodes[1].address()).await;
    let timeout = format!("--database-timeout-seconds={timeout_seconds}");
    let running = serve(&nodes.url_at(&address.name()), &[&timeout]).await;
    (running, address)
}

async fn no_write_is_lost_when_a_node_is_killed_and_restarted() {
    let mut nodes = Nodes::acquire();
    let (running, address) = service(&nodes, 20).await;
    let remaining = nodes.connect(2).await;
    let written = run_under_load(&running, &remaining, async {
        nodes.nodes[1].stop();
        address.redirect(nodes.nodes[2].address());
        // A restart before the eviction could split the other nodes.
        nodes.wait_until_evicted(1).await;
        nodes.nodes[1].start_again();
    })
    .await;
    nodes.wait_until_synced().await;
    assert_no_lost_writes(&nodes, &written, Duration::ZERO).await;
    nodes.release();
}

async fn no_write_is_lost_when_a_node_is_frozen() {
    let mut nodes = Nodes::acquire();
    let (running, address) = service(&nodes, 5).await;
    let remaining = nodes.connect(2).await;
    let mut written = run_under_load(&running, &remaining, async {
        nodes.nodes[1].freeze();
        address.redirect(nodes.nodes[2].address());
        // A write in flight to the frozen node has an unknown outcome after the timeout.
        let can_write = async || {
            let response = running.create("after").await.unwrap();
            response.get("errors").is_none()
        };
        until("writes go on", can_write).await;
        nodes.nodes[1].thaw();
    })
    .await;
    nodes.wait_until_synced().await;
    written.acknowledged.insert("after".to_owned());
    // Writers with a statement in flight have waited for twice the database timeout.
    assert_no_lost_writes(&nodes, &written, Duration::from_secs(2 * 5)).await;
    nodes.release();
}

async fn no_write_is_lost_when_a_node_is_isolated() {
    let nodes = Nodes::acquire();
    let (running, address) = service(&nodes, 20).await;
    let db = nodes.connect(1).await;
    let isolate = async |value: u32| {
        let isolate = format!("SET GLOBAL wsrep_provider_options = 'gmcast.isolate={value}'");
        db.execute_unprepared(&isolate).await.unwrap();
    };
    let remaining = nodes.connect(2).await;
    let written = run_under_load(&running, &remaining, async {
        isolate(1).await;
        address.redirect(nodes.nodes[2].address());
        nodes.wait_until_evicted(1).await;
        isolate(0).await;
    })
    .await;
    nodes.wait_until_synced().await;
    assert_no_lost_writes(&nodes, &written, Duration::ZERO).await;
    nodes.release();
}

async fn an_isolated_node_serves_no_stale_reads() {
    let nodes = Nodes::acquire();
    let db = nodes.connect(1).await;
    let set = async |statement: &str| db.execute_unprepared(statement).await.unwrap();
    // An operator can permit stale reads on isolated nodes.
    set("SET GLOBAL wsrep_dirty_reads = ON").await;
    let alone = serve(&nodes.url(1), &["--database-timeout-seconds=2"]).await;
    let other = serve(&nodes.url(2), &["--database-timeout-seconds=20"]).await;
    set("SET GLOBAL wsrep_provider_options = 'gmcast.isolate=1'").await;
    nodes.wait_until_evicted(1).await;
    let response = other.create("XC60").await.unwrap();
    let query = format!(r#"{{ vehicle(id: "{}") {{ modelCode }} }}"#, id(&response));
    for query in [&*query, "{ vehicles(count: 3) { modelCode } }"] {
        let response = alone.query(query).await.unwrap();
        let code = &response["errors"][0]["extensions"]["code"];
        assert_eq!(code, "SERVICE_UNAVAILABLE", "{response}");
    }
    set("SET GLOBAL wsrep_provider_options = 'gmcast.isolate=0'").await;
    nodes.wait_until_synced().await;
    set("SET GLOBAL wsrep_dirty_reads = OFF").await;
    until("the node is used again", async || {
        alone.query(&query).await.unwrap()["data"]["vehicle"]["modelCode"] == "XC60"
    })
    .await;
    nodes.release();
}

async fn retries_a_write_that_another_node_aborts() {
    let nodes = Nodes::acquire();
    let (running, _address) = service(&nodes, 20).await;
    let db = nodes.connect(1).await;
    for statement in ["BEGIN", "SELECT id FROM vehicle WHERE id > 0 FOR UPDATE"] {
        db.execute_unprepared(statement).await.unwrap();
    }
    let abort = async {
        wait_for_blocked_insert(&nodes).await;
        // The schema change aborts all transactions that hold or await locks of the table.
        let change = "ALTER TABLE vehicle COMMENT = 'changed'";
        let other = nodes.connect(2).await;
        other.execute_unprepared(change).await.unwrap();
    };
    let (response, ()) = tokio::join!(running.create("XC60"), abort);
    let response = response.unwrap();
    assert!(
        response.get("errors").is_none(),
        "{response}\n{}",
        running.log()
    );
    assert_eq!(nodes.models(0).await, ["XC60"]);
    nodes.release();
}

async fn retries_an_import_batch_that_another_node_aborts() {
    let nodes = Nodes::acquire();
    let url = nodes.url(1);
    assert_eq!(
        start(&url, &["migrate", "up"]).ended().await.code(),
        Some(0)
    );
    let (db, other) = (nodes.connect(1).await, nodes.connect(2).await);
    let store = async |by: &DatabaseConnection, id: u32| {
        let insert = "INSERT INTO vehicle (id, type, model_code) VALUES";
        let insert = format!("{insert} ({id}, 'SUV', 'other')");
        by.execute_unprepared(&insert).await.unwrap();
    };
    // The import inserts the first rows and waits for the lock of a later one.
    db.execute_unprepared("BEGIN").await.unwrap();
    store(&db, 700).await;
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("vehicles.csv");
    let rows = (1..=1000).map(|id| format!("{id},SUV,XC60\n"));
    fs::write(
        &file,
        format!("id,type,modelCode\n{}", rows.collect::<String>()),
    )
    .unwrap();
    let flags = ["--log-level=warn", "--database-timeout-seconds=20"];
    let import = ["import", "--on-error=skip", file.to_str().unwrap()];
    let mut import = start(&url, &[&flags[..], &import].concat());
    wait_for_blocked_insert(&nodes).await;
    // The first commit wins on every node.
    store(&other, 5).await;
    db.execute_unprepared("ROLLBACK").await.unwrap();
    let code = import.ended().await.code();
    let log = import.log();
    assert!(log.contains("999 stored, 0 unchanged, 1 rejected"), "{log}");
    assert_eq!(code, Some(1), "{log}");
    let models = nodes.models(0).await;
    assert_eq!(models.len(), 1000);
    assert_eq!(models.iter().filter(|model| *model == "other").count(), 1);
    nodes.release();
}

async fn reads_a_write_of_another_node() {
    let nodes = Nodes::acquire();
    let writer = serve(&nodes.url(1), &[]).await;
    let reader = serve(&nodes.url(2), &[]).await;
    for round in 0..200 {
        let response = writer.create(&format!("M{round}")).await.unwrap();
        let id = id(&response);
        let query = format!(r#"{{ vehicle(id: "{id}") {{ modelCode }} }}"#);
        let response = reader.query(&query).await.unwrap();
        let model = &response["data"]["vehicle"]["modelCode"];
        assert_eq!(*model, format!("M{round}"), "{response}");
    }
    nodes.release();
}

async fn loses_no_update_of_instances_on_the_same_node() {
    let nodes = Nodes::acquire();
    let versions = concurrent_updates(&nodes, [1, 1]).await;
    let expected: Vec<_> = (2..=81).collect();
    assert_eq!(versions, expected);
    nodes.release();
}

async fn retries_an_update_that_another_node_aborts() {
    let nodes = Nodes::acquire();
    let aborted =
        async || nodes.aborted_transactions(1).await + nodes.aborted_transactions(2).await;
    let before = aborted().await;
    // Galera can lose updates of different nodes (docs/scale.md), so a version can occur twice.
    let versions = concurrent_updates(&nodes, [1, 2]).await;
    assert_eq!(versions.len(), 80, "every change is acknowledged");
    assert!(aborted().await > before, "no transaction was aborted");
    nodes.release();
}

/// The versions after 80 changes of a vehicle by eight writers through instances on these nodes, sorted.
async fn concurrent_updates(nodes: &Nodes, of: [usize; 2]) -> Vec<u64> {
    let flags = ["--database-timeout-seconds=20"];
    let start = async |node| serve(&nodes.url(node), &flags).await;
    let instances = join_all(of.map(start)).await;
    let response = instances[0].create("first").await.unwrap();
    let id = id(&response);
    let writer = async |number: usize| {
        let mut versions = Vec::new();
        for change in 0..10 {
            let model = format!("M{number}-{change}");
            versions.push(instances[number % 2].update(id, &model).await);
        }
        versions
    };
    let mut versions = join_all((0..8).map(writer)).await.concat();
    versions.sort_unstable();
    versions
}

async fn reads_an_update_and_a_deletion_of_another_node() {
    let nodes = Nodes::acquire();
    let writer = serve(&nodes.url(1), &[]).await;
    let reader = serve(&nodes.url(2), &[]).await;
    for round in 0..100 {
        let response = writer.create("old").await.unwrap();
        let id = id(&response);
        let new = format!("M{round}");
        assert_eq!(writer.update(id, &new).await, 2);
        assert_eq!(model(&reader, id).await.as_deref(), Some(&*new));
        // The other node changes what this one has just written.
        assert_eq!(reader.update(id, "newer").await, 3);
        assert_eq!(model(&writer, id).await.as_deref(), Some("newer"));
        writer.delete(id).await;
        assert_eq!(model(&reader, id).await, None);
    }
    nodes.release();
}

async fn returns_the_right_ids_while_the_cluster_grows() {
    // With the version of MySQL, ids are computed from the first id and the step, which is the number of
    // nodes.
    let mut nodes = Nodes::start(&["--version=8.4.0-pretended"]);
    nodes.nodes[2].stop();
    let instances = [
        serve(&nodes.url(0), &[]).await,
        serve(&nodes.url(1), &[]).await,
    ];
    let create = async |number: usize| {
        let instance = &instances[number % 2];
        let model = format!("M{number}");
        let response = instance.create(&model).await.unwrap();
        let query = format!(r#"{{ vehicle(id: "{}") {{ modelCode }} }}"#, id(&response));
        let found = instances[1 - number % 2].query(&query).await.unwrap();
        assert_eq!(found["data"]["vehicle"]["modelCode"], *model, "{response}");
    };
    join_all((0..100).map(create)).await;
    nodes.nodes[2].start_again();
    nodes.wait_until_synced().await;
    join_all((100..200).map(create)).await;
}

/// Waits until an insert on the second node waits for a row.
async fn wait_for_blocked_insert(nodes: &Nodes) {
    // Not `innodb_trx`, which is not refreshed if it is queried more than ten times a second.
    let waiting = "SELECT COUNT(*) FROM information_schema.global_status \
         JOIN information_schema.processlist ON info LIKE 'INSERT INTO `vehicle`%' \
         WHERE variable_name = 'INNODB_ROW_LOCK_CURRENT_WAITS' AND variable_value = '1'";
    let observer = nodes.connect(1).await;
    until("the insert waits", async || {
        let query = Statement::from_string(DbBackend::MySql, waiting);
        let row = observer.query_one_raw(query).await.unwrap().unwrap();
        row.try_get_by_index::<i64>(0).unwrap() == 1
    })
    .await;
}

fn id(response: &Value) -> &str {
    let id = response["data"]["createVehicle"]["id"].as_str();
    id.unwrap_or_else(|| panic!("{response}"))
}
