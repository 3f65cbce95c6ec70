//! Decides which idle connections need a ping and which are stale.
//!
//! A restart of the database closes all connections at once. After the first error, every connection
//! that was idle at that moment is pinged before it is used again. While no connection is lost, the
//! check is one comparison.

use std::io;
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard};
use std::time::{Duration, Instant};

use sea_orm::sqlx::{self, Connection, pool::PoolConnectionMetadata};
use sea_orm::{DbErr, RuntimeErr};
use tokio::time::timeout;

use crate::error::{is_lost_connection, is_read_only};

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

/// What is known of the connections of a pool. Clones share it.
#[derive(Clone, Debug, Default)]
pub(crate) struct ConnectionHealth(Arc<RwLock<State>>);

#[derive(Debug, Default)]
struct State {
    /// The number of lost connections.
    losses: u64,
    last_loss: Option<Instant>,
    /// Connections that were opened before are not used again.
    stale_before: Option<Instant>,
    /// Why the session of the last new connection could not be set up.
    set_up_error: Option<DbErr>,
}

impl ConnectionHealth {
    /// Records a lost connection, or a server that refuses writes, and returns the result unchanged.
    pub(crate) fn record_error<T>(&self, result: Result<T, DbErr>) -> Result<T, DbErr> {
        if result.as_ref().is_err_and(is_lost_connection) {
            self.record_loss();
        }
        if result.as_ref().is_err_and(is_read_only) {
            // The others lead to the same server, and new ones perhaps to another one.
            self.discard_connections();
        }
        result
    }

    /// Records whether the session of a new connection could be set up: a pool of sqlx tries again until it times out, and
    /// does not report the cause.
    pub(crate) fn record_set_up(&self, set_up: Result<(), sqlx::Error>) -> Result<(), sqlx::Error> {
        let error = set_up.err().map(Arc::new);
        let mut state = self.0.write().unwrap_or_else(PoisonError::into_inner);
        state.set_up_error = error
            .clone()
            .map(|error| DbErr::Conn(RuntimeErr::SqlxError(error)));
        error.map_or(Ok(()), |error| {
            Err(sqlx::Error::Configuration(error.into()))
        })
    }

    /// Why the session of the last new connection could not be set up.
    pub(crate) fn set_up_error(&self) -> Option<DbErr> {
        self.state().set_up_error.clone()
    }

    /// The number of lost connections.
    pub(crate) fn lost_connections(&self) -> u64 {
        self.state().losses
    }

    fn record_loss(&self) {
        let mut state = self.0.write().unwrap_or_else(PoisonError::into_inner);
        state.losses += 1;
        state.last_loss = Some(Instant::now());
    }

    /// Makes all connections stale: they may lead to another server than new ones.
    pub(crate) fn discard_connections(&self) {
        let mut state = self.0.write().unwrap_or_else(PoisonError::into_inner);
        state.stale_before = Some(Instant::now());
    }

    /// Whether a connection of this age is not to be used again.
    pub(crate) fn is_stale(&self, age: Duration) -> bool {
        let before = self.state().stale_before;
        before.is_some_and(|before| before.elapsed() <= age)
    }

    fn state(&self) -> RwLockReadGuard<'_, State> {
        self.0.read().unwrap_or_else(PoisonError::into_inner)
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
        let last_loss = self.state().last_loss;
        idle_for <= MAX_IDLE_WITHOUT_PING
            && last_loss.is_none_or(|last_loss| idle_for < last_loss.elapsed())
    }
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

    #[test]
    fn a_discarded_connection_is_stale() {
        let health = ConnectionHealth::default();
        assert!(!health.is_stale(Duration::from_secs(1)));
        health.discard_connections();
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
