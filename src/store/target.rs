//! Which database a URL names.

use std::fmt;

use sea_orm::sqlx::ConnectOptions as _;
use sea_orm::sqlx::mysql::MySqlConnectOptions;
use sea_orm::sqlx::postgres::PgConnectOptions;
use sea_orm::sqlx::sqlite::SqliteConnectOptions;

use super::error::StoreError;
use super::hosts::Host;
use super::{encryption, hosts};

/// A database and how to reach it. Displays without user and password.
#[derive(Clone)]
pub(super) enum Target {
    /// A SQLite file.
    SqliteFile(SqliteConnectOptions),
    /// A SQLite database that lives as long as its only connection.
    SqliteMemory(SqliteConnectOptions),
    /// A PostgreSQL server, or several of which one takes writes.
    Postgres(Vec<PgConnectOptions>),
    /// A MySQL or MariaDB server, or several.
    MySql(Vec<MySqlConnectOptions>),
}

impl Target {
    /// Reads a URL of one of the supported forms.
    pub(super) fn parse(url: &str) -> Result<Self, StoreError> {
        let (scheme, rest) = url.split_once(':').ok_or(StoreError::UnsupportedUrl)?;
        match scheme {
            "sqlite" => sqlite(url, rest),
            "postgres" | "postgresql" if rest.starts_with("//") => postgres(url, WRITES),
            "mysql" | "mariadb" if rest.starts_with("//") => mysql(&format!("mysql:{rest}")),
            _ => Err(StoreError::UnsupportedUrl),
        }
    }

    /// Reads the URL of replicas that are only read from.
    pub(super) fn parse_replica(url: &str) -> Result<Self, StoreError> {
        match url.split_once("://") {
            Some(("postgres" | "postgresql", _)) => postgres(url, READS),
            _ => Err(StoreError::invalid_url(
                "replicas are those of PostgreSQL; write postgres://USER:PASSWORD@HOST:PORT/DATABASE",
            )),
        }
    }
}

/// What libpq calls the servers that the service writes to, and those that it only reads from.
const WRITES: &[&str] = &["read-write", "primary"];
const READS: &[&str] = &["standby", "prefer-standby", "read-only", "any"];

fn sqlite(url: &str, rest: &str) -> Result<Target, StoreError> {
    let (path, parameters) = rest.split_once('?').unwrap_or((rest, ""));
    let path = path.strip_prefix("//").unwrap_or(path);
    if path.is_empty() {
        return Err(StoreError::invalid_url(
            "it names no file; write sqlite:PATH",
        ));
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
    // Whoever writes a mode has decided whether a missing file is an error.
    let create = !parameters
        .split('&')
        .any(|parameter| parameter.starts_with("mode="));
    Ok(Target::SqliteFile(if create {
        options.create_if_missing(true)
    } else {
        options
    }))
}

fn postgres(url: &str, sessions: &[&str]) -> Result<Target, StoreError> {
    encryption::POSTGRES
        .check(url)
        .map_err(StoreError::invalid_url)?;
    let url = hosts::without_session_attributes(url, sessions)?;
    let options = hosts::one_each(&url)?.into_iter().map(|url| {
        let options: PgConnectOptions = url.parse().map_err(invalid)?;
        if options.get_host().contains(',') {
            return Err(StoreError::invalid_url(
                "several hosts stand before the database; write postgres://USER:PASSWORD@HOST:PORT,HOST:PORT/DATABASE",
            ));
        }
        let options = match options.get_application_name() {
            Some(_) => options,
            None => options.application_name(env!("CARGO_PKG_NAME")),
        };
        Ok(options.disable_statement_logging())
    });
    options.collect::<Result<_, _>>().map(Target::Postgres)
}

fn mysql(url: &str) -> Result<Target, StoreError> {
    encryption::MYSQL
        .check(url)
        .map_err(StoreError::invalid_url)?;
    let options = hosts::one_each(url)?.into_iter().map(|url| {
        let options: MySqlConnectOptions = url.parse().map_err(invalid)?;
        if options.get_database().is_none() {
            return Err(StoreError::invalid_url(
                "it names no database; write mysql://USER:PASSWORD@HOST:PORT/DATABASE",
            ));
        }
        // Any other character set would lose characters on the way.
        Ok(options.charset("utf8mb4").disable_statement_logging())
    });
    options.collect::<Result<_, _>>().map(Target::MySql)
}

fn invalid(error: sea_orm::sqlx::Error) -> StoreError {
    StoreError::invalid_url(error)
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::SqliteFile(options) => {
                write!(f, "SQLite database {}", options.get_filename().display())
            }
            Self::SqliteMemory(_) => f.write_str("SQLite database in memory"),
            Self::Postgres(hosts) => {
                let one = &hosts[0];
                let database = one.get_database().unwrap_or(one.get_username());
                write!(f, "PostgreSQL database {database} at {}", names(hosts))
            }
            Self::MySql(hosts) => {
                let database = hosts[0].get_database().unwrap_or_default();
                write!(f, "MySQL database {database} at {}", names(hosts))
            }
        }
    }
}

fn names<H: Host>(hosts: &[H]) -> String {
    let names: Vec<_> = hosts.iter().map(Host::name).collect();
    names.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(url: &str) -> String {
        Target::parse(url).map_or_else(|error| error.to_string(), |target| target.to_string())
    }

    #[test]
    fn a_url_names_a_database() {
        for (url, database) in [
            (
                "sqlite:vehicle-catalogue.db",
                "SQLite database vehicle-catalogue.db",
            ),
            (
                "sqlite://data/vehicles.db",
                "SQLite database data/vehicles.db",
            ),
            (
                "sqlite:///var/lib/vehicles.db",
                "SQLite database /var/lib/vehicles.db",
            ),
            ("sqlite:my%20vehicles.db", "SQLite database my vehicles.db"),
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
                "MySQL database shop at db.example:3307",
            ),
            (
                "postgres://u:a,b@one.example,two.example:6432,[::1]:7/shop",
                "PostgreSQL database shop at one.example:5432, two.example:6432, [::1]:7",
            ),
            (
                "postgres://u@one.example,two.example/shop?target_session_attrs=read-write",
                "PostgreSQL database shop at one.example:5432, two.example:5432",
            ),
            (
                "mysql://one.example:3307,two.example/shop?ssl-mode=disabled",
                "MySQL database shop at one.example:3307, two.example:3306",
            ),
        ] {
            assert_eq!(shown(url), database);
        }
    }

    #[test]
    fn any_other_url_is_refused_with_the_supported_forms() {
        for url in [
            "",
            "vehicle-catalogue.db",
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
    fn a_url_without_a_database_or_a_host_is_refused() {
        for url in [
            "sqlite:",
            "sqlite://",
            "sqlite:?mode=rwc",
            "mysql://u:secret@h",
            "mysql://h/",
            "mysql://h,,i/shop",
            "postgres://u@h,/shop",
            "postgres:///shop?host=one,two",
            "postgres://one,two/shop?target_session_attrs=standby",
        ] {
            assert!(
                matches!(Target::parse(url), Err(StoreError::InvalidUrl(_))),
                "{url:?}"
            );
        }
    }

    #[test]
    fn no_message_repeats_the_password() {
        for url in [
            "oracle://u:secret@h/db",
            "mysql://u:secret@h",
            "postgres://u:secret@h:port/db",
            "postgres://u:secret@h/db?sslmode=maybe",
            "mysql://u:secret@[h/db",
        ] {
            let error = Target::parse(url).map(|_| ()).expect_err(url);
            let source = std::error::Error::source(&error).map(ToString::to_string);
            let debug = format!("{error:?} {error} {source:?}");
            assert!(!debug.contains("secret"), "{debug}");
        }
    }
}
