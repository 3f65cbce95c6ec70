//! Remembers when a connection was last lost, so that those that rested meanwhile are not trusted.
//!
//! A database that restarts cuts all connections at once. The first statement that notices saves
//! the others: whatever was at rest at that moment is tested before it is used again. As long as
//! nothing is lost, this costs a comparison.

use std::io;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use sea_orm::DbErr;
use sea_orm::sqlx::{self, Connection, pool::PoolConnectionMetadata};
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
    }

    /// Tests a connection that is about to be used, if there is reason to.
    pub(super) async fn test<C: Connection>(
        &self,
        connection: &mut C,
        rest: PoolConnectionMetadata,
    ) -> Result<bool, sqlx::Error> {
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
