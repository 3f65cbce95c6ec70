//! A middleware that slows down clients that ignore `Retry-After`.
//!
//! Enough clients that retry at once would leave no processor time for other requests. Closing their connections does not
//! help, since they connect again at once.

use std::{sync::Arc, time::Duration};

use futures_util::FutureExt;
use parking_lot::Mutex;
use poem::{Request, Response, http::header};
use tokio::time::{Instant, sleep_until};

use super::middleware::{Changed, EarlyResponse, Hooks, hooks};

/// Time between two responses with `Retry-After`.
const INTERVAL: Duration = Duration::from_millis(2);

/// Maximum delay. `Retry-After` is at least a second, so clients that respect it are not slower for it.
const MAX_DELAY: Duration = Duration::from_secs(1);

/// Sends at most 500 responses with `Retry-After` per second, each after a second at most.
#[derive(Clone, Debug)]
pub struct PacedRefusals {
    last: Arc<Mutex<Instant>>,
}

impl PacedRefusals {
    /// All clones share the pace.
    #[expect(clippy::new_without_default, reason = "a clone and a new value differ")]
    pub fn new() -> Self {
        let last = Arc::new(Mutex::new(Instant::now()));
        Self { last }
    }

    fn next_after(&self, now: Instant) -> Instant {
        let mut last = self.last.lock();
        *last = (now.max(*last) + INTERVAL).min(now + MAX_DELAY);
        *last
    }
}

hooks!(PacedRefusals);

impl Hooks for PacedRefusals {
    type Context = ();

    fn before(&self, _: &mut Request) -> Result<(), EarlyResponse<'_>> {
        Ok(())
    }

    fn after(&self, (): (), response: Response) -> Changed<'_> {
        if !response.headers().contains_key(header::RETRY_AFTER) {
            return response.into();
        }
        let next = self.next_after(Instant::now());
        Changed::later(sleep_until(next).map(|()| Ok(response)))
    }
}

#[cfg(test)]
mod tests {
    use super::{INTERVAL, Instant, MAX_DELAY, PacedRefusals};

    #[test]
    fn responses_are_spread_over_at_most_one_second() {
        let refusals = PacedRefusals::new();
        let now = Instant::now();
        for number in 1..=500 {
            assert_eq!(refusals.next_after(now) - now, INTERVAL * number);
        }
        assert_eq!(refusals.next_after(now) - now, MAX_DELAY);
        let later = now + MAX_DELAY * 2;
        assert_eq!(refusals.next_after(later) - later, INTERVAL);
    }
}
