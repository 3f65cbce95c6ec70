//! The settings of the database.

use std::fmt;
use std::path::Path;
use std::time::Duration;

use crate::error::Error;
use crate::target::Target;

/// The URL of a supported database. Its `Debug` form shows neither user nor password.
#[derive(Clone)]
pub struct DatabaseUrl(pub(crate) Target);

impl DatabaseUrl {
    /// Parses `sqlite:PATH`, `sqlite::memory:`, `postgres://…` or `mysql://…`; also `postgresql://`
    /// and `mariadb://`. Does not connect.
    ///
    /// # Errors
    ///
    /// [`Error::UnsupportedUrl`] and [`Error::InvalidUrl`]; neither repeats the URL.
    pub fn parse(text: &str) -> Result<Self, Error> {
        Target::parse(text).map(Self)
    }

    /// Parses the URL of a replica, `postgres://…`.
    ///
    /// # Errors
    ///
    /// [`Error::InvalidUrl`], which does not repeat the URL.
    pub fn parse_replica(text: &str) -> Result<Self, Error> {
        Target::parse_replica(text).map(Self)
    }

    /// Whether the database can have replicas, which only PostgreSQL supports.
    pub fn can_have_replicas(&self) -> bool {
        matches!(self.0, Target::Postgres(_))
    }

    /// The missing SQLite file that connecting would create.
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

/// The database without user and password.
impl fmt::Display for DatabaseUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

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
    /// The timeout of waiting for another instance that migrates the same database; at least 12 seconds where the lock
    /// is a row of a table, on Galera and `CockroachDB`.
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
