//! Remembers when a connection was last lost, so that those that rested meanwhile are not trusted.
//!
//! A database that restarts cuts all connections at once. The first statement that notices saves
//! the others: whatever was at rest at that moment is tested before it is used again. As long as
//! nothing is lost, this costs a comparison.
//!
//! It also knows when the connections moved to another server: older ones lead to a server that
//! takes no writes any more, and are not used again.

use std::io;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use sea_orm::sqlx::{self, Connection, pool::PoolConnectionMetadata};
use sea_orm::{DbErr, RuntimeErr};
use tokio::sync::{Notify, watch};
use tokio::time::timeout;

use super::error::is_lost_connection;

/// A connection that rested longer than this is tested before it is used again.
const TRUSTED_REST: Duration = Duration::from_secs(1);

/// How long a connection may take to answer that it is still there.
const SIGN_OF_LIFE: Duration = Duration::from_secs(1);

/// Waits until a connection answers. One that the network has forgotten never would, and says nothing.
pub(super) async fn answers<C: Connection>(connection: &mut C) -> Result<(), sqlx::Error> {
    match timeout(SIGN_OF_LIFE, connection.ping()).await {
        Ok(answered) => answered,
        Err(_) => Err(sqlx::Error::Io(io::ErrorKind::TimedOut.into())),
    }
}

/// When a connection was last lost. Clones share the answer.
#[derive(Clone, Debug, Default)]
pub(super) struct Losses(Arc<Lost>);

#[derive(Debug, Default)]
struct Lost {
    last: Mutex<Option<Instant>>,
    count: AtomicU64,
    noted: Notify,
    moved: watch::Sender<Option<Instant>>,
}

impl Losses {
    /// Takes note if a connection has been lost just now.
    pub(super) fn heard<T>(&self, answer: Result<T, DbErr>) -> Result<T, DbErr> {
        if answer.as_ref().is_err_and(is_lost_connection) {
            self.note();
        }
        answer
    }

    /// How many connections were lost.
    pub(super) fn count(&self) -> u64 {
        self.0.count.load(Relaxed)
    }

    fn note(&self) {
        self.0.count.fetch_add(1, Relaxed);
        let mut last = self.0.last.lock().unwrap_or_else(PoisonError::into_inner);
        *last = Some(Instant::now());
        self.0.noted.notify_one();
    }

    /// Waits for a loss that this has not answered yet. Only one may wait.
    pub(super) async fn noted(&self) {
        self.0.noted.notified().await;
    }

    /// From now on connections are made to another server; the older ones are not used again.
    pub(super) fn moved(&self) {
        self.0.moved.send_replace(Some(Instant::now()));
    }

    /// Whether a connection that is so old leads to a server that takes no writes any more.
    pub(super) fn is_left_behind(&self, age: Duration) -> bool {
        self.0.moved.borrow().is_some_and(|at| at.elapsed() <= age)
    }

    /// What comes of this, unless the connections move to another server meanwhile: then it is as if
    /// its connection had been lost. For statements that only read.
    pub(super) async fn unless_moved<T>(
        &self,
        answer: impl Future<Output = Result<T, DbErr>>,
    ) -> Result<T, DbErr> {
        let mut moved = self.0.moved.subscribe();
        tokio::select! {
            biased;
            answer = answer => answer,
            // The sender lives as long as this does.
            _ = moved.changed() => {
                let lost = std::io::Error::from(std::io::ErrorKind::ConnectionAborted);
                Err(DbErr::Query(RuntimeErr::SqlxError(sqlx::Error::Io(lost).into())))
            }
        }
    }

    /// Tests a connection that is about to be used, if there is reason to.
    pub(super) async fn test<C: Connection>(
        &self,
        connection: &mut C,
        rest: PoolConnectionMetadata,
    ) -> Result<bool, sqlx::Error> {
        if self.is_left_behind(rest.age) {
            return Ok(false);
        }
        if !self.is_trusted(rest.idle_for) {
            answers(connection).await?;
        }
        Ok(true)
    }

    /// Whether a connection that rested so long needs no test.
    pub(super) fn is_trusted(&self, rest: Duration) -> bool {
        let last = *self.0.last.lock().unwrap_or_else(PoisonError::into_inner);
        rest <= TRUSTED_REST && last.is_none_or(|last| rest < last.elapsed())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_rested_for_long_is_not_trusted() {
        let losses = Losses::default();
        assert!(losses.is_trusted(Duration::ZERO));
        assert!(losses.is_trusted(TRUSTED_REST));
        assert!(!losses.is_trusted(TRUSTED_REST * 2));
    }

    #[tokio::test]
    async fn a_move_leaves_older_connections_behind_and_breaks_off_what_they_read() {
        let losses = Losses::default();
        assert!(!losses.is_left_behind(Duration::from_secs(1)));
        let reading = losses.unless_moved(std::future::pending::<Result<(), DbErr>>());
        let (broken_off, ()) = tokio::join!(reading, async { losses.moved() });
        assert!(is_lost_connection(&broken_off.expect_err("it moved")));
        assert!(losses.is_left_behind(Duration::from_secs(1)));
        assert!(!losses.is_left_behind(Duration::ZERO));
    }

    #[test]
    fn what_rested_while_another_was_lost_is_not_trusted() {
        let losses = Losses::default();
        losses.note();
        assert!(!losses.is_trusted(TRUSTED_REST / 2), "at rest before");
        while losses.is_trusted(Duration::ZERO) == losses.is_trusted(TRUSTED_REST / 2) {
            std::thread::yield_now();
        }
    }
}
