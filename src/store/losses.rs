//! Remembers when a connection was last lost, so that those that rested meanwhile are not trusted.
//!
//! A database that restarts cuts all connections at once. The first statement that notices saves
//! the others: whatever was at rest at that moment is tested before it is used again. As long as
//! nothing is lost, this costs a comparison.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use sea_orm::sqlx::{self, Connection, pool::PoolConnectionMetadata};

/// A connection that rested longer than this is tested before it is used again.
const TRUSTED_REST: Duration = Duration::from_secs(1);

/// When a connection was last lost. Clones share the answer.
#[derive(Clone, Debug, Default)]
pub(super) struct Losses(Arc<Mutex<Option<Instant>>>);

impl Losses {
    /// A connection has been lost just now.
    pub(super) fn note(&self) {
        let mut last = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        *last = Some(Instant::now());
    }

    /// Tests a connection that is about to be used, if there is reason to.
    pub(super) async fn test<C: Connection>(
        &self,
        connection: &mut C,
        rest: PoolConnectionMetadata,
    ) -> Result<bool, sqlx::Error> {
        if !self.is_trusted(rest.idle_for) {
            connection.ping().await?;
        }
        Ok(true)
    }

    fn is_trusted(&self, rest: Duration) -> bool {
        let last = *self.0.lock().unwrap_or_else(PoisonError::into_inner);
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
