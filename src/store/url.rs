//! The URL of a database.

use std::{fmt, path::Path};

use sea_orm::sqlx::{
    ConnectOptions as _, mysql::MySqlConnectOptions, postgres::PgConnectOptions,
    sqlite::SqliteConnectOptions,
};

use super::error::StartError;
use super::parameters::{MYSQL, POSTGRES, Reason, SEVERAL_HOSTS};

/// The number of prepared statements that a connection caches: more than a service has, because MySQL delays the
/// statement that follows the closing of another by 40 ms while sqlx does not set `TCP_NODELAY`.
const CACHED_STATEMENTS: usize = 256;

/// The parameter of a URL that sets another number.
const STATEMENT_CACHE: &str = "statement-cache-capacity=";

/// The URL of a supported database. Displays without user and password.
#[derive(Clone)]
pub struct DatabaseUrl(pub(super) Target);

/// A database and its connection options.
#[derive(Clone)]
pub(super) enum Target {
    SqliteFile(SqliteConnectOptions),
    SqliteMemory(SqliteConnectOptions),
    Postgres(PgConnectOptions),
    /// The server, and the name of its product.
    MySql(MySqlConnectOptions, &'static str),
}

impl DatabaseUrl {
    /// Parses `sqlite:PATH`, `sqlite::memory:`, `postgres://…` or `mysql://…`; also `postgresql://` and `mariadb://`. Does
    /// not connect. No error repeats the URL.
    pub fn parse(url: &str) -> Result<Self, StartError> {
        let (scheme, rest) = url.split_once(':').ok_or(StartError::UnsupportedUrl)?;
        let target = match scheme {
            "sqlite" => sqlite(url, rest),
            "postgres" | "postgresql" if rest.starts_with("//") => postgres(url),
            "mysql" if rest.starts_with("//") => mysql(url, "MySQL"),
            "mariadb" if rest.starts_with("//") => mysql(&format!("mysql:{rest}"), "MariaDB"),
            _ => return Err(StartError::UnsupportedUrl),
        };
        target.map(Self).map_err(StartError::InvalidUrl)
    }

    /// An empty SQLite database in memory.
    pub fn memory() -> Self {
        Self::parse("sqlite::memory:").expect("the URL is supported")
    }

    /// The missing SQLite file that connecting would create.
    pub fn missing_file(&self) -> Option<&Path> {
        match &self.0 {
            Target::SqliteFile(options) => Some(options.get_filename()),
            Target::SqliteMemory(_) | Target::Postgres(_) | Target::MySql(..) => None,
        }
        .filter(|path| !path.exists())
    }

    /// Whether the URL requests a read-only SQLite file.
    pub(super) fn is_read_only(&self) -> bool {
        let Target::SqliteFile(options) = &self.0 else {
            return false;
        };
        let url = options.to_url_lossy();
        let mut parameters = url.query_pairs();
        parameters.any(|(name, value)| (name == "mode" && value == "ro") || name == "immutable")
    }
}

fn sqlite(url: &str, rest: &str) -> Result<Target, Reason> {
    let (path, parameters) = rest.split_once('?').unwrap_or((rest, ""));
    let path = path.strip_prefix("//").unwrap_or(path);
    if path.is_empty() {
        return Err("it has no file; use sqlite:PATH".into());
    }
    let options: SqliteConnectOptions = url.parse()?;
    let options = options.disable_statement_logging();
    let mut parameters = parameters.split('&');
    if path == ":memory:"
        || parameters
            .clone()
            .any(|parameter| parameter == "mode=memory")
    {
        let options = options.in_memory(true).shared_cache(false);
        return Ok(Target::SqliteMemory(options));
    }
    // An explicit mode decides whether a missing file is an error.
    let has_mode = parameters.any(|parameter| parameter.starts_with("mode="));
    Ok(Target::SqliteFile(if has_mode {
        options
    } else {
        options.create_if_missing(true)
    }))
}

fn postgres(url: &str) -> Result<Target, Reason> {
    POSTGRES.check(url)?;
    let options: PgConnectOptions = url.parse()?;
    if options.get_host().contains(',') {
        return Err(SEVERAL_HOSTS.into());
    }
    if options.get_database().is_none() {
        return Err(
            "it has no database name; use postgres://USER:PASSWORD@HOST:PORT/DATABASE".into(),
        );
    }
    let options = if url.contains(STATEMENT_CACHE) {
        options
    } else {
        options.statement_cache_capacity(CACHED_STATEMENTS)
    };
    let options = match options.get_application_name() {
        Some(_) => options,
        None => options.application_name(env!("CARGO_PKG_NAME")),
    };
    Ok(Target::Postgres(options.disable_statement_logging()))
}

fn mysql(url: &str, product: &'static str) -> Result<Target, Reason> {
    MYSQL.check(url)?;
    let options: MySqlConnectOptions = url.parse()?;
    if options.get_database().is_none() {
        return Err("it has no database name; use mysql://USER:PASSWORD@HOST:PORT/DATABASE".into());
    }
    let options = if url.contains(STATEMENT_CACHE) {
        options
    } else {
        options.statement_cache_capacity(CACHED_STATEMENTS)
    };
    // Other character sets cannot encode all characters.
    let options = options.charset("utf8mb4").disable_statement_logging();
    Ok(Target::MySql(options, product))
}

/// The database without user and password.
impl fmt::Display for DatabaseUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (product, database, socket, host, port) = match &self.0 {
            Target::SqliteFile(options) => {
                return write!(f, "SQLite database {}", options.get_filename().display());
            }
            Target::SqliteMemory(_) => return f.write_str("SQLite database in memory"),
            Target::Postgres(server) => {
                let database = server.get_database().unwrap_or_default();
                (
                    "PostgreSQL",
                    database,
                    server.get_socket(),
                    server.get_host(),
                    server.get_port(),
                )
            }
            Target::MySql(server, product) => {
                let database = server.get_database().unwrap_or_default();
                (
                    *product,
                    database,
                    server.get_socket(),
                    server.get_host(),
                    server.get_port(),
                )
            }
        };
        match socket {
            Some(socket) => write!(f, "{product} database {database} at {}", socket.display()),
            None => write!(f, "{product} database {database} at {host}:{port}"),
        }
    }
}

impl fmt::Debug for DatabaseUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "DatabaseUrl({self})")
    }
}

#[cfg(test)]
mod tests {
    use std::error::Error;

    use super::super::parameters::PERCENT_ENCODING;
    use super::*;

    /// The database, or the error and its source.
    fn shown(url: &str) -> String {
        match DatabaseUrl::parse(url) {
            Ok(url) => url.to_string(),
            Err(error) => match error.source() {
                Some(source) => source.to_string(),
                None => error.to_string(),
            },
        }
    }

    #[test]
    fn a_url_names_a_database() {
        for (url, database) in [
            (
                "sqlite://data/my%20cars.db",
                "SQLite database data/my cars.db",
            ),
            ("sqlite::memory:", "SQLite database in memory"),
            ("sqlite://:memory:", "SQLite database in memory"),
            (
                "postgresql://u:secret@h:6432/cars",
                "PostgreSQL database cars at h:6432",
            ),
            ("mysql://u:secret@h/cars", "MySQL database cars at h:3306"),
            (
                "mariadb://u:secret@h:3307/cars",
                "MariaDB database cars at h:3307",
            ),
            (
                "postgres://u:a,b@[::1]:7/cars",
                "PostgreSQL database cars at [::1]:7",
            ),
            (
                "postgres://u:%3F%2F%23%40@h/cars?user=a@b",
                "PostgreSQL database cars at h:5432",
            ),
            (
                "mysql://h/cars?ssl-mode=REQUIRED",
                "MySQL database cars at h:3306",
            ),
            (
                "postgres://h/cars?options[search_path]=a",
                "PostgreSQL database cars at h:5432",
            ),
        ] {
            assert_eq!(shown(url), database);
        }
    }

    #[test]
    fn every_mistake_in_a_url_is_named_with_its_remedy() {
        for (url, reason) in [
            ("", "unsupported database URL; use sqlite:PATH"),
            (
                "oracle://u:secret@h/db",
                "unsupported database URL; use sqlite:PATH",
            ),
            ("sqlite:?mode=rwc", "it has no file; use sqlite:PATH"),
            (
                "mysql://u:secret@h",
                "it has no database name; use mysql://",
            ),
            (
                "postgres://h/?sslmode=require",
                "it has no database name; use postgres://",
            ),
            ("mysql://u@one,two/db", SEVERAL_HOSTS),
            ("postgres:///db?host=one,two", SEVERAL_HOSTS),
            (
                "postgres://h/db?target_session_attrs=read-write",
                SEVERAL_HOSTS,
            ),
            ("postgres://u:1?secret@h/db", PERCENT_ENCODING),
            ("mysql://u:1/secret@h/db", PERCENT_ENCODING),
            ("mysql://u:1#secret@h/db", PERCENT_ENCODING),
            (
                "postgres://h/db?sslmod=require",
                "it has the parameter sslmod, which is none of sslmode",
            ),
            (
                "postgres://h/db?password=a&secret",
                "it has a parameter which is none of sslmode",
            ),
            (
                "postgres://h/db?sslmode=allow",
                "sslmode must be one of disable, prefer, require",
            ),
            (
                "mysql://h/db?ssl-mode=verify-full",
                "ssl-mode must be one of disabled, preferred",
            ),
            (
                "postgres://h/db?sslrootcert=/ca.pem&sslmode=require",
                "sslrootcert is looked at only with sslmode=verify-full or sslmode=verify-ca",
            ),
            (
                "mysql://h/db?ssl-ca=/no.pem&ssl-mode=verify_ca",
                "cannot read /no.pem of ssl-ca: ",
            ),
            ("postgres://h/db?sslcert=/a.pem", "sslcert needs sslkey"),
            ("mysql://h/db?ssl-key=/a.pem", "ssl-key needs sslcert"),
        ] {
            let shown = shown(url);
            assert!(shown.starts_with(reason), "{url}: {shown}");
            assert!(!shown.contains("secret"), "{shown}");
        }
    }
}
