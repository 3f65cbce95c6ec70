//! Every setting: its flag, its variable, its default, its unit and its bound.
//!
//! No other module reads the environment.

mod checked;
mod contradictions;
mod documents;
mod effective;
mod example;
mod file;
mod http;
mod production;
mod setting;
mod transfer;

use std::{error::Error, ffi::OsString, time::Duration};

use clap::{Args, CommandFactory, FromArgMatches, Parser, Subcommand, error::ErrorKind};

use self::{
    checked::{Checked, OptionalPath, number, optional_path, secret, value},
    file::ConfigFile,
    production::production,
    setting::CONFIG,
};
pub use self::{
    documents::DocumentSettings,
    effective::{Effective, Origin},
    http::HttpArguments,
    production::Production,
    transfer::{ExportArguments, ImportArguments, OnBadRow, Place},
};
use crate::{catalogue::ListLimit, store::DatabaseUrl, telemetry::LogLevel};

const DATABASE_URL: &str = "sqlite:FILE, postgres://USER:PASSWORD@HOST:PORT/DATABASE or \
     mysql://USER:PASSWORD@HOST:PORT/DATABASE (MySQL and MariaDB)";

/// A GraphQL service for vehicles.
///
/// Without a command it serves. Every setting can be given as a flag, as a variable of the
/// environment, or in a TOML file that --config names, under the name of the flag; the flag wins
/// over the variable, and the variable over the file.
#[derive(Debug, Parser)]
#[command(name = "vehicle-catalogue", version, max_term_width = 100)]
pub struct CommandLine {
    #[command(subcommand)]
    command: Option<Command>,

    /// TOML file of settings, named like the flags, or none; see config example
    #[arg(global = true, long, env = "CATALOGUE_CONFIG", value_name = "FILE")]
    #[arg(default_value = "none", value_parser = optional_path())]
    config: OptionalPath,

    /// The settings, the same for every command.
    #[command(flatten)]
    pub settings: Settings,

    /// The settings one by one, with their origins.
    #[arg(skip)]
    pub effective: Vec<Effective>,
}

/// What can be asked for on the command line.
#[derive(Debug, Clone, PartialEq, Eq, Subcommand)]
pub enum Command {
    /// Answer GraphQL requests until SIGTERM or Ctrl-C (the default)
    Serve,
    /// Change the tables of the database, or tell how far they are
    #[command(subcommand, arg_required_else_help = false)]
    Migrate(Migrate),
    /// Check the settings, or show how a file of them looks
    #[command(subcommand)]
    Config(Config),
    /// Store the vehicles of a CSV or NDJSON file, under the rules of createVehicle
    #[command(long_about = transfer::IMPORT)]
    Import(ImportArguments),
    /// Write every vehicle to a CSV or NDJSON file, in the order of their ids
    #[command(long_about = transfer::EXPORT)]
    Export(ExportArguments),
}

/// What can be done with settings.
#[derive(Debug, Clone, PartialEq, Eq, Subcommand)]
pub enum Config {
    /// Check every setting and the files they name, and show what is in effect and who said so
    Check,
    /// Write a TOML file with every setting, its meaning and its default
    Example,
}

/// What can be done to the tables.
#[derive(Debug, Clone, PartialEq, Eq, Subcommand)]
pub enum Migrate {
    /// Apply every migration that has not been applied
    Up,
    /// Undo the migrations that were applied last, with the data they hold
    Down {
        /// How many migrations to undo, from 1 to 1000
        #[arg(long, value_name = "MIGRATIONS", default_value = "1", value_parser = number(1..=1000))]
        steps: u32,
    },
    /// List the migrations and whether they have been applied
    Status,
}

/// The settings of the service.
#[derive(Debug, Clone, Args)]
pub struct Settings {
    /// Turns off what is for development, the page at /graphiql and introspection, unless their own
    /// settings turn it on: --production, or on or off
    #[arg(
        global = true,
        long,
        env = "CATALOGUE_PRODUCTION",
        value_name = "ON|OFF"
    )]
    #[arg(default_value = "off", default_missing_value = "on", num_args = 0..=1)]
    #[arg(require_equals = true, value_parser = production())]
    pub production: Production,

    /// The settings of HTTP.
    #[command(flatten)]
    pub http: HttpArguments,

    /// Most vehicles in one list, from 1 to 100000
    #[arg(
        global = true,
        long,
        env = "CATALOGUE_LIST_LIMIT",
        value_name = "VEHICLES"
    )]
    #[arg(default_value = "1000", value_parser = list_limit(), help_heading = "GraphQL")]
    pub list_limit: ListLimit,

    /// What a request may ask for.
    #[command(flatten)]
    pub documents: DocumentSettings,

    /// Where the vehicles are kept
    #[arg(
        global = true,
        long,
        env = "DATABASE_URL",
        hide_env_values = true,
        value_name = "URL"
    )]
    #[arg(default_value = "sqlite:vehicle-catalogue.db", value_parser = database_url())]
    #[arg(help = format!("Where the vehicles are kept: {DATABASE_URL}"), help_heading = "Database")]
    pub database_url: DatabaseUrl,

    /// Most connections to the database, from 1 to 1000
    #[arg(
        global = true,
        long,
        env = "CATALOGUE_POOL_SIZE",
        value_name = "CONNECTIONS"
    )]
    #[arg(default_value = "8", value_parser = number(1..=1000), help_heading = "Database")]
    pub pool_size: u32,

    /// How long to wait at the start for a database that is not there yet, from 1 to 3600 seconds
    #[arg(
        global = true,
        long,
        env = "CATALOGUE_DATABASE_CONNECT_TIMEOUT_SECONDS",
        value_name = "SECONDS"
    )]
    #[arg(default_value = "30", value_parser = number(1..=3600), help_heading = "Database")]
    database_connect_timeout_seconds: u32,

    /// How long to wait for a connection to the database, and then for its answer, from 1 to 600
    /// seconds
    #[arg(
        global = true,
        long,
        env = "CATALOGUE_DATABASE_TIMEOUT_SECONDS",
        value_name = "SECONDS"
    )]
    #[arg(default_value = "5", value_parser = number(1..=600), help_heading = "Database")]
    database_timeout_seconds: u32,

    /// How long the database may take until the service counts as not ready, from 1 to 60 seconds
    #[arg(
        global = true,
        long,
        env = "CATALOGUE_READINESS_TIMEOUT_SECONDS",
        value_name = "SECONDS"
    )]
    #[arg(default_value = "2", value_parser = number(1..=60), help_heading = "Database")]
    readiness_timeout_seconds: u32,

    /// How long to wait for another instance that migrates the same database, from 1 to 3600 seconds
    #[arg(
        global = true,
        long,
        env = "CATALOGUE_MIGRATION_LOCK_TIMEOUT_SECONDS",
        value_name = "SECONDS"
    )]
    #[arg(default_value = "60", value_parser = number(1..=3600), help_heading = "Database")]
    migration_lock_timeout_seconds: u32,

    /// When serve applies the migrations that have not been applied: at-start or never
    #[arg(global = true, long, env = "CATALOGUE_MIGRATE", value_name = "WHEN")]
    #[arg(default_value = "at-start", value_parser = migrate_when(), help_heading = "Database")]
    pub migrate: MigrateWhen,

    /// What to log: off, error, warn, info, debug or trace; TARGET=LEVEL for single targets
    #[arg(global = true, long, env = "CATALOGUE_LOG", value_name = "LEVEL")]
    #[arg(default_value = "info", value_parser = log_level(), help_heading = "Log")]
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

impl CommandLine {
    /// Reads the arguments and the environment of this process, and the file that they name.
    ///
    /// The error is what to tell the user; it is also how `--help` and `--version` are answered.
    pub fn read() -> Result<Self, clap::Error> {
        Self::read_from(std::env::args_os())
    }

    /// The same with other arguments, the first of which is the name of the program.
    pub fn read_from(
        arguments: impl IntoIterator<Item = impl Into<OsString>>,
    ) -> Result<Self, clap::Error> {
        let arguments: Vec<OsString> = arguments.into_iter().map(Into::into).collect();
        let file = Self::file(&arguments)?;
        let definition = match &file {
            Some(file) => file.into_defaults(Self::command()),
            None => Self::command(),
        };
        let matches = definition.try_get_matches_from(&arguments)?;
        let mut command_line = Self::from_arg_matches(&matches)?;
        let settings = &command_line.settings;
        let mut wrong = settings.contradictions();
        wrong.extend(transfer::undecided_format(&command_line.requested()));
        if !wrong.is_empty() {
            return Err(refusal(ErrorKind::ArgumentConflict, &wrong));
        }
        let effective = effective::list(&Self::command(), file.as_ref(), &matches, settings);
        command_line.effective = effective;
        Ok(command_line)
    }

    /// A TOML file with every setting, its meaning and its default.
    pub fn example() -> String {
        example::text(&Self::command())
    }

    /// The file that is named by a flag or a variable. Whatever else is wrong with the arguments
    /// is said when they are read with its settings as defaults.
    fn file(arguments: &[OsString]) -> Result<Option<ConfigFile>, clap::Error> {
        let tolerant = Self::command().ignore_errors(true);
        let matches = tolerant.try_get_matches_from(arguments)?;
        let named = matches.try_get_one::<OptionalPath>(CONFIG).ok().flatten();
        let Some(path) = named.and_then(OptionalPath::as_path) else {
            return Ok(None);
        };
        ConfigFile::read(path, &Self::command())
            .map(Some)
            .map_err(|problems| refusal(ErrorKind::ValueValidation, &problems))
    }

    /// What was asked for: [`Command::Serve`] when nothing else was.
    pub fn requested(&self) -> Command {
        self.command.clone().unwrap_or(Command::Serve)
    }
}

impl Settings {
    /// How long the database may take until the service counts as not ready.
    pub fn readiness_timeout(&self) -> Duration {
        Duration::from_secs(self.readiness_timeout_seconds.into())
    }

    /// How long to wait for another instance that migrates the same database.
    pub fn migration_lock_timeout(&self) -> Duration {
        Duration::from_secs(self.migration_lock_timeout_seconds.into())
    }

    /// How long to wait at the start for a database that is not there yet.
    pub fn database_connect_timeout(&self) -> Duration {
        Duration::from_secs(self.database_connect_timeout_seconds.into())
    }

    /// How long to wait for a connection to the database, and then for its answer.
    pub fn database_timeout(&self) -> Duration {
        Duration::from_secs(self.database_timeout_seconds.into())
    }
}

/// Everything that is wrong, a line each.
fn refusal(kind: ErrorKind, sentences: &[String]) -> clap::Error {
    clap::Error::raw(kind, sentences.join("\nerror: ") + "\n")
}

fn database_url() -> Checked<DatabaseUrl> {
    secret(DATABASE_URL, |text| {
        DatabaseUrl::parse(text).map_err(|error| match error.source() {
            Some(reason) => reason.to_string(),
            None => "this is none of them".to_owned(),
        })
    })
}

fn list_limit() -> Checked<ListLimit> {
    let must_be = format!("a whole number from 1 to {}", ListLimit::MAX);
    value(&must_be, |text| {
        text.parse().ok().and_then(ListLimit::parse)
    })
}

fn migrate_when() -> Checked<MigrateWhen> {
    value("at-start or never", |text| match text {
        "at-start" => Some(MigrateWhen::AtStart),
        "never" => Some(MigrateWhen::Never),
        _ => None,
    })
}

fn log_level() -> Checked<LogLevel> {
    let must_be = "off, error, warn, info, debug or trace, with TARGET=LEVEL for single targets, \
         separated by commas";
    value(must_be, LogLevel::parse)
}

#[cfg(test)]
mod tests;
