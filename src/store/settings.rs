//! How to connect.

use std::time::Duration;

use sea_orm::sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqliteSynchronous};

use super::url::DatabaseUrl;

/// How to connect, and how long to wait.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The database.
    pub url: DatabaseUrl,
    /// The maximum number of connections of the pool; of those that read, on SQLite.
    pub pool_size: u32,
    /// How many of them are kept for single statements; PostgreSQL only.
    pub held_connections: u32,
    /// The maximum time of a statement, and of the repetitions of a write.
    pub timeout: Duration,
    /// How long a start waits for the database.
    pub connect_timeout: Duration,
    /// How long a start waits for another instance that migrates.
    pub migration_lock_timeout: Duration,
}

/// Options that survive a crash of the system without losing a commit.
pub(super) fn durable(
    options: SqliteConnectOptions,
    busy_timeout: Duration,
) -> SqliteConnectOptions {
    options
        .busy_timeout(busy_timeout)
        .journal_mode(SqliteJournalMode::Wal)
        .synchronous(SqliteSynchronous::Full)
}
