//! Reads from a streaming replica of PostgreSQL without stale results.
//!
//! A statement runs on the replica after that has replayed the position (LSN) that the primary had when
//! the statement started. A client therefore sees everything that any instance acknowledged before its
//! request, and needs no session affinity.
//!
//! A replica that is unreachable, lagging or diverged is not used until it recovers. The primary serves
//! every read that the replica does not.

mod state;
mod watch;

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

use futures_util::future::BoxFuture;
use tokio::sync::watch::Receiver;

use crate::application::Application;
use crate::batcher::{BatchedQuery, Batcher};
use crate::connect::{self, named};
use crate::database_url::Target;
use crate::error::Error;
use crate::identity::Primary;
use crate::pools::Pools;
use crate::reader::Reader;
use crate::settings::{DatabaseSettings, ReplicaSettings};
use crate::stats::{PoolStats, pool_stats};
pub use state::ReplicaState;
use watch::{ReplicaStatus, Task};

/// Statistics of a replica.
#[derive(Clone, Debug)]
pub struct ReplicaStats {
    /// Which reads it serves.
    pub state: ReplicaState,
    /// The lag when both servers responded last.
    pub lag: Option<Duration>,
    /// Its connection pool.
    pub pool: PoolStats,
    /// The number of reads, by result.
    pub reads: [(&'static str, u64); 2],
}

/// A replica that is read before the primary.
pub(crate) struct Replica {
    /// Runs the statements of [`read`](Self::read): each waits until the replica has replayed the position of the primary.
    pub(crate) reader: Reader,
    status: Receiver<ReplicaStatus>,
    primary: Primary,
    counts: Counts,
    _watch: Task,
}

#[derive(Debug, Default)]
struct Counts {
    replica: AtomicU64,
    primary: AtomicU64,
}

impl Replica {
    /// Opens a replica of the database with these settings and pools. One that is unreachable now is used when it becomes
    /// reachable.
    pub(crate) async fn open(
        application: Application,
        database_settings: &DatabaseSettings,
        pools: &Pools,
        settings: &ReplicaSettings,
    ) -> Result<Self, Error> {
        let Target::Postgres(server) = &settings.url.0 else {
            return Err(Error::invalid_url("replicas require PostgreSQL"));
        };
        let server = named(server, application);
        pools.primary.check();
        let pool = connect::replica(server.clone(), database_settings, &pools.primary);
        let pool = Arc::new(pool);
        let (status, watch) = watch::spawn(server, &pool, pools, settings).await;
        Ok(Self {
            reader: Reader {
                pool,
                primary: Some((Arc::clone(&pools.writer), settings.lag_limit)),
            },
            status,
            primary: pools.primary.clone(),
            counts: Counts::default(),
            _watch: watch,
        })
    }

    /// The result, if the replica caught up with the primary within the lag limit. If `None`, the primary
    /// must be read.
    pub(crate) async fn read<Q, T>(
        &self,
        batcher: &Arc<Batcher<Q>>,
        request: Q::Request,
    ) -> Option<T>
    where
        Q: BatchedQuery<Output = Result<T, Error>>,
    {
        let result = self.query(batcher, request).await;
        let counter = match &result {
            Some(_) => &self.counts.replica,
            None => &self.counts.primary,
        };
        counter.fetch_add(1, Relaxed);
        result
    }

    /// Waits for the statements in flight and closes every connection.
    pub(crate) fn close(&self) -> BoxFuture<'_, ()> {
        Box::pin(async move {
            let pool = &self.reader.pool;
            pool.close().await;
            // Closing a pool never fails; only SeaORM's interface has an error.
            let _ = pool.db.close_by_ref().await;
        })
    }

    /// Queries the replica. `None` if its state does not permit reads before or during the query, or if the
    /// primary has changed since the two were compared.
    async fn query<Q, T>(&self, batcher: &Arc<Batcher<Q>>, request: Q::Request) -> Option<T>
    where
        Q: BatchedQuery<Output = Result<T, Error>>,
    {
        let mut status = self.status.clone();
        let ReplicaStatus {
            state,
            primary_changes,
            ..
        } = *status.borrow_and_update();
        let is_compared = || self.primary.changes() == primary_changes;
        if !state.serves_reads() || !is_compared() {
            return None;
        }
        let result = tokio::select! {
            result = batcher.submit(request) => match result {
                Ok(Ok(result)) => Some(result),
                Ok(Err(error)) => {
                    tracing::debug!(error = &error as &dyn std::error::Error, "the replica did not respond");
                    None
                }
                Err(error) => {
                    tracing::debug!(unanswered = ?error, "the replica did not respond");
                    None
                }
            },
            _ = status.wait_for(|status| !status.state.serves_reads()) => None,
        };
        result.filter(|_| is_compared())
    }

    pub(crate) fn stats(&self) -> ReplicaStats {
        let status = *self.status.borrow();
        let count = |counter: &AtomicU64| counter.load(Relaxed);
        let counts = &self.counts;
        ReplicaStats {
            state: status.state,
            lag: status.lag,
            pool: pool_stats("replica", &self.reader.pool),
            reads: [
                ("replica", count(&counts.replica)),
                ("primary", count(&counts.primary)),
            ],
        }
    }
}
