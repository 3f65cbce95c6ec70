//! Every setting: its flag, its variable, its default, its unit and its bound.
//!
//! No other module reads the environment.

use std::{ffi::OsStr, fmt, net::SocketAddr, str::FromStr, time::Duration};

use clap::{
    Arg, Args, Command as ClapCommand, Parser, Subcommand, ValueEnum,
    builder::{PossibleValue, TypedValueParser},
    error::ErrorKind,
};

use crate::telemetry::LogLevel;

/// A GraphQL service for vehicles.
///
/// Without a command it serves. Every setting can be given as a flag or as a
/// variable of the environment; the flag wins.
#[derive(Debug, Parser)]
#[command(name = "vehicle-catalogue", version, max_term_width = 100)]
pub struct CommandLine {
    #[command(subcommand)]
    command: Option<Command>,

    /// The settings, the same for every command.
    #[command(flatten)]
    pub settings: Settings,
}

/// What can be asked for on the command line.
#[derive(Debug, Clone, PartialEq, Eq, Subcommand)]
pub enum Command {
    /// Answer GraphQL requests until SIGTERM or Ctrl-C (the default)
    Serve,
    /// Change the tables of the database, or tell how far they are
    #[command(subcommand)]
    Migrate(Migrate),
}

/// What can be done to the tables.
#[derive(Debug, Clone, PartialEq, Eq, Subcommand)]
pub enum Migrate {
    /// Apply every migration that has not been applied
    Up,
    /// Undo the migrations that were applied last, with the data they hold
    Down {
        /// How many migrations to undo
        #[arg(long, value_name = "MIGRATIONS", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
        steps: u32,
    },
    /// List the migrations and whether they have been applied
    Status,
}

/// The settings of the service.
#[derive(Debug, Clone, Args)]
pub struct Settings {
    /// Address and port to listen on; port 0 takes a free one
    #[arg(global = true, long, env = "CATALOGUE_LISTEN", value_name = "ADDRESS", help_heading = "HTTP",
        default_value = "127.0.0.1:8000", value_parser = listen_address)]
    pub listen: SocketAddr,

    /// Largest request body in bytes
    #[arg(global = true, long, env = "CATALOGUE_BODY_LIMIT_BYTES", value_name = "BYTES", help_heading = "HTTP",
        default_value_t = 1024 * 1024, value_parser = clap::value_parser!(u32).range(1024..=64 * 1024 * 1024))]
    pub body_limit_bytes: u32,

    /// How long the requests in flight may take when the service is stopped, in seconds
    #[arg(global = true, long, env = "CATALOGUE_DRAIN_TIMEOUT_SECONDS", value_name = "SECONDS", help_heading = "HTTP",
        default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..=3600))]
    drain_timeout_seconds: u32,

    /// Most vehicles in one list
    #[arg(global = true, long, env = "CATALOGUE_LIST_LIMIT", value_name = "VEHICLES", help_heading = "GraphQL",
        default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub list_limit: u32,

    /// Where the vehicles are kept: sqlite:FILE, `postgres://USER:PASSWORD@HOST/DATABASE`
    /// or `mysql://USER:PASSWORD@HOST/DATABASE` (MySQL and MariaDB)
    #[arg(global = true, long, env = "DATABASE_URL", hide_env_values = true, value_name = "URL", help_heading = "Database",
        default_value = "sqlite:vehicle-catalogue.db", value_parser = DatabaseUrlParser)]
    pub database_url: DatabaseUrl,

    /// Most connections to the database
    #[arg(global = true, long, env = "CATALOGUE_POOL_SIZE", value_name = "CONNECTIONS", help_heading = "Database",
        default_value_t = 8, value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub pool_size: u32,

    /// How long to wait for the database, in seconds
    #[arg(global = true, long, env = "CATALOGUE_DATABASE_TIMEOUT_SECONDS", value_name = "SECONDS", help_heading = "Database",
        default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..=600))]
    database_timeout_seconds: u32,

    /// When `serve` applies the migrations that have not been applied
    #[arg(
        global = true,
        long,
        env = "CATALOGUE_MIGRATE",
        value_name = "WHEN",
        help_heading = "Database",
        default_value = "at-start"
    )]
    pub migrate: MigrateWhen,

    /// What to log: off, error, warn, info, debug or trace; target=level for single targets
    #[arg(global = true, long, env = "CATALOGUE_LOG", value_name = "LEVEL", help_heading = "Log",
        default_value = "info", value_parser = LogLevel::from_str)]
    pub log_level: LogLevel,
}

/// When `serve` applies the migrations that have not been applied.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MigrateWhen {
    /// Before the first request is answered.
    AtStart,
    /// Never: `vehicle-catalogue migrate up` does it.
    Never,
}

/// The URL of a supported database. Its `Debug` form does not show it, since it may hold a password.
#[derive(Clone, PartialEq, Eq)]
pub struct DatabaseUrl(String);

/// A text that is no [`DatabaseUrl`]; it does not repeat the text.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "the database URL (--database-url or DATABASE_URL) must be sqlite:FILE, postgres://USER:PASSWORD@HOST/DATABASE \
     or mysql://USER:PASSWORD@HOST/DATABASE (also for MariaDB)"
)]
pub struct DatabaseUrlError;

impl CommandLine {
    /// Reads the arguments and the environment of this process.
    ///
    /// The error is what to tell the user; it is also how `--help` and `--version` are answered.
    pub fn read() -> Result<Self, clap::Error> {
        Self::try_parse()
    }

    /// What was asked for: [`Command::Serve`] when nothing else was.
    pub fn command(&self) -> Command {
        self.command.clone().unwrap_or(Command::Serve)
    }
}

impl Settings {
    /// How long the requests in flight may take when the service is stopped.
    pub fn drain_timeout(&self) -> Duration {
        Duration::from_secs(self.drain_timeout_seconds.into())
    }

    /// How long to wait for the database.
    pub fn database_timeout(&self) -> Duration {
        Duration::from_secs(self.database_timeout_seconds.into())
    }
}

impl ValueEnum for MigrateWhen {
    fn value_variants<'a>() -> &'a [Self] {
        &[Self::AtStart, Self::Never]
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(match self {
            Self::AtStart => PossibleValue::new("at-start"),
            Self::Never => PossibleValue::new("never"),
        })
    }
}

impl DatabaseUrl {
    /// The URL, with the password it may hold.
    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl FromStr for DatabaseUrl {
    type Err = DatabaseUrlError;

    fn from_str(text: &str) -> Result<Self, DatabaseUrlError> {
        let rest = match text.split_once(':') {
            Some(("sqlite", rest)) => rest,
            Some(("postgres" | "postgresql" | "mysql", rest)) => {
                rest.strip_prefix("//").unwrap_or("")
            }
            _ => "",
        };
        if rest.is_empty() || text.chars().any(char::is_control) {
            return Err(DatabaseUrlError);
        }
        Ok(Self(text.to_owned()))
    }
}

impl fmt::Debug for DatabaseUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let scheme = self.0.split(':').next().unwrap_or_default();
        write!(f, "DatabaseUrl({scheme}:…)")
    }
}

/// Reports a wrong database URL without repeating it, as clap's own parsers would.
#[derive(Clone)]
struct DatabaseUrlParser;

impl TypedValueParser for DatabaseUrlParser {
    type Value = DatabaseUrl;

    fn parse_ref(
        &self,
        command: &ClapCommand,
        _: Option<&Arg>,
        value: &OsStr,
    ) -> Result<DatabaseUrl, clap::Error> {
        let parsed = value.to_str().ok_or(DatabaseUrlError).and_then(str::parse);
        parsed.map_err(|error| {
            clap::Error::raw(ErrorKind::ValueValidation, format!("{error}\n")).with_cmd(command)
        })
    }
}

fn listen_address(text: &str) -> Result<SocketAddr, &'static str> {
    text.parse()
        .map_err(|_| "write an IP address and a port, such as 127.0.0.1:8000 or [::1]:8000")
}
