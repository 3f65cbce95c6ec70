//! What the store is doing, in figures: its connections, who waits for one, and what went wrong.

use std::sync::{
    Arc,
    atomic::{AtomicU64, Ordering::Relaxed},
};

use super::{connect::Pools, error::StoreError, line::Lines};

/// The figures of a store.
#[derive(Clone, Debug)]
pub struct StoreFigures {
    /// Those of each pool of connections: one for everything, or one to read and one to write.
    pub pools: Vec<PoolFigures>,
    /// What went wrong since the start: the kind, and how often.
    pub errors: [(&'static str, u64); 6],
}

/// The figures of a pool of connections.
#[derive(Clone, Copy, Debug)]
pub struct PoolFigures {
    /// `shared`, `reader`, `writer` or `replica`.
    pub name: &'static str,
    /// The most connections that requests may use.
    pub limit: u64,
    /// The connections that requests use or have used.
    pub connections: u64,
    /// Those that nobody uses.
    pub idle: u64,
    /// Requests that wait for a statement.
    pub waiting: u64,
}

/// What is counted while statements are executed. Clones count together.
#[derive(Clone, Debug, Default)]
pub(super) struct Activity(Arc<Counters>);

#[derive(Debug, Default)]
struct Counters {
    busy: AtomicU64,
    unavailable: AtomicU64,
    outcome_unknown: AtomicU64,
    unexpected: AtomicU64,
    other: AtomicU64,
}

impl Activity {
    /// A statement failed, and whoever asked for it is told so.
    pub(super) fn failed(&self, error: &StoreError) {
        let counter = match error {
            StoreError::Busy { .. } => &self.0.busy,
            StoreError::Unavailable(_) => &self.0.unavailable,
            StoreError::OutcomeUnknown(_) => &self.0.outcome_unknown,
            StoreError::Unexpected(_) => &self.0.unexpected,
            // What the start and migrations meet.
            _ => &self.0.other,
        };
        counter.fetch_add(1, Relaxed);
    }

    /// `reads` and `writes` are the requests that wait.
    pub(super) fn figures(&self, pools: &Pools, reads: u64, writes: u64) -> StoreFigures {
        let Counters {
            busy,
            unavailable,
            outcome_unknown,
            unexpected,
            other,
        } = &*self.0;
        let count = |counter: &AtomicU64| counter.load(Relaxed);
        let (reading, writing) = (&pools.reading, &pools.writing);
        StoreFigures {
            pools: if Arc::ptr_eq(reading, writing) {
                vec![pool("shared", reading, reads + writes)]
            } else {
                vec![
                    pool("reader", reading, reads),
                    pool("writer", writing, writes),
                ]
            },
            errors: [
                ("lost_connection", pools.losses.count()),
                ("busy", count(busy)),
                ("unavailable", count(unavailable)),
                ("outcome_unknown", count(outcome_unknown)),
                ("unexpected", count(unexpected)),
                ("other", count(other)),
            ],
        }
    }
}

pub(super) fn pool(name: &'static str, lines: &Lines, waiting: u64) -> PoolFigures {
    let idle = lines.idle();
    PoolFigures {
        name,
        limit: lines.most.into(),
        connections: lines.in_use() + idle,
        idle,
        waiting,
    }
}
