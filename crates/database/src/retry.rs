//! The retry policy: exponential backoff between attempts, until a deadline.

use std::time::Duration;

use sea_orm::DbErr;
use tokio::time::{Instant, sleep};

use crate::error::{Error, failed_before_send, is_conflict, is_lost_connection, is_timeout};

/// The delays between attempts: each is twice as long as the one before, up to a maximum.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Backoff {
    delay: Duration,
    max: Duration,
    deadline: Option<Instant>,
}

impl Backoff {
    /// While the server starts up.
    pub(crate) const CONNECT: Self = Self::from_millis(20, 500);

    /// Of a statement without a connection; short, so that a recovered database is used soon.
    pub(crate) const STATEMENT: Self = Self::from_millis(10, 200);

    /// Of a transaction that the database rolled back.
    pub(crate) const CONFLICT: Self = Self::from_millis(5, 320);

    const fn from_millis(delay: u64, max: u64) -> Self {
        Self {
            delay: Duration::from_millis(delay),
            max: Duration::from_millis(max),
            deadline: None,
        }
    }

    /// No attempt begins after this instant.
    pub(crate) fn until(self, deadline: Instant) -> Self {
        Self {
            deadline: Some(deadline),
            ..self
        }
    }

    /// The delay before the next attempt, or `None` if that would begin after the deadline.
    pub(crate) fn next_delay(&mut self) -> Option<Duration> {
        let delay = self.delay;
        if self
            .deadline
            .is_some_and(|deadline| Instant::now() + delay >= deadline)
        {
            return None;
        }
        self.delay = (delay * 2).min(self.max);
        Some(delay)
    }
}

/// The result of the first attempt that succeeds or fails permanently, or of the last one before the
/// deadline.
pub(crate) async fn retry<T, E, A>(
    mut backoff: Backoff,
    mut attempt: impl FnMut() -> A,
    mut is_retryable: impl FnMut(&E) -> bool,
) -> Result<T, E>
where
    A: Future<Output = Result<T, E>>,
{
    loop {
        let error = match attempt().await {
            Ok(value) => return Ok(value),
            Err(error) => error,
        };
        match backoff.next_delay() {
            Some(delay) if is_retryable(&error) => sleep(delay).await,
            _ => return Err(error),
        }
    }
}

/// Retries a transaction of which nothing was stored, because of a conflict or because its connection was lost before the
/// commit was sent. An attempt has to be one transaction that ends with it, and reports a lost commit as an unknown outcome.
pub(crate) async fn retry_rolled_back<T, A>(
    timeout: Duration,
    attempt: impl FnMut() -> A,
) -> Result<T, Error>
where
    A: Future<Output = Result<T, Error>>,
{
    let backoff = Backoff::CONFLICT.until(Instant::now() + timeout);
    retry(backoff, attempt, is_rolled_back).await
}

/// Retries to read or apply migrations after a conflict or a timeout, until the timeout of their lock: a change of a table
/// blocks the reads of a Galera cluster for as long as it takes.
pub(crate) async fn retry_blocked<T, A>(
    lock_timeout: Duration,
    attempt: impl FnMut() -> A,
) -> Result<T, Error>
where
    A: Future<Output = Result<T, Error>>,
{
    let started = Instant::now();
    let is_retryable = |error: &Error| {
        let cause = match error {
            Error::Unavailable(cause) | Error::Migration(cause) if is_conflict(cause) => cause,
            Error::Unavailable(cause) if is_timeout(cause) => cause,
            _ => return false,
        };
        tracing::warn!(
            waited_s = started.elapsed().as_secs(),
            migration_lock_timeout_s = lock_timeout.as_secs(),
            %cause,
            "waiting until the migrations can be read and applied"
        );
        true
    };
    let backoff = Backoff::CONFLICT.until(started + lock_timeout);
    retry(backoff, attempt, is_retryable).await
}

/// Whether nothing of a transaction was stored, and it can succeed if it is repeated.
pub(crate) fn is_rolled_back(error: &Error) -> bool {
    matches!(error, Error::Unavailable(error)
        if is_conflict(error) || is_lost_connection(error) || failed_before_send(error)
            || matches!(**error, DbErr::RecordNotUpdated))
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    #[test]
    fn delays_double_up_to_the_maximum() {
        let mut backoff = Backoff::CONFLICT;
        let delays = std::iter::from_fn(|| backoff.next_delay()).map(|delay| delay.as_millis());
        let delays: Vec<_> = delays.take(8).collect();
        assert_eq!(delays, [5, 10, 20, 40, 80, 160, 320, 320]);
    }

    #[tokio::test]
    async fn retries_until_success_a_permanent_error_or_the_deadline() {
        let attempts = Cell::new(0);
        let fail_below = |successful: u32| {
            attempts.set(attempts.get() + 1);
            let number = attempts.get();
            async move {
                if number >= successful {
                    Ok(number)
                } else {
                    Err(number)
                }
            }
        };
        let result = retry(Backoff::CONFLICT, || fail_below(3), |_| true).await;
        assert_eq!(result, Ok(3));
        attempts.set(0);
        let result = retry(Backoff::CONFLICT, || fail_below(3), |number| *number < 2).await;
        assert_eq!(result, Err(2));
        attempts.set(0);
        let backoff = Backoff::CONFLICT.until(Instant::now());
        let result = retry(backoff, || fail_below(3), |_| true).await;
        assert_eq!(result, Err(1));
    }
}
