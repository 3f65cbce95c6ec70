//! The URL of a database.

use std::fmt;
use std::path::{Path, PathBuf};

use sea_orm::sqlx::ConnectOptions as _;
use sea_orm::sqlx::mysql::MySqlConnectOptions;
use sea_orm::sqlx::postgres::PgConnectOptions;
use sea_orm::sqlx::sqlite::SqliteConnectOptions;

use crate::encryption;
use crate::error::Error;

/// The number of prepared statements that a connection caches: more than a service has, because MySQL delays the
/// statement that follows the closing of another by 40 ms while sqlx does not set `TCP_NODELAY`.
const CACHED_STATEMENTS: usize = 256;

/// The parameter of a URL that sets another number.
const STATEMENT_CACHE: &str = "statement-cache-capacity=";

/// The name of MariaDB in a [`Target::MySql`].
pub(crate) const MARIADB: &str = "MariaDB";

const SEVERAL_HOSTS: &str = "several hosts are not supported, nor is target_session_attrs; use the address of a load \
                             balancer that leads to the server that accepts writes";

/// The URL of a supported database. Displays without user and password.
#[derive(Clone)]
pub struct DatabaseUrl(pub(crate) Target);

/// A database and its connection options.
#[derive(Clone)]
pub(crate) enum Target {
    /// A SQLite file.
    SqliteFile(SqliteConnectOptions),
    /// A SQLite database that lives as long as its only connection.
    SqliteMemory(SqliteConnectOptions),
    /// A PostgreSQL server.
    Postgres(PgConnectOptions),
    /// A MySQL or MariaDB server, and which of them.
    MySql(MySqlConnectOptions, &'static str),
}

impl DatabaseUrl {
    /// Parses `sqlite:PATH`, `sqlite::memory:`, `postgres://…` or `mysql://…`; also `postgresql://`
    /// and `mariadb://`. Does not connect.
    ///
    /// # Errors
    ///
    /// [`Error::UnsupportedUrl`] and [`Error::InvalidUrl`]; neither repeats the URL.
    pub fn parse(url: &str) -> Result<Self, Error> {
        let (scheme, rest) = url.split_once(':').ok_or(Error::UnsupportedUrl)?;
        let target = match scheme {
            "sqlite" => sqlite(url, rest),
            "postgres" | "postgresql" if rest.starts_with("//") => postgres(url),
            "mysql" if rest.starts_with("//") => mysql(url, "MySQL"),
            "mariadb" if rest.starts_with("//") => mysql(&format!("mysql:{rest}"), MARIADB),
            _ => Err(Error::UnsupportedUrl),
        };
        target.map(Self)
    }

    /// The same URL of a server that is known to be MariaDB.
    pub(crate) fn of_mariadb(self) -> Self {
        Self(match self.0 {
            Target::MySql(server, _) => Target::MySql(server, MARIADB),
            other => other,
        })
    }

    /// The missing SQLite file that connecting would create.
    pub fn missing_file(&self) -> Option<&Path> {
        match &self.0 {
            Target::SqliteFile(options) => Some(options.get_filename()),
            Target::SqliteMemory(_) | Target::Postgres(_) | Target::MySql(..) => None,
        }
        .filter(|path| !path.exists())
    }
}

fn sqlite(url: &str, rest: &str) -> Result<Target, Error> {
    let (path, parameters) = rest.split_once('?').unwrap_or((rest, ""));
    let path = path.strip_prefix("//").unwrap_or(path);
    if path.is_empty() {
        return Err(Error::invalid_url("it has no file; use sqlite:PATH"));
    }
    let options: SqliteConnectOptions = url.parse().map_err(invalid)?;
    let options = options.disable_statement_logging();
    if path == ":memory:"
        || parameters
            .split('&')
            .any(|parameter| parameter == "mode=memory")
    {
        return Ok(Target::SqliteMemory(
            options.in_memory(true).shared_cache(false),
        ));
    }
    // An explicit mode decides whether a missing file is an error.
    let create = !parameters
        .split('&')
        .any(|parameter| parameter.starts_with("mode="));
    Ok(Target::SqliteFile(if create {
        options.create_if_missing(true)
    } else {
        options
    }))
}

fn postgres(url: &str) -> Result<Target, Error> {
    encryption::POSTGRES
        .check(url)
        .map_err(Error::invalid_url)?;
    require_one_host(url)?;
    let options: PgConnectOptions = url.parse().map_err(invalid)?;
    if options.get_host().contains(',') {
        return Err(Error::invalid_url(SEVERAL_HOSTS));
    }
    if options.get_database().is_none() {
        return Err(Error::invalid_url(
            "it has no database name; use postgres://USER:PASSWORD@HOST:PORT/DATABASE",
        ));
    }
    let options = if url.contains(STATEMENT_CACHE) {
        options
    } else {
        options.statement_cache_capacity(CACHED_STATEMENTS)
    };
    Ok(Target::Postgres(options.disable_statement_logging()))
}

fn mysql(url: &str, server: &'static str) -> Result<Target, Error> {
    encryption::MYSQL.check(url).map_err(Error::invalid_url)?;
    require_one_host(url)?;
    let options: MySqlConnectOptions = url.parse().map_err(invalid)?;
    if options.get_database().is_none() {
        return Err(Error::invalid_url(
            "it has no database name; use mysql://USER:PASSWORD@HOST:PORT/DATABASE",
        ));
    }
    let options = if url.contains(STATEMENT_CACHE) {
        options
    } else {
        options.statement_cache_capacity(CACHED_STATEMENTS)
    };
    // Other character sets cannot encode all characters.
    let options = options.charset("utf8mb4").disable_statement_logging();
    Ok(Target::MySql(options, server))
}

/// Refuses the list of hosts that libpq and MySQL's programs accept.
fn require_one_host(url: &str) -> Result<(), Error> {
    let (_, rest) = url.split_once("://").unwrap_or_default();
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let (_, hosts) = authority.rsplit_once('@').unwrap_or(("", authority));
    if hosts.contains(',') || url.contains("target_session_attrs=") {
        return Err(Error::invalid_url(SEVERAL_HOSTS));
    }
    Ok(())
}

fn invalid(error: sea_orm::sqlx::Error) -> Error {
    Error::invalid_url(error)
}

impl fmt::Debug for DatabaseUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "DatabaseUrl({self})")
    }
}

/// The database without user and password.
impl fmt::Display for DatabaseUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Target::SqliteFile(options) => {
                write!(f, "SQLite database {}", options.get_filename().display())
            }
            Target::SqliteMemory(_) => f.write_str("SQLite database in memory"),
            Target::Postgres(server) => {
                let database = server.get_database().unwrap_or_default();
                let address = address(server.get_socket(), server.get_host(), server.get_port());
                write!(f, "PostgreSQL database {database} at {address}")
            }
            Target::MySql(server, name) => {
                let database = server.get_database().unwrap_or_default();
                let address = address(server.get_socket(), server.get_host(), server.get_port());
                write!(f, "{name} database {database} at {address}")
            }
        }
    }
}

/// The socket, or the host and port.
fn address(socket: Option<&PathBuf>, host: &str, port: u16) -> String {
    match socket {
        Some(socket) => socket.display().to_string(),
        None => format!("{host}:{port}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_connection_caches_every_statement_unless_the_url_has_a_capacity() {
        for (url, capacity) in [
            ("postgres://h/shop", CACHED_STATEMENTS),
            ("postgres://h/shop?statement-cache-capacity=0", 0),
            ("mysql://h/shop", CACHED_STATEMENTS),
            ("mysql://h/shop?statement-cache-capacity=7", 7),
        ] {
            let parsed = DatabaseUrl::parse(url).map(|url| url.0);
            let options = match parsed {
                Ok(Target::Postgres(server)) => format!("{server:?}"),
                Ok(Target::MySql(server, _)) => format!("{server:?}"),
                _ => panic!("{url}"),
            };
            let expected = format!("statement_cache_capacity: {capacity},");
            assert!(options.contains(&expected), "{url}: {options}");
        }
    }

    fn shown(url: &str) -> String {
        DatabaseUrl::parse(url).map_or_else(|error| error.to_string(), |target| target.to_string())
    }

    #[test]
    fn a_url_names_a_database() {
        for (url, database) in [
            ("sqlite:book-shop.db", "SQLite database book-shop.db"),
            ("sqlite://data/books.db", "SQLite database data/books.db"),
            (
                "sqlite:///var/lib/books.db",
                "SQLite database /var/lib/books.db",
            ),
            ("sqlite:my%20books.db", "SQLite database my books.db"),
            ("sqlite::memory:", "SQLite database in memory"),
            ("sqlite://:memory:", "SQLite database in memory"),
            (
                "postgres://u:secret@db.example/shop",
                "PostgreSQL database shop at db.example:5432",
            ),
            (
                "postgresql://u:secret@db.example:6432/shop",
                "PostgreSQL database shop at db.example:6432",
            ),
            (
                "mysql://u:secret@db.example/shop",
                "MySQL database shop at db.example:3306",
            ),
            (
                "mariadb://u:secret@db.example:3307/shop",
                "MariaDB database shop at db.example:3307",
            ),
            (
                "postgres://u:a,b@[::1]:7/shop",
                "PostgreSQL database shop at [::1]:7",
            ),
        ] {
            assert_eq!(shown(url), database);
        }
    }

    #[test]
    fn rejects_an_unsupported_url_and_lists_the_supported_forms() {
        for url in [
            "",
            "book-shop.db",
            "oracle://u:secret@h/db",
            "SQLITE:x",
            "http://h/",
        ] {
            let message = shown(url);
            for form in ["sqlite:PATH", "postgres://", "mysql://"] {
                assert!(message.contains(form), "{url:?}: {message}");
            }
        }
    }

    #[test]
    fn rejects_a_url_without_a_database_or_a_host() {
        for url in [
            "sqlite:",
            "sqlite://",
            "sqlite:?mode=rwc",
            "mysql://u:secret@h",
            "mysql://h/",
            "postgres://u:secret@h",
            "postgres://h/?sslmode=require",
        ] {
            assert!(
                matches!(DatabaseUrl::parse(url), Err(Error::InvalidUrl(_))),
                "{url:?}"
            );
        }
    }

    #[test]
    fn rejects_several_hosts() {
        for url in [
            "mysql://u@one,two/shop",
            "postgres://u@one:5432,two:5433/shop",
            "postgres://u@h,/shop",
            "postgres:///shop?host=one,two",
            "postgres://h/shop?target_session_attrs=read-write",
        ] {
            let error = DatabaseUrl::parse(url).expect_err(url);
            let source = std::error::Error::source(&error).map(ToString::to_string);
            assert!(
                source.is_some_and(|source| source.contains("load balancer")),
                "{url}"
            );
        }
    }

    #[test]
    fn a_delimiter_in_a_password_must_be_percent_encoded() {
        for character in ["?", "/", "#"] {
            for scheme in ["postgres", "mysql"] {
                let url = format!("{scheme}://u:1{character}x@h/db");
                let source = DatabaseUrl::parse(&url).expect_err(&url);
                let source = std::error::Error::source(&source).map(ToString::to_string);
                let expected = "?, /, # and @ in a user name, a password or a database name must be percent-encoded";
                assert_eq!(source.as_deref(), Some(expected), "{url}");
            }
        }
        assert_eq!(
            shown("postgres://u:%3F%2F%23%40@h/db?user=a@b"),
            "PostgreSQL database db at h:5432"
        );
    }

    #[test]
    fn no_message_repeats_the_password() {
        for url in [
            "oracle://u:secret@h/db",
            "mysql://u:secret@h",
            "postgres://u:secret@h:port/db",
            "postgres://u:secret@h/db?sslmode=maybe",
            "mysql://u:secret@[h/db",
            "postgres://u:?secret@h/db",
            "mysql://u:?secret@h/db",
            "mysql://u:a?b&secret@h/db",
            "mysql://u:a?secret&b@h/db",
            "postgres://u:1/secret@h/db",
            "postgres://u:/secret@h/db",
            "postgres://u:a/secret@h/db",
            "postgres://u:a@b/secret@h/db",
            "mysql://u:1#secret@h/db",
            "mysql://u:a?b#secret@h/db",
            "postgres://h/db?password=a&secret",
        ] {
            let error = DatabaseUrl::parse(url).expect_err(url);
            let source = std::error::Error::source(&error).map(ToString::to_string);
            let debug = format!("{error:?} {error} {source:?}");
            assert!(!debug.contains("secret"), "{debug}");
        }
    }
}
