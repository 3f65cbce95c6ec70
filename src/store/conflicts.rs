//! Sending again what a database has undone as a whole, because others wanted the same at the same
//! moment or its node left a cluster: nothing was stored, and nobody was told that it was.

use std::time::Duration;

use tokio::time::{Instant, sleep};

use super::error::{StoreError, is_conflict};

/// How long to wait before the first repetition, and the longest between two.
const PAUSES: (Duration, Duration) = (Duration::from_millis(5), Duration::from_millis(320));

/// The outcome of an attempt that met no conflict, or of the last one that is begun within `patience`.
///
/// An attempt has to be one transaction that ends with it.
pub(super) async fn settled<T, A>(
    patience: Duration,
    attempt: impl Fn() -> A,
) -> Result<T, StoreError>
where
    A: Future<Output = Result<T, StoreError>>,
{
    let started = Instant::now();
    let (mut pause, longest) = PAUSES;
    loop {
        match attempt().await {
            Err(StoreError::Unavailable(error))
                if is_conflict(&error) && started.elapsed() + pause < patience => {}
            outcome => return outcome,
        }
        sleep(pause).await;
        pause = (pause * 2).min(longest);
    }
}
