//! The error codes of databases, and the errors of the driver that have them.

use sea_orm::sqlx::error::DatabaseError;
use sea_orm::sqlx::mysql::MySqlDatabaseError;
use sea_orm::sqlx::postgres::PgDatabaseError;
use sea_orm::sqlx::sqlite::SqliteError;
use sea_orm::{DbErr, RuntimeErr, sqlx};

/// The error code of a database.
pub(crate) enum Code<'a> {
    /// An SQLSTATE.
    Postgres(&'a str),
    /// An error number; MySQL's SQLSTATEs are too coarse.
    MySql(u16),
    /// A primary and an extended result code.
    Sqlite(i32, i32),
}

impl<'a> Code<'a> {
    pub(crate) fn from_database_error(error: &'a dyn DatabaseError) -> Option<Self> {
        if let Some(postgres) = error.try_downcast_ref::<PgDatabaseError>() {
            return Some(Self::Postgres(postgres.code()));
        }
        if let Some(mysql) = error.try_downcast_ref::<MySqlDatabaseError>() {
            return Some(Self::MySql(mysql.number()));
        }
        let sqlite = error.try_downcast_ref::<SqliteError>()?;
        let extended: i32 = sqlite.code()?.parse().ok()?;
        // The low byte of an extended code is the primary one.
        Some(Self::Sqlite(extended & 0xff, extended))
    }

    pub(crate) fn is_unavailable(&self) -> bool {
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
            // this user, read-only server, interrupted, too many prepared statements, read-only transaction, read-only mode, killed,
            // statement timeouts, offline mode, conflict in Group Replication, idle too long.
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
                    | 1461
                    | 1792
                    | 1836
                    | 1927
                    | 1969
                    | 3024
                    | 3032
                    | 3101
                    | 4031
            ),
            // Busy, locked, read-only, input/output error, disk full, a file that can't be opened.
            Self::Sqlite(code, _) => matches!(code, 5 | 6 | 8 | 10 | 13 | 14),
        }
    }
}

/// Whether the database refused the statement.
pub(crate) fn is_refusal(error: &DbErr) -> bool {
    matches!(sqlx_error(error), Some(sqlx::Error::Database(_)))
}

/// The error code, if the database refused the statement.
pub(super) fn refusal(error: &DbErr) -> Option<Code<'_>> {
    match sqlx_error(error) {
        Some(sqlx::Error::Database(refusal)) => Code::from_database_error(refusal.as_ref()),
        _ => None,
    }
}

pub(super) fn sqlx_error(error: &DbErr) -> Option<&sqlx::Error> {
    match error {
        DbErr::Conn(RuntimeErr::SqlxError(source))
        | DbErr::Exec(RuntimeErr::SqlxError(source))
        | DbErr::Query(RuntimeErr::SqlxError(source)) => Some(source),
        _ => None,
    }
}
