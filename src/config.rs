//! Every setting: its flag, its variable, its default, its unit and its bound.
//!
//! No other module reads the environment.

mod access;
mod checked;
mod contradictions;
mod documents;
mod effective;
mod example;
mod file;
mod health;
mod http;
mod production;
mod read;
mod schema;
mod setting;
mod telemetry;
mod transfer;
mod version;

use std::{error::Error, time::Duration};

use clap::{Args, Parser, Subcommand};
use clap_complete::Shell;

pub use self::{
    access::AccessArguments,
    documents::DocumentSettings,
    effective::{Effective, Origin},
    health::{Certificate, HealthArguments, UnknownPort},
    http::HttpArguments,
    production::Production,
    schema::{Format, Output, Schema, no_color},
    telemetry::TelemetrySettings,
    transfer::{ExportArguments, ImportArguments, OnBadRow, Place},
};
use self::{
    checked::{Checked, OptionalPath, number, optional_path, secret, value},
    production::production,
};
use crate::{
    catalogue::ListLimit,
    store::{DatabaseUrl, ReplicaSettings},
};

const DATABASE_URL: &str = "sqlite:FILE, postgres://USER:PASSWORD@HOST:PORT/DATABASE or \
     mysql://USER:PASSWORD@HOST:PORT/DATABASE (MySQL and MariaDB); across networks with \
     ?sslmode=verify-full or ?ssl-mode=verify_identity";

const REPLICA_URL: &str = "postgres://USER:PASSWORD@HOST:PORT/DATABASE or none";

const EXIT_CODES: &str = "Exit codes: 0 done, or stopped as it was told; 1 a failure; 2 a wrong \
     command line or setting; 130 or 143 cut off by a second Ctrl-C or SIGTERM";

/// A GraphQL service for vehicles.
///
/// Without a command it serves. Every setting can be given as a flag, as a variable of the
/// environment, or in a TOML file that --config names, under the name of the flag; the flag wins
/// over the variable, and the variable over the file.
#[derive(Debug, Parser)]
#[command(name = "vehicle-catalogue", version, long_version = version::long())]
#[command(max_term_width = 100)]
#[command(after_help = EXIT_CODES)]
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

    /// What is probably not meant as it is, a sentence each.
    #[arg(skip)]
    pub doubts: Vec<String>,
}

/// What can be asked for on the command line.
#[derive(Debug, Clone, PartialEq, Eq, Subcommand)]
pub enum Command {
    /// Answer GraphQL requests until SIGTERM or Ctrl-C (the default)
    Serve,
    /// Change the tables of the database, or tell how far they are
    #[command(subcommand, arg_required_else_help = false)]
    Migrate(Migrate),
    /// Print, lint, prove or compare the contract
    #[command(subcommand)]
    Schema(Schema),
    /// Ask a running service for its health: exit code 0 if it is well, 1 if not
    Health(HealthArguments),
    /// Check the settings, or show how a file of them looks
    #[command(subcommand)]
    Config(Config),
    /// Store the vehicles of a CSV or NDJSON file, under the rules of createVehicle
    #[command(long_about = transfer::IMPORT)]
    Import(ImportArguments),
    /// Write every vehicle to a CSV or NDJSON file, in the order of their ids
    #[command(long_about = transfer::EXPORT)]
    Export(ExportArguments),
    /// Print what completes the commands and flags of this program in a shell
    Completions {
        /// The shell
        shell: Shell,
    },
    /// Print the manual page: vehicle-catalogue man | man -l -
    Man,
}

/// What can be done with settings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Subcommand)]
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

    /// Threads that answer requests, 0 for one on each core of the machine, from 0 to 1024
    #[arg(
        global = true,
        long,
        env = "CATALOGUE_WORKER_THREADS",
        value_name = "THREADS"
    )]
    #[arg(default_value = "0", value_parser = number(0..=1024))]
    pub worker_threads: u32,

    /// The settings of HTTP.
    #[command(flatten)]
    pub http: HttpArguments,

    /// Who may ask, and how often.
    #[command(flatten)]
    pub access: AccessArguments,

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

    /// Where vehicles are read from if not from --database-url, a replica of it: a URL, or none
    #[arg(
        global = true,
        long,
        env = "CATALOGUE_READ_DATABASE_URL",
        hide_env_values = true,
        value_name = "URL"
    )]
    #[arg(default_value = "none", value_parser = replica_url(), help_heading = "Database")]
    read_database_url: ReplicaUrl,

    /// How far the replica may be behind, and how long a list waits for it, before lists are read
    /// from --database-url, from 1 to 60000 milliseconds
    #[arg(
        global = true,
        long,
        env = "CATALOGUE_REPLICA_LAG_LIMIT_MS",
        value_name = "MILLISECONDS"
    )]
    #[arg(default_value = "1000", value_parser = number(1..=60_000), help_heading = "Database")]
    replica_lag_limit_ms: u32,

    /// Most connections to the database that requests use, from 1 to 1000
    #[arg(
        global = true,
        long,
        env = "CATALOGUE_POOL_SIZE",
        value_name = "CONNECTIONS"
    )]
    #[arg(default_value = "8", value_parser = number(1..=1000), help_heading = "Database")]
    pub pool_size: u32,

    /// Most lookups and lists, each, at the database at a time, and of inserts half as many: the
    /// requests that wait meanwhile share the next, from 1 to 100
    #[arg(
        global = true,
        long,
        env = "CATALOGUE_STATEMENTS",
        value_name = "STATEMENTS"
    )]
    #[arg(default_value = "2", value_parser = number(1..=100), help_heading = "Database")]
    pub statements: u32,

    /// Most requests of a kind that wait for a statement, from 1 to 1000000
    #[arg(
        global = true,
        long,
        env = "CATALOGUE_QUEUE_LIMIT",
        value_name = "REQUESTS"
    )]
    #[arg(default_value = "10000", value_parser = number(1..=1_000_000), help_heading = "Database")]
    pub queue_limit: u32,

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

    /// What an operator sees of the service.
    #[command(flatten)]
    pub telemetry: TelemetrySettings,
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

    /// The replica that is read from, if there is one.
    pub fn replica(&self) -> Option<ReplicaSettings> {
        let ReplicaUrl(url) = &self.read_database_url;
        url.clone().map(|url| ReplicaSettings {
            url,
            lag_limit: Duration::from_millis(self.replica_lag_limit_ms.into()),
        })
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

fn database_url() -> Checked<DatabaseUrl> {
    secret(DATABASE_URL, |text| {
        DatabaseUrl::parse(text).map_err(|error| match error.source() {
            Some(reason) => reason.to_string(),
            None => "this is none of them".to_owned(),
        })
    })
}

/// The URL of a replica, if there is one.
#[derive(Debug, Clone)]
struct ReplicaUrl(Option<DatabaseUrl>);

fn replica_url() -> Checked<ReplicaUrl> {
    secret(REPLICA_URL, |text| match text {
        "none" => Ok(ReplicaUrl(None)),
        url => match DatabaseUrl::parse_replica(url) {
            Ok(url) => Ok(ReplicaUrl(Some(url))),
            Err(error) => Err(error.source().unwrap_or(&error).to_string()),
        },
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

#[cfg(test)]
mod tests;
