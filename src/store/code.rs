//! The error codes of databases: the table of what they mean, and of what an operator does about them.

use sea_orm::sqlx::error::DatabaseError;
use sea_orm::sqlx::mysql::MySqlDatabaseError;
use sea_orm::sqlx::postgres::PgDatabaseError;

/// What an error means for the statement and its repetition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// The connection is lost; a commit may have been stored.
    Lost,
    /// Rolled back because of a concurrent transaction, or not started: a repetition can succeed at once.
    Conflict,
    /// The database does not take part for now; nothing was stored.
    Unavailable,
    /// A unique index refused a row.
    Unique,
    /// Anything else; nothing was stored.
    Refused,
}

/// An error code, or the start of one.
struct Row(&'static str, Kind, &'static str, &'static str);

use Kind::{Conflict, Lost, Refused, Unavailable, Unique};

/// SQLSTATEs: those of PostgreSQL, whose texts are also those of MySQL; a class is after its members.
const SQLSTATES: &[Row] = &[
    Row("08", Lost, "connection exception", ""),
    Row("0A", Refused, "feature not supported", ""),
    Row("22001", Refused, "a text is too long for its column", ""),
    Row(
        "2200H",
        Refused,
        "the sequence has reached its highest value",
        IDS,
    ),
    Row("22", Refused, "data exception", ""),
    Row("23502", Refused, "a NOT NULL constraint is violated", ""),
    Row("23503", Refused, "a foreign key constraint is violated", ""),
    Row(
        "23505",
        Unique,
        "a unique constraint is violated",
        EQUAL_ROWS,
    ),
    Row("23514", Refused, "a CHECK constraint is violated", ""),
    Row("23", Refused, "integrity constraint violation", ""),
    Row(
        "25006",
        Unavailable,
        "the transaction is read-only",
        READ_ONLY,
    ),
    Row("25", Refused, "invalid transaction state", ""),
    Row("28", Refused, "invalid authorization", CREDENTIALS),
    Row("3D", Refused, "the database does not exist", MISSING),
    Row("3F", Refused, "the schema does not exist", ""),
    Row("40001", Conflict, "serialization failure", ""),
    Row("40003", Lost, "statement completion unknown", ""),
    Row("40P01", Conflict, "deadlock", ""),
    Row("40", Refused, "transaction rollback", ""),
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
    Row("54", Refused, "a limit of the database is exceeded", ""),
    Row("55P03", Unavailable, "the lock is not available", ""),
    Row("55", Refused, "an object is not in the required state", ""),
    Row(
        "57014",
        Unavailable,
        "the statement was cancelled or took too long",
        "",
    ),
    Row("57P01", Lost, "operator intervention", ""),
    Row("57P02", Lost, "operator intervention", ""),
    Row("57P05", Lost, "operator intervention", ""),
    Row("57", Unavailable, "operator intervention", ""),
    Row("58", Refused, "system error", ""),
    Row("XX", Refused, "internal error of the database", ""),
    Row("", Refused, "the log of the database has the text", ""),
];

/// Error numbers of MySQL and MariaDB, whose SQLSTATEs are too coarse; a text that is empty is that of the SQLSTATE.
const MYSQL: &[Row] = &[
    Row("167", Refused, "", IDS),
    Row("1021", Unavailable, "the disk is full", DISK),
    Row("1040", Unavailable, "too many connections", CONNECTIONS),
    Row("1044", Refused, "", MYSQL_RIGHTS),
    Row("1045", Refused, "", CREDENTIALS),
    Row("1047", Conflict, "the node is not part of the cluster", ""),
    Row("1049", Refused, "the database does not exist", MISSING),
    Row("1053", Lost, "the server is shutting down", ""),
    Row("1062", Unique, "", EQUAL_ROWS),
    Row("1114", Unavailable, "the table is full", DISK),
    Row("1142", Refused, "", MYSQL_RIGHTS),
    Row("1143", Refused, "", MYSQL_RIGHTS),
    Row("1180", Lost, "error during the commit", ""),
    Row(
        "1203",
        Unavailable,
        "too many connections of this user",
        CONNECTIONS,
    ),
    Row("1205", Conflict, "lock wait timeout", ""),
    Row("1213", Conflict, "", ""),
    Row(
        "1226",
        Unavailable,
        "a resource limit of this user is exceeded",
        CONNECTIONS,
    ),
    Row("1290", Unavailable, "the server is read-only", READ_ONLY),
    Row("1317", Unavailable, "the statement was cancelled", ""),
    Row(
        "1461",
        Unavailable,
        "too many prepared statements",
        PREPARED_STATEMENTS,
    ),
    Row("1467", Refused, "", IDS),
    Row("1698", Refused, "", CREDENTIALS),
    Row("1792", Unavailable, "the transaction is read-only", ""),
    Row("1836", Unavailable, "the server is read-only", READ_ONLY),
    Row("1927", Lost, "the connection was killed", ""),
    Row("1969", Unavailable, "the statement took too long", ""),
    Row("3024", Unavailable, "the statement took too long", ""),
    Row("3032", Unavailable, "the server is offline", ""),
    Row("3101", Conflict, "conflict in Group Replication", ""),
    Row("3159", Refused, "", TLS),
    Row("4031", Lost, "the connection was idle for too long", ""),
];

/// Result codes of SQLite: extended ones that differ from their primary ones, then these.
const SQLITE: &[Row] = &[
    Row("1034", Lost, "disk I/O error", ""),
    Row("1555", Unique, "constraint failed", EQUAL_ROWS),
    Row("2067", Unique, "constraint failed", EQUAL_ROWS),
    Row("1", Refused, "SQL logic error", ""),
    Row("5", Unavailable, "database is locked", ""),
    Row("6", Unavailable, "database table is locked", ""),
    Row("7", Refused, "out of memory", ""),
    Row(
        "8",
        Unavailable,
        "attempt to write a readonly database",
        READ_ONLY_FILE,
    ),
    Row("9", Refused, "interrupted", ""),
    Row("10", Unavailable, "disk I/O error", DISK),
    Row("11", Refused, "database disk image is malformed", DAMAGED),
    Row("13", Unavailable, "database or disk is full", DISK),
    Row("14", Unavailable, "unable to open database file", FOLDER),
    Row("17", Refused, "database schema has changed", ""),
    Row("18", Refused, "string or blob too big", ""),
    Row("19", Refused, "constraint failed", ""),
    Row("20", Refused, "datatype mismatch", ""),
    Row("26", Refused, "file is not a database", OTHER_FILE),
    Row(
        "",
        Refused,
        "the SQLite documentation explains the code",
        "",
    ),
];

/// What the tables say about an error.
pub(super) struct Refusal {
    pub(super) kind: Kind,
    /// The database, the code and its meaning: no text of the database, which can quote values of rows.
    pub(super) text: String,
    /// What an operator does, beginning with a semicolon, or nothing.
    pub(super) remedy: &'static str,
}

impl Refusal {
    /// Looks up the error of a database.
    pub(super) fn of(error: &dyn DatabaseError) -> Self {
        if let Some(error) = error.try_downcast_ref::<PgDatabaseError>() {
            let Row(_, kind, text, remedy) = by_state(error.code());
            return Self {
                kind: if is_stale(error) { Conflict } else { *kind },
                text: format!("PostgreSQL error {}: {text}", error.code()),
                remedy,
            };
        }
        if let Some(error) = error.try_downcast_ref::<MySqlDatabaseError>() {
            let (number, state) = (error.number(), error.code().unwrap_or_default());
            let row = MYSQL.iter().find(|row| row.0 == number.to_string());
            let by_state = by_state(state);
            let text = row.map_or("", |row| row.2);
            let text = if text.is_empty() { by_state.2 } else { text };
            return Self {
                kind: row.map_or(Refused, |row| row.1),
                text: format!("MySQL or MariaDB error {number} (SQLSTATE {state}): {text}"),
                remedy: row.map_or("", |row| row.3),
            };
        }
        let code = error.code().unwrap_or_default();
        // The low byte of an extended code is the primary one.
        let primary = code
            .parse::<i32>()
            .map_or(String::new(), |code| (code & 0xff).to_string());
        let extended = SQLITE.iter().find(|row| row.0 == code);
        let row = extended.or_else(|| SQLITE.iter().find(|row| row.0 == primary));
        let Row(_, kind, text, remedy) = row.unwrap_or(&SQLITE[SQLITE.len() - 1]);
        // SQLite's messages about missing tables and columns contain no value.
        let message = error.message();
        let is_missing = ["no such table: ", "no such column: "];
        let missing = is_missing.iter().any(|start| message.starts_with(start));
        Self {
            kind: *kind,
            text: if missing {
                format!("SQLite error {code}: {text}: {message}")
            } else {
                format!("SQLite error {code}: {text}")
            },
            remedy,
        }
    }
}

/// Whether the type of a column was changed since the connection prepared the statement; it refuses that until it is closed.
pub(super) fn is_stale(error: &dyn DatabaseError) -> bool {
    let error = error.try_downcast_ref::<PgDatabaseError>();
    error.is_some_and(|error| error.routine() == Some("RevalidateCachedQuery"))
}

fn by_state(state: &str) -> &'static Row {
    let row = SQLSTATES.iter().find(|row| state.starts_with(row.0));
    row.expect("every code begins with the empty one")
}

const IDS: &str = "; the ids of the table are exhausted (maximum 9223372036854775807): give the rows with the highest \
                   ids lower ones, and set the counter of the ids back";

const EQUAL_ROWS: &str = "; a pending migration (migrate status) creates a unique index, and several rows have equal \
                          values in its columns: change or delete these rows, and migrate again";

const CREDENTIALS: &str = "; correct the user and the password in the database URL, or let the server admit this user \
                           from here, which may need TLS or a client certificate";

pub(super) const TLS: &str =
    "; this account needs TLS: ssl-mode=preferred or stricter, and a server that offers it";

const MISSING: &str = "; make it (CREATE DATABASE), or name another one in the database URL";

const POSTGRES_RIGHTS: &str = "; the user of the database URL needs the rights to migrate (GRANT USAGE, CREATE ON \
                               SCHEMA), or to use what another user has migrated (GRANT SELECT, INSERT, UPDATE, \
                               DELETE ON vehicle, and GRANT SELECT ON seaql_migrations and ON SEQUENCE vehicle_id_seq)";

const MYSQL_RIGHTS: &str = "; the user of the database URL needs the rights to migrate (GRANT ALL ON the database), or to \
                            use what another user has migrated (GRANT SELECT, INSERT, UPDATE, DELETE ON vehicle, and \
                            GRANT SELECT ON seaql_migrations)";

const READ_ONLY: &str = "; use an address that leads to the server that accepts writes";

const CONNECTIONS: &str =
    "; allow more connections on the server, or fewer in the connection pool here";

const PREPARED_STATEMENTS: &str = "; the prepared statements of all clients of the server have reached its \
                                   max_prepared_stmt_count: raise it, or lower --pool-size or \
                                   statement-cache-capacity in the database URL";

const READ_ONLY_FILE: &str = "; the user of the service must be allowed to write the file and its folder, where SQLite \
                              keeps the log of the file; to read a file that nobody writes, end the URL with \
                              ?immutable=1";

const DISK: &str = "; the disk must have room, the limits of the process must allow files of that size, and the disk \
                    must be sound";

const DAMAGED: &str = "; the file is damaged: end every program that uses it, keep a copy with its -wal, and restore a \
                       backup, or save what can be read with the .recover of sqlite3";

const FOLDER: &str = "; the folder of the file must exist, and the user of the service must be allowed to read and write \
                      the file and its folder";

const OTHER_FILE: &str = "; the file is something else, or damaged: name another one in the database URL, or restore a \
                          backup";

pub(super) const REFUSED: &str = "; nothing listens at this address: start the database, or correct the host and the \
                                  port in the database URL";

pub(super) const SILENT: &str = "; the server does not respond: it may have stopped, a firewall may drop its packets, or \
                                 the scheme is wrong (PostgreSQL does not respond to a client of MySQL): correct the \
                                 scheme, the host and the port in the database URL, or restore the server";

pub(super) const OTHER_PROTOCOL: &str = "; the server at this address has another protocol than the scheme of the \
                                         database URL: correct the scheme (postgres, mysql, mariadb), the host or the \
                                         port";
