//! Watching how far a replica is behind its primary, and whether it is one.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use sea_orm::sqlx::postgres::{PgConnectOptions, PgConnection};
use sea_orm::sqlx::{self, ConnectOptions};
use sea_orm::{ConnectionTrait, DatabaseConnection, DbBackend, DbErr, Statement};
use tokio::sync::watch::{Receiver, Sender, channel};
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep, timeout};

use super::{ReplicaSettings, Standing};
use crate::store::failover::{Moving, Task};
use crate::store::hosts::{Host, PATIENCE};
use crate::store::line::Lines;

/// How far the primary has written its log to disk, in bytes. Whatever it has acknowledged is before.
pub(super) const POSITION_OF_PRIMARY: &str =
    "SELECT (pg_current_wal_flush_lsn() - '0/0'::pg_lsn)::bigint";

/// How far a replica has carried out the log of its primary, in bytes. Nothing if it is none.
pub(super) const POSITION_OF_REPLICA: &str = "SELECT CASE WHEN pg_is_in_recovery() \
     THEN (pg_last_wal_replay_lsn() - '0/0'::pg_lsn)::bigint END";

/// How often both are asked.
const TURN: Duration = Duration::from_millis(250);

/// The most positions of the primary that are remembered: with one a turn those of an hour.
const REMEMBERED: usize = 4 * 3600;

/// What is known of a replica.
#[derive(Clone, Copy, Debug)]
pub(super) struct Progress {
    pub(super) standing: Standing,
    /// How far it was behind when both answered last.
    pub(super) lag: Option<Duration>,
}

/// Asks once, and then in a task of its own until that is dropped.
pub(super) async fn start(
    hosts: Vec<PgConnectOptions>,
    lines: &Arc<Lines>,
    primary: &DatabaseConnection,
    settings: &ReplicaSettings,
) -> (Receiver<Progress>, Task) {
    let mut watch = Watch {
        hosts,
        place: 0,
        replica: None,
        lines: Arc::clone(lines),
        primary: primary.clone(),
        behind: Behind::default(),
        lag_limit: settings.lag_limit,
    };
    // What it is not yet known to be, nobody is told.
    let nothing = Progress {
        standing: Standing::Away,
        lag: None,
    };
    let first = watch.look(nothing).await;
    let name = settings.url.to_string();
    tracing::info!("the replica, {name}, {}", first.standing);
    let (sender, receiver) = channel(first);
    let mut task = JoinSet::new();
    task.spawn(watch.go_on(sender));
    (receiver, Arc::new(task))
}

struct Watch {
    hosts: Vec<PgConnectOptions>,
    /// Of the host that is used.
    place: usize,
    /// A connection of the watch alone.
    replica: Option<PgConnection>,
    lines: Arc<Lines>,
    primary: DatabaseConnection,
    behind: Behind,
    lag_limit: Duration,
}

impl Watch {
    async fn go_on(mut self, told: Sender<Progress>) {
        loop {
            sleep(TURN).await;
            let before = *told.borrow();
            let now = self.look(before).await;
            match (before.standing, now.standing) {
                (before, now) if before == now => {}
                (_, Standing::KeepsUp) => tracing::info!("the replica {}", now.standing),
                _ => tracing::warn!("the replica {}", now.standing),
            }
            told.send_replace(now);
        }
    }

    /// What the first of the hosts is good for that is of use, from the one in use on.
    async fn look(&mut self, before: Progress) -> Progress {
        let mut now = self.look_at_one(before).await;
        for _ in 1..self.hosts.len() {
            if now.standing.answers_lookups() {
                break;
            }
            now = self.look_at_one(before).await;
        }
        now
    }

    async fn look_at_one(&mut self, before: Progress) -> Progress {
        let replayed = timeout(PATIENCE, self.position_of_replica()).await;
        let standing = match replayed {
            Ok(Ok(Some(replayed))) => match timeout(PATIENCE, self.position_of_primary()).await {
                Ok(Ok(written)) if replayed > written => Standing::Astray,
                Ok(Ok(written)) => {
                    let lag = self.behind.lag(Instant::now(), replayed, written);
                    let standing = if lag > self.lag_limit {
                        Standing::Lags
                    } else {
                        Standing::KeepsUp
                    };
                    return Progress {
                        standing,
                        lag: Some(lag),
                    };
                }
                // How far it is behind is not known; what it has is right all the same.
                _ if before.standing == Standing::KeepsUp => Standing::KeepsUp,
                _ => Standing::Lags,
            },
            Ok(Ok(None)) => Standing::Astray,
            Ok(Err(_)) | Err(_) => Standing::Away,
        };
        if matches!(standing, Standing::Away | Standing::Astray) {
            self.leave();
        }
        Progress {
            standing,
            lag: before.lag,
        }
    }

    /// The next of several replicas gets its turn.
    fn leave(&mut self) {
        self.replica = None;
        if self.hosts.len() > 1 {
            self.place = (self.place + 1) % self.hosts.len();
            let host = self.hosts[self.place].clone();
            tracing::debug!(server = host.name(), "another replica is tried");
            self.lines.pool.go_to(host);
        }
        // Connections to what has gone astray, or rested while it was away, are not used again.
        self.lines.losses.moved();
    }

    async fn position_of_replica(&mut self) -> Result<Option<i64>, sqlx::Error> {
        let connection = match self.replica.take() {
            Some(connection) => connection,
            None => self.hosts[self.place].connect().await?,
        };
        // It is kept only if it answers.
        let connection = self.replica.insert(connection);
        let position = sqlx::query_scalar(POSITION_OF_REPLICA);
        position.fetch_one(connection).await
    }

    async fn position_of_primary(&self) -> Result<i64, DbErr> {
        let asked = Statement::from_string(DbBackend::Postgres, POSITION_OF_PRIMARY);
        let told = self.primary.query_one_raw(asked).await?;
        let nothing = || DbErr::Custom("the primary does not tell its position".to_owned());
        told.ok_or_else(nothing)?.try_get_by_index(0)
    }
}

/// Positions of the primary that the replica has not reached, each with when it was asked for.
#[derive(Debug, Default)]
struct Behind(VecDeque<(Instant, i64)>);

impl Behind {
    /// How long ago the primary was where the replica is.
    fn lag(&mut self, now: Instant, replayed: i64, written: i64) -> Duration {
        while self
            .0
            .front()
            .is_some_and(|(_, position)| *position <= replayed)
        {
            self.0.pop_front();
        }
        // A primary that starts anew elsewhere can be further back.
        while self
            .0
            .back()
            .is_some_and(|(_, position)| *position > written)
        {
            self.0.pop_back();
        }
        let known = self.0.back().map_or(replayed, |(_, position)| *position);
        if written > known && self.0.len() < REMEMBERED {
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
    fn a_replica_is_as_far_behind_as_the_oldest_position_that_it_has_not_reached() {
        let start = Instant::now();
        let second = |number| start + Duration::from_secs(number);
        let mut behind = Behind::default();
        let mut lag = |at, replayed, written| behind.lag(second(at), replayed, written).as_secs();
        assert_eq!(lag(0, 10, 10), 0);
        assert_eq!(lag(1, 10, 20), 0, "just now");
        assert_eq!(lag(2, 10, 30), 1);
        assert_eq!(lag(3, 15, 30), 2, "it has not reached the first yet");
        assert_eq!(lag(4, 20, 40), 2, "it has");
        assert_eq!(lag(5, 30, 40), 1);
        assert_eq!(lag(6, 40, 40), 0);
        assert_eq!(lag(60, 40, 40), 0, "nothing is written");
    }
}
