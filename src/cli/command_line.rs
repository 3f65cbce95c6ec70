//! The command line: a command and the settings.

use clap::{Parser, Subcommand};
use futures_util::future::BoxFuture;
use service::{Definition, EXIT_CODES, Failure, hide_unused_settings};
use settings::Parsed;

use super::{
    export::{self, ExportArguments},
    import::{self, ImportArguments},
};
use crate::{definition::definition, settings::Settings};

/// A GraphQL service for vehicles.
///
/// Without a command it serves. Every setting can be given as a flag, as a variable of the
/// environment, or in a TOML file that --config names, under the name of the flag; the flag wins
/// over the variable, and the variable over the file.
#[derive(Debug, Parser)]
#[command(name = "vehicle-catalogue", version, long_version = long_version())]
#[command(max_term_width = 100)]
#[command(after_help = EXIT_CODES)]
#[command(mut_subcommands = hide_unused_settings)]
pub struct CommandLine {
    #[command(subcommand)]
    command: Option<Command>,

    /// The settings, the same for every command.
    #[command(flatten)]
    pub settings: Settings,
}

/// The commands.
#[derive(Debug, Clone, PartialEq, Eq, Subcommand)]
pub(crate) enum Command {
    #[command(flatten)]
    Service(service::Command),
    /// Import vehicles from a CSV or NDJSON file, validated as by createVehicle
    #[command(long_about = import::about())]
    Import(ImportArguments),
    /// Export all vehicles to a CSV or NDJSON file in ascending order of id
    #[command(long_about = export::ABOUT)]
    Export(ExportArguments),
}

impl CommandLine {
    /// The requested command; the default is `serve`.
    fn requested(&self) -> Command {
        let command = self.command.clone();
        command.unwrap_or(Command::Service(service::Command::default()))
    }
}

impl service::CommandLine for CommandLine {
    fn settings(&self) -> &service::Settings {
        &self.settings.service
    }

    fn service(&self) -> Definition {
        definition(&self.settings)
    }

    fn run(parsed: Parsed<Self>) -> BoxFuture<'static, Result<(), Failure>> {
        match parsed.command_line.requested() {
            Command::Service(command) => command.run(parsed),
            Command::Import(arguments) => {
                Box::pin(import::run(arguments, parsed.command_line.settings.service))
            }
            Command::Export(arguments) => {
                Box::pin(export::run(arguments, parsed.command_line.settings.service))
            }
        }
    }
}

/// The output of `--version` after the name of the program: the version, the commit it was built
/// from and the hash of its contract.
fn long_version() -> String {
    let version = env!("CARGO_PKG_VERSION");
    let commit = option_env!("COMMIT").unwrap_or("unknown");
    let contract = env!("CONTRACT_HASH");
    format!("{version}\ncommit {commit}\ncontract {contract}")
}

#[cfg(test)]
mod tests;
