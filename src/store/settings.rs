//! What an operator can set about the database.

use std::fmt;
use std::time::Duration;

/// Which database, and how patiently it is used.
#[derive(Clone)]
pub struct DatabaseSettings {
    /// `sqlite:PATH`, `sqlite::memory:`, `postgres://…` or `mysql://…`; also `postgresql://` and `mariadb://`.
    pub url: String,
    /// The most connections at a time; at least 1. For SQLite: that read, beside the one that writes.
    pub pool_size: u32,
    /// How long to wait for the database: at the start for a server that does not answer yet, later
    /// for a free connection, and on SQLite for another process that writes.
    pub timeout: Duration,
    /// How long to wait for another instance that is migrating the same database.
    pub migration_lock_timeout: Duration,
}

/// Shows the scheme of the URL only: the rest can hold a password.
impl fmt::Debug for DatabaseSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let scheme = self.url.split_once(':').map_or("", |(scheme, _)| scheme);
        f.debug_struct("DatabaseSettings")
            .field("url", &format_args!("{scheme}:…"))
            .field("pool_size", &self.pool_size)
            .field("timeout", &self.timeout)
            .field("migration_lock_timeout", &self.migration_lock_timeout)
            .finish()
    }
}
