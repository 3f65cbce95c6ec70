//! Rate limit: a token bucket for each caller, in bounded memory.
//!
//! A bucket is one number, the time at which it is full again (generic cell rate algorithm), so
//! nothing is refilled or cleaned up.

use std::{
    convert::Infallible,
    hash::{BuildHasher, RandomState},
    net::{IpAddr, Ipv6Addr},
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering::Relaxed},
    },
    time::{Duration, Instant},
};

use quick_cache::sync::Cache;

/// Maximum number of cached buckets. An evicted caller has a full bucket again.
const MAX_CALLERS: usize = 65_536;

const SECOND_NS: u64 = 1_000_000_000;

/// The unit of rate limiting; each caller has its own token bucket.
#[derive(Clone, Debug, Hash, PartialEq, Eq)]
pub enum Caller {
    /// The subject of a token, from any address.
    Subject(String),
    /// An IPv4 address, or the first 64 bits of an IPv6 address, because a host owns a /64 network.
    Address(IpAddr),
}

impl Caller {
    /// The caller with this address.
    pub fn from_address(address: IpAddr) -> Self {
        Self::Address(match address.to_canonical() {
            IpAddr::V6(address) => {
                let network = address.to_bits() & !u128::from(u64::MAX);
                IpAddr::V6(Ipv6Addr::from_bits(network))
            }
            address @ IpAddr::V4(_) => address,
        })
    }
}

/// A rate limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rate {
    /// Requests per second, from 1 to a million.
    pub per_second: u32,
    /// Capacity of a bucket in requests, at least 1.
    pub burst: u32,
}

/// A refused request, with the time after which it would be granted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RetryAfter(pub Duration);

/// The token buckets of all callers.
#[derive(Debug)]
pub struct RateLimiter {
    rate: Rate,
    started: Instant,
    hasher: RandomState,
    /// When each bucket is full again, in nanoseconds since the start. The key is a randomly seeded
    /// hash of the caller, so collisions cannot be provoked.
    full_at: Cache<u64, Arc<AtomicU64>>,
}

impl RateLimiter {
    /// Creates a rate limiter with full buckets.
    pub fn new(rate: Rate) -> Self {
        Self {
            rate,
            started: Instant::now(),
            hasher: RandomState::new(),
            full_at: Cache::new(MAX_CALLERS),
        }
    }

    /// The rate limit of each caller.
    pub fn rate(&self) -> Rate {
        self.rate
    }

    /// Number of cached buckets.
    pub fn callers(&self) -> usize {
        self.full_at.len()
    }

    /// Checks that the bucket of a caller has a request left, without consuming it.
    pub fn check(&self, caller: &Caller) -> Result<(), RetryAfter> {
        self.check_at(caller, self.started.elapsed())
    }

    fn check_at(&self, caller: &Caller, now: Duration) -> Result<(), RetryAfter> {
        match self.full_at.get(&self.hasher.hash_one(caller)) {
            Some(full_at) => self.full_after(full_at.load(Relaxed), 1, now).map(drop),
            // A caller without a cached bucket has a full one.
            None => Ok(()),
        }
    }

    /// Consumes so many requests from the bucket of a caller, or none if fewer are left.
    pub fn consume(&self, caller: &Caller, requests: usize) -> Result<(), RetryAfter> {
        self.consume_at(caller, requests, self.started.elapsed())
    }

    fn consume_at(
        &self,
        caller: &Caller,
        requests: usize,
        now: Duration,
    ) -> Result<(), RetryAfter> {
        let key = self.hasher.hash_one(caller);
        let empty = || Ok::<_, Infallible>(Arc::default());
        let Ok(full_at) = self.full_at.get_or_insert_with(&key, empty);
        let mut refused = RetryAfter(Duration::ZERO);
        let granted = full_at.fetch_update(Relaxed, Relaxed, |full_at| {
            let after = self.full_after(full_at, requests, now);
            after.map_err(|wait| refused = wait).ok()
        });
        granted.map(drop).map_err(|_| refused)
    }

    /// When a bucket is full again after so many requests, or how long until it has enough left.
    fn full_after(&self, full_at: u64, requests: usize, now: Duration) -> Result<u64, RetryAfter> {
        let now = u64::try_from(now.as_nanos()).unwrap_or(u64::MAX / 2);
        let interval = SECOND_NS / u64::from(self.rate.per_second);
        let capacity = interval * u64::from(self.rate.burst);
        let cost = interval.saturating_mul(requests as u64);
        let then = full_at.max(now).saturating_add(cost);
        match (then - now).saturating_sub(capacity) {
            0 => Ok(then),
            wait => Err(RetryAfter(Duration::from_nanos(wait))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limiter(per_second: u32, burst: u32) -> RateLimiter {
        RateLimiter::new(Rate { per_second, burst })
    }

    fn caller(name: &impl ToString) -> Caller {
        Caller::Subject(name.to_string())
    }

    /// Steps for a rate of 2 per second with a burst of 3: the time in milliseconds, the number of
    /// requests, and `RetryAfter` in milliseconds if they are refused.
    #[test]
    fn a_bucket_refills_at_its_rate_up_to_its_burst() {
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
            // An idle bucket does not exceed its capacity.
            &[
                (0, 3, None),
                (3_600_000, 3, None),
                (3_600_000, 1, Some(500)),
            ],
            // A refused request consumes nothing.
            &[(0, 2, None), (0, 2, Some(500)), (0, 1, None)],
            &[(0, 4, Some(500)), (0, 3, None)],
        ] {
            let limiter = limiter(2, 3);
            for (at_ms, requests, refused_ms) in steps {
                let consumed =
                    limiter.consume_at(&caller(&"a"), *requests, Duration::from_millis(*at_ms));
                let expected =
                    refused_ms.map_or(Ok(()), |ms| Err(RetryAfter(Duration::from_millis(ms))));
                assert_eq!(consumed, expected, "{requests} at {at_ms} of {steps:?}");
            }
        }
    }

    #[test]
    fn a_check_consumes_nothing() {
        let limiter = limiter(2, 1);
        let (caller, now) = (caller(&"a"), Duration::ZERO);
        assert_eq!(limiter.check_at(&caller, now), Ok(()));
        assert_eq!(limiter.callers(), 0);
        assert_eq!(limiter.consume_at(&caller, 1, now), Ok(()));
        let half_a_second = Duration::from_millis(500);
        assert_eq!(
            limiter.check_at(&caller, now),
            Err(RetryAfter(half_a_second))
        );
        assert_eq!(limiter.check_at(&caller, half_a_second), Ok(()));
        assert_eq!(limiter.consume_at(&caller, 1, half_a_second), Ok(()));
    }

    #[test]
    fn each_caller_has_its_own_bucket_and_memory_is_bounded() {
        let limiter = limiter(1, 1);
        let now = Duration::ZERO;
        for name in 0..10 {
            assert_eq!(limiter.consume_at(&caller(&name), 1, now), Ok(()));
            assert!(limiter.consume_at(&caller(&name), 1, now).is_err());
        }
        for name in 0..4 * MAX_CALLERS {
            let _ = limiter.consume_at(&caller(&name), 1, now);
        }
        assert!(limiter.callers() <= MAX_CALLERS, "{}", limiter.callers());
    }

    #[test]
    fn concurrent_requests_do_not_exceed_the_burst() {
        let limiter = limiter(1, 1000);
        let granted = AtomicU64::new(0);
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    for _ in 0..500 {
                        let consumed = limiter.consume_at(&caller(&"a"), 1, Duration::ZERO);
                        granted.fetch_add(consumed.is_ok().into(), Relaxed);
                    }
                });
            }
        });
        assert_eq!(granted.into_inner(), 1000);
    }

    #[test]
    fn an_ipv6_network_of_64_bits_is_one_caller() {
        let caller = |text: &str| Caller::from_address(text.parse().unwrap());
        assert_eq!(caller("2001:db8:0:1::1"), caller("2001:db8:0:1:ffff::9"));
        assert_ne!(caller("2001:db8:0:1::1"), caller("2001:db8:0:2::1"));
        assert_eq!(caller("::ffff:192.0.2.1"), caller("192.0.2.1"));
        assert_ne!(caller("192.0.2.1"), caller("192.0.2.2"));
    }
}
