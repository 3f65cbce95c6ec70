//! What an operator can set about the database.

use std::fmt;
use std::path::Path;
use std::time::Duration;

use super::error::StoreError;
use super::target::Target;

/// The URL of a supported database. Its `Debug` form shows neither user nor password.
#[derive(Clone)]
pub struct DatabaseUrl(pub(super) Target);

impl DatabaseUrl {
    /// Reads `sqlite:PATH`, `sqlite::memory:`, `postgres://…` or `mysql://…`; also `postgresql://`
    /// and `mariadb://`. Whether it leads anywhere shows when connecting.
    ///
    /// # Errors
    ///
    /// [`StoreError::UnsupportedUrl`] and [`StoreError::InvalidUrl`]; neither repeats the URL.
    pub fn parse(text: &str) -> Result<Self, StoreError> {
        Target::parse(text).map(Self)
    }

    /// Reads the URL of a replica, `postgres://…`.
    ///
    /// # Errors
    ///
    /// [`StoreError::InvalidUrl`], which does not repeat the URL.
    pub fn parse_replica(text: &str) -> Result<Self, StoreError> {
        Target::parse_replica(text).map(Self)
    }

    /// Whether it is one of PostgreSQL, which can have replicas.
    pub fn can_have_replicas(&self) -> bool {
        matches!(self.0, Target::Postgres(_))
    }

    /// The SQLite file that connecting would create, if it is one and is not there.
    pub fn missing_file(&self) -> Option<&Path> {
        match &self.0 {
            Target::SqliteFile(options) => Some(options.get_filename()),
            Target::SqliteMemory(_) | Target::Postgres(_) | Target::MySql(_) => None,
        }
        .filter(|path| !path.exists())
    }
}

impl fmt::Debug for DatabaseUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "DatabaseUrl({})", self.0)
    }
}

/// What and where the database is, without user and password.
impl fmt::Display for DatabaseUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// Which database, and how patiently it is used.
#[derive(Clone, Debug)]
pub struct DatabaseSettings {
    /// Where it is.
    pub url: DatabaseUrl,
    /// The most connections at a time; at least 1. For SQLite: that read, beside the one that writes.
    pub pool_size: u32,
    /// The most statements of a kind in flight: lookups and lists each, of inserts half as many; at
    /// least 1.
    pub statements: u32,
    /// The most requests of a kind that wait for a statement.
    pub queue_limit: u32,
    /// How long to wait at the start for a server that does not answer yet.
    pub connect_timeout: Duration,
    /// How long to wait for a free connection, for the answer to a statement, and on SQLite for
    /// another process that writes.
    pub timeout: Duration,
    /// How long to wait for another instance that is migrating the same database.
    pub migration_lock_timeout: Duration,
}
