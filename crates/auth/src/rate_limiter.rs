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
    /// An address with the requests that have no valid token, apart from its other requests.
    Unauthenticated(IpAddr),
}

impl Caller {
    /// The caller with this address.
    pub fn from_address(address: IpAddr) -> Self {
        Self::Address(host(address))
    }

    /// The caller with this address and without a valid token.
    pub fn unauthenticated(address: IpAddr) -> Self {
        Self::Unauthenticated(host(address))
    }
}

fn host(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => {
            let network = address.to_bits() & !u128::from(u64::MAX);
            IpAddr::V6(Ipv6Addr::from_bits(network))
        }
        address @ IpAddr::V4(_) => address,
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

    /// Consumes so many requests from the bucket of a caller, or none if fewer are left.
    pub fn consume(&self, caller: &Caller, requests: usize) -> Result<(), RetryAfter> {
        self.consume_at(caller, requests, self.started.elapsed())
    }

    /// Consumes more for a request that has consumed some; a refusal is until the bucket has enough left
    /// for both, since the request consumes both when it is repeated.
    pub fn consume_more(
        &self,
        caller: &Caller,
        consumed: usize,
        more: usize,
    ) -> Result<(), RetryAfter> {
        let refilled = self.interval_ns().saturating_mul(consumed as u64);
        let granted = self.consume(caller, more);
        granted.map_err(|RetryAfter(wait)| RetryAfter(wait + Duration::from_nanos(refilled)))
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

    /// The time in which a request is refilled.
    fn interval_ns(&self) -> u64 {
        SECOND_NS / u64::from(self.rate.per_second)
    }

    /// When a bucket is full again after so many requests, or how long until it has enough left.
    fn full_after(&self, full_at: u64, requests: usize, now: Duration) -> Result<u64, RetryAfter> {
        let now = u64::try_from(now.as_nanos()).unwrap_or(u64::MAX / 2);
        let interval = self.interval_ns();
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
    use std::net::Ipv4Addr;

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
    fn each_caller_has_its_own_bucket() {
        let limiter = limiter(1, 1);
        let address = IpAddr::from([192, 0, 2, 1]);
        for caller in [
            caller(&"a"),
            caller(&"b"),
            Caller::from_address(address),
            Caller::unauthenticated(address),
        ] {
            assert_eq!(limiter.consume_at(&caller, 1, Duration::ZERO), Ok(()));
            assert!(limiter.consume_at(&caller, 1, Duration::ZERO).is_err());
        }
    }

    /// An attacker with many addresses gets no memory, and no full bucket for those who send more than once.
    #[test]
    fn a_flood_of_addresses_evicts_no_active_caller_and_takes_no_more_memory() {
        let limiter = limiter(1, 2);
        let now = Duration::ZERO;
        let active = [caller(&"a"), caller(&"b")];
        for caller in &active {
            assert_eq!(limiter.consume_at(caller, 2, now), Ok(()));
            assert!(limiter.consume_at(caller, 1, now).is_err());
        }
        let mut flood =
            (0..).map(|number: u32| Caller::from_address(Ipv4Addr::from(number).into()));
        // The documented number of callers.
        let mut largest = 0;
        for addresses in flood
            .by_ref()
            .take(8 * 65_536)
            .collect::<Vec<_>>()
            .chunks(4096)
        {
            for address in addresses {
                assert_eq!(limiter.consume_at(address, 1, now), Ok(()), "{address:?}");
            }
            largest = largest.max(limiter.callers());
            for caller in &active {
                assert!(limiter.consume_at(caller, 1, now).is_err(), "{caller:?}");
            }
        }
        assert!((32_768..=65_536).contains(&largest), "{largest}");
    }

    #[test]
    fn a_repeated_request_is_granted_after_the_time_of_its_refusal() {
        let limiter = limiter(1000, 4);
        let caller = caller(&"a");
        assert_eq!(limiter.consume(&caller, 4), Ok(()));
        let attempt = || {
            limiter.consume(&caller, 1)?;
            limiter.consume_more(&caller, 1, 3)
        };
        let mut refusals = 0;
        while let Err(RetryAfter(wait)) = attempt() {
            refusals += 1;
            assert!(
                refusals <= 2 && wait <= Duration::from_millis(4),
                "{wait:?}"
            );
            std::thread::sleep(wait);
        }
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
