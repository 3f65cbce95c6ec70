//! A Galera cluster whose nodes come and go.

use std::collections::BTreeSet;
use std::sync::{
    Mutex,
    atomic::{AtomicBool, Ordering},
};
use std::time::{Duration, Instant};

use futures_util::future::join_all;
use sea_orm::{ConnectionTrait, DbBackend, Statement};
use serde_json::Value;

use crate::{
    cases,
    nodes::Nodes,
    running::{Running, until},
};

cases![
    a_killed_node_is_left_and_comes_back_and_nothing_is_lost,
    a_frozen_node_is_left_for_another,
    a_node_that_lost_the_others_is_left_for_another,
    a_write_that_another_node_aborts_is_sent_again,
    what_one_node_has_acknowledged_is_read_from_the_next,
    ids_belong_to_their_vehicles_while_the_cluster_grows,
    instances_on_different_nodes_migrate_once,
];

/// Those that measure themselves by the clock of the cluster, which loses nodes that are merely slow:
/// for a machine that does nothing else, with `--ignored`.
pub(crate) const ALONE: &[&str] = &[
    "a_killed_node_is_left_and_comes_back_and_nothing_is_lost",
    "a_frozen_node_is_left_for_another",
    "a_node_that_lost_the_others_is_left_for_another",
    "a_write_that_another_node_aborts_is_sent_again",
];

/// In words that clients see.
const UNKNOWN: &str = "it is not known whether the vehicle was stored";

/// What became of writes, and the longest time without one that was acknowledged.
#[derive(Debug, Default)]
struct Written {
    acknowledged: BTreeSet<String>,
    unknown: BTreeSet<String>,
    refused: Vec<String>,
    longest_gap: Duration,
}

/// Four writers and two readers ask while something happens to the cluster. Answers what became of
/// the writes; a read that fails is a failure.
async fn under_load(running: &Running, happens: impl Future<Output = ()>) -> Written {
    let written = Mutex::new((Written::default(), Instant::now()));
    let leave = AtomicBool::new(false);
    let writer = async |number: usize| {
        for turn in 0.. {
            if leave.load(Ordering::Relaxed) {
                return;
            }
            let model = format!("{number}-{turn}");
            let answer = running.create(&model).await.unwrap();
            let (written, last) = &mut *written.lock().unwrap();
            match answer["errors"][0]["message"].as_str() {
                None => {
                    written.acknowledged.insert(model);
                    written.longest_gap = written.longest_gap.max(last.elapsed());
                    *last = Instant::now();
                }
                Some(message) if message.contains(UNKNOWN) => {
                    written.unknown.insert(model);
                }
                Some(_) => written.refused.push(answer.to_string()),
            }
        }
    };
    let reader = async || {
        while !leave.load(Ordering::Relaxed) {
            let answer = running.ask("{ vehicles(count: 3) { id } }").await.unwrap();
            assert!(
                answer.get("errors").is_none(),
                "{answer}\n{}",
                running.log()
            );
        }
    };
    let some_more = async || {
        let count = || written.lock().unwrap().0.acknowledged.len();
        let before = count();
        until("load", async || count() >= before + 50).await;
    };
    let conductor = async {
        some_more().await;
        happens.await;
        some_more().await;
        leave.store(true, Ordering::Relaxed);
    };
    let writers = join_all((0..4).map(writer));
    tokio::join!(conductor, writers, reader(), reader());
    written.into_inner().unwrap().0
}

/// Every node has all that was acknowledged, once, and nothing that was refused.
async fn nothing_is_lost(nodes: &Nodes, written: &Written) {
    assert!(written.refused.is_empty(), "{:?}", written.refused);
    // One of each writer, at most, was under way; a frozen node keeps some of them a second time.
    assert!(written.unknown.len() <= 8, "{:?}", written.unknown);
    for node in 0..3 {
        let models = nodes.models(node).await;
        let stored: BTreeSet<_> = models.iter().cloned().collect();
        assert_eq!(models.len(), stored.len(), "a write was doubled");
        let lost: Vec<_> = written.acknowledged.difference(&stored).collect();
        assert!(lost.is_empty(), "node {node} lacks {lost:?}");
        let known = written.acknowledged.union(&written.unknown).cloned();
        let known: BTreeSet<_> = known.collect();
        assert!(stored.is_subset(&known), "somebody else has written");
    }
    println!(
        "{} acknowledged, {} unknown, {} ms at most between two",
        written.acknowledged.len(),
        written.unknown.len(),
        written.longest_gap.as_millis()
    );
    // The cluster gives a node up after two seconds and the service goes on within one; the rest is
    // what a busy machine may add.
    assert!(
        written.longest_gap < Duration::from_secs(15),
        "{:?}",
        written.longest_gap
    );
}

async fn a_killed_node_is_left_and_comes_back_and_nothing_is_lost() {
    let mut nodes = Nodes::start(&[]);
    let url = nodes.url_of(&[1, 2, 0]);
    let running = Running::start(&url, &["--database-timeout-seconds=20"]).await;
    let elsewhere = async || {
        running
            .log()
            .contains("another server takes the writes now")
    };
    let mut node = nodes.nodes.remove(1);
    let written = under_load(&running, async {
        node.stop();
        until("another node is found", elsewhere).await;
        node.start_again();
    })
    .await;
    nodes.nodes.insert(1, node);
    until("it is back", async || nodes.is_whole(1).await).await;
    nothing_is_lost(&nodes, &written).await;
}

async fn a_frozen_node_is_left_for_another() {
    let mut nodes = Nodes::start(&[]);
    let url = nodes.url_of(&[1, 2, 0]);
    let running = Running::start(&url, &["--database-timeout-seconds=5"]).await;
    let mut node = nodes.nodes.remove(1);
    let written = under_load(&running, async {
        node.freeze();
        let elsewhere = async || {
            running
                .log()
                .contains("another server takes the writes now")
        };
        until("another node is found", elsewhere).await;
        // A write on its way to the frozen node is told as unknown when nobody waits any longer.
        let again = async || {
            running
                .create("after")
                .await
                .unwrap()
                .get("errors")
                .is_none()
        };
        until("writes go on", again).await;
        node.thaw();
    })
    .await;
    nodes.nodes.insert(1, node);
    until("it is back", async || nodes.is_whole(1).await).await;
    let mut written = written;
    written.acknowledged.insert("after".to_owned());
    // Two statements of inserts were under way, and their writers waited for the whole time-out.
    written.longest_gap = Duration::ZERO;
    nothing_is_lost(&nodes, &written).await;
}

async fn a_node_that_lost_the_others_is_left_for_another() {
    let nodes = Nodes::start(&[]);
    let url = nodes.url_of(&[1, 2, 0]);
    let running = Running::start(&url, &["--database-timeout-seconds=20"]).await;
    let stranger = nodes.stranger(1).await;
    let written = under_load(&running, async {
        let isolate = "SET GLOBAL wsrep_provider_options = 'gmcast.isolate=1'";
        stranger.execute_unprepared(isolate).await.unwrap();
        let elsewhere = async || {
            running
                .log()
                .contains("another server takes the writes now")
        };
        until("another node is found", elsewhere).await;
        let back = "SET GLOBAL wsrep_provider_options = 'gmcast.isolate=0'";
        stranger.execute_unprepared(back).await.unwrap();
    })
    .await;
    until("it is back", async || nodes.is_whole(1).await).await;
    nothing_is_lost(&nodes, &written).await;
}

async fn a_write_that_another_node_aborts_is_sent_again() {
    let nodes = Nodes::start(&[]);
    let running = Running::start(&nodes.url(1), &["--database-timeout-seconds=20"]).await;
    let stranger = nodes.stranger(1).await;
    for statement in ["BEGIN", "SELECT id FROM vehicle WHERE id > 0 FOR UPDATE"] {
        stranger.execute_unprepared(statement).await.unwrap();
    }
    let abort = async {
        let waiting = "SELECT COUNT(*) FROM information_schema.innodb_trx \
             WHERE trx_state = 'LOCK WAIT' AND trx_query LIKE 'INSERT INTO `vehicle`%'";
        let observer = nodes.stranger(1).await;
        until("the insert waits", async || {
            let query = Statement::from_string(DbBackend::MySql, waiting);
            let row = observer.query_one_raw(query).await.unwrap().unwrap();
            row.try_get_by_index::<i64>(0).unwrap() == 1
        })
        .await;
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
}

async fn what_one_node_has_acknowledged_is_read_from_the_next() {
    let nodes = Nodes::start(&[]);
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
    until("it is back", async || nodes.is_whole(2).await).await;
    join_all((100..200).map(create)).await;
}

async fn instances_on_different_nodes_migrate_once() {
    let nodes = Nodes::start(&[]);
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
}

fn id(answer: &Value) -> &str {
    let id = answer["data"]["createVehicle"]["id"].as_str();
    id.unwrap_or_else(|| panic!("{answer}"))
}
