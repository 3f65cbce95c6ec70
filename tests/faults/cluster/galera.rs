//! Instances on several nodes of a Galera cluster. `other_server` kills a node.

use futures_util::future::join_all;
use sea_orm::{ConnectionTrait, DbBackend, Statement};
use serde_json::Value;
use testkit::{Running, until};

use super::nodes::Nodes;
use crate::support::{Vehicles as _, serve};

testkit::tests![
    every_node_reads_what_another_one_has_acknowledged,
    retries_a_write_that_another_node_aborts,
    loses_no_update_of_instances_on_the_same_node,
];

async fn every_node_reads_what_another_one_has_acknowledged() {
    let nodes = Nodes::acquire();
    let writer = serve(&nodes.url(1), &[]).await;
    let reader = serve(&nodes.url(2), &[]).await;
    for round in 0..50 {
        let response = writer.create("old").await.unwrap();
        let id = id(&response);
        assert_eq!(model(&reader, id).await.as_deref(), Some("old"));
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

async fn retries_a_write_that_another_node_aborts() {
    let nodes = Nodes::acquire();
    let running = serve(&nodes.url(1), &["--database-timeout-seconds=20"]).await;
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
    assert!(response.get("errors").is_none(), "{response}\n{}", running.log());
    assert_eq!(running.models().await, ["XC60"]);
    nodes.release();
}

async fn loses_no_update_of_instances_on_the_same_node() {
    let nodes = Nodes::acquire();
    let flags = ["--database-timeout-seconds=20"];
    let url = nodes.url(1);
    let instances = join_all([(); 2].map(|()| serve(&url, &flags))).await;
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
    let expected: Vec<_> = (2..=81).collect();
    assert_eq!(versions, expected);
    nodes.release();
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

/// The model of a vehicle.
async fn model(service: &Running, id: &str) -> Option<String> {
    let query = format!(r#"{{ vehicle(id: "{id}") {{ modelCode }} }}"#);
    let response = service.query(&query).await.unwrap();
    assert!(response.get("errors").is_none(), "{response}");
    let model = response["data"]["vehicle"]["modelCode"].as_str();
    model.map(str::to_owned)
}
