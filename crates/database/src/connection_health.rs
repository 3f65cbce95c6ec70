//! Decides which idle connections need a ping and which are stale.
//!
//! A restart of the database closes all connections at once. After the first error, every connection
//! that was idle at that moment is pinged before it is used again. While no connection is lost, the
//! check is one comparison.
//!
//! After a failover, older connections lead to a server that no longer accepts writes. They are stale
//! and are not used again.

use std::io;
use std::sync::Arc;
use std::time::{Duration, Instant};

use sea_orm::sqlx::{self, Connection, pool::PoolConnectionMetadata};
use sea_orm::{DbErr, RuntimeErr};
use tokio::sync::watch;
use tokio::time::timeout;

use crate::error::is_lost_connection;

/// A connection that was idle longer than this is pinged before it is used again.
const MAX_IDLE_WITHOUT_PING: Duration = Duration::from_secs(1);

/// The timeout of a ping.
const PING_TIMEOUT: Duration = Duration::from_secs(1);

/// Pings a connection, with a timeout: a connection that the network has dropped silently never responds.
pub(crate) async fn ping<C: Connection>(connection: &mut C) -> Result<(), sqlx::Error> {
    match timeout(PING_TIMEOUT, connection.ping()).await {
        Ok(result) => result,
        Err(_) => Err(sqlx::Error::Io(io::ErrorKind::TimedOut.into())),
    }
}

/// When a connection was last lost and when the last failover was. Clones share this state.
#[derive(Clone, Debug, Default)]
pub(crate) struct ConnectionHealth(Arc<Shared>);

#[derive(Debug, Default)]
struct Shared {
    losses: watch::Sender<Losses>,
    last_failover: watch::Sender<Option<Instant>>,
}

/// The number of lost connections, and when the last one was lost.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Losses {
    count: u64,
    last: Option<Instant>,
}

impl ConnectionHealth {
    /// Records a lost connection and returns the result unchanged.
    pub(crate) fn record_error<T>(&self, result: Result<T, DbErr>) -> Result<T, DbErr> {
        if result.as_ref().is_err_and(is_lost_connection) {
            self.record_loss();
        }
        result
    }

    /// The number of lost connections.
    pub(crate) fn lost_connections(&self) -> u64 {
        self.0.losses.borrow().count
    }

    fn record_loss(&self) {
        self.0.losses.send_modify(|losses| {
            losses.count += 1;
            losses.last = Some(Instant::now());
        });
    }

    /// Receives each lost connection.
    pub(crate) fn losses(&self) -> watch::Receiver<Losses> {
        self.0.losses.subscribe()
    }

    /// Records a failover: existing connections become stale.
    pub(crate) fn record_failover(&self) {
        self.0.last_failover.send_replace(Some(Instant::now()));
    }

    /// Whether a connection of this age was opened before the last failover.
    pub(crate) fn is_stale(&self, age: Duration) -> bool {
        self.0
            .last_failover
            .borrow()
            .is_some_and(|at| at.elapsed() <= age)
    }

    /// Runs a read-only statement and aborts it with a connection error on failover.
    pub(crate) async fn abort_on_failover<T>(
        &self,
        statement: impl Future<Output = Result<T, DbErr>>,
    ) -> Result<T, DbErr> {
        let mut failover = self.0.last_failover.subscribe();
        tokio::select! {
            biased;
            result = statement => result,
            // Never an error, because `self` holds the sender.
            _ = failover.changed() => Err(connection_aborted()),
        }
    }

    /// Replaces the result of a stale connection by a connection error: the new server may lack what
    /// the old one has acknowledged.
    pub(crate) fn reject_if_stale<T>(
        &self,
        result: Result<T, DbErr>,
        age: Duration,
    ) -> Result<T, DbErr> {
        match result {
            Ok(_) if self.is_stale(age) => Err(connection_aborted()),
            result => result,
        }
    }

    /// Rejects a stale connection and pings one that was idle for long.
    pub(crate) async fn before_acquire<C: Connection>(
        &self,
        connection: &mut C,
        metadata: PoolConnectionMetadata,
    ) -> Result<bool, sqlx::Error> {
        if self.is_stale(metadata.age) {
            return Ok(false);
        }
        if !self.can_skip_ping(metadata.idle_for) {
            ping(connection).await?;
        }
        Ok(true)
    }

    /// Whether a connection that was idle for this long needs no ping.
    pub(crate) fn can_skip_ping(&self, idle_for: Duration) -> bool {
        let last_loss = self.0.losses.borrow().last;
        idle_for <= MAX_IDLE_WITHOUT_PING
            && last_loss.is_none_or(|last_loss| idle_for < last_loss.elapsed())
    }
}

fn connection_aborted() -> DbErr {
    let error = io::Error::from(io::ErrorKind::ConnectionAborted);
    DbErr::Query(RuntimeErr::SqlxError(sqlx::Error::Io(error).into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pings_a_connection_that_was_idle_for_long() {
        let health = ConnectionHealth::default();
        assert!(health.can_skip_ping(Duration::ZERO));
        assert!(health.can_skip_ping(MAX_IDLE_WITHOUT_PING));
        assert!(!health.can_skip_ping(MAX_IDLE_WITHOUT_PING * 2));
    }

    #[tokio::test]
    async fn a_failover_makes_older_connections_stale_and_aborts_reads() {
        let health = ConnectionHealth::default();
        assert!(!health.is_stale(Duration::from_secs(1)));
        let reading = health.abort_on_failover(std::future::pending::<Result<(), DbErr>>());
        let (aborted, ()) = tokio::join!(reading, async { health.record_failover() });
        assert!(is_lost_connection(
            &aborted.expect_err("a failover happened")
        ));
        assert!(health.is_stale(Duration::from_secs(1)));
        assert!(!health.is_stale(Duration::ZERO));
    }

    #[test]
    fn pings_a_connection_that_was_idle_when_another_was_lost() {
        let health = ConnectionHealth::default();
        health.record_loss();
        assert!(
            !health.can_skip_ping(MAX_IDLE_WITHOUT_PING / 2),
            "idle before the loss"
        );
        // A connection that is used after the loss: the clock has to advance first.
        std::thread::sleep(Duration::from_millis(1));
        assert!(
            health.can_skip_ping(Duration::ZERO),
            "idle since after the loss"
        );
    }
}
