//! What the store is doing, in figures: its connections, who waits for one, and what went wrong.

use std::sync::{
    Arc,
    atomic::{AtomicU64, Ordering::Relaxed},
};

use sea_orm::{DatabaseConnection, DatabaseConnectionType};

use super::{connect::Pools, error::StoreError, target::Target};

/// The figures of a store.
#[derive(Clone, Debug)]
pub struct StoreFigures {
    /// Those of each pool of connections: one for everything, or one to read and one to write.
    pub pools: Vec<PoolFigures>,
    /// What went wrong since the start: the kind, and how often.
    pub errors: [(&'static str, u64); 5],
}

/// The figures of a pool of connections.
#[derive(Clone, Copy, Debug)]
pub struct PoolFigures {
    /// `shared`, `reader` or `writer`.
    pub name: &'static str,
    /// The most connections that it may have.
    pub limit: u64,
    /// The connections that it has.
    pub connections: u64,
    /// Those that nobody uses.
    pub idle: u64,
    /// Statements under way that have no connection yet, or lost theirs.
    pub waiting: u64,
}

/// Which pool a statement is sent to.
#[derive(Clone, Copy, Debug)]
pub(super) enum Pool {
    Reader,
    Writer,
}

/// What is counted while statements are executed. Clones count together.
#[derive(Clone, Debug, Default)]
pub(super) struct Activity(Arc<Counters>);

#[derive(Debug, Default)]
struct Counters {
    reading: AtomicU64,
    writing: AtomicU64,
    lost_connections: AtomicU64,
    unavailable: AtomicU64,
    outcome_unknown: AtomicU64,
    unexpected: AtomicU64,
    other: AtomicU64,
}

/// A statement that is under way until this is dropped.
pub(super) struct UnderWay<'a>(&'a AtomicU64);

impl Drop for UnderWay<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Relaxed);
    }
}

impl Activity {
    pub(super) fn begin(&self, pool: Pool) -> UnderWay<'_> {
        let under_way = match pool {
            Pool::Reader => &self.0.reading,
            Pool::Writer => &self.0.writing,
        };
        under_way.fetch_add(1, Relaxed);
        UnderWay(under_way)
    }

    /// A connection was lost; whoever used it may be answered all the same.
    pub(super) fn lost_connection(&self) {
        self.0.lost_connections.fetch_add(1, Relaxed);
    }

    /// A statement failed, and whoever asked for it is told so.
    pub(super) fn failed(&self, error: &StoreError) {
        let counter = match error {
            StoreError::Unavailable(_) => &self.0.unavailable,
            StoreError::OutcomeUnknown(_) => &self.0.outcome_unknown,
            StoreError::Unexpected(_) => &self.0.unexpected,
            // What the start and migrations meet.
            _ => &self.0.other,
        };
        counter.fetch_add(1, Relaxed);
    }

    pub(super) fn figures(&self, pools: &Pools, target: &Target) -> StoreFigures {
        let Counters {
            reading,
            writing,
            lost_connections,
            unavailable,
            outcome_unknown,
            unexpected,
            other,
        } = &*self.0;
        let count = |counter: &AtomicU64| counter.load(Relaxed);
        let (reading, writing) = (count(reading), count(writing));
        StoreFigures {
            pools: match target {
                Target::SqliteFile(_) => vec![
                    pool("reader", &pools.reader, reading),
                    pool("writer", &pools.writer, writing),
                ],
                Target::SqliteMemory(_) | Target::Postgres(_) | Target::MySql(_) => {
                    vec![pool("shared", &pools.reader, reading + writing)]
                }
            },
            errors: [
                ("lost_connection", count(lost_connections)),
                ("unavailable", count(unavailable)),
                ("outcome_unknown", count(outcome_unknown)),
                ("unexpected", count(unexpected)),
                ("other", count(other)),
            ],
        }
    }
}

/// The drivers do not tell who waits: it is whoever is under way beyond the connections in use.
fn pool(name: &'static str, db: &DatabaseConnection, under_way: u64) -> PoolFigures {
    let (limit, connections, idle) = match &db.inner {
        DatabaseConnectionType::SqlxMySqlPoolConnection(_) => {
            let pool = db.get_mysql_connection_pool();
            (
                pool.options().get_max_connections(),
                pool.size(),
                pool.num_idle(),
            )
        }
        DatabaseConnectionType::SqlxPostgresPoolConnection(_) => {
            let pool = db.get_postgres_connection_pool();
            (
                pool.options().get_max_connections(),
                pool.size(),
                pool.num_idle(),
            )
        }
        DatabaseConnectionType::SqlxSqlitePoolConnection(_) => {
            let pool = db.get_sqlite_connection_pool();
            (
                pool.options().get_max_connections(),
                pool.size(),
                pool.num_idle(),
            )
        }
        // Not opened, or closed.
        DatabaseConnectionType::Disconnected => (0, 0, 0),
    };
    let (connections, idle) = (u64::from(connections), idle as u64);
    PoolFigures {
        name,
        limit: limit.into(),
        connections,
        idle,
        waiting: under_way.saturating_sub(connections.saturating_sub(idle)),
    }
}
