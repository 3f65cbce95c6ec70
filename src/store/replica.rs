//! Reading from a streaming replica of PostgreSQL, without ever reading what is out of date.
//!
//! A vehicle never changes and never goes, so one that the replica has is right, however far the
//! replica is behind; what it does not have, the primary is asked for. A list is read from a replica
//! that has everything the primary had on disk when the list was asked for, which the primary is
//! asked first: a caller sees whatever was acknowledged before, to anybody, through any instance.
//! Nothing has to be carried by clients, and no caller is bound to an instance.
//!
//! A replica that is away, too far behind or none any more is left out until it is back. Whatever it
//! does not answer, the primary does.

mod lists;
mod standing;
mod watch;

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

use sea_orm::DbErr;
use tokio::sync::watch::Receiver;

use super::activity::PoolFigures;
use super::error::StoreError;
use super::failover::Task;
use super::lane::{Lane, LaneLimits, Work};
use super::line::Lines;
use super::settings::DatabaseUrl;
use super::target::Target;
use super::work::Lookups;
use super::{Store, activity, connect};
use crate::catalogue::{Vehicle, VehicleId};
use lists::FreshLists;
pub use standing::Standing;
use watch::Progress;

/// Which replica, and how far it may be behind.
#[derive(Clone, Debug)]
pub struct ReplicaSettings {
    /// Where it is. With several hosts one of them is used, another when it fails.
    pub url: DatabaseUrl,
    /// How far it may be behind, and how long a list waits for it.
    pub lag_limit: Duration,
}

/// What a replica does, in figures.
#[derive(Clone, Debug)]
pub struct ReplicaFigures {
    /// Whether it is read from.
    pub standing: Standing,
    /// How far it is behind, as of when both servers answered last.
    pub lag: Option<Duration>,
    /// Its connections.
    pub pool: PoolFigures,
    /// How many reads it was asked for, by kind and result.
    pub reads: [(&'static str, &'static str, u64); 5],
}

/// A replica that is asked before the primary.
pub(super) struct Replica {
    lookups: Arc<Lane<Lookups>>,
    lists: Arc<Lane<FreshLists>>,
    lines: Arc<Lines>,
    progress: Receiver<Progress>,
    counts: Counts,
    _watch: Task,
}

#[derive(Debug, Default)]
struct Counts {
    found: AtomicU64,
    not_found: AtomicU64,
    lookups_left: AtomicU64,
    lists: AtomicU64,
    lists_left: AtomicU64,
}

impl Store {
    /// The same store, which asks a replica of its database for whatever it reads to answer requests.
    /// A replica that is away now is used when it is there.
    pub async fn with_replica(mut self, settings: &ReplicaSettings) -> Result<Self, StoreError> {
        let replica = Replica::open(&self, settings).await;
        let replica =
            replica.map_err(|source| StoreError::of_start(settings.url.to_string(), source))?;
        self.replica = Some(Arc::new(replica));
        Ok(self)
    }

    /// What its replica does, if it has one.
    pub fn replica_figures(&self) -> Option<ReplicaFigures> {
        self.replica.as_ref().map(|replica| replica.figures())
    }
}

impl Replica {
    async fn open(store: &Store, settings: &ReplicaSettings) -> Result<Self, DbErr> {
        let general = &store.settings;
        let Target::Postgres(hosts) = &settings.url.0 else {
            let message = "replicas are those of PostgreSQL".to_owned();
            return Err(DbErr::Custom(message));
        };
        let lines = Arc::new(connect::replica(&hosts[0], general).await?);
        let limits = |batch| LaneLimits {
            statements: general.statements as usize,
            batch,
            queue: general.queue_limit as usize,
        };
        let primary = Arc::clone(&store.pools.writing);
        let (progress, watch) =
            watch::start(hosts.clone(), &lines, &store.pools.writer, settings).await;
        let lists = FreshLists::new(
            Arc::clone(&lines),
            primary,
            settings.lag_limit,
            general.timeout,
        );
        Ok(Self {
            lookups: Lane::new(
                Lookups::new(Arc::clone(&lines), general.timeout),
                limits(Lookups::MOST),
            ),
            lists: Lane::new(lists, limits(FreshLists::MOST)),
            lines,
            progress,
            counts: Counts::default(),
            _watch: watch,
        })
    }

    /// The vehicle with this id, if the replica has it. If not, the primary may.
    pub(super) async fn find(&self, id: VehicleId) -> Option<Arc<Vehicle>> {
        let answer = self.ask(&self.lookups, id, Standing::answers_lookups).await;
        let counts = &self.counts;
        let counter = match &answer {
            Some(Some(_)) => &counts.found,
            Some(None) => &counts.not_found,
            None => &counts.lookups_left,
        };
        counter.fetch_add(1, Relaxed);
        answer.flatten()
    }

    /// The list, if the replica had everything that the primary had in time.
    pub(super) async fn list(&self, limit: u64) -> Option<Arc<[Arc<Vehicle>]>> {
        let answer = self.ask(&self.lists, limit, Standing::answers_lists).await;
        let counts = &self.counts;
        let counter = match &answer {
            Some(_) => &counts.lists,
            None => &counts.lists_left,
        };
        counter.fetch_add(1, Relaxed);
        answer
    }

    pub(super) async fn close(&self) {
        self.lines.close().await;
        // A pool's closing has no error to report, only SeaORM's interface has.
        let _ = self.lines.pool.close_by_ref().await;
    }

    /// Its answer, unless it may not be asked, or may be asked no more while it is waited for.
    async fn ask<W, T>(
        &self,
        lane: &Arc<Lane<W>>,
        request: W::Request,
        answers: fn(Standing) -> bool,
    ) -> Option<T>
    where
        W: Work<Answer = Result<T, StoreError>>,
    {
        let mut progress = self.progress.clone();
        if !answers(progress.borrow_and_update().standing) {
            return None;
        }
        tokio::select! {
            answer = lane.ask(request) => match answer {
                Ok(Ok(answer)) => Some(answer),
                Ok(Err(error)) => {
                    tracing::debug!(error = &error as &dyn std::error::Error, "the replica did not answer");
                    None
                }
                Err(unanswered) => {
                    tracing::debug!(?unanswered, "the replica did not answer");
                    None
                }
            },
            _ = progress.wait_for(|progress| !answers(progress.standing)) => None,
        }
    }

    fn figures(&self) -> ReplicaFigures {
        let progress = *self.progress.borrow();
        let count = |counter: &AtomicU64| counter.load(Relaxed);
        let counts = &self.counts;
        ReplicaFigures {
            standing: progress.standing,
            lag: progress.lag,
            pool: activity::pool(
                "replica",
                &self.lines,
                self.lookups.waiting() + self.lists.waiting(),
            ),
            reads: [
                ("lookup", "answered", count(&counts.found)),
                ("lookup", "not_found", count(&counts.not_found)),
                ("lookup", "left_to_primary", count(&counts.lookups_left)),
                ("list", "answered", count(&counts.lists)),
                ("list", "left_to_primary", count(&counts.lists_left)),
            ],
        }
    }
}

impl fmt::Debug for Replica {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Replica({})", self.progress.borrow().standing)
    }
}
