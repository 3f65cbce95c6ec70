//! The wait for a migration lock that another instance holds.

use std::time::Duration;

use sea_orm::DbErr;

use crate::error::Error;

/// The interval at which a waiting instance polls a lock.
pub(super) const POLL_INTERVAL: Duration = Duration::from_millis(100);

/// The error of an instance that has waited for the lock until the timeout.
pub(super) fn lock_timed_out(lock_timeout: Duration, source: Option<DbErr>) -> Error {
    Error::MigrationLocked {
        waited_s: lock_timeout.as_secs(),
        source: source.map(Into::into),
    }
}
