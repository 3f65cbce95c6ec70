//! Polls the lag of a replica and whether it follows the primary.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use sea_orm::DatabaseConnection;
use sea_orm::sqlx::postgres::{PgConnectOptions, PgConnection};
use sea_orm::sqlx::{self, ConnectOptions};
use tokio::sync::watch::{Receiver, Sender, channel};
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep, timeout};

use super::state::ReplicaState;
use crate::connect_with_retry::PROBE_TIMEOUT;
use crate::connection_pool::ConnectionPool;
use crate::identity::{Identity, Primary, Server};
use crate::pools::Pools;
use crate::settings::ReplicaSettings;

/// The interval of the polls of both servers.
const POLL_INTERVAL: Duration = Duration::from_millis(250);

/// The maximum number of stored positions of the primary: one hour at one position per poll.
const MAX_POSITIONS: usize = 4 * 3600;

/// The status of a replica.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ReplicaStatus {
    pub(crate) state: ReplicaState,
    /// The lag when both servers responded last.
    pub(crate) lag: Option<Duration>,
    /// The number of changes of the primary's identity when the two servers were compared.
    pub(crate) primary_changes: u64,
}

/// A background task that is aborted when the last clone is dropped.
pub(super) type Task = Arc<JoinSet<()>>;

/// Polls once, then spawns a task that polls until it is dropped.
pub(crate) async fn spawn(
    server: PgConnectOptions,
    pool: &Arc<ConnectionPool>,
    pools: &Pools,
    settings: &ReplicaSettings,
) -> (Receiver<ReplicaStatus>, Task) {
    let mut watch = Watch {
        server,
        replica: None,
        pool: Arc::clone(pool),
        primary_db: pools.writer.db.clone(),
        primary: pools.primary.clone(),
        lag_tracker: LagTracker::default(),
        lag_limit: settings.lag_limit,
        cause: None,
    };
    // Not used before the first poll.
    let unknown = ReplicaStatus {
        state: ReplicaState::Unreachable,
        lag: None,
        primary_changes: 0,
    };
    let first = watch.check(unknown).await;
    watch.log(&format!(", {}, ", settings.url), first.state);
    let (sender, receiver) = channel(first);
    let mut task = JoinSet::new();
    task.spawn(watch.run(sender));
    (receiver, Arc::new(task))
}

struct Watch {
    server: PgConnectOptions,
    /// A connection for polling only.
    replica: Option<PgConnection>,
    pool: Arc<ConnectionPool>,
    /// The connections to the primary.
    primary_db: DatabaseConnection,
    primary: Primary,
    lag_tracker: LagTracker,
    lag_limit: Duration,
    /// Why the replica is not used, for the log.
    cause: Option<String>,
}

impl Watch {
    async fn run(mut self, sender: Sender<ReplicaStatus>) {
        loop {
            sleep(POLL_INTERVAL).await;
            let before = *sender.borrow();
            let now = self.check(before).await;
            if now.primary_changes != before.primary_changes {
                // Existing connections were compared with the previous primary.
                self.pool.health.discard_connections();
            }
            if now.state != before.state {
                self.log(" ", now.state);
            }
            sender.send_replace(now);
        }
    }

    fn log(&self, name: &str, state: ReplicaState) {
        if state == ReplicaState::InSync {
            tracing::info!("the replica{name}{state}");
        } else {
            tracing::warn!(cause = self.cause, "the replica{name}{state}");
        }
    }

    async fn check(&mut self, before: ReplicaStatus) -> ReplicaStatus {
        let replica = timeout(PROBE_TIMEOUT, self.replica()).await;
        // Read after the replica's position, so that a replica of this primary is never ahead of it.
        let primary_position = self.primary_position().await;
        let (primary, primary_changes) = self.primary.identity();
        let unchanged = ReplicaStatus {
            primary_changes,
            ..before
        };
        let state = match replica {
            Ok(Ok(replica)) => self.compare(&replica, primary_position, primary),
            Ok(Err(error)) => {
                self.cause = Some(error.to_string());
                Err(ReplicaState::Unreachable)
            }
            Err(_) => {
                self.cause = Some(format!("no response within {PROBE_TIMEOUT:?}"));
                Err(ReplicaState::Unreachable)
            }
        };
        match state {
            Ok(Some(lag)) => ReplicaStatus {
                state: if lag > self.lag_limit {
                    ReplicaState::Lagging
                } else {
                    ReplicaState::InSync
                },
                lag: Some(lag),
                primary_changes,
            },
            // The lag is unknown; each read compares the positions itself.
            Ok(None) if before.state == ReplicaState::InSync => unchanged,
            Ok(None) => ReplicaStatus {
                state: ReplicaState::Lagging,
                ..unchanged
            },
            Err(state) => {
                self.disconnect();
                ReplicaStatus { state, ..unchanged }
            }
        }
    }

    /// The lag of the replica, if the primary responded, or why the replica cannot be used.
    fn compare(
        &mut self,
        replica: &Server,
        primary_position: Option<i64>,
        primary: Option<Identity>,
    ) -> Result<Option<Duration>, ReplicaState> {
        let Some(primary) = primary else {
            self.cause = None;
            return Err(ReplicaState::Unverified);
        };
        let (identity, position) = (replica.identity, replica.position);
        let state = if identity.system != primary.system {
            ReplicaState::OtherCluster
        } else if !replica.recovering {
            ReplicaState::Diverged
        } else if identity.timeline != primary.timeline {
            ReplicaState::OtherTimeline
        } else if primary_position.is_some_and(|written| position > written) {
            ReplicaState::Diverged
        } else if identity != primary {
            ReplicaState::OtherDatabase
        } else {
            self.cause = None;
            let now = Instant::now();
            return Ok(primary_position.map(|written| self.lag_tracker.lag(now, position, written)));
        };
        self.cause = Some(format!("replica: {identity}; primary: {primary}"));
        Err(state)
    }

    /// Drops the connections, which may lead to a server that cannot be used.
    fn disconnect(&mut self) {
        self.replica = None;
        self.pool.health.discard_connections();
    }

    async fn replica(&mut self) -> Result<Server, sqlx::Error> {
        let connection = match self.replica.take() {
            Some(connection) => connection,
            None => self.server.connect().await?,
        };
        // After an error or a timeout, `disconnect` drops the connection.
        let connection = self.replica.insert(connection);
        Server::read(connection, self.primary.table()).await
    }

    /// Reads the position of the primary, if it responds, and records its identity.
    async fn primary_position(&self) -> Option<i64> {
        let changes = self.primary.changes();
        let primary_db = self.primary_db.get_postgres_connection_pool();
        let server = timeout(
            PROBE_TIMEOUT,
            Server::read(primary_db, self.primary.table()),
        )
        .await
        .ok()?
        .ok()?;
        if server.recovering {
            self.primary.update(None, changes);
            return None;
        }
        self.primary.update(Some(server.identity), changes);
        Some(server.position)
    }
}

/// Positions of the primary that the replica has not replayed, each with the time it was read.
#[derive(Debug, Default)]
struct LagTracker(VecDeque<(Instant, i64)>);

impl LagTracker {
    /// The time since the primary was at the position of the replica.
    fn lag(&mut self, now: Instant, replayed: i64, written: i64) -> Duration {
        let is_replayed = |(_, position): &mut (Instant, i64)| *position <= replayed;
        while self.0.pop_front_if(is_replayed).is_some() {}
        // After a failover the position of the primary can be lower.
        let is_not_written = |(_, position): &mut (Instant, i64)| *position > written;
        while self.0.pop_back_if(is_not_written).is_some() {}
        let known = self.0.back().map_or(replayed, |(_, position)| *position);
        if written > known && self.0.len() < MAX_POSITIONS {
            self.0.push_back((now, written));
        }
        match self.0.front() {
            Some((since, _)) => now - *since,
            None => Duration::ZERO,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lag_is_the_age_of_the_oldest_position_not_replayed() {
        let start = Instant::now();
        let second = |number| start + Duration::from_secs(number);
        let mut tracker = LagTracker::default();
        let mut lag = |at, replayed, written| tracker.lag(second(at), replayed, written).as_secs();
        assert_eq!(lag(0, 10, 10), 0);
        assert_eq!(lag(1, 10, 20), 0, "just now");
        assert_eq!(lag(2, 10, 30), 1);
        assert_eq!(lag(3, 15, 30), 2, "it has not replayed the first yet");
        assert_eq!(lag(4, 20, 40), 2, "it has");
        assert_eq!(lag(5, 30, 40), 1);
        assert_eq!(lag(6, 40, 40), 0);
        assert_eq!(lag(60, 40, 40), 0, "nothing is written");
    }
}
