//! Statistics: connection pools and error counters.

use std::iter;
use std::sync::{
    Arc,
    atomic::{AtomicU64, Ordering::Relaxed},
};

use crate::{connection_pool::ConnectionPool, error::Error, pools::Pools};

/// Statistics of a database.
#[derive(Clone, Debug)]
pub struct DatabaseStats {
    /// One shared pool, or one pool for reads and one for writes.
    pub pools: Vec<PoolStats>,
    /// The number of errors since startup, by kind.
    pub errors: Vec<(&'static str, u64)>,
}

/// Statistics of a connection pool.
#[derive(Clone, Copy, Debug)]
pub struct PoolStats {
    /// `shared`, `reader` or `writer`.
    pub name: &'static str,
    /// The maximum number of connections of batched queries.
    pub limit: u64,
    /// The number of connections of batched queries: in use, being opened, or idle.
    pub connections: u64,
    /// The number of idle connections.
    pub idle: u64,
    /// The number of queued requests.
    pub waiting: u64,
}

/// The kinds of errors of requests.
const KINDS: [&str; 4] = ["busy", "unavailable", "outcome_unknown", "unexpected"];

/// Counts failed requests by kind. Clones share the counters.
#[derive(Clone, Debug, Default)]
pub(crate) struct ErrorCounters(Arc<[AtomicU64; KINDS.len()]>);

impl ErrorCounters {
    /// Counts the error of a request.
    pub(crate) fn record(&self, error: &Error) {
        // The index in `KINDS`.
        let kind = match error {
            Error::Busy { .. } => 0,
            Error::Unavailable(_) => 1,
            Error::OutcomeUnknown(_) => 2,
            _ => 3,
        };
        self.0[kind].fetch_add(1, Relaxed);
    }

    pub(crate) fn stats(&self, pools: &Pools) -> DatabaseStats {
        let lost = ("lost_connection", pools.writer.health.lost_connections());
        let counts = self.0.iter().map(|count| count.load(Relaxed));
        let Pools { reader, writer, .. } = pools;
        DatabaseStats {
            pools: if Arc::ptr_eq(reader, writer) {
                vec![pool_stats("shared", reader)]
            } else {
                vec![pool_stats("reader", reader), pool_stats("writer", writer)]
            },
            errors: iter::once(lost)
                .chain(KINDS.into_iter().zip(counts))
                .collect(),
        }
    }
}

fn pool_stats(name: &'static str, pool: &ConnectionPool) -> PoolStats {
    let idle = pool.idle();
    PoolStats {
        name,
        limit: pool.max_connections.into(),
        connections: pool.in_use() + idle,
        idle,
        waiting: pool.queues.len(),
    }
}
