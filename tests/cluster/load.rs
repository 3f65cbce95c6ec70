//! Clients that go on while something happens to a Galera cluster, and what became of their writes.

use std::collections::BTreeSet;
use std::sync::{
    Mutex,
    atomic::{AtomicBool, Ordering},
};
use std::time::{Duration, Instant};

use futures_util::future::join_all;

use crate::{
    nodes::Nodes,
    running::{Running, until},
};

/// In words that clients see.
const UNKNOWN: &str = "it is not known whether the vehicle was stored";

/// What became of writes, and the longest time without one that was acknowledged.
#[derive(Debug, Default)]
pub(crate) struct Written {
    pub(crate) acknowledged: BTreeSet<String>,
    pub(crate) unknown: BTreeSet<String>,
    refused: Vec<String>,
    pub(crate) longest_gap: Duration,
}

/// Four writers and two readers ask while something happens to the cluster. Answers what became of
/// the writes; a read that fails is a failure.
pub(crate) async fn under_load(running: &Running, happens: impl Future<Output = ()>) -> Written {
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
pub(crate) async fn nothing_is_lost(nodes: &Nodes, written: &Written) {
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
