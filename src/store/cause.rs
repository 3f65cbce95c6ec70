//! What an error of the database means for a statement, and what an operator does about it.

use std::{error::Error, fmt, io::ErrorKind, time::Duration};

use sea_orm::{
    ConnAcquireErr, DbErr, RuntimeErr,
    sqlx::{
        self,
        error::{DatabaseError, ErrorKind as Constraint},
        mysql::MySqlDatabaseError,
        postgres::PgDatabaseError,
    },
};

/// An error of the database for logs and messages.
///
/// The text of a database can quote values of rows, so this has the code and its meaning. Only the errors of connections
/// have their own text, because no value was sent before.
#[derive(Clone, Debug)]
pub struct Cause {
    pub(super) kind: Kind,
    text: String,
    /// What an operator does, beginning with a semicolon, or nothing.
    pub(super) remedy: &'static str,
}

/// What an error means for the statement and its repetition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// The connection is lost; the statement may be stored.
    Lost,
    /// There is no response in time; the statement may be stored.
    NoResponse,
    /// There is no connection; nothing was stored.
    NotConnected,
    /// Rolled back because of a concurrent transaction, or not started: a repetition can succeed at once.
    Conflict,
    /// The connection refuses a statement that it prepared, because a table was changed; nothing was stored.
    Stale,
    /// The database does not take part for now; nothing was stored.
    Unavailable,
    /// The file, the account or the encryption has to be corrected first; nothing was stored.
    Unusable,
    /// The file or its folder is read-only; nothing was stored.
    ReadOnly,
    /// A unique index refused a row.
    Unique,
    /// What was stored cannot be read.
    Unreadable,
    /// Anything else; nothing was stored.
    Refused,
}

use Kind::{
    Conflict, Lost, NoResponse, NotConnected, ReadOnly, Refused, Stale, Unavailable, Unique, Unreadable, Unusable,
};

/// The code of an error, its kind, its meaning, and what an operator does, beginning with a semicolon.
struct Row(&'static str, Kind, &'static str, &'static str);

#[rustfmt::skip]
const CODES: &[Row] = &[
    // SQLSTATEs of PostgreSQL, whose texts are also those of MySQL. A class is after its members.
    Row("08", Lost, "connection exception", ""),
    Row("22001", Refused, "a text is too long for its column", ""),
    Row("2200H", Refused, "the sequence has reached its highest value", IDS),
    Row("22", Refused, "data exception", ""),
    Row("23505", Refused, "a unique constraint is violated", EQUAL_ROWS),
    Row("23", Refused, "a constraint is violated", ""),
    Row("25006", Unavailable, "the transaction is read-only", READ_ONLY),
    Row("28", Refused, "invalid authorization", CREDENTIALS),
    Row("3D", Refused, "the database does not exist", MISSING),
    Row("40001", Conflict, "serialization failure", ""),
    Row("40003", Lost, "statement completion unknown", ""),
    Row("40P01", Conflict, "deadlock", ""),
    Row("42501", Refused, "insufficient privilege", POSTGRES_RIGHTS),
    Row("42703", Refused, "the column does not exist", ""),
    Row("42S22", Refused, "the column does not exist", ""),
    Row("42P01", Refused, "the table does not exist", ""),
    Row("42S02", Refused, "the table does not exist", ""),
    Row("42", Refused, "syntax error or access rule violation", ""),
    Row("45", Refused, "a trigger or a function raised an error", ""),
    Row("P0", Refused, "a trigger or a function raised an error", ""),
    Row("53300", Unavailable, "too many connections", CONNECTIONS),
    Row("53", Unavailable, "insufficient resources", ""),
    Row("55P03", Unavailable, "the lock is not available", ""),
    Row("57014", Unavailable, "the statement was cancelled or took too long", ""),
    Row("57P01", Lost, "the server is shutting down", ""),
    Row("57P02", Lost, "the server has crashed", ""),
    Row("57P05", Lost, "the connection was idle for too long", ""),
    Row("57", Unavailable, "operator intervention", ""),
    Row("XX", Refused, "internal error of the database", ""),
    // Error numbers of MySQL and MariaDB, whose SQLSTATEs are too coarse. An empty text is that of the SQLSTATE.
    Row("MySQL 167", Refused, "", IDS),
    Row("MySQL 1021", Unavailable, "the disk is full", DISK),
    Row("MySQL 1040", Unavailable, "too many connections", CONNECTIONS),
    Row("MySQL 1044", Refused, "", MYSQL_RIGHTS),
    Row("MySQL 1047", Conflict, "the node is not part of the cluster", ""),
    Row("MySQL 1049", Refused, "the database does not exist", MISSING),
    Row("MySQL 1053", Lost, "the server is shutting down", ""),
    Row("MySQL 1062", Refused, "a unique constraint is violated", EQUAL_ROWS),
    Row("MySQL 1114", Unavailable, "the table is full", DISK),
    Row("MySQL 1142", Refused, "", MYSQL_RIGHTS),
    Row("MySQL 1143", Refused, "", MYSQL_RIGHTS),
    Row("MySQL 1180", Lost, "error during the commit", ""),
    Row("MySQL 1203", Unavailable, "too many connections of this user", CONNECTIONS),
    Row("MySQL 1205", Conflict, "lock wait timeout", ""),
    Row("MySQL 1226", Unavailable, "a resource limit of this user is exceeded", CONNECTIONS),
    Row("MySQL 1290", Unavailable, "the server is read-only", READ_ONLY),
    Row("MySQL 1317", Unavailable, "the statement was cancelled", ""),
    Row("MySQL 1461", Unavailable, "too many prepared statements", PREPARED_STATEMENTS),
    Row("MySQL 1467", Refused, "", IDS),
    Row("MySQL 1792", Unavailable, "the transaction is read-only", ""),
    Row("MySQL 1836", Unavailable, "the server is read-only", READ_ONLY),
    Row("MySQL 1927", Lost, "the connection was killed", ""),
    Row("MySQL 1969", Unavailable, "the statement took too long", ""),
    Row("MySQL 3024", Unavailable, "the statement took too long", ""),
    Row("MySQL 3032", Unavailable, "the server is offline", ""),
    Row("MySQL 3101", Conflict, "conflict in Group Replication", ""),
    Row("MySQL 3159", Refused, "", TLS),
    Row("MySQL 4031", Lost, "the connection was idle for too long", ""),
    // Result codes of SQLite: extended ones that differ from their primary ones, then these.
    Row("SQLite 1034", Lost, "disk I/O error", ""),
    Row("SQLite 1555", Refused, "constraint failed", EQUAL_ROWS),
    Row("SQLite 2067", Refused, "constraint failed", EQUAL_ROWS),
    Row("SQLite 1", Refused, "SQL logic error", ""),
    Row("SQLite 5", Unavailable, "database is locked", ""),
    Row("SQLite 6", Unavailable, "database table is locked", ""),
    Row("SQLite 8", ReadOnly, "attempt to write a readonly database", READ_ONLY_FILE),
    Row("SQLite 10", Unusable, "disk I/O error", DISK),
    Row("SQLite 11", Refused, "database disk image is malformed", DAMAGED),
    Row("SQLite 13", Unusable, "database or disk is full", DISK),
    Row("SQLite 14", Unusable, "unable to open database file", FOLDER),
    Row("SQLite 19", Refused, "constraint failed", ""),
    Row("SQLite 26", Refused, "file is not a database", OTHER_FILE),
];

const UNKNOWN: Row = Row("", Refused, "the documentation of the database explains the code", "");

impl Cause {
    fn new(kind: Kind, text: impl fmt::Display, remedy: &'static str) -> Self {
        let text = text.to_string();
        Self { kind, text, remedy }
    }

    /// No response within a time-out.
    pub(super) fn timeout(waited: Duration) -> Self {
        let text = format!("no response within {} seconds", waited.as_secs_f32());
        Self::new(NoResponse, text, "")
    }

    /// No response to an attempt to connect.
    pub(super) fn silent(waited: Duration) -> Self {
        let text = format!("no response within {} s", waited.as_secs());
        Self::new(NotConnected, text, SILENT)
    }

    /// The statement of a batch panicked.
    pub(super) fn panicked() -> Self {
        Self::new(Refused, "a statement panicked", "")
    }

    /// The error of a statement that follows a write that was stored.
    pub(super) fn after_write(error: DbErr) -> Self {
        let mut cause = Self::from(error);
        cause.kind = if cause.is_retryable() { Lost } else { Unreadable };
        cause
    }

    /// Whether the write may be stored although it failed.
    pub(super) fn may_be_stored(&self) -> bool {
        matches!(self.kind, Lost | NoResponse | Unreadable)
    }

    /// Whether another attempt may succeed within the time of a request.
    pub(super) fn is_retryable(&self) -> bool {
        matches!(self.kind, Lost | NotConnected | Conflict | Stale)
    }

    /// Whether a failed attempt to connect can succeed later: the server may be starting up.
    pub(super) fn is_transient(&self) -> bool {
        self.is_retryable() || self.kind == Unavailable
    }

    /// The error of a connection that was not made.
    pub(super) fn connecting(error: &sqlx::Error) -> Self {
        use sqlx::Error::{Configuration, Database, Io, PoolClosed, PoolTimedOut, Protocol, Tls};
        // The message of the driver is about its build, which an operator cannot change.
        const NO_PASSWORD: &str = "the server requests the clear-text password, which is sent only over TLS";
        match error {
            Io(error) => match error.kind() {
                // The handshake of TLS reports a certificate that is not trusted as invalid data.
                ErrorKind::InvalidData => Self::new(Unusable, error, UNTRUSTED),
                ErrorKind::ConnectionRefused => Self::new(NotConnected, error, REFUSED),
                ErrorKind::TimedOut => Self::new(NotConnected, error, SILENT),
                _ => Self::new(NotConnected, error, ""),
            },
            Tls(_) => Self::new(Unusable, error, UNTRUSTED),
            Protocol(_) => Self::new(NotConnected, error, OTHER_PROTOCOL),
            Configuration(reason) if reason.to_string().starts_with("RSA auth backend") => {
                Self::new(Unusable, NO_PASSWORD, TLS)
            }
            Database(error) => {
                let Self { kind, remedy, .. } = Self::refused(error.as_ref());
                let kind = if kind == Lost { NotConnected } else { kind };
                // `Display` of the driver adds the line in the source code of PostgreSQL.
                Self::new(kind, error.message(), remedy)
            }
            PoolTimedOut => Self::new(NotConnected, error, ""),
            PoolClosed => Self::new(Unavailable, error, ""),
            _ => Self::new(Unusable, error, ""),
        }
    }

    /// The error of a statement.
    fn executing(error: &sqlx::Error) -> Self {
        use sqlx::Error::{ColumnDecode, Database, Io, Protocol, Tls, WorkerCrashed};
        match error {
            Io(error) => Self::new(Lost, error, ""),
            Tls(_) | WorkerCrashed => Self::new(Lost, error, ""),
            Protocol(_) => Self::new(Lost, DRIVER, ""),
            Database(error) => Self::refused(error.as_ref()),
            ColumnDecode { index, .. } => {
                let column = index.trim_matches('"');
                Self::new(Unreadable, format!("column {column} cannot be decoded"), "")
            }
            _ => Self::new(Refused, DRIVER, ""),
        }
    }

    /// Looks up the error of a database.
    fn refused(error: &dyn DatabaseError) -> Self {
        let code = error.code().unwrap_or_default();
        let mut cause = if let Some(error) = error.try_downcast_ref::<PgDatabaseError>() {
            let Row(_, kind, text, remedy) = by_state(&code);
            // PostgreSQL has no code of its own for this.
            let is_stale = error.routine() == Some("RevalidateCachedQuery");
            let kind = if is_stale { Stale } else { *kind };
            Self::new(kind, format!("PostgreSQL error {code}: {text}"), remedy)
        } else if let Some(error) = error.try_downcast_ref::<MySqlDatabaseError>() {
            let number = error.number();
            let row = row(&format!("MySQL {number}"));
            let Row(_, kind, text, remedy) = row.unwrap_or_else(|| by_state(&code));
            let text = if text.is_empty() { by_state(&code).2 } else { text };
            let text = format!("MySQL or MariaDB error {number} (SQLSTATE {code}): {text}");
            Self::new(*kind, text, remedy)
        } else {
            // The low byte of an extended code is the primary one.
            let primary = code.parse::<u32>().map_or(0, |code| code & 0xff);
            let found = row(&format!("SQLite {code}"));
            let found = found.or_else(|| row(&format!("SQLite {primary}")));
            let Row(_, kind, text, remedy) = found.unwrap_or(&UNKNOWN);
            // SQLite's messages about missing tables and columns contain no value.
            let message = match error.message() {
                message if message.starts_with("no such ") => format!(": {message}"),
                _ => String::new(),
            };
            Self::new(*kind, format!("SQLite error {code}: {text}{message}"), remedy)
        };
        if error.kind() == Constraint::UniqueViolation {
            cause.kind = Unique;
        }
        cause
    }
}

impl From<DbErr> for Cause {
    fn from(error: DbErr) -> Self {
        match error {
            DbErr::Conn(RuntimeErr::SqlxError(error)) => Self::connecting(&error),
            DbErr::Exec(RuntimeErr::SqlxError(error)) | DbErr::Query(RuntimeErr::SqlxError(error)) => {
                Self::executing(&error)
            }
            DbErr::ConnectionAcquire(ConnAcquireErr::Timeout) => Self::new(NotConnected, error, ""),
            DbErr::ConnectionAcquire(_) => Self::new(Unavailable, error, ""),
            DbErr::Custom(text) | DbErr::Migration(text) => Self::new(Refused, text, ""),
            DbErr::Conn(_) | DbErr::RecordNotUpdated => Self::new(Refused, error, ""),
            _ => Self::new(Refused, DRIVER, ""),
        }
    }
}

impl Error for Cause {}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

const DRIVER: &str = "the database driver failed";

fn row(code: &str) -> Option<&'static Row> {
    CODES.iter().find(|row| row.0 == code)
}

/// The row of an SQLSTATE or of its class.
fn by_state(state: &str) -> &'static Row {
    let found = CODES.iter().find(|row| state.starts_with(row.0));
    found.unwrap_or(&UNKNOWN)
}

// Remedies.
const IDS: &str = "; the ids of the table are exhausted (maximum 9223372036854775807): give the rows with the \
    highest ids lower ones, and set the counter of the ids back";
const EQUAL_ROWS: &str = "; a pending migration (migrate status) creates a unique index, and several rows have \
    equal values in its columns: change or delete these rows, and migrate again";
const CREDENTIALS: &str = "; correct the user and the password in the database URL, or let the server admit this \
    user from here, which may need TLS or a client certificate";
const TLS: &str = "; this account needs TLS: ssl-mode=preferred or stricter, and a server that offers it";
const MISSING: &str = "; make it (CREATE DATABASE), or name another one in the database URL";
const POSTGRES_RIGHTS: &str = "; the user of the database URL needs the rights to migrate (GRANT USAGE, CREATE \
    ON SCHEMA), or to use what another user has migrated (GRANT SELECT, INSERT, UPDATE, DELETE ON vehicle, and \
    GRANT SELECT ON seaql_migrations and ON SEQUENCE vehicle_id_seq; import needs GRANT UPDATE ON SEQUENCE, too)";
const MYSQL_RIGHTS: &str = "; the user of the database URL needs the rights to migrate (GRANT ALL ON the \
    database), or to use what another user has migrated (GRANT SELECT, INSERT, UPDATE, DELETE ON vehicle, and \
    GRANT SELECT ON seaql_migrations)";
const READ_ONLY: &str = "; use an address that leads to the server that accepts writes";
const CONNECTIONS: &str = "; allow more connections on the server, or fewer in the connection pool here";
const PREPARED_STATEMENTS: &str = "; the prepared statements of all clients of the server have reached its \
    max_prepared_stmt_count: raise it, or lower --pool-size or statement-cache-capacity in the database URL";
const READ_ONLY_FILE: &str = "; the user of the service must be allowed to write the file and its folder, where \
    SQLite keeps the log of the file; to read a file that nobody writes, end the URL with ?immutable=1";
const DISK: &str = "; the disk must have room, the limits of the process must allow files of that size, and the \
    disk must be sound";
const DAMAGED: &str = "; the file is damaged: end every program that uses it, keep a copy with its -wal, and \
    restore a backup, or save what can be read with the .recover of sqlite3";
const FOLDER: &str = "; the folder of the file must exist, and the user of the service must be allowed to read \
    and write the file and its folder";
const OTHER_FILE: &str = "; the file is something else, or damaged: name another one in the database URL, or \
    restore a backup";
const REFUSED: &str = "; nothing listens at this address: start the database, or correct the host and the port \
    in the database URL";
const SILENT: &str = "; the server does not respond: it may have stopped, a firewall may drop its packets, or \
    the scheme is wrong (PostgreSQL does not respond to a client of MySQL): correct the scheme, the host and the \
    port in the database URL, or restore the server";
const OTHER_PROTOCOL: &str = "; the server at this address has another protocol than the scheme of the database \
    URL: correct the scheme (postgres, mysql, mariadb), the host or the port";
const UNTRUSTED: &str = "; no trusted encrypted connection: the server must offer TLS, the file of sslrootcert \
    or ssl-ca must hold the certificate of who signed the server's, the host in the URL must be one that the \
    server's certificate names, and the server must trust the client certificate, if there is one";
