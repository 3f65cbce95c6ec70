//! The command line: a command and the settings.

use std::ffi::OsString;

use clap::{Arg, Command as Definition, CommandFactory, Parser, Subcommand};
use clap_complete::Shell;
use settings::{ConfigCommand, Parsed};

use super::{
    config::REFERENCE_INTRODUCTION,
    export::{self, ExportArguments},
    health::HealthArguments,
    import::{self, ImportArguments},
    migrate::Migrate,
    schema::Schema,
};
use crate::settings::Settings;

const EXIT_CODES: &str = "Exit codes: 0 success or orderly stop; 1 failure; 2 invalid command \
     line or setting; 130 or 143 aborted by a second Ctrl-C or SIGTERM";

/// A GraphQL service for vehicles.
///
/// Without a command it serves. Every setting can be given as a flag, as a variable of the
/// environment, or in a TOML file that --config names, under the name of the flag; the flag wins
/// over the variable, and the variable over the file.
#[derive(Debug, Parser)]
#[command(name = "vehicle-catalogue", version, long_version = long_version())]
#[command(max_term_width = 100)]
#[command(after_help = EXIT_CODES)]
#[command(mut_subcommands = hidden_settings)]
pub struct CommandLine {
    #[command(subcommand)]
    command: Option<Command>,

    /// The settings, the same for every command.
    #[command(flatten)]
    pub settings: Settings,
}

/// The command line.
#[derive(Debug, Clone, PartialEq, Eq, Subcommand)]
pub(crate) enum Command {
    /// Answer GraphQL requests until SIGTERM or Ctrl-C (the default)
    Serve,
    /// Change the tables of the database, or tell how far they are
    #[command(subcommand, arg_required_else_help = false)]
    Migrate(Migrate),
    /// Print, lint, check or compare the contract
    #[command(subcommand)]
    Schema(Schema),
    /// Check the health of a running service: exit code 0 if healthy, 1 if not
    Health(HealthArguments),
    /// Check the settings, or print an example file or the reference
    #[command(subcommand)]
    Config(ConfigCommand),
    /// Import vehicles from a CSV or NDJSON file, validated as by createVehicle
    #[command(long_about = import::about())]
    Import(ImportArguments),
    /// Export all vehicles to a CSV or NDJSON file in ascending order of id
    #[command(long_about = export::ABOUT)]
    Export(ExportArguments),
    /// Print the completion script of a shell
    Completions {
        /// The shell
        shell: Shell,
    },
    /// Print the manual page: vehicle-catalogue man | man -l -
    Man,
}

impl CommandLine {
    /// Reads the arguments and environment variables of this process, and the file that they name.
    ///
    /// The error is printed to the user; `--help` and `--version` are errors, too.
    pub fn read() -> Result<Parsed<Self>, clap::Error> {
        Self::read_from(std::env::args_os())
    }

    /// Like [`Self::read`], with other arguments; the first is the name of the program.
    pub fn read_from(
        arguments: impl IntoIterator<Item = impl Into<OsString>>,
    ) -> Result<Parsed<Self>, clap::Error> {
        let mut parsed = settings::parse::<Self>(arguments)?;
        let settings = &parsed.command_line.settings;
        settings::reject(&settings.conflicts())?;
        let database = &settings.database;
        for setting in &mut parsed.effective {
            match (setting.name.as_str(), &database.read_database_url) {
                ("database-url", _) => setting.describe(&database.database_url),
                ("read-database-url", Some(url)) => setting.describe(url),
                _ => {}
            }
        }
        Ok(parsed)
    }

    /// The requested command; the default is [`Command::Serve`].
    pub(crate) fn requested(&self) -> Command {
        self.command.clone().unwrap_or(Command::Serve)
    }

    /// The reference of all settings in Markdown, `docs/settings.md`.
    pub fn reference() -> String {
        REFERENCE_INTRODUCTION.to_owned() + &settings::reference(&Self::command())
    }
}

/// Hides the settings that a command does not use from its help. It accepts them, so that all commands can have the same
/// ones.
fn hidden_settings(command: Definition) -> Definition {
    // Only the command that is run or described receives the settings.
    command.defer(|command| {
        let used: &[&str] = match command.get_name() {
            "serve" | "config" => return command,
            "migrate" | "up" | "down" | "status" | "import" | "export" | "schema" | "check" => {
                &["Database"]
            }
            "health" => &["HTTP"],
            _ => &[],
        };
        let is_used = |argument: &Arg| match argument.get_help_heading() {
            Some(heading) => used.contains(&heading),
            None => argument.get_id() == "config" && !used.is_empty(),
        };
        let hide = |argument: Arg| {
            let is_hidden = argument.get_env().is_some() && !is_used(&argument);
            argument.hide(is_hidden)
        };
        command.mut_args(hide).mut_subcommands(hidden_settings)
    })
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
