//! The settings of the database.

use std::time::Duration;

use crate::database_url::DatabaseUrl;

/// Which database, and the limits and timeouts of its use.
#[derive(Clone, Debug)]
pub struct DatabaseSettings {
    /// The URL.
    pub url: DatabaseUrl,
    /// The maximum number of connections of batched queries, at least 1. Two more are opened for health checks,
    /// transactions of imports and exports, and the migration lock. For SQLite: of readers, in addition to one writer.
    pub pool_size: u32,
    /// The maximum number of statements in flight, at least 1, of each batcher that reads; half as many of each that
    /// inserts.
    pub statements: u32,
    /// The maximum number of queued requests of a kind.
    pub queue_limit: u32,
    /// The timeout of connecting at startup, including retries.
    pub connect_timeout: Duration,
    /// The timeout of acquiring a connection, of a statement, and of the write lock of SQLite.
    pub timeout: Duration,
    /// The timeout of waiting for another instance that migrates the same database.
    pub migration_lock_timeout: Duration,
}

impl DatabaseSettings {
    /// The default limits and timeouts for this database.
    pub fn new(url: DatabaseUrl) -> Self {
        Self {
            url,
            pool_size: 8,
            statements: 2,
            queue_limit: 10_000,
            connect_timeout: Duration::from_secs(30),
            timeout: Duration::from_secs(5),
            migration_lock_timeout: Duration::from_mins(1),
        }
    }
}
