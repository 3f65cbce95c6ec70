//! The retry policy, with exponential backoff and jitter.

use std::{
    hash::{BuildHasher, RandomState},
    time::Duration,
};

/// How often a query or a mutation with an idempotency key is retried, and the backoff between attempts.
///
/// The backoff doubles with each attempt up to a maximum. Jitter keeps many clients from retrying at the
/// same moment: the delay is a random part of the backoff, at least half of it. `Retry-After` (in seconds)
/// is a lower bound; if it exceeds the maximum backoff, the query is not retried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RetryPolicy {
    /// The maximum number of retries.
    pub max_retries: u32,
    /// The backoff before the second attempt.
    pub initial_backoff: Duration,
    /// The maximum backoff.
    pub max_backoff: Duration,
}

impl RetryPolicy {
    /// No retries.
    pub const fn none() -> Self {
        Self::new(0)
    }

    /// At most `max_retries` retries with a backoff from 100 milliseconds to 5 seconds.
    pub const fn new(max_retries: u32) -> Self {
        Self { max_retries, initial_backoff: Duration::from_millis(100), max_backoff: Duration::from_secs(5) }
    }

    /// The backoff after this number of failed attempts; `None` if there are no retries left.
    pub(crate) fn backoff(&self, attempts: u32, retry_after: Option<Duration>) -> Option<Duration> {
        let retry_after = retry_after.unwrap_or_default();
        if attempts > self.max_retries || retry_after > self.max_backoff {
            return None;
        }
        let factor = 2_u32.saturating_pow(attempts.saturating_sub(1));
        let bound = self.initial_backoff.saturating_mul(factor).min(self.max_backoff);
        let backoff = bound / 2 + (bound / 2).mul_f64(random_fraction());
        Some(backoff.max(retry_after))
    }
}

/// Two retries.
impl Default for RetryPolicy {
    fn default() -> Self {
        Self::new(2)
    }
}

/// A number from 0 to 1. The keys of the standard library's hasher are random, which suffices for jitter.
fn random_fraction() -> f64 {
    let bits = RandomState::new().hash_one(()) >> 32;
    let bits = u32::try_from(bits).expect("32 bits are left");
    f64::from(bits) / f64::from(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn backoff_grows_to_the_maximum_until_the_retries_are_used_up() {
        let policy = RetryPolicy::new(10);
        for attempts in 1..=10 {
            let bound = Duration::from_millis(100 << (attempts - 1)).min(Duration::from_secs(5));
            let backoff = policy.backoff(attempts, None);
            let backoff = backoff.expect("there is another attempt");
            assert!(backoff >= bound / 2 && backoff <= bound, "{attempts}: {backoff:?}");
        }
        assert_eq!(policy.backoff(11, None), None);
        assert_eq!(RetryPolicy::none().backoff(1, None), None);
    }

    #[test]
    fn backoff_has_jitter() {
        let backoffs = [(); 8].map(|()| RetryPolicy::new(1).backoff(1, None));
        assert!(backoffs.iter().any(|backoff| *backoff != backoffs[0]), "{backoffs:?}");
    }
}
