//! How to connect: the URL of a database, and how long to wait.

use std::{
    error::Error,
    fmt,
    path::{Path, PathBuf},
    time::Duration,
};

use sea_orm::sqlx::{
    ConnectOptions as _,
    mysql::MySqlConnectOptions,
    postgres::PgConnectOptions,
    sqlite::{SqliteConnectOptions, SqliteJournalMode, SqliteSynchronous},
};

/// How to connect, and how long to wait.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The database.
    pub url: DatabaseUrl,
    /// The maximum number of connections of the pool; of those that read, on SQLite.
    pub pool_size: u32,
    /// The maximum time of a statement, and of the repetitions of a write.
    pub timeout: Duration,
    /// How long a start waits for the database.
    pub connect_timeout: Duration,
    /// How long a start waits for another instance that migrates.
    pub migration_lock_timeout: Duration,
}

/// The number of prepared statements that a connection caches: more than a service has, because MySQL delays the
/// statement that follows the closing of another by 40 ms while sqlx does not set `TCP_NODELAY`.
const CACHED_STATEMENTS: usize = 256;

const SEVERAL_HOSTS: &str = "several hosts are not supported, nor is target_session_attrs; use the address of a load \
                             balancer that leads to the server that accepts writes";

/// The reason for a URL whose user or password ends at a delimiter, so that the rest of it is elsewhere in the URL.
const PERCENT_ENCODING: &str = "?, /, # and @ in a user name, a password or a database name must be percent-encoded";

/// What the URLs of a kind of server accept. The driver ignores an unknown parameter, and a mistake in one of TLS would
/// disable encryption.
struct Dialect {
    parameters: &'static str,
    /// The modes of TLS.
    modes: &'static str,
}

const POSTGRES: Dialect = Dialect {
    parameters: "sslmode, ssl-mode, sslrootcert, ssl-root-cert, ssl-ca, sslcert, ssl-cert, sslkey, ssl-key, host, \
                 hostaddr, port, dbname, user, password, application_name, options, statement-cache-capacity",
    modes: "disable, prefer, require, verify-ca, verify-full",
};

const MYSQL: Dialect = Dialect {
    parameters: "ssl-mode, sslmode, ssl-ca, sslca, ssl-cert, sslcert, ssl-key, sslkey, charset, collation, socket, \
                 timezone, time-zone, statement-cache-capacity",
    modes: "disabled, preferred, required, verify_ca, verify_identity",
};

/// Parameters that name the certificate authorities, which only the modes that verify certificates use.
const AUTHORITIES: [&str; 4] = ["sslrootcert", "ssl-root-cert", "ssl-ca", "sslca"];

/// Why a URL is refused.
type Reason = Box<dyn Error + Send + Sync>;

/// The URL of a supported database. Displays without user and password.
#[derive(Clone)]
pub struct DatabaseUrl {
    pub(super) target: Target,
    text: String,
}

/// A database and its connection options.
#[derive(Clone)]
pub(super) enum Target {
    SqliteFile(SqliteConnectOptions),
    SqliteMemory(SqliteConnectOptions),
    Postgres(PgConnectOptions),
    MySql(MySqlConnectOptions),
}

impl DatabaseUrl {
    /// Parses `sqlite:PATH`, `sqlite::memory:`, `postgres://…` or `mysql://…`; also `postgresql://` and `mariadb://`. Does
    /// not connect. No error repeats the URL.
    pub fn parse(url: &str) -> Result<Self, Reason> {
        match url.split_once(':') {
            Some(("sqlite", rest)) => sqlite(url, rest),
            Some(("postgres" | "postgresql", rest)) if rest.starts_with("//") => postgres(url),
            Some((scheme @ ("mysql" | "mariadb"), rest)) if rest.starts_with("//") => mysql(scheme, rest),
            _ => Err("it has another scheme, or none".into()),
        }
    }

    /// An empty SQLite database in memory.
    pub fn memory() -> Self {
        Self::parse("sqlite::memory:").expect("the URL is supported")
    }

    /// The missing SQLite file that connecting would create.
    pub fn missing_file(&self) -> Option<&Path> {
        match &self.target {
            Target::SqliteFile(options) => Some(options.get_filename()),
            Target::SqliteMemory(_) | Target::Postgres(_) | Target::MySql(_) => None,
        }
        .filter(|path| !path.exists())
    }

    /// Whether the URL requests a read-only SQLite file.
    pub(super) fn is_read_only(&self) -> bool {
        let Target::SqliteFile(options) = &self.target else {
            return false;
        };
        let url = options.to_url_lossy();
        let mut parameters = url.query_pairs();
        parameters.any(|(name, value)| (name == "mode" && value == "ro") || name == "immutable")
    }
}

fn sqlite(url: &str, rest: &str) -> Result<DatabaseUrl, Reason> {
    let (path, parameters) = rest.split_once('?').unwrap_or((rest, ""));
    let path = path.strip_prefix("//").unwrap_or(path);
    if path.is_empty() {
        return Err("it has no file; use sqlite:PATH".into());
    }
    let options: SqliteConnectOptions = url.parse()?;
    let options = options.disable_statement_logging();
    if path == ":memory:" || parameters.contains("mode=memory") {
        let options = options.in_memory(true).shared_cache(false);
        return Ok(DatabaseUrl { target: Target::SqliteMemory(options), text: "SQLite database in memory".to_owned() });
    }
    // Options that survive a crash of the system without losing a commit. An explicit mode decides whether a missing file is
    // an error.
    let mut options = options.journal_mode(SqliteJournalMode::Wal).synchronous(SqliteSynchronous::Full);
    if !parameters.contains("mode=") {
        options = options.create_if_missing(true);
    }
    Ok(DatabaseUrl {
        text: format!("SQLite database {}", options.get_filename().display()),
        target: Target::SqliteFile(options),
    })
}

fn postgres(url: &str) -> Result<DatabaseUrl, Reason> {
    POSTGRES.check(url)?;
    let mut options: PgConnectOptions = url.parse()?;
    if options.get_host().contains(',') {
        return Err(SEVERAL_HOSTS.into());
    }
    if !url.contains("statement-cache-capacity=") {
        options = options.statement_cache_capacity(CACHED_STATEMENTS);
    }
    if options.get_application_name().is_none() {
        options = options.application_name(env!("CARGO_PKG_NAME"));
    }
    let (host, port) = (options.get_host(), options.get_port());
    let place = place(options.get_socket(), host, port);
    let database =
        options.get_database().ok_or("it has no database name; use postgres://USER:PASSWORD@HOST:PORT/DATABASE")?;
    Ok(DatabaseUrl {
        text: format!("PostgreSQL database {database} at {place}"),
        target: Target::Postgres(options.disable_statement_logging()),
    })
}

fn mysql(scheme: &str, rest: &str) -> Result<DatabaseUrl, Reason> {
    let url = format!("mysql:{rest}");
    MYSQL.check(&url)?;
    let mut options: MySqlConnectOptions = url.parse()?;
    if !url.contains("statement-cache-capacity=") {
        options = options.statement_cache_capacity(CACHED_STATEMENTS);
    }
    let (host, port) = (options.get_host(), options.get_port());
    let place = place(options.get_socket(), host, port);
    let database =
        options.get_database().ok_or("it has no database name; use mysql://USER:PASSWORD@HOST:PORT/DATABASE")?;
    let product = if scheme == "mysql" { "MySQL" } else { "MariaDB" };
    Ok(DatabaseUrl {
        text: format!("{product} database {database} at {place}"),
        // Other character sets cannot encode all characters.
        target: Target::MySql(options.charset("utf8mb4").disable_statement_logging()),
    })
}

fn place(socket: Option<&PathBuf>, host: &str, port: u16) -> String {
    match socket {
        Some(socket) => socket.display().to_string(),
        None => format!("{host}:{port}"),
    }
}

impl Dialect {
    /// Rejects several hosts, unknown parameters and modes of TLS, certificate authorities without effect, and passwords that
    /// are not encoded.
    fn check(&self, url: &str) -> Result<(), Reason> {
        let after_scheme = url.split_once("://").map_or(url, |(_, rest)| rest);
        let end = after_scheme.find(['/', '?', '#']);
        let (authority, rest) = after_scheme.split_at(end.unwrap_or(after_scheme.len()));
        let (path, query) = rest.split_once('?').unwrap_or((rest, ""));
        let (query, fragment) = query.split_once('#').unwrap_or((query, ""));
        if path.contains('@') || fragment.contains('@') {
            return Err(PERCENT_ENCODING.into());
        }
        let hosts = authority.rsplit('@').next().unwrap_or_default();
        if hosts.contains(',') || query.contains("target_session_attrs=") {
            return Err(SEVERAL_HOSTS.into());
        }
        let given = || form_urlencoded::parse(query.as_bytes());
        let known = |name: &str| self.parameters.split(", ").any(|known| known == name);
        if let Some((name, _)) = given().find(|(name, _)| !known(name) && !name.starts_with("options[")) {
            if rest.contains('@') {
                return Err(PERCENT_ENCODING.into());
            }
            // After an unencoded `&` in a password, its rest is a name.
            let parameter = if given().any(|(name, _)| name == "password") {
                "a parameter"
            } else {
                &format!("the parameter {name},")
            };
            let known = self.parameters;
            return Err(format!("it has {parameter} which is none of {known}").into());
        }
        let mode = given().filter(|(name, _)| matches!(&**name, "sslmode" | "ssl-mode")).last();
        let mode = mode.map(|(name, mode)| (name, mode.to_ascii_lowercase()));
        if let Some((name, mode)) = &mode
            && !self.modes.split(", ").any(|known| known == mode)
        {
            return Err(format!("{name} must be one of {}", self.modes).into());
        }
        let verifies = mode.is_some_and(|(_, mode)| mode.starts_with("verify"));
        if let Some((name, _)) = given().find(|(name, _)| AUTHORITIES.contains(&&**name) && !verifies) {
            let modes = "sslmode=verify-full (PostgreSQL) or ssl-mode=verify_identity (MySQL)";
            return Err(format!("{name} is looked at only with {modes}").into());
        }
        Ok(())
    }
}

impl fmt::Display for DatabaseUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl fmt::Debug for DatabaseUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "DatabaseUrl({self})")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_url_names_a_database() {
        for (url, database) in [
            ("sqlite://data/my%20cars.db", "SQLite database data/my cars.db"),
            ("sqlite::memory:", "SQLite database in memory"),
            ("sqlite://:memory:", "SQLite database in memory"),
            ("postgresql://u:secret@h:6432/cars", "PostgreSQL database cars at h:6432"),
            ("mysql://u:secret@h/cars", "MySQL database cars at h:3306"),
            ("mariadb://u:secret@h:3307/cars", "MariaDB database cars at h:3307"),
            ("postgres://u:a,b@[::1]:7/cars", "PostgreSQL database cars at [::1]:7"),
            ("postgres://u:%3F%2F%23%40@h/cars?user=a@b", "PostgreSQL database cars at h:5432"),
            ("mysql://h/cars?ssl-mode=REQUIRED", "MySQL database cars at h:3306"),
            ("postgres://h/cars?options[search_path]=a", "PostgreSQL database cars at h:5432"),
        ] {
            let shown = DatabaseUrl::parse(url).map(|url| url.to_string());
            assert_eq!(shown.expect("the URL is right"), database);
        }
    }
}
