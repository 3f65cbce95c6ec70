//! What can go wrong with the database, in the words of the store.

use std::error::Error;
use std::sync::Arc;

use sea_orm::sqlx::error::DatabaseError;
use sea_orm::sqlx::mysql::MySqlDatabaseError;
use sea_orm::sqlx::postgres::PgDatabaseError;
use sea_orm::sqlx::sqlite::SqliteError;
use sea_orm::{DbErr, RuntimeErr, sqlx};

use super::remedy::remedy;

/// A failed operation of the store. What the database said is in the sources, for the log only.
#[derive(Clone, Debug, thiserror::Error)]
pub enum StoreError {
    /// Not reached, lost, shutting down, overloaded, locked or too slow: trying again later can help.
    #[error("the database is not available")]
    Unavailable(#[source] DbErr),

    /// As many requests wait for the database as may: trying again later can help.
    #[error("{waiting} requests wait for the database already")]
    Busy {
        /// How many.
        waiting: u32,
    },

    /// What was written was handed to the database, and its answer was lost.
    #[error("the database did not say whether it stored what was written")]
    OutcomeUnknown(#[source] DbErr),

    /// The database refused a statement, or answered what cannot be read.
    #[error("the database did not do what was asked of it")]
    Unexpected(#[source] DbErr),

    /// The URL's scheme is none of those supported.
    #[error(
        "the database URL has no supported form: write sqlite:PATH, sqlite::memory:, \
         postgres://USER:PASSWORD@HOST:PORT/DATABASE or mysql://USER:PASSWORD@HOST:PORT/DATABASE \
         (postgresql:// and mariadb:// mean the same)"
    )]
    UnsupportedUrl,

    /// The URL has a supported scheme, but something in it is wrong.
    #[error("the database URL cannot be used")]
    InvalidUrl(#[source] Arc<dyn Error + Send + Sync>),

    /// The database was not reached at the start.
    #[error("cannot connect to the {database}{}", remedy(source))]
    CannotConnect {
        /// Which database, without user and password.
        database: String,
        /// What the last attempt met.
        source: DbErr,
    },

    /// What is stored would be refused: the file or its folder is read-only.
    #[error("the {database} is read-only{}", remedy(source))]
    ReadOnly {
        /// Which database.
        database: String,
        /// What it said.
        source: DbErr,
    },

    /// The database was reached, but there is no encrypted connection to it that can be trusted.
    #[error(
        "no trusted encrypted connection to the {database}; the server must offer TLS, the file of \
         sslrootcert or ssl-ca must hold the certificate of who signed the server's, and the host \
         in the URL must be one that the server's certificate names"
    )]
    Untrusted {
        /// Which database, without user and password.
        database: String,
        /// What is wrong with its certificate, or that it has none.
        source: DbErr,
    },

    /// Another instance kept the migration lock for too long.
    #[error(
        "another instance has been migrating the database for {waited_s} seconds: wait for it to \
         end, or end it if it hangs, and start again"
    )]
    MigrationLocked {
        /// How long this instance waited, in seconds.
        waited_s: u64,
        /// What the database said.
        source: Option<DbErr>,
    },

    /// The database has migrations that this program does not know.
    #[error(
        "the database belongs to a newer version of this program, its migrations {} are not known \
         here: start the newer version, or take them back with it (migrate down) before starting this one",
        .migrations.join(", ")
    )]
    NewerSchema {
        /// The names of the unknown migrations.
        migrations: Vec<String>,
    },

    /// A migration failed.
    #[error("migrating the database failed{}", remedy(.0))]
    Migration(#[source] DbErr),
}

impl StoreError {
    pub(super) fn invalid_url(reason: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self::InvalidUrl(reason.into().into())
    }

    /// The error of making the first connection.
    pub(super) fn of_start(database: String, source: DbErr) -> Self {
        if is_untrusted(&source) {
            Self::Untrusted { database, source }
        } else {
            Self::CannotConnect { database, source }
        }
    }

    /// The error of a statement that writes and commits at once, or of a commit. That of any other
    /// statement is certain: what is not committed is not stored.
    pub(super) fn of_commit(error: DbErr) -> Self {
        if is_lost_connection(&error) || is_broken_commit(&error) {
            Self::OutcomeUnknown(error)
        } else {
            Self::classify(error)
        }
    }

    /// The error of a statement: unavailable if trying again later can help, else unexpected.
    pub(super) fn classify(error: DbErr) -> Self {
        if is_unavailable(&error) {
            Self::Unavailable(error)
        } else {
            Self::Unexpected(error)
        }
    }
}

/// Whether the connection on which the statement was sent is no longer there.
pub(super) fn is_lost_connection(error: &DbErr) -> bool {
    use sqlx::Error::{Database, Io, Protocol, WorkerCrashed};
    match sqlx_error(error) {
        // A connection that could not be made was not lost.
        _ if matches!(error, DbErr::Conn(_)) => false,
        Some(Io(_) | Protocol(_) | WorkerCrashed) => true,
        Some(Database(refusal)) => match Code::of(refusal.as_ref()) {
            // Connection errors, shutting down, crashed, the database was dropped.
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

/// Whether others wanted the same at the same moment, or the node of a cluster does not take part in
/// it just now: the statement was undone as a whole, or not begun, and may be sent again.
pub(super) fn is_conflict(error: &DbErr) -> bool {
    match refusal(error) {
        // Serialisation failure, deadlock.
        Some(Code::Postgres(state)) => matches!(state, "40001" | "40P01"),
        // Not part of the cluster, lock wait timeout, deadlock (which is what Galera calls a
        // transaction that another node was faster than).
        Some(Code::MySql(number)) => matches!(number, 1047 | 1205 | 1213),
        _ => false,
    }
}

/// Whether the commit of a statement broke off: the other nodes of a cluster may have it, or whoever
/// opens the file after a crash.
fn is_broken_commit(error: &DbErr) -> bool {
    match refusal(error) {
        // Statement completion unknown, which CockroachDB says.
        Some(Code::Postgres(state)) => state == "40003",
        // Error during commit.
        Some(Code::MySql(number)) => number == 1180,
        // The disk did not confirm what was written.
        Some(Code::Sqlite(_)) => is_unconfirmed(error),
        None => false,
    }
}

/// Whether SQLite has written a commit and the disk did not confirm it.
fn is_unconfirmed(error: &DbErr) -> bool {
    match sqlx_error(error) {
        Some(sqlx::Error::Database(refusal)) => {
            sqlite_code(refusal.as_ref()) == Some(SQLITE_IOERR_FSYNC)
        }
        _ => false,
    }
}

const SQLITE_IOERR_FSYNC: i32 = 1034;

/// The extended result code of SQLite.
fn sqlite_code(error: &dyn DatabaseError) -> Option<i32> {
    let sqlite = error.try_downcast_ref::<SqliteError>()?;
    sqlite.code()?.parse().ok()
}

/// Whether nothing was sent, since no connection could be made, and another attempt may make one.
pub(super) fn was_not_sent(error: &DbErr) -> bool {
    matches!(error, DbErr::Conn(_)) && may_pass(error)
}

/// Whether a connection that could not be made may be made later: the database may be starting up.
/// A certificate that is not trusted stays what it is, and a file that nobody else holds.
pub(super) fn may_pass(error: &DbErr) -> bool {
    let of_a_file = matches!(refusal(error), Some(Code::Sqlite(_)));
    is_unavailable(error) && !is_untrusted(error) && (!of_a_file || is_busy(error))
}

/// Whether there is no encryption, or a certificate that is not trusted.
fn is_untrusted(error: &DbErr) -> bool {
    match sqlx_error(error) {
        Some(sqlx::Error::Tls(_)) => true,
        // That is how the handshake reports what it does not accept.
        Some(sqlx::Error::Io(error)) => error.kind() == std::io::ErrorKind::InvalidData,
        _ => false,
    }
}

/// Whether PostgreSQL gave up waiting for a lock.
pub(super) fn is_lock_timeout(error: &DbErr) -> bool {
    matches!(refusal(error), Some(Code::Postgres("55P03")))
}

/// Whether the database does not have what was asked of it.
pub(super) fn is_unsupported(error: &DbErr) -> bool {
    match refusal(error) {
        // Feature not supported, undefined function.
        Some(Code::Postgres(state)) => matches!(state, "0A000" | "42883"),
        // Not supported yet, no such function.
        Some(Code::MySql(number)) => matches!(number, 1235 | 1305),
        _ => false,
    }
}

/// Whether what is to be made is there, since somebody else has made it at the same moment:
/// PostgreSQL's `IF NOT EXISTS` looks before it makes, and is refused by its own catalogue then.
pub(super) fn is_made_by_another(error: &DbErr) -> bool {
    match refusal(error) {
        // Unique violation, duplicate table, duplicate object (the type of its rows).
        Some(Code::Postgres(state)) => matches!(state, "23505" | "42P07" | "42710"),
        // The table exists.
        Some(Code::MySql(number)) => number == 1050,
        _ => false,
    }
}

/// Whether a SQLite file or its folder cannot be written.
pub(super) fn is_read_only(error: &DbErr) -> bool {
    matches!(refusal(error), Some(Code::Sqlite(8)))
}

/// Whether another connection holds the SQLite database.
pub(super) fn is_busy(error: &DbErr) -> bool {
    matches!(refusal(error), Some(Code::Sqlite(5 | 6)))
}

/// Whether trying again later can help.
pub(super) fn is_unavailable(error: &DbErr) -> bool {
    use sqlx::Error::{Database, Io, PoolClosed, PoolTimedOut, Protocol, Tls, WorkerCrashed};
    let connecting = matches!(error, DbErr::Conn(_));
    match sqlx_error(error) {
        None => matches!(error, DbErr::ConnectionAcquire(_)),
        Some(Io(_) | PoolTimedOut | PoolClosed | WorkerCrashed) => true,
        Some(Tls(_) | Protocol(_)) => connecting,
        Some(Database(refusal)) => {
            Code::of(refusal.as_ref()).is_some_and(|code| code.is_unavailable())
        }
        Some(_) => false,
    }
}

fn sqlx_error(error: &DbErr) -> Option<&sqlx::Error> {
    match error {
        DbErr::Conn(RuntimeErr::SqlxError(source))
        | DbErr::Exec(RuntimeErr::SqlxError(source))
        | DbErr::Query(RuntimeErr::SqlxError(source)) => Some(source),
        _ => None,
    }
}

/// Whether the database has understood the statement and refused it.
pub(super) fn is_refusal(error: &DbErr) -> bool {
    matches!(sqlx_error(error), Some(sqlx::Error::Database(_)))
}

/// What the database calls the error, if it has understood the statement and refused it.
pub(super) fn refusal(error: &DbErr) -> Option<Code<'_>> {
    match sqlx_error(error) {
        Some(sqlx::Error::Database(refusal)) => Code::of(refusal.as_ref()),
        _ => None,
    }
}

/// What a database calls an error.
pub(super) enum Code<'a> {
    /// An SQLSTATE.
    Postgres(&'a str),
    /// An error number; MySQL's SQLSTATEs are too coarse.
    MySql(u16),
    /// A primary result code.
    Sqlite(i32),
}

impl<'a> Code<'a> {
    fn of(error: &'a dyn DatabaseError) -> Option<Self> {
        if let Some(postgres) = error.try_downcast_ref::<PgDatabaseError>() {
            return Some(Self::Postgres(postgres.code()));
        }
        if let Some(mysql) = error.try_downcast_ref::<MySqlDatabaseError>() {
            return Some(Self::MySql(mysql.number()));
        }
        // The low byte of an extended code is the primary one.
        sqlite_code(error).map(|extended| Self::Sqlite(extended & 0xff))
    }

    fn is_unavailable(&self) -> bool {
        match *self {
            // Connection errors, too few resources, intervention of an operator (shutting down,
            // starting up, statement cancelled or timed out), lock not available, deadlock,
            // serialisation failure, a standby that does not take writes.
            Self::Postgres(state) => {
                matches!(state.get(..2), Some("08" | "53" | "57"))
                    || matches!(state, "55P03" | "40P01" | "40001" | "25006")
            }
            // Disk full, too many connections, not part of the cluster, shutting down, table full,
            // too many connections of this user, lock wait timeout, deadlock, resource limit of
            // this user, read-only server, interrupted, read-only mode, killed, statement timeouts,
            // idle too long.
            Self::MySql(number) => matches!(
                number,
                1021 | 1040
                    | 1047
                    | 1053
                    | 1114
                    | 1203
                    | 1205
                    | 1213
                    | 1226
                    | 1290
                    | 1317
                    | 1836
                    | 1927
                    | 1969
                    | 3024
                    | 4031
            ),
            // Busy, locked, read-only, input/output error, disk full, a file that can't be opened.
            Self::Sqlite(code) => matches!(code, 5 | 6 | 8 | 10 | 13 | 14),
        }
    }
}

#[cfg(test)]
mod tests;
