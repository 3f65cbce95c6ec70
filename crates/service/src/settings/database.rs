//! The settings of the database.

use std::{error::Error, time::Duration};

use ::settings::{choice, number, seconds, secret};
use clap::{Args, builder::TypedValueParser};

use database::{DatabaseSettings, DatabaseUrl};

const DATABASE_URL: &str = "sqlite:FILE, postgres://USER:PASSWORD@HOST:PORT/DATABASE, \
     mysql://… or mariadb://…; across networks with ?sslmode=verify-full or ?ssl-mode=verify_identity";

/// The settings of the database.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Database")]
pub struct DatabaseArguments {
    /// Database of the service
    #[arg(long, env = "DATABASE_URL", hide_env_values = true)]
    #[arg(default_value = "sqlite::memory:", value_parser = database_url())]
    #[arg(help = format!("Database: {DATABASE_URL}"))]
    pub database_url: DatabaseUrl,

    /// Size of the connection pool, from 1 to 1000; up to two more connections are used for health checks, import,
    /// export and migrations
    #[arg(long, value_name = "CONNECTIONS", default_value = "8", value_parser = number(1..=1000))]
    pub pool_size: u32,

    /// Maximum number of concurrent statements for each kind of read (lookups, lists, pages), half as
    /// many for each kind of create; waiting requests are batched into the next, from 1 to 100
    #[arg(long, default_value = "2", value_parser = number(1..=100))]
    statements: u32,

    /// Maximum number of queued requests of each kind, from 1 to 1000000
    #[arg(long, value_name = "REQUESTS", default_value = "10000", value_parser = number(1..=1_000_000))]
    queue_limit: u32,

    /// Timeout of connecting to the database at startup, including retries, from 1 to 3600 seconds
    #[arg(long, default_value = "30", value_parser = seconds(1..=3600))]
    database_connect_timeout_seconds: Duration,

    /// Timeout of acquiring a database connection, and of a statement, from 1 to 600 seconds
    #[arg(long, default_value = "5", value_parser = seconds(1..=600))]
    pub database_timeout_seconds: Duration,

    /// Timeout of the readiness check, from 1 to 60 seconds
    #[arg(long, default_value = "2", value_parser = seconds(1..=60))]
    pub readiness_timeout_seconds: Duration,

    /// Timeout of waiting for the migration lock, from 1 to 3600 seconds
    #[arg(long, default_value = "60", value_parser = seconds(1..=3600))]
    migration_lock_timeout_seconds: Duration,

    /// When serve applies pending migrations: at-start or never
    #[arg(long, value_name = "WHEN", default_value = "at-start")]
    #[arg(value_parser = choice([("at-start", MigrateWhen::AtStart), ("never", MigrateWhen::Never)]))]
    pub migrate: MigrateWhen,
}

/// When `serve` applies the migrations that have not been applied.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MigrateWhen {
    /// Before the service is ready.
    AtStart,
    /// Never: `migrate up` does it.
    Never,
}

impl DatabaseArguments {
    /// The settings of the database.
    pub fn settings(&self) -> DatabaseSettings {
        DatabaseSettings {
            url: self.database_url.clone(),
            pool_size: self.pool_size,
            statements: self.statements,
            queue_limit: self.queue_limit,
            connect_timeout: self.database_connect_timeout_seconds,
            timeout: self.database_timeout_seconds,
            migration_lock_timeout: self.migration_lock_timeout_seconds,
        }
    }
}

fn database_url() -> impl TypedValueParser<Value = DatabaseUrl> {
    secret(DATABASE_URL, |text| {
        DatabaseUrl::parse(text).map_err(|error| match error.source() {
            Some(reason) => reason.to_string(),
            None => "unknown form".to_owned(),
        })
    })
}
