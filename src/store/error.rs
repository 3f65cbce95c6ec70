//! The errors of the store, and what an error of the database means.

use std::{error::Error as StdError, fmt, io, time::Duration};

use sea_orm::{DbErr, RuntimeErr, sqlx};

use super::code::{Kind, OTHER_PROTOCOL, REFUSED, Refusal, SILENT, TLS, is_stale};

/// A failed operation. The error of the database is its source, for the log only.
#[derive(Clone, Debug, thiserror::Error)]
pub enum Error {
    /// Unreachable, lost, shutting down, overloaded, locked or too slow: a retry can succeed.
    #[error("the database is not available{}", .0.remedy())]
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
    #[error("unexpected database error{}", .0.remedy())]
    Unexpected(#[source] Cause),
}

impl From<DbErr> for Error {
    fn from(error: DbErr) -> Self {
        Cause::from(error).into()
    }
}

impl From<Cause> for Error {
    fn from(cause: Cause) -> Self {
        match cause.kind() {
            Kind::Lost | Kind::Conflict | Kind::Unavailable => Self::Unavailable(cause),
            Kind::Unique => Self::Conflict(cause),
            Kind::Refused => Self::Unexpected(cause),
        }
    }
}

/// Why the store cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The scheme of the URL is not supported.
    #[error(
        "unsupported database URL; use sqlite:PATH, sqlite::memory:, \
         postgres://USER:PASSWORD@HOST:PORT/DATABASE or mysql://USER:PASSWORD@HOST:PORT/DATABASE \
         (postgresql:// and mariadb:// mean the same)"
    )]
    UnsupportedUrl,
    /// The URL has a supported scheme, but is invalid.
    #[error("invalid database URL")]
    InvalidUrl(#[source] Box<dyn StdError + Send + Sync>),
    /// The database is unreachable.
    #[error("cannot connect to the {database}{}", .source.remedy())]
    CannotConnect {
        /// Which database, without user and password.
        database: String,
        /// The error of the last attempt.
        source: Cause,
    },
    /// The file or its folder is read-only.
    #[error("the {database} is read-only{}", .source.remedy())]
    ReadOnly {
        /// Which database.
        database: String,
        /// The error of the database.
        source: Cause,
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
        source: Cause,
    },
    /// Another instance held the migration lock until the time-out.
    #[error(
        "another instance has been migrating the database for {} seconds: wait for it to \
         end, or end it if it hangs, and start again", .0.as_secs()
    )]
    MigrationLocked(Duration),
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
    /// The database has a table of another program.
    #[error("the table {table} was not made by this program: {reason}; use an empty database")]
    ForeignTable {
        /// The name of the table.
        table: &'static str,
        /// How it differs from the table of this program.
        reason: String,
    },
    /// A migration failed.
    #[error("a migration failed{}", .0.remedy())]
    Migration(#[source] Cause),
}

impl StartError {
    /// The error of the last attempt to connect.
    pub(super) fn connecting(database: &impl fmt::Display, source: DbErr) -> Self {
        let (database, source) = (database.to_string(), Cause::from(source));
        if source.is_untrusted() {
            Self::Untrusted { database, source }
        } else {
            Self::CannotConnect { database, source }
        }
    }
}

impl From<migration::Error> for StartError {
    fn from(error: migration::Error) -> Self {
        match error {
            migration::Error::Locked(wait) => Self::MigrationLocked(wait),
            migration::Error::Newer(migrations) => Self::NewerSchema {
                migrations,
                obstacles:
                    "this version can neither apply migrations before them nor revert others"
                        .to_owned(),
            },
            migration::Error::Foreign { table, reason } => Self::ForeignTable { table, reason },
            migration::Error::Database(error) => Self::Migration(error.into()),
        }
    }
}

/// An error of the database for logs and messages.
///
/// The text of a database can quote values of rows, so `Display` and `Debug` write the code and its meaning. Only the errors
/// of connections are written in full, because no value was sent before.
#[derive(Clone)]
pub struct Cause(DbErr);

impl Cause {
    /// No response within a time-out.
    pub(super) fn timeout(waited: Duration) -> Self {
        let message = format!("no response within {} seconds", waited.as_secs_f32());
        Self(DbErr::Query(RuntimeErr::Internal(message)))
    }

    /// The statement of a batch panicked.
    pub(super) fn panicked() -> Self {
        Self(DbErr::Custom("a statement panicked".to_owned()))
    }

    /// What the error means for the statement.
    pub(super) fn kind(&self) -> Kind {
        use sqlx::Error::{
            Configuration, Database, Io, PoolClosed, PoolTimedOut, Protocol, Tls, WorkerCrashed,
        };
        match self.source_error() {
            Some(Io(_) | Protocol(_) | Tls(_) | WorkerCrashed) => Kind::Lost,
            Some(PoolTimedOut | PoolClosed) => Kind::Unavailable,
            Some(Database(refusal)) => Refusal::of(refusal.as_ref()).kind,
            Some(Configuration(_)) if self.is_connecting() => Kind::Unavailable,
            Some(_) => Kind::Refused,
            None => match self.0 {
                DbErr::ConnectionAcquire(_) | DbErr::Query(RuntimeErr::Internal(_)) => {
                    Kind::Unavailable
                }
                _ => Kind::Refused,
            },
        }
    }

    /// Whether a unique index refused a row.
    pub(super) fn is_unique(&self) -> bool {
        self.kind() == Kind::Unique
    }

    /// Whether the write may be stored although it failed: the connection was lost, or what was stored cannot be read.
    pub(super) fn may_be_stored(&self) -> bool {
        let is_unreadable = matches!(self.source_error(), Some(sqlx::Error::ColumnDecode { .. }))
            || matches!(self.0, DbErr::RecordNotInserted);
        is_unreadable || (self.kind() == Kind::Lost && !self.is_connecting())
    }

    /// Whether a connection has to be closed, because a statement that it prepared is not valid any more.
    pub(super) fn is_stale(&self) -> bool {
        matches!(self.source_error(), Some(sqlx::Error::Database(refusal)) if is_stale(refusal.as_ref()))
    }

    /// Whether another attempt may succeed within the time of a request: the connection was lost or could not be had, or a
    /// concurrent transaction was in the way.
    pub(super) fn is_retryable(&self) -> bool {
        let has_no_connection = matches!(self.source_error(), Some(sqlx::Error::PoolTimedOut))
            || matches!(self.0, DbErr::ConnectionAcquire(_));
        matches!(self.kind(), Kind::Lost | Kind::Conflict) || has_no_connection
    }

    /// Whether a failed attempt to connect can succeed later: the server may be starting up.
    pub(super) fn is_transient(&self) -> bool {
        // A file that another process locks can be opened later.
        let is_file = self
            .sqlite_code()
            .is_some_and(|code| !matches!(code, 5 | 6));
        let is_configuration = matches!(self.source_error(), Some(sqlx::Error::Configuration(_)));
        let is_open = !self.is_untrusted() && !is_configuration && !is_file;
        matches!(self.kind(), Kind::Lost | Kind::Conflict | Kind::Unavailable) && is_open
    }

    /// Whether the SQLite file or its folder cannot be written.
    pub(super) fn is_read_only(&self) -> bool {
        self.sqlite_code() == Some(8)
    }

    /// The primary result code of SQLite.
    fn sqlite_code(&self) -> Option<i32> {
        let Some(sqlx::Error::Database(refusal)) = self.source_error() else {
            return None;
        };
        refusal.try_downcast_ref::<sqlx::sqlite::SqliteError>()?;
        let extended: i32 = refusal.code()?.parse().ok()?;
        Some(extended & 0xff)
    }

    /// Whether TLS is missing or a certificate is not trusted; the handshake reports the latter as invalid data.
    fn is_untrusted(&self) -> bool {
        match self.source_error() {
            Some(sqlx::Error::Tls(_)) => true,
            Some(sqlx::Error::Io(error)) => error.kind() == io::ErrorKind::InvalidData,
            _ => false,
        }
    }

    fn is_connecting(&self) -> bool {
        matches!(self.0, DbErr::Conn(_) | DbErr::ConnectionAcquire(_))
    }

    /// What an operator does about the error, beginning with a semicolon, or nothing.
    pub(super) fn remedy(&self) -> &'static str {
        match self.source_error() {
            Some(sqlx::Error::Configuration(_)) if self.is_password_without_tls() => TLS,
            Some(sqlx::Error::Io(error)) => match error.kind() {
                io::ErrorKind::ConnectionRefused => REFUSED,
                io::ErrorKind::TimedOut => SILENT,
                _ => "",
            },
            Some(sqlx::Error::Protocol(_)) if self.is_connecting() => OTHER_PROTOCOL,
            Some(sqlx::Error::Database(refusal)) => Refusal::of(refusal.as_ref()).remedy,
            _ => "",
        }
    }

    /// Whether MySQL requests a password that is sent only over TLS, because the driver is built without RSA.
    fn is_password_without_tls(&self) -> bool {
        matches!(self.source_error(), Some(sqlx::Error::Configuration(reason))
            if reason.to_string().starts_with("RSA auth backend disabled"))
    }

    fn source_error(&self) -> Option<&sqlx::Error> {
        match &self.0 {
            DbErr::Conn(RuntimeErr::SqlxError(source))
            | DbErr::Exec(RuntimeErr::SqlxError(source))
            | DbErr::Query(RuntimeErr::SqlxError(source)) => Some(source),
            _ => None,
        }
    }
}

impl From<DbErr> for Cause {
    fn from(error: DbErr) -> Self {
        Self(error)
    }
}

impl StdError for Cause {}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use sqlx::Error::{
            ColumnDecode, Database, Io, PoolClosed, PoolTimedOut, Tls, WorkerCrashed,
        };
        match (&self.0, self.source_error()) {
            (_, Some(Io(error))) => error.fmt(f),
            (_, Some(error @ (Tls(_) | PoolTimedOut | PoolClosed | WorkerCrashed))) => error.fmt(f),
            // `Display` of the driver adds the line in the source code of PostgreSQL.
            (DbErr::Conn(_), Some(Database(refusal))) => f.write_str(refusal.message()),
            // The message of the driver is about its build, which an operator cannot change.
            _ if self.is_password_without_tls() => f.write_str(
                "the server requests the clear-text password, which is sent only over TLS",
            ),
            (DbErr::Conn(_), Some(error)) => error.fmt(f),
            (_, Some(Database(refusal))) => f.write_str(&Refusal::of(refusal.as_ref()).text),
            (_, Some(ColumnDecode { index, .. })) => {
                write!(f, "column {} cannot be decoded", index.trim_matches('"'))
            }
            (
                DbErr::Custom(text)
                | DbErr::Migration(text)
                | DbErr::Query(RuntimeErr::Internal(text)),
                _,
            ) => f.write_str(text),
            (DbErr::Conn(_) | DbErr::ConnectionAcquire(_) | DbErr::RecordNotUpdated, _) => {
                self.0.fmt(f)
            }
            _ => f.write_str("the database driver failed"),
        }
    }
}

impl fmt::Debug for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Cause({self})")
    }
}
