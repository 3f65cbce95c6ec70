//! Waiting for conditions, with a timeout.

use std::time::{Duration, Instant};

/// Timeout of every wait, long enough for a loaded machine.
pub const TIMEOUT: Duration = Duration::from_mins(1);

const POLL_INTERVAL: Duration = Duration::from_millis(5);

/// Waits until a condition holds.
///
/// # Panics
///
/// Panics with `description` after [`TIMEOUT`].
pub async fn until(description: &str, mut condition: impl AsyncFnMut() -> bool) {
    let start = Instant::now();
    while !condition().await {
        assert!(start.elapsed() < TIMEOUT, "timeout: {description}");
        tokio::time::sleep(POLL_INTERVAL).await;
    }
}

/// Blocks the thread until a condition holds.
///
/// # Panics
///
/// Panics with `description` after [`TIMEOUT`].
pub fn wait_until(description: &str, mut condition: impl FnMut() -> bool) {
    let start = Instant::now();
    while !condition() {
        assert!(start.elapsed() < TIMEOUT, "timeout: {description}");
        std::thread::sleep(POLL_INTERVAL);
    }
}
