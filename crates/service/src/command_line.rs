//! What the command lines of services have in common.

use std::ffi::OsString;

use clap::{Arg, Command, Parser};
use futures_util::future::BoxFuture;
use settings::{Parsed, masked_url};

use crate::{Definition, Failure, Settings};

/// The command line of a service: its settings and a command.
pub trait CommandLine: Parser + Send + 'static {
    /// The settings of every service.
    fn settings(&self) -> &Settings;

    /// The service with these settings.
    fn service(&self) -> Definition;

    /// Runs the requested command.
    fn run(parsed: Parsed<Self>) -> BoxFuture<'static, Result<(), Failure>>;
}

/// The meaning of the exit codes, for `after_help`.
pub const EXIT_CODES: &str = "Exit codes: 0 success or orderly stop; 1 failure; 2 invalid command \
     line or setting; 130 or 143 aborted by a second Ctrl-C or SIGTERM";

/// The settings that are set first, with the file of settings.
const FIRST: [&str; 13] = [
    "config",
    "production",
    "listen",
    "admin_listen",
    "allowed_hosts",
    "tls_certificate_file",
    "tls_key_file",
    "auth_keys_file",
    "auth_issuer",
    "auth_audience",
    "database_url",
    "migrate",
    "log_level",
];

/// Hides every other setting than those that are set first from `-h`, for `mut_args`.
pub fn hide_in_short_help(argument: Arg) -> Arg {
    let is_first = FIRST.contains(&argument.get_id().as_str());
    argument.hide_short_help(!is_first)
}

/// Parses the arguments, of which the first is the name of the program, with the environment variables of this process
/// and the file that they name.
///
/// The error is printed to the user; `--help` and `--version` are errors, too.
pub fn parse<C: CommandLine>(
    arguments: impl IntoIterator<Item = impl Into<OsString>>,
) -> Result<Parsed<C>, clap::Error> {
    let mut parsed = settings::parse::<C>(arguments)?;
    let settings = parsed.command_line.settings();
    settings::reject(&settings.conflicts())?;
    let unknown_targets = settings.telemetry.unknown_targets();
    parsed.warnings.extend(unknown_targets);
    let (database, traces) = (&settings.database, &settings.telemetry.trace_endpoint);
    for setting in &mut parsed.effective {
        match (setting.name.as_str(), traces) {
            ("database-url", _) => setting.describe(&database.database_url),
            ("trace-endpoint", Some(url)) => setting.describe(&masked_url(url.as_str())),
            _ => {}
        }
    }
    Ok(parsed)
}

/// Hides the settings that a command does not use from its help, for `mut_subcommands`. It accepts them, so that all
/// commands can have the same ones. The commands that only one service has use the database.
pub fn hide_unused_settings(command: Command) -> Command {
    // Only the command that is run or described receives the settings.
    command.defer(|command| match command.get_name() {
        "serve" | "config" => command,
        "health" => show(command, &["HTTP"]),
        "schema" => show(command, &["Database"]).mut_subcommands(|command| {
            command.defer(|command| match command.get_name() {
                "check" => show(command, &["Database"]),
                _ => show(command, &[]),
            })
        }),
        _ => show(command, &["Database"]).mut_subcommands(hide_unused_settings),
    })
}

/// Hides the settings of other groups.
fn show(command: Command, groups: &[&str]) -> Command {
    let is_used = |argument: &Arg| match argument.get_help_heading() {
        Some(heading) => groups.contains(&heading),
        None => argument.get_id() == "config" && !groups.is_empty(),
    };
    command.mut_args(|argument| {
        let is_hidden = argument.get_env().is_some() && !is_used(&argument);
        argument.hide(is_hidden)
    })
}
