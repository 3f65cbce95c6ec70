//! Load on a Galera cluster during a failure, and checks that no write is lost.

use std::collections::BTreeSet;
use std::sync::{
    Mutex,
    atomic::{AtomicBool, Ordering},
};
use std::time::{Duration, Instant};

use futures_util::future::join_all;
use sea_orm::{ConnectionTrait, DatabaseConnection};
use testkit::{Running, until};
use tokio::time::sleep;

use super::nodes::Nodes;
use crate::support::Vehicles as _;

/// Part of the error message of an unknown outcome.
const UNKNOWN: &str = "the outcome is unknown: the write may have been stored";

/// The maximum additional interruption of writes by a reconnection of the service: 1 s for the ping of an idle connection,
/// 0.1 s between two attempts to connect, 0.2 s backoff of a statement.
const RECONNECTION: Duration = Duration::from_millis(1300);

/// The outcomes of writes, and the longest time without an acknowledged one.
#[derive(Debug, Default)]
pub(crate) struct WriteOutcomes {
    pub(crate) acknowledged: BTreeSet<String>,
    pub(crate) unknown: BTreeSet<String>,
    refused: Vec<String>,
    longest_gap: Duration,
    /// The longest interruption of writes to a node that is not affected.
    cluster_gap: Duration,
}

/// Runs four writers and two readers during an event, and one writer on a node that is not affected.
/// Returns the outcomes of the writes; a failed read panics.
pub(crate) async fn run_under_load(
    running: &Running,
    node: &DatabaseConnection,
    event: impl Future<Output = ()>,
) -> WriteOutcomes {
    let table = "CREATE TABLE IF NOT EXISTS observed (id BIGINT AUTO_INCREMENT PRIMARY KEY)";
    node.execute_unprepared(table).await.unwrap();
    let outcomes = Mutex::new((WriteOutcomes::default(), Instant::now()));
    let stop = AtomicBool::new(false);
    let writer = async |writer_index: usize| {
        for number in 0.. {
            if stop.load(Ordering::Relaxed) {
                return;
            }
            let model = format!("{writer_index}-{number}");
            let response = running.create(&model).await.unwrap();
            let (outcomes, last) = &mut *outcomes.lock().unwrap();
            match response["errors"][0]["message"].as_str() {
                None => {
                    outcomes.acknowledged.insert(model);
                    outcomes.longest_gap = outcomes.longest_gap.max(last.elapsed());
                    *last = Instant::now();
                }
                Some(message) if message.contains(UNKNOWN) => {
                    outcomes.unknown.insert(model);
                }
                Some(_) => outcomes.refused.push(response.to_string()),
            }
        }
    };
    let reader = async || {
        while !stop.load(Ordering::Relaxed) {
            let response = running
                .query("{ vehicles(count: 3) { id } }")
                .await
                .unwrap();
            assert!(
                response.get("errors").is_none(),
                "{response}\n{}",
                running.log()
            );
        }
    };
    let observer = async || {
        let mut last = Instant::now();
        let mut longest = Duration::ZERO;
        while !stop.load(Ordering::Relaxed) {
            let insert = "INSERT INTO observed VALUES (NULL)";
            // Fails while the cluster has no majority.
            if node.execute_unprepared(insert).await.is_ok() {
                longest = longest.max(last.elapsed());
                last = Instant::now();
            }
            sleep(Duration::from_millis(10)).await;
        }
        longest
    };
    let wait_for_progress = async || {
        let count = || outcomes.lock().unwrap().0.acknowledged.len();
        let before = count();
        until("load", async || count() >= before + 50).await;
    };
    let scenario = async {
        wait_for_progress().await;
        event.await;
        wait_for_progress().await;
        stop.store(true, Ordering::Relaxed);
    };
    let writers = join_all((0..4).map(writer));
    let (.., cluster_gap) = tokio::join!(scenario, writers, reader(), reader(), observer());
    let (outcomes, _) = outcomes.into_inner().unwrap();
    WriteOutcomes {
        cluster_gap,
        ..outcomes
    }
}

/// Asserts that every node has each acknowledged write once, and no refused one. The interruption must
/// not exceed that of the cluster, or the statement timeout, plus the duration of a reconnection.
pub(crate) async fn assert_no_lost_writes(
    nodes: &Nodes,
    outcomes: &WriteOutcomes,
    statement_timeout: Duration,
) {
    assert!(outcomes.refused.is_empty(), "{:?}", outcomes.refused);
    // Each writer has at most one write in flight; a frozen node can interrupt it a second time.
    assert!(outcomes.unknown.len() <= 8, "{:?}", outcomes.unknown);
    for node in 0..3 {
        let models = nodes.models(node).await;
        let stored: BTreeSet<_> = models.iter().cloned().collect();
        assert_eq!(models.len(), stored.len(), "a write was doubled");
        let lost: Vec<_> = outcomes.acknowledged.difference(&stored).collect();
        assert!(lost.is_empty(), "node {node} lacks {lost:?}");
        let allowed = outcomes.acknowledged.union(&outcomes.unknown).cloned();
        let allowed: BTreeSet<_> = allowed.collect();
        assert!(stored.is_subset(&allowed), "somebody else has written");
    }
    println!(
        "{} acknowledged, {} unknown, {} ms at most between two, {} ms on a node that stayed",
        outcomes.acknowledged.len(),
        outcomes.unknown.len(),
        outcomes.longest_gap.as_millis(),
        outcomes.cluster_gap.as_millis()
    );
    let limit = outcomes.cluster_gap.max(statement_timeout) + RECONNECTION;
    assert!(
        outcomes.longest_gap < limit,
        "{:?} is not below {limit:?}",
        outcomes.longest_gap
    );
}
