//! The errors of the database and the classification of database errors.

mod code;
mod connection_error;
mod driver_error;
mod hint;

use std::error::Error as StdError;
use std::sync::Arc;
use std::time::Duration;

use sea_orm::sqlx::postgres::PgDatabaseError;
use sea_orm::{DbErr, RuntimeErr, sqlx};

use code::{Code, refusal, sqlx_error};
pub(crate) use hint::hint;

pub(crate) use code::is_refusal;
pub(crate) use connection_error::connection_error;
pub use driver_error::DriverError;

/// A failed operation. The error code of the database is in the sources, for the log only.
#[derive(Clone, Debug, thiserror::Error)]
pub enum Error {
    /// Unreachable, lost, shutting down, overloaded, locked or too slow: a retry can succeed.
    #[error("the database is not available{}", hint(.0))]
    Unavailable(#[source] DriverError),

    /// The queue is full: a retry can succeed.
    #[error("the queue is full: {waiting} requests wait for the database")]
    Busy {
        /// The number of queued requests.
        waiting: u32,
    },

    /// A write was sent to the database and its result was lost.
    #[error("the outcome of the write is unknown")]
    OutcomeUnknown(#[source] DriverError),

    /// The database refused a statement, or its result cannot be decoded.
    #[error("unexpected database error")]
    Unexpected(#[source] DriverError),

    /// The ids of the table are exhausted: a retry cannot succeed.
    #[error(
        "the ids of the table {table} are exhausted (maximum 9223372036854775807): \
         give the rows with the highest ids lower ones, and set the counter of the ids back"
    )]
    NoIdLeft {
        /// The table.
        table: String,
        /// The error of the insert.
        source: DriverError,
    },

    /// The scheme of the URL is not supported.
    #[error(
        "unsupported database URL; use sqlite:PATH, sqlite::memory:, \
         postgres://USER:PASSWORD@HOST:PORT/DATABASE or mysql://USER:PASSWORD@HOST:PORT/DATABASE \
         (postgresql:// and mariadb:// mean the same)"
    )]
    UnsupportedUrl,

    /// The URL has a supported scheme, but is invalid.
    #[error("invalid database URL")]
    InvalidUrl(#[source] Arc<dyn StdError + Send + Sync>),

    /// The database is unreachable at startup.
    #[error("cannot connect to the {database}{}", hint(source))]
    CannotConnect {
        /// Which database, without user and password.
        database: String,
        /// The error of the last attempt.
        source: DriverError,
    },

    /// The file or its folder is read-only.
    #[error("the {database} is read-only{}", hint(source))]
    ReadOnly {
        /// Which database.
        database: String,
        /// The error of the database.
        source: DriverError,
    },

    /// The database is reachable, but without a trusted encrypted connection.
    #[error(
        "no trusted encrypted connection to the {database}; the server must offer TLS, the file of \
         sslrootcert or ssl-ca must hold the certificate of who signed the server's, the host \
         in the URL must be one that the server's certificate names, and the server must trust the \
         client certificate, if there is one"
    )]
    Untrusted {
        /// Which database, without user and password.
        database: String,
        /// The TLS error.
        source: DriverError,
    },

    /// Another instance held the migration lock until the timeout.
    #[error(
        "another instance has been migrating the database for {waited_s} seconds: wait for it to \
         end, or end it if it hangs, and start again"
    )]
    MigrationLocked {
        /// The timeout in seconds.
        waited_s: u64,
        /// The error of the database, if there is one.
        source: Option<DriverError>,
    },

    /// The database has migrations that this program does not know, with which it does not work.
    #[error(
        "the database belongs to a newer version of this program, with whose migrations {migrations} this one does not \
         work: {obstacles}; start the newer version, or revert its migrations with it (migrate down) before starting this \
         one, which deletes the data that they added"
    )]
    NewerSchema {
        /// The names of the unknown migrations.
        migrations: String,
        /// Why this program does not work with them.
        obstacles: String,
    },

    /// The database has tables of another program.
    #[error("the table {table} was not made by this program: {reason}; use an empty database")]
    ForeignTable {
        /// The name of the table.
        table: String,
        /// How it differs from the table of this program.
        reason: String,
    },

    /// A migration failed.
    #[error("a migration failed{}", hint(.0))]
    Migration(#[source] DriverError),
}

impl Error {
    pub(crate) fn invalid_url(reason: impl Into<Box<dyn StdError + Send + Sync>>) -> Self {
        Self::InvalidUrl(reason.into().into())
    }

    /// Converts the error of the first connection.
    pub(crate) fn from_connect(database: String, source: DbErr) -> Self {
        let untrusted = is_untrusted(&source);
        let source = source.into();
        if untrusted {
            Self::Untrusted { database, source }
        } else {
            Self::CannotConnect { database, source }
        }
    }

    /// Converts the error of a commit, or of a statement that commits by itself. The outcome of any other
    /// failed statement is known: without a commit nothing is stored.
    pub(crate) fn from_commit(error: DbErr) -> Self {
        if is_not_executed(&error) {
            Self::classify(error)
        } else {
            Self::OutcomeUnknown(error.into())
        }
    }

    /// Converts the error of a statement: `Unavailable` if a retry can succeed.
    pub(crate) fn classify(error: DbErr) -> Self {
        if is_unavailable(&error) {
            Self::Unavailable(error.into())
        } else {
            Self::Unexpected(error.into())
        }
    }
}

/// The error of a statement that reads.
impl From<DbErr> for Error {
    fn from(error: DbErr) -> Self {
        Self::classify(error)
    }
}

/// One copy of the error per request of a batch.
pub fn fan_out_error<T>(error: &Error, count: usize) -> Vec<Result<T, Error>> {
    std::iter::repeat_with(|| Err(error.clone()))
        .take(count)
        .collect()
}

/// The error of a statement without a result within its timeout.
pub(crate) fn timeout_error(query_timeout: Duration) -> DbErr {
    let seconds = query_timeout.as_secs_f32();
    let message = format!("no response within {seconds} seconds");
    DbErr::Query(RuntimeErr::Internal(message))
}

/// Whether a statement had no result within its timeout.
pub(crate) fn is_timeout(error: &DbErr) -> bool {
    matches!(error, DbErr::Query(RuntimeErr::Internal(_)))
}

/// Whether the database has certainly stored nothing: the statement was refused or not sent.
fn is_not_executed(error: &DbErr) -> bool {
    use sqlx::Error::{Encode, PoolClosed, PoolTimedOut};
    matches!(error, DbErr::Conn(_) | DbErr::ConnectionAcquire(_))
        || matches!(
            sqlx_error(error),
            Some(Encode(_) | PoolClosed | PoolTimedOut)
        )
        || (is_refusal(error) && !is_lost_connection(error) && !is_unknown_commit(error))
}

/// Whether the connection of the statement was lost.
pub(crate) fn is_lost_connection(error: &DbErr) -> bool {
    use sqlx::Error::{Database, Io, Protocol, WorkerCrashed};
    match sqlx_error(error) {
        // A connection that was not established is not lost.
        _ if matches!(error, DbErr::Conn(_)) => false,
        Some(Io(_) | Protocol(_) | WorkerCrashed) => true,
        Some(Database(refusal)) => match Code::from_database_error(refusal.as_ref()) {
            // Connection errors, shutting down, crashed, idle too long.
            Some(Code::Postgres(state)) => {
                state.starts_with("08") || matches!(state, "57P01" | "57P02" | "57P05")
            }
            // Shutting down, killed, idle too long.
            Some(Code::MySql(number)) => matches!(number, 1053 | 1927 | 4031),
            _ => false,
        },
        _ => false,
    }
}

/// Whether the statement failed because of a concurrent transaction, because the node has left its cluster, or because its
/// plan is outdated: it was rolled back or not started and can be retried.
pub(crate) fn is_conflict(error: &DbErr) -> bool {
    // Serialisation failure, deadlock; not part of the cluster, lock wait timeout, deadlock (also a certification failure
    // of Galera), certification failure of Group Replication.
    has_code(error, &["40001", "40P01"], &[1047, 1205, 1213, 3101]) || is_stale_statement(error)
}

/// Whether PostgreSQL refused a prepared statement, because the type of a column was changed since it was prepared.
pub(crate) fn is_stale_statement(error: &DbErr) -> bool {
    let Some(sqlx::Error::Database(refusal)) = sqlx_error(error) else {
        return false;
    };
    let refusal = refusal.try_downcast_ref::<PgDatabaseError>();
    // Statements that are not supported have the same code.
    refusal.is_some_and(|error| error.routine() == Some("RevalidateCachedQuery"))
}

/// Whether a commit was interrupted, so that its outcome is unknown: other nodes of a cluster, or a
/// file after a crash, may contain it.
fn is_unknown_commit(error: &DbErr) -> bool {
    match refusal(error) {
        // Statement completion unknown, reported by CockroachDB.
        Some(Code::Postgres(state)) => state == "40003",
        // Error during commit.
        Some(Code::MySql(number)) => number == 1180,
        Some(Code::Sqlite(_, extended)) => extended == SQLITE_IOERR_FSYNC,
        None => false,
    }
}

const SQLITE_IOERR_FSYNC: i32 = 1034;

/// Whether the connection failed before the statement was sent, and a retry can succeed.
pub(crate) fn failed_before_send(error: &DbErr) -> bool {
    matches!(error, DbErr::Conn(_)) && is_transient(error)
}

/// Whether a failed connection attempt can succeed later: the database may be starting up. Untrusted
/// certificates, settings and files that are not locked by another process are permanent errors.
pub(crate) fn is_transient(error: &DbErr) -> bool {
    let is_file = matches!(refusal(error), Some(Code::Sqlite(..)));
    is_unavailable(error)
        && !is_untrusted(error)
        && !is_configuration(error)
        && (!is_file || is_busy(error))
}

/// Whether TLS is missing or a certificate is not trusted.
fn is_untrusted(error: &DbErr) -> bool {
    match sqlx_error(error) {
        Some(sqlx::Error::Tls(_)) => true,
        // The handshake reports an untrusted certificate like this.
        Some(sqlx::Error::Io(error)) => error.kind() == std::io::ErrorKind::InvalidData,
        _ => false,
    }
}

/// Whether the settings prevent a connection.
fn is_configuration(error: &DbErr) -> bool {
    matches!(sqlx_error(error), Some(sqlx::Error::Configuration(_)))
}

/// Whether the database does not accept writes: a standby, a read-only server, session or SQLite file.
pub(crate) fn is_read_only(error: &DbErr) -> bool {
    match refusal(error) {
        Some(Code::Postgres(state)) => state == "25006",
        Some(Code::MySql(number)) => matches!(number, 1290 | 1792 | 1836),
        Some(Code::Sqlite(code, _)) => code == 8,
        None => false,
    }
}

/// Whether the ids are exhausted. SQLite has no error code of its own for that; 167 is MariaDB's.
pub(crate) fn has_no_id_left(error: &DbErr) -> bool {
    has_code(error, &["2200H"], &[167, 1467])
}

/// Whether SQLite reports that the disk is full or the ids are exhausted.
pub(crate) fn is_full(error: &DbErr) -> bool {
    matches!(refusal(error), Some(Code::Sqlite(13, _)))
}

/// Whether another connection locks the SQLite database.
pub(crate) fn is_busy(error: &DbErr) -> bool {
    matches!(refusal(error), Some(Code::Sqlite(5 | 6, _)))
}

/// Whether a retry can succeed.
pub(crate) fn is_unavailable(error: &DbErr) -> bool {
    use sqlx::Error::{
        Configuration, Database, Io, PoolClosed, PoolTimedOut, Protocol, Tls, WorkerCrashed,
    };
    let connecting = matches!(error, DbErr::Conn(_));
    match sqlx_error(error) {
        None => matches!(error, DbErr::ConnectionAcquire(_)) || is_timeout(error),
        Some(Io(_) | PoolTimedOut | PoolClosed | WorkerCrashed) => true,
        Some(Tls(_) | Protocol(_) | Configuration(_)) => connecting,
        Some(Database(refusal)) => {
            Code::from_database_error(refusal.as_ref()).is_some_and(|code| code.is_unavailable())
                || is_stale_statement(error)
        }
        Some(_) => false,
    }
}

/// Whether the database refused the statement with one of these SQLSTATEs of PostgreSQL or numbers of MySQL.
fn has_code(error: &DbErr, postgres: &[&str], mysql: &[u16]) -> bool {
    match refusal(error) {
        Some(Code::Postgres(state)) => postgres.contains(&state),
        Some(Code::MySql(number)) => mysql.contains(&number),
        _ => false,
    }
}

#[cfg(test)]
mod tests;
