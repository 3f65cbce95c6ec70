//! The commands of every service.

mod config;
mod database;
mod failure;
mod health;
mod http_client;
mod migrate;
mod schema;
mod serve;
mod stop_signal;

use clap::Subcommand;
use futures_util::future::BoxFuture;
use settings::{ConfigCommand, Effective, Parsed};

pub use self::{
    database::{close_database, open_database},
    failure::Failure,
    health::HealthArguments,
    migrate::Migrate,
    schema::Schema,
    stop_signal::{StopSignal, StopSignals},
};
use crate::{CommandLine, Definition, Settings};

/// The commands of every service.
#[derive(Debug, Clone, Default, PartialEq, Eq, Subcommand)]
pub enum Command {
    /// Answer GraphQL requests until SIGTERM or Ctrl-C (the default)
    #[default]
    Serve,
    /// Apply, revert or list the migrations of the database
    #[command(subcommand, arg_required_else_help = false)]
    Migrate(Migrate),
    /// Print the contract or its hash, or check it; schema-review lints and compares it
    #[command(subcommand)]
    Schema(Schema),
    /// Check the health of a running service: exit code 0 if healthy, 1 if not
    Health(HealthArguments),
    /// Check the settings
    #[command(subcommand)]
    Config(ConfigCommand),
}

impl Command {
    /// Runs the command.
    pub fn run<C: CommandLine>(self, parsed: Parsed<C>) -> BoxFuture<'static, Result<(), Failure>> {
        let (service, settings) = (
            parsed.command_line.service(),
            parsed.command_line.settings(),
        );
        self.execute(service, settings.clone(), parsed.effective)
    }

    fn execute(
        self,
        service: Definition,
        settings: Settings,
        effective: Vec<Effective>,
    ) -> BoxFuture<'static, Result<(), Failure>> {
        Box::pin(async move {
            match self {
                Self::Schema(command) => schema::run(command, &service, &settings).await,
                Self::Serve => Box::pin(serve::run(service, settings)).await,
                Self::Config(ConfigCommand::Check) => {
                    config::check(&service, &settings, &effective).await
                }
                Self::Health(health) => health::run(&health, &settings).await,
                Self::Migrate(migration) => migrate::run(migration, &service, &settings).await,
            }
        })
    }
}
