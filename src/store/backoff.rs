//! Repeats attempts.

use std::time::Duration;

use tokio::time::{Instant, sleep};

/// The delays between attempts, each twice as long as the one before, up to a maximum and a deadline.
pub(super) struct Backoff {
    delay: Duration,
    pub(super) deadline: Instant,
}

impl Backoff {
    const FIRST: Duration = Duration::from_millis(5);
    const MAX: Duration = Duration::from_millis(320);

    /// Attempts until this time has passed.
    pub(super) fn new(limit: Duration) -> Self {
        Self {
            delay: Self::FIRST,
            deadline: Instant::now() + limit,
        }
    }

    /// Waits before the next attempt; returns false if that would begin after the deadline.
    pub(super) async fn wait(&mut self) -> bool {
        if Instant::now() + self.delay >= self.deadline {
            return false;
        }
        sleep(self.delay).await;
        self.delay = (self.delay * 2).min(Self::MAX);
        true
    }
}
