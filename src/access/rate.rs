//! A token bucket for each caller, in bounded memory.
//!
//! A bucket is one number, the time at which it will be full again (the generic cell rate
//! algorithm), so there is nothing to refill and nothing to clean up.

use std::{
    convert::Infallible,
    fmt,
    hash::{BuildHasher, RandomState},
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering::Relaxed},
    },
    time::{Duration, Instant},
};

use quick_cache::sync::Cache;

use super::Caller;

/// The most callers that are remembered. Who is forgotten has a full bucket again.
const CALLERS: usize = 65_536;

const SECOND_NS: u64 = 1_000_000_000;

/// How often a caller may ask.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rate {
    /// Requests per second, from 1 to a million.
    pub per_second: u32,
    /// Requests at once, at least 1.
    pub burst: u32,
}

/// How long to wait until the request would be granted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wait(pub Duration);

/// The buckets of all callers.
pub struct RateLimiter {
    rate: Rate,
    started: Instant,
    hasher: RandomState,
    /// By the hash of the caller, which nobody can predict: when the bucket is full again, in
    /// nanoseconds since the start.
    full_at: Cache<u64, Arc<AtomicU64>>,
}

impl RateLimiter {
    /// Every bucket is full.
    pub fn new(rate: Rate) -> Self {
        Self {
            rate,
            started: Instant::now(),
            hasher: RandomState::new(),
            full_at: Cache::new(CALLERS),
        }
    }

    /// How often a caller may ask.
    pub fn rate(&self) -> Rate {
        self.rate
    }

    /// How many callers are remembered.
    pub fn callers(&self) -> usize {
        self.full_at.len()
    }

    /// Takes so many requests out of the bucket of a caller, or none if there are not as many.
    pub fn take(&self, caller: &Caller, requests: usize) -> Result<(), Wait> {
        self.take_at(caller, requests, self.started.elapsed())
    }

    fn take_at(&self, caller: &Caller, requests: usize, now: Duration) -> Result<(), Wait> {
        let key = self.hasher.hash_one(caller);
        let empty = || Ok::<_, Infallible>(Arc::default());
        let Ok(full_at) = self.full_at.get_or_insert_with(&key, empty);
        let now = u64::try_from(now.as_nanos()).unwrap_or(u64::MAX / 2);
        let each = SECOND_NS / u64::from(self.rate.per_second);
        let capacity = each * u64::from(self.rate.burst);
        let taken = each.saturating_mul(requests as u64);
        let mut wait = 0;
        let granted = full_at.fetch_update(Relaxed, Relaxed, |full_at| {
            let then = full_at.max(now).saturating_add(taken);
            wait = (then - now).saturating_sub(capacity);
            (wait == 0).then_some(then)
        });
        granted
            .map(drop)
            .map_err(|_| Wait(Duration::from_nanos(wait)))
    }
}

impl fmt::Debug for RateLimiter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("RateLimiter").field(&self.rate).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn caller(name: &impl ToString) -> Caller {
        Caller::Subject(name.to_string())
    }

    /// What is asked of a bucket of 2 per second and 3 at once: at which millisecond, how many, and
    /// for how many milliseconds it is refused, if it is.
    #[test]
    fn a_bucket_gives_what_has_run_into_it() {
        for steps in [
            &[(0, 1, None), (0, 1, None), (0, 1, None), (0, 1, Some(500))][..],
            &[
                (0, 3, None),
                (0, 1, Some(500)),
                (499, 1, Some(1)),
                (500, 1, None),
                (500, 1, Some(500)),
            ],
            &[(0, 3, None), (1000, 2, None), (1000, 1, Some(500))],
            // It holds no more than it holds, however long nobody asks.
            &[
                (0, 3, None),
                (3_600_000, 3, None),
                (3_600_000, 1, Some(500)),
            ],
            // All or nothing: what is refused costs nothing.
            &[(0, 2, None), (0, 2, Some(500)), (0, 1, None)],
            &[(0, 4, Some(500)), (0, 3, None)],
        ] {
            let limiter = RateLimiter::new(Rate {
                per_second: 2,
                burst: 3,
            });
            for (at_ms, requests, refused_ms) in steps {
                let taken =
                    limiter.take_at(&caller(&"a"), *requests, Duration::from_millis(*at_ms));
                let expected = refused_ms.map_or(Ok(()), |ms| Err(Wait(Duration::from_millis(ms))));
                assert_eq!(taken, expected, "{requests} at {at_ms} of {steps:?}");
            }
        }
    }

    #[test]
    fn every_caller_has_a_bucket_and_memory_is_bounded() {
        let limiter = RateLimiter::new(Rate {
            per_second: 1,
            burst: 1,
        });
        let now = Duration::ZERO;
        for name in 0..10 {
            assert_eq!(limiter.take_at(&caller(&name), 1, now), Ok(()));
            assert!(limiter.take_at(&caller(&name), 1, now).is_err());
        }
        for name in 0..4 * CALLERS {
            let _ = limiter.take_at(&caller(&name), 1, now);
        }
        assert!(limiter.callers() <= CALLERS, "{}", limiter.callers());
    }

    #[test]
    fn many_at_once_get_no_more_than_there_is() {
        let limiter = RateLimiter::new(Rate {
            per_second: 1,
            burst: 1000,
        });
        let granted = AtomicU64::new(0);
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    for _ in 0..500 {
                        let taken = limiter.take_at(&caller(&"a"), 1, Duration::ZERO);
                        granted.fetch_add(taken.is_ok().into(), Relaxed);
                    }
                });
            }
        });
        assert_eq!(granted.into_inner(), 1000);
    }
}
