//! Hints for operators, appended to the messages of database errors.

use std::io::ErrorKind;

use sea_orm::{DbErr, SqlErr, sqlx};

use super::code::{Code, refusal, sqlx_error};
use super::connection_error::PasswordNeedsTls;

/// The hint for an error, beginning with a semicolon, or an empty string.
pub(crate) fn hint(error: &DbErr) -> &'static str {
    if is_password_without_tls(error) {
        return TLS;
    }
    if let Some(SqlErr::UniqueConstraintViolation(_)) = error.sql_err() {
        return EQUAL_ROWS;
    }
    match sqlx_error(error) {
        Some(sqlx::Error::Io(error)) if error.kind() == ErrorKind::ConnectionRefused => {
            return REFUSED;
        }
        Some(sqlx::Error::Io(error)) if error.kind() == ErrorKind::TimedOut => return SILENT,
        Some(sqlx::Error::Protocol(_)) if matches!(error, DbErr::Conn(_)) => return OTHER_PROTOCOL,
        _ => {}
    }
    match refusal(error) {
        Some(Code::Sqlite(code, _)) => sqlite_hint(code),
        Some(Code::Postgres(state)) => postgres_hint(state),
        Some(Code::MySql(number)) => mysql_hint(number),
        None => "",
    }
}

/// Whether MySQL requests a password that is sent only over TLS.
fn is_password_without_tls(error: &DbErr) -> bool {
    matches!(sqlx_error(error), Some(sqlx::Error::Configuration(reason)) if PasswordNeedsTls::is(&**reason))
}

fn sqlite_hint(code: i32) -> &'static str {
    match code {
        8 => {
            "; the user of the service must be allowed to write the file and its folder, where \
             SQLite keeps the log of the file"
        }
        10 | 13 => {
            "; the disk must have room, the limits of the process must allow files of that size, \
             and the disk must be sound"
        }
        11 => {
            "; the file is damaged: end every program that uses it, keep a copy with its -wal, and \
             restore a backup, or save what can be read with the .recover of sqlite3"
        }
        14 => {
            "; the folder of the file must exist, and the user of the service must be allowed to \
             read and write the file and its folder"
        }
        26 => {
            "; the file is something else, or damaged: name another one in the database URL, \
             or restore a backup"
        }
        _ => "",
    }
}

fn postgres_hint(state: &str) -> &'static str {
    match state {
        "28P01" | "28000" => CREDENTIALS,
        "3D000" => MISSING,
        "42501" => {
            "; the user of the database URL needs the rights to connect and to make tables: GRANT \
             CONNECT, CREATE ON DATABASE and GRANT USAGE, CREATE ON SCHEMA; or migrate as another \
             user and start with --migrate never"
        }
        "25006" => READ_ONLY,
        "53300" => CONNECTIONS,
        _ => "",
    }
}

fn mysql_hint(number: u16) -> &'static str {
    match number {
        1045 | 1698 => CREDENTIALS,
        1049 => MISSING,
        1044 | 1142 => {
            "; the user of the database URL needs the rights to use the database and to make \
             tables: GRANT ALL ON the database; or migrate as another user and start \
             with --migrate never"
        }
        1290 | 1836 => READ_ONLY,
        3159 => TLS,
        1040 | 1203 | 1226 => CONNECTIONS,
        1461 => PREPARED_STATEMENTS,
        _ => "",
    }
}

const REFUSED: &str = "; nothing listens at this address: start the database, or correct the host and the port in the \
                       database URL";

const SILENT: &str = "; the server does not respond: it may have stopped, a firewall may drop its packets, or the scheme \
                      is wrong (PostgreSQL does not respond to a client of MySQL): correct the scheme, the host and the port in \
                      the database URL, or restore the server";

const OTHER_PROTOCOL: &str = "; the server at this address has another protocol than the scheme of the database URL: \
                              correct the scheme (postgres, mysql, mariadb), the host or the port";

const EQUAL_ROWS: &str = "; a pending migration (migrate status) creates a unique index, and several rows have equal \
                          values in its columns: change or delete these rows, and migrate again";

const CREDENTIALS: &str = "; correct the user and the password in the database URL, or let the \
                           server admit this user from here, which may need TLS or a client \
                           certificate";

const TLS: &str =
    "; this account needs TLS: ssl-mode=preferred or stricter, and a server that offers it";

const MISSING: &str = "; make it (CREATE DATABASE), or name another one in the database URL";

const READ_ONLY: &str = "; use an address that leads to the server that accepts writes";

const PREPARED_STATEMENTS: &str = "; the prepared statements of all clients of the server have reached its \
                                   max_prepared_stmt_count: raise it, or lower --pool-size or statement-cache-capacity in the \
                                   database URL";

const CONNECTIONS: &str =
    "; allow more connections on the server, or fewer in the connection pool here";
