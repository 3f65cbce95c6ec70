//! Rate limit: a token bucket for each caller, in bounded memory.
//!
//! governor implements the generic cell rate algorithm, with one number for each bucket. Its own stores of keys grow until
//! `retain_recent` is called, so the buckets are in a cache.

use std::{
    convert::Infallible,
    hash::{BuildHasher, RandomState},
    net::{IpAddr, Ipv6Addr},
    num::NonZeroU32,
    sync::Arc,
    time::Duration,
};

use governor::{
    NotUntil, Quota,
    clock::{Clock, MonotonicClock},
    middleware::NoOpMiddleware,
    nanos::Nanos,
    state::{InMemoryState, NotKeyed, StateStore},
};
use quick_cache::sync::Cache;

/// Maximum number of cached buckets. An evicted caller has a full bucket again.
const MAX_CALLERS: usize = 65_536;

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
    /// Requests per second.
    pub per_second: NonZeroU32,
    /// Capacity of a bucket in requests.
    pub burst: NonZeroU32,
}

/// Why requests are refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refused {
    /// They are more than a bucket holds.
    AboveBurst,
    /// They would be granted after this time.
    RetryAfter(Duration),
}

/// The token buckets of all callers.
#[derive(Debug)]
pub struct RateLimiter<C: Clock = MonotonicClock> {
    rate: Rate,
    buckets: Buckets,
    limiter: governor::RateLimiter<Caller, Buckets, C, NoOpMiddleware<C::Instant>>,
}

impl RateLimiter {
    /// Creates a rate limiter with full buckets.
    pub fn new(rate: Rate) -> Self {
        Self::with_clock(rate, MonotonicClock)
    }
}

impl<C: Clock> RateLimiter<C> {
    fn with_clock(rate: Rate, clock: C) -> Self {
        let quota = Quota::per_second(rate.per_second).allow_burst(rate.burst);
        let buckets = Buckets::default();
        let limiter = governor::RateLimiter::new(quota, buckets.clone(), clock);
        Self {
            rate,
            buckets,
            limiter,
        }
    }

    /// The rate limit of each caller.
    pub fn rate(&self) -> Rate {
        self.rate
    }

    /// Number of cached buckets.
    pub fn callers(&self) -> usize {
        self.buckets.cache.len()
    }

    /// Consumes `more` requests from the bucket of a caller that has consumed some for the same request, or none if
    /// fewer are left. A refusal is until the bucket has enough left for both, since the request consumes both when it is
    /// repeated.
    pub fn consume(&self, caller: &Caller, consumed: usize, more: usize) -> Result<(), Refused> {
        let burst = self.rate.burst.get();
        let [consumed, more] = [consumed, more].map(|n| u32::try_from(n).unwrap_or(u32::MAX));
        if consumed.saturating_add(more) > burst {
            return Err(Refused::AboveBurst);
        }
        let Some(more) = NonZeroU32::new(more) else {
            return Ok(());
        };
        let granted = self.limiter.check_key_n(caller, more);
        let granted = granted.map_err(|_| Refused::AboveBurst)?;
        granted.map_err(|not_until: NotUntil<_>| {
            let wait = not_until.wait_time_from(self.limiter.clock().now());
            let refilled = not_until.quota().replenish_interval() * consumed;
            Refused::RetryAfter(wait + refilled)
        })
    }
}

/// The buckets by a randomly seeded hash of the caller, so that collisions cannot be provoked. Clones share them.
#[derive(Clone, Debug)]
struct Buckets {
    hasher: RandomState,
    cache: Arc<Cache<u64, Arc<InMemoryState>>>,
}

impl Default for Buckets {
    fn default() -> Self {
        Self {
            hasher: RandomState::new(),
            cache: Arc::new(Cache::new(MAX_CALLERS)),
        }
    }
}

impl StateStore for Buckets {
    type Key = Caller;

    fn measure_and_replace<T, F, E>(&self, caller: &Caller, decide: F) -> Result<T, E>
    where
        F: Fn(Option<Nanos>) -> Result<(T, Nanos), E>,
    {
        let key = self.hasher.hash_one(caller);
        let full = || Ok::<_, Infallible>(Arc::default());
        let Ok(bucket) = self.cache.get_or_insert_with(&key, full);
        bucket.measure_and_replace(&NotKeyed::NonKey, decide)
    }
}

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;

    use governor::clock::FakeRelativeClock;

    use super::*;

    fn rate(per_second: u32, burst: u32) -> Rate {
        let [per_second, burst] = [per_second, burst].map(|n| NonZeroU32::new(n).unwrap());
        Rate { per_second, burst }
    }

    fn limiter(per_second: u32, burst: u32) -> (RateLimiter<FakeRelativeClock>, FakeRelativeClock) {
        let clock = FakeRelativeClock::default();
        let limiter = RateLimiter::with_clock(rate(per_second, burst), clock.clone());
        (limiter, clock)
    }

    fn caller(name: &impl ToString) -> Caller {
        Caller::Subject(name.to_string())
    }

    /// Steps for a rate of 2 per second with a burst of 3: the milliseconds since the last step, the number of requests,
    /// and `RetryAfter` in milliseconds if they are refused.
    #[test]
    fn a_bucket_refills_at_its_rate_up_to_its_burst() {
        for steps in [
            &[(0, 1, None), (0, 1, None), (0, 1, None), (0, 1, Some(500))][..],
            &[
                (0, 3, None),
                (0, 1, Some(500)),
                (499, 1, Some(1)),
                (1, 1, None),
                (0, 1, Some(500)),
            ],
            &[(0, 3, None), (1000, 2, None), (0, 1, Some(500))],
            // An idle bucket does not exceed its capacity.
            &[(0, 3, None), (3_600_000, 3, None), (0, 1, Some(500))],
            // A refused request consumes nothing.
            &[(0, 2, None), (0, 2, Some(500)), (0, 1, None)],
        ] {
            let (limiter, clock) = limiter(2, 3);
            for (after_ms, requests, refused_ms) in steps {
                clock.advance(Duration::from_millis(*after_ms));
                let consumed = limiter.consume(&caller(&"a"), 0, *requests);
                let expected = refused_ms.map_or(Ok(()), |ms| {
                    Err(Refused::RetryAfter(Duration::from_millis(ms)))
                });
                assert_eq!(consumed, expected, "{requests} of {steps:?}");
            }
        }
    }

    #[test]
    fn more_than_a_bucket_holds_is_never_granted() {
        let (limiter, _) = limiter(2, 3);
        for (consumed, more) in [(0, 4), (1, 3), (3, 1), (0, usize::MAX), (usize::MAX, 1)] {
            let refused = limiter.consume(&caller(&"a"), consumed, more);
            assert_eq!(refused, Err(Refused::AboveBurst), "{consumed} and {more}");
        }
        assert_eq!(limiter.consume(&caller(&"a"), 0, 3), Ok(()));
        assert_eq!(limiter.consume(&caller(&"a"), 3, 0), Ok(()));
    }

    #[test]
    fn each_caller_has_its_own_bucket() {
        let (limiter, _) = limiter(1, 1);
        let address = IpAddr::from([192, 0, 2, 1]);
        for caller in [
            caller(&"a"),
            caller(&"b"),
            Caller::from_address(address),
            Caller::unauthenticated(address),
        ] {
            assert_eq!(limiter.consume(&caller, 0, 1), Ok(()));
            assert!(limiter.consume(&caller, 0, 1).is_err());
        }
    }

    /// An attacker with many addresses gets no memory, and no full bucket for those who send more than once.
    #[test]
    fn a_flood_of_addresses_evicts_no_active_caller_and_takes_no_more_memory() {
        let (limiter, _) = limiter(1, 2);
        let active = [caller(&"a"), caller(&"b")];
        for caller in &active {
            assert_eq!(limiter.consume(caller, 0, 2), Ok(()));
            assert!(limiter.consume(caller, 0, 1).is_err());
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
                assert_eq!(limiter.consume(address, 0, 1), Ok(()), "{address:?}");
            }
            largest = largest.max(limiter.callers());
            for caller in &active {
                assert!(limiter.consume(caller, 0, 1).is_err(), "{caller:?}");
            }
        }
        assert!((32_768..=65_536).contains(&largest), "{largest}");
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
