//! A Galera cluster whose nodes come and go.

use std::{fs, time::Duration};

use futures_util::future::join_all;
use sea_orm::{ConnectionTrait, DatabaseConnection, DbBackend, Statement};
use serde_json::Value;
use tempfile::TempDir;

use crate::{
    cases,
    load::{nothing_is_lost, under_load},
    nodes::Nodes,
    running::{Running, Started, until},
};

cases![
    a_killed_node_is_left_and_comes_back_and_nothing_is_lost,
    a_frozen_node_is_left_for_another,
    a_node_that_lost_the_others_is_left_for_another,
    a_write_that_another_node_aborts_is_sent_again,
    a_batch_of_an_import_that_another_node_aborts_is_stored_again,
    what_one_node_has_acknowledged_is_read_from_the_next,
    ids_belong_to_their_vehicles_while_the_cluster_grows,
    instances_on_different_nodes_migrate_once,
];

/// The service on a cluster, which uses its second node at first, and the third one after that.
async fn service(nodes: &Nodes, timeout_seconds: u32) -> Running {
    let timeout = format!("--database-timeout-seconds={timeout_seconds}");
    Running::start(&nodes.url_of(&[1, 2, 0]), &[&timeout]).await
}

async fn another_node_is_found(running: &Running) {
    running.logged("another server takes the writes now").await;
}

async fn a_killed_node_is_left_and_comes_back_and_nothing_is_lost() {
    let mut nodes = Nodes::shared();
    let running = service(&nodes, 20).await;
    let written = under_load(&running, async {
        nodes.nodes[1].stop();
        another_node_is_found(&running).await;
        // Sooner, the others lose each other over the question whether it is still there.
        nodes.have_given_up(1).await;
        nodes.nodes[1].start_again();
    })
    .await;
    nodes.are_whole().await;
    nothing_is_lost(&nodes, &written).await;
    nodes.give_back();
}

async fn a_frozen_node_is_left_for_another() {
    let mut nodes = Nodes::shared();
    let running = service(&nodes, 5).await;
    let mut written = under_load(&running, async {
        nodes.nodes[1].freeze();
        another_node_is_found(&running).await;
        // A write on its way to the frozen node is told as unknown when nobody waits any longer.
        let again = async || {
            let answer = running.create("after").await.unwrap();
            answer.get("errors").is_none()
        };
        until("writes go on", again).await;
        nodes.nodes[1].thaw();
    })
    .await;
    nodes.are_whole().await;
    written.acknowledged.insert("after".to_owned());
    // Two statements of inserts were under way, and their writers waited for the whole time-out.
    written.longest_gap = Duration::ZERO;
    nothing_is_lost(&nodes, &written).await;
    nodes.give_back();
}

async fn a_node_that_lost_the_others_is_left_for_another() {
    let nodes = Nodes::shared();
    let running = service(&nodes, 20).await;
    let stranger = nodes.stranger(1).await;
    let isolate = async |value: u32| {
        let isolate = format!("SET GLOBAL wsrep_provider_options = 'gmcast.isolate={value}'");
        stranger.execute_unprepared(&isolate).await.unwrap();
    };
    let written = under_load(&running, async {
        isolate(1).await;
        another_node_is_found(&running).await;
        nodes.have_given_up(1).await;
        isolate(0).await;
    })
    .await;
    nodes.are_whole().await;
    nothing_is_lost(&nodes, &written).await;
    nodes.give_back();
}

async fn a_write_that_another_node_aborts_is_sent_again() {
    let nodes = Nodes::shared();
    let running = service(&nodes, 20).await;
    let stranger = nodes.stranger(1).await;
    for statement in ["BEGIN", "SELECT id FROM vehicle WHERE id > 0 FOR UPDATE"] {
        stranger.execute_unprepared(statement).await.unwrap();
    }
    let abort = async {
        insert_waits(&nodes).await;
        // Whatever holds or awaits locks of the table is undone on every node.
        let change = "ALTER TABLE vehicle COMMENT = 'changed'";
        let other = nodes.stranger(2).await;
        other.execute_unprepared(change).await.unwrap();
    };
    let (answer, ()) = tokio::join!(running.create("XC60"), abort);
    let answer = answer.unwrap();
    assert!(
        answer.get("errors").is_none(),
        "{answer}\n{}",
        running.log()
    );
    assert_eq!(nodes.models(0).await, ["XC60"]);
    nodes.give_back();
}

async fn a_batch_of_an_import_that_another_node_aborts_is_stored_again() {
    let nodes = Nodes::shared();
    let url = nodes.url(1);
    assert_eq!(
        Started::new(&url, &["migrate", "up"]).ended().await.code(),
        Some(0)
    );
    let (stranger, other) = (nodes.stranger(1).await, nodes.stranger(2).await);
    let store = async |by: &DatabaseConnection, id: u32| {
        let insert = "INSERT INTO vehicle (id, type, model_code) VALUES";
        let insert = format!("{insert} ({id}, 'SUV', 'other')");
        by.execute_unprepared(&insert).await.unwrap();
    };
    // The import stores the first rows, and waits for one of the last.
    stranger.execute_unprepared("BEGIN").await.unwrap();
    store(&stranger, 700).await;
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
    let mut import = Started::new(&url, &[&flags[..], &import].concat());
    insert_waits(&nodes).await;
    // Whoever commits first is right, on every node.
    store(&other, 5).await;
    stranger.execute_unprepared("ROLLBACK").await.unwrap();
    let code = import.ended().await.code();
    let log = import.log();
    assert!(
        log.contains("999 stored, 0 were there already, 1 refused"),
        "{log}"
    );
    assert_eq!(code, Some(1), "{log}");
    let models = nodes.models(0).await;
    assert_eq!(models.len(), 1000);
    assert_eq!(models.iter().filter(|model| *model == "other").count(), 1);
    nodes.give_back();
}

async fn what_one_node_has_acknowledged_is_read_from_the_next() {
    let nodes = Nodes::shared();
    let writer = Running::start(&nodes.url(1), &[]).await;
    let reader = Running::start(&nodes.url(2), &[]).await;
    for turn in 0..200 {
        let answer = writer.create(&format!("M{turn}")).await.unwrap();
        let id = id(&answer);
        let query = format!(r#"{{ vehicle(id: "{id}") {{ modelCode }} }}"#);
        let answer = reader.ask(&query).await.unwrap();
        let model = &answer["data"]["vehicle"]["modelCode"];
        assert_eq!(*model, format!("M{turn}"), "{answer}");
    }
    nodes.give_back();
}

async fn ids_belong_to_their_vehicles_while_the_cluster_grows() {
    // As MySQL it is asked for no rows: the ids follow from the first and the step, which is the
    // number of nodes.
    let mut nodes = Nodes::start(&["--version=8.4.0-pretended"]);
    nodes.nodes[2].stop();
    let instances = [
        Running::start(&nodes.url(0), &[]).await,
        Running::start(&nodes.url(1), &[]).await,
    ];
    let create = async |number: usize| {
        let instance = &instances[number % 2];
        let model = format!("M{number}");
        let answer = instance.create(&model).await.unwrap();
        let query = format!(r#"{{ vehicle(id: "{}") {{ modelCode }} }}"#, id(&answer));
        let found = instances[1 - number % 2].ask(&query).await.unwrap();
        assert_eq!(found["data"]["vehicle"]["modelCode"], *model, "{answer}");
    };
    join_all((0..100).map(create)).await;
    nodes.nodes[2].start_again();
    nodes.are_whole().await;
    join_all((100..200).map(create)).await;
}

async fn instances_on_different_nodes_migrate_once() {
    let nodes = Nodes::shared();
    let urls = [nodes.url(0), nodes.url(1), nodes.url(2), nodes.url(1)];
    let instances = join_all(urls.iter().map(|url| Running::start(url, &[]))).await;
    for (number, instance) in instances.iter().enumerate() {
        let answer = instance.create(&number.to_string()).await.unwrap();
        assert!(
            answer.get("errors").is_none(),
            "{answer}\n{}",
            instance.log()
        );
        assert_eq!(instance.readiness().await, 200);
    }
    let stranger = nodes.stranger(2).await;
    for (query, expected) in [
        (
            "SELECT COUNT(*) FROM seaql_migrations",
            migration::known().len(),
        ),
        ("SELECT COUNT(*) FROM vehicle_migration_lock", 0),
    ] {
        let query = Statement::from_string(DbBackend::MySql, query);
        let row = stranger.query_one_raw(query).await.unwrap().unwrap();
        let count: i64 = row.try_get_by_index(0).unwrap();
        assert_eq!(usize::try_from(count), Ok(expected));
    }
    nodes.give_back();
}

/// Waits until an insert on the second node waits for a row.
async fn insert_waits(nodes: &Nodes) {
    // Not `innodb_trx`: who asks more often than ten times a second gets the same answer for ever.
    let waiting = "SELECT COUNT(*) FROM information_schema.global_status \
         JOIN information_schema.processlist ON info LIKE 'INSERT INTO `vehicle`%' \
         WHERE variable_name = 'INNODB_ROW_LOCK_CURRENT_WAITS' AND variable_value = '1'";
    let observer = nodes.stranger(1).await;
    until("the insert waits", async || {
        let query = Statement::from_string(DbBackend::MySql, waiting);
        let row = observer.query_one_raw(query).await.unwrap().unwrap();
        row.try_get_by_index::<i64>(0).unwrap() == 1
    })
    .await;
}

fn id(answer: &Value) -> &str {
    let id = answer["data"]["createVehicle"]["id"].as_str();
    id.unwrap_or_else(|| panic!("{answer}"))
}
