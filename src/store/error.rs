//! The errors of the store.

use sea_orm::DbErr;

use super::cause::{
    Cause,
    Kind::{
        Conflict, Lost, NoResponse, NotConnected, ReadOnly, Refused, Stale, Unavailable, Unique, Unreadable, Unusable,
    },
};

/// A failed operation. The error of the database is its source, for the log only.
#[derive(Clone, Debug, thiserror::Error)]
pub enum Error {
    /// Unreachable, lost, shutting down, overloaded, locked or too slow: a retry can succeed.
    #[error("the database is not available{}", .0.remedy)]
    Unavailable(#[source] Cause),
    /// The queue is full: a retry can succeed.
    #[error("the queue is full: {waiting} requests wait for the database")]
    Busy {
        /// The number of queued requests.
        waiting: usize,
    },
    /// A write was sent to the database and its result was lost.
    #[error("the outcome of the write is unknown")]
    OutcomeUnknown(#[source] Cause),
    /// A unique index refused a row.
    #[error("a row has a value that another row has in a unique index")]
    Conflict(#[source] Cause),
    /// The database refused a statement, or its result cannot be decoded.
    #[error("unexpected database error{}", .0.remedy)]
    Unexpected(#[source] Cause),
}

impl From<DbErr> for Error {
    fn from(error: DbErr) -> Self {
        Cause::from(error).into()
    }
}

impl From<Cause> for Error {
    fn from(cause: Cause) -> Self {
        match cause.kind {
            Lost | NoResponse | NotConnected | Conflict | Stale | Unavailable | Unusable | ReadOnly => {
                Self::Unavailable(cause)
            }
            Unique => Self::Conflict(cause),
            Unreadable | Refused => Self::Unexpected(cause),
        }
    }
}

/// Why the store cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The database is unreachable, or not over a trusted connection.
    #[error("cannot connect to the {database}{}", .source.remedy)]
    CannotConnect {
        /// Which database, without user and password.
        database: String,
        /// The error of the last attempt.
        source: Cause,
    },
    /// The file or its folder is read-only.
    #[error("the {database} is read-only{}", .source.remedy)]
    ReadOnly {
        /// Which database.
        database: String,
        /// The error of the database.
        source: Cause,
    },
    /// The migrations or the tables are not those of this program, or another instance migrates.
    #[error(transparent)]
    Migrations(migration::Error),
    /// A migration failed.
    #[error("a migration failed{}", .0.remedy)]
    Migration(#[source] Cause),
}

impl From<migration::Error> for StartError {
    fn from(error: migration::Error) -> Self {
        match error {
            migration::Error::Database(error) => Self::Migration(error.into()),
            error => Self::Migrations(error),
        }
    }
}
