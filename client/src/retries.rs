//! How often a read is tried again, and how long is waited before.

use std::{
    hash::{BuildHasher, RandomState},
    time::Duration,
};

/// How often a read is tried again, and how long is waited before.
///
/// Each pause is up to twice as long as the one before, of random length so that many clients don't come
/// back at the same moment, and never longer than the longest. A server that says when it is to be asked
/// again (`Retry-After`, in seconds) is not asked sooner; if that is later than the longest pause, it is
/// not asked again at all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Retries {
    count: u32,
    first_pause: Duration,
    longest_pause: Duration,
}

impl Retries {
    /// A read is tried once.
    pub const fn none() -> Self {
        Self::up_to(0)
    }

    /// A read is tried again so many times, after 100 milliseconds first and after 5 seconds at most.
    pub const fn up_to(count: u32) -> Self {
        Self {
            count,
            first_pause: Duration::from_millis(100),
            longest_pause: Duration::from_secs(5),
        }
    }

    /// The same with another pause before the second attempt.
    #[must_use]
    pub const fn first_pause(mut self, pause: Duration) -> Self {
        self.first_pause = pause;
        self
    }

    /// The same with another bound on every pause.
    #[must_use]
    pub const fn longest_pause(mut self, pause: Duration) -> Self {
        self.longest_pause = pause;
        self
    }

    /// How long to wait after so many failed attempts; none if that was the last.
    pub(crate) fn pause(&self, attempts: u32, retry_after: Option<Duration>) -> Option<Duration> {
        if attempts > self.count {
            return None;
        }
        let factor = 2_u32.saturating_pow(attempts.saturating_sub(1));
        let longest = self
            .first_pause
            .saturating_mul(factor)
            .min(self.longest_pause);
        let pause = longest / 2 + (longest / 2).mul_f64(random_fraction());
        match retry_after {
            None => Some(pause),
            Some(asked) if asked > self.longest_pause => None,
            Some(asked) => Some(asked.max(pause)),
        }
    }
}

/// Two.
impl Default for Retries {
    fn default() -> Self {
        Self::up_to(2)
    }
}

/// A number from 0 to 1. The keys of the standard hash are random, which is good enough to tell clients
/// apart.
fn random_fraction() -> f64 {
    let bits = RandomState::new().hash_one(()) >> 32;
    let bits = u32::try_from(bits).expect("half of the bits are left");
    f64::from(bits) / f64::from(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_grow_up_to_the_longest_and_end() {
        let retries = Retries::up_to(10);
        for attempts in 1..=10 {
            let bound = Duration::from_millis(100 << (attempts - 1)).min(Duration::from_secs(5));
            let pause = retries
                .pause(attempts, None)
                .expect("there is another attempt");
            assert!(
                pause >= bound / 2 && pause <= bound,
                "{attempts}: {pause:?}"
            );
        }
        assert_eq!(retries.pause(11, None), None);
        assert_eq!(Retries::none().pause(1, None), None);
    }

    #[test]
    fn pauses_differ() {
        let pauses = [(); 8].map(|()| Retries::up_to(1).pause(1, None));
        assert!(pauses.iter().any(|pause| *pause != pauses[0]), "{pauses:?}");
    }

    #[test]
    fn the_server_is_not_asked_sooner_than_it_wants() {
        let retries = Retries::up_to(1);
        let asked = Duration::from_secs(3);
        assert_eq!(retries.pause(1, Some(asked)), Some(asked));
        assert_eq!(retries.pause(1, Some(Duration::from_secs(6))), None);
    }
}
