//! An error of the database, displayed without text that can carry values.

use std::error::Error;
use std::fmt;
use std::ops::Deref;

use sea_orm::sqlx::error::DatabaseError;
use sea_orm::sqlx::mysql::MySqlDatabaseError;
use sea_orm::{DbErr, RuntimeErr, sqlx};

use super::code::{Code, sqlx_error};

/// An error of the database for logs and messages.
///
/// The text of a database can quote values of rows: in violated constraints, in errors that
/// triggers raise, in values that cannot be decoded. `Display` and `Debug` write the error code and a
/// fixed text instead. Only connection errors are written in full, because no value was sent before.
#[derive(Clone)]
pub struct DriverError(DbErr);

impl From<DbErr> for DriverError {
    fn from(error: DbErr) -> Self {
        Self(error)
    }
}

impl Deref for DriverError {
    type Target = DbErr;

    fn deref(&self) -> &DbErr {
        &self.0
    }
}

impl Error for DriverError {}

impl fmt::Display for DriverError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use sqlx::Error::{
            ColumnDecode, Database, Io, PoolClosed, PoolTimedOut, Tls, WorkerCrashed,
        };
        match &self.0 {
            // `Display` of the driver adds the line in the source code of PostgreSQL.
            DbErr::Conn(RuntimeErr::SqlxError(error)) => {
                return match &**error {
                    Database(refusal) => f.write_str(refusal.message()),
                    Io(error) => error.fmt(f),
                    other => other.fmt(f),
                };
            }
            DbErr::Custom(text) | DbErr::Migration(text) => return f.write_str(text),
            DbErr::Conn(_) | DbErr::ConnectionAcquire(_) | DbErr::RecordNotUpdated => {
                return self.0.fmt(f);
            }
            DbErr::Query(RuntimeErr::Internal(timeout)) => return f.write_str(timeout),
            _ => {}
        }
        match sqlx_error(&self.0) {
            Some(Database(refusal)) => write_refusal(refusal.as_ref(), f),
            Some(ColumnDecode { index, .. }) => {
                let column = index.trim_matches('"');
                write!(f, "column {column} cannot be decoded")
            }
            Some(error @ (Io(_) | Tls(_) | PoolTimedOut | PoolClosed | WorkerCrashed)) => {
                error.fmt(f)
            }
            _ => f.write_str("the database driver failed"),
        }
    }
}

impl fmt::Debug for DriverError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "DriverError({self})")
    }
}

fn write_refusal(refusal: &dyn DatabaseError, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    match Code::from_database_error(refusal) {
        Some(Code::Postgres(state)) => {
            write!(f, "PostgreSQL error {state}: {}", sqlstate_text(state))
        }
        Some(Code::MySql(number)) => {
            let state = refusal.try_downcast_ref::<MySqlDatabaseError>();
            let state = state.and_then(MySqlDatabaseError::code).unwrap_or_default();
            // Its SQLSTATE is that of a syntax error.
            let text = match number {
                1461 => "too many prepared statements",
                _ => sqlstate_text(state),
            };
            write!(
                f,
                "MySQL or MariaDB error {number} (SQLSTATE {state}): {text}"
            )
        }
        Some(Code::Sqlite(code, extended)) => {
            write!(f, "SQLite error {extended}: {}", sqlite_text(code))?;
            missing_object(refusal.message()).map_or(Ok(()), |missing| write!(f, ": {missing}"))
        }
        None => f.write_str("the database refused the statement"),
    }
}

/// SQLite's message about a missing table or column, which contains no value.
fn missing_object(message: &str) -> Option<&str> {
    let is_missing =
        message.starts_with("no such table: ") || message.starts_with("no such column: ");
    is_missing.then_some(message)
}

/// The name of an SQLSTATE in the SQL standard or PostgreSQL, or else of its class.
fn sqlstate_text(state: &str) -> &'static str {
    match state {
        "22001" => "a text is too long for its column",
        "2200H" => "the sequence has reached its highest value",
        "23502" => "a NOT NULL constraint is violated",
        "23503" => "a foreign key constraint is violated",
        "23505" => "a unique constraint is violated",
        "23514" => "a CHECK constraint is violated",
        "25006" => "the transaction is read-only",
        "40001" => "serialization failure",
        "40P01" => "deadlock",
        "42501" => "insufficient privilege",
        "42703" | "42S22" => "the column does not exist",
        "42P01" | "42S02" => "the table does not exist",
        "57014" => "the statement was cancelled or took too long",
        _ => match state.get(..2) {
            Some("08") => "connection exception",
            Some("0A") => "feature not supported",
            Some("22") => "data exception",
            Some("23") => "integrity constraint violation",
            Some("25") => "invalid transaction state",
            Some("28") => "invalid authorization",
            Some("3D") => "the database does not exist",
            Some("3F") => "the schema does not exist",
            Some("40") => "transaction rollback",
            Some("42") => "syntax error or access rule violation",
            Some("45" | "P0") => "a trigger or a function raised an error",
            Some("53") => "insufficient resources",
            Some("54") => "a limit of the database is exceeded",
            Some("55") => "an object is not in the required state",
            Some("57") => "operator intervention",
            Some("58") => "system error",
            Some("XX") => "internal error of the database",
            _ => "the log of the database has the text",
        },
    }
}

/// The texts of `sqlite3_errstr`.
fn sqlite_text(code: i32) -> &'static str {
    match code {
        1 => "SQL logic error",
        5 => "database is locked",
        6 => "database table is locked",
        7 => "out of memory",
        8 => "attempt to write a readonly database",
        9 => "interrupted",
        10 => "disk I/O error",
        11 => "database disk image is malformed",
        13 => "database or disk is full",
        14 => "unable to open database file",
        17 => "database schema has changed",
        18 => "string or blob too big",
        19 => "constraint failed",
        20 => "datatype mismatch",
        26 => "file is not a database",
        _ => "the SQLite documentation explains the code",
    }
}
