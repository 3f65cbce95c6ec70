//! The rate limit: a token bucket for each caller, in bounded memory.

use std::{
    hash::{BuildHasher, RandomState},
    net::{IpAddr, Ipv6Addr},
    num::NonZeroU32,
    sync::Arc,
    time::Duration,
};

use governor::{DefaultDirectRateLimiter, Quota, clock::Clock};
use quick_cache::sync::Cache;

/// Maximum number of callers with a bucket. An evicted caller has a full bucket again.
const MAX_CALLERS: usize = 65_536;

/// Who is limited.
#[derive(Clone, Debug, Hash, PartialEq, Eq)]
pub(crate) enum Caller {
    /// The subject of a token, from any address.
    Subject(String),
    /// A [`host`].
    Address(IpAddr),
    /// A [`host`] with the requests that have no valid token, apart from its other requests.
    Unauthenticated(IpAddr),
}

/// Why requests are refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RateLimited {
    /// They are more than a bucket holds.
    AboveBurst { burst: u32 },
    /// They would be granted after this time.
    RetryAfter { per_second: u32, wait: Duration },
}

/// The buckets of all callers, by a randomly seeded hash of the caller, so that collisions cannot be provoked.
#[derive(Debug)]
pub(crate) struct RateLimiter {
    per_second: NonZeroU32,
    burst: NonZeroU32,
    hasher: RandomState,
    // governor's own stores of keys grow until `retain_recent` is called.
    buckets: Cache<u64, Arc<DefaultDirectRateLimiter>>,
}

impl RateLimiter {
    /// Grants each caller so many requests per second, and at most `burst` at once.
    pub(crate) fn new(per_second: NonZeroU32, burst: NonZeroU32) -> Self {
        Self { per_second, burst, hasher: RandomState::new(), buckets: Cache::new(MAX_CALLERS) }
    }

    /// The number of callers with a bucket.
    pub(crate) fn callers(&self) -> usize {
        self.buckets.len()
    }

    /// Consumes `more` requests of a caller that has consumed some for the same request, or none if fewer are left. A
    /// refusal is until the bucket has enough left for both, since the request consumes both when it is repeated.
    pub(crate) fn consume(&self, caller: &Caller, consumed: u32, more: u32) -> Result<(), RateLimited> {
        let burst = self.burst.get();
        let Some(requests) = NonZeroU32::new(more) else {
            return Ok(());
        };
        if consumed.saturating_add(more) > burst {
            return Err(RateLimited::AboveBurst { burst });
        }
        let quota = Quota::per_second(self.per_second).allow_burst(self.burst);
        let full = || Ok::<_, std::convert::Infallible>(Arc::new(DefaultDirectRateLimiter::direct(quota)));
        let Ok(bucket) = self.buckets.get_or_insert_with(&self.hasher.hash_one(caller), full);
        let granted = bucket.check_n(requests).expect("a bucket holds as many requests as the burst");
        granted.map_err(|not_until| {
            let wait = not_until.wait_time_from(bucket.clock().now());
            let wait = wait + quota.replenish_interval() * consumed;
            RateLimited::RetryAfter { per_second: self.per_second.get(), wait }
        })
    }
}

/// An IPv4 address, or the first 64 bits of an IPv6 address, because a host owns a /64 network.
pub(crate) fn host(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => IpAddr::V6(Ipv6Addr::from_bits(address.to_bits() & !u128::from(u64::MAX))),
        address @ IpAddr::V4(_) => address,
    }
}

#[cfg(test)]
mod tests {
    use std::{net::Ipv4Addr, thread};

    use super::*;

    fn limiter(per_second: u32, burst: u32) -> RateLimiter {
        let [per_second, burst] = [per_second, burst].map(|number| NonZeroU32::new(number).unwrap());
        RateLimiter::new(per_second, burst)
    }

    fn caller(name: &str) -> Caller {
        Caller::Subject(name.to_owned())
    }

    #[test]
    fn more_than_a_bucket_holds_is_never_granted() {
        let limiter = limiter(2, 3);
        for (consumed, more) in [(0, 4), (1, 3), (3, 1), (0, u32::MAX), (u32::MAX, 1)] {
            let refused = limiter.consume(&caller("a"), consumed, more);
            assert_eq!(refused, Err(RateLimited::AboveBurst { burst: 3 }), "{consumed} and {more}");
        }
        assert_eq!(limiter.consume(&caller("a"), 0, 3), Ok(()));
        assert_eq!(limiter.consume(&caller("a"), 3, 0), Ok(()));
    }

    #[test]
    fn each_caller_has_its_own_bucket() {
        let limiter = limiter(1, 1);
        let address = IpAddr::from([192, 0, 2, 1]);
        for caller in [caller("a"), caller("b"), Caller::Address(address), Caller::Unauthenticated(address)] {
            assert_eq!(limiter.consume(&caller, 0, 1), Ok(()));
            assert!(limiter.consume(&caller, 0, 1).is_err());
        }
    }

    #[test]
    fn a_repeated_request_is_granted_after_the_time_of_its_refusal() {
        let limiter = limiter(1000, 4);
        let caller = caller("a");
        assert_eq!(limiter.consume(&caller, 0, 4), Ok(()));
        let attempt = || {
            limiter.consume(&caller, 0, 1)?;
            limiter.consume(&caller, 1, 3)
        };
        let mut refusals = 0;
        while let Err(RateLimited::RetryAfter { wait, .. }) = attempt() {
            refusals += 1;
            assert!(refusals <= 2 && wait <= Duration::from_millis(4), "{wait:?}");
            thread::sleep(wait);
        }
    }

    /// An attacker with many addresses gets no memory, and no full bucket for those who send more than once.
    #[test]
    fn a_flood_of_addresses_evicts_no_active_caller_and_takes_no_more_memory() {
        // A bucket that takes longer to fill than this test on a slow machine.
        let limiter = limiter(1, 1000);
        let active = caller("a");
        assert_eq!(limiter.consume(&active, 0, 1000), Ok(()));
        for number in 0..8 * 65_536_u32 {
            let address = Caller::Address(Ipv4Addr::from(number).into());
            assert_eq!(limiter.consume(&address, 0, 1), Ok(()), "{address:?}");
            if number % 4096 == 0 {
                assert!(limiter.callers() <= 65_536);
                assert!(limiter.consume(&active, 0, 1000).is_err());
            }
        }
    }

    #[test]
    fn an_ipv6_network_of_64_bits_is_one_caller() {
        let host = |text: &str| host(text.parse().unwrap());
        assert_eq!(host("2001:db8:0:1::1"), host("2001:db8:0:1:ffff::9"));
        assert_ne!(host("2001:db8:0:1::1"), host("2001:db8:0:2::1"));
        assert_eq!(host("::ffff:192.0.2.1"), host("192.0.2.1"));
        assert_ne!(host("192.0.2.1"), host("192.0.2.2"));
    }
}
