//! Settings of a service from flags, environment variables and a TOML file.
//!
#![doc = include_str!("../README.md")]

mod declaration;
mod effective;
mod file;
mod output;
mod parser;
mod setting;
mod url;

use std::{ffi::OsString, path::PathBuf};

use clap::{
    ArgMatches, Args, Command, FromArgMatches, Parser, Subcommand,
    error::{ContextKind, ContextValue, ErrorKind},
};

pub use self::{
    declaration::{defects, with_prefix},
    effective::{Effective, Origin, listing},
    output::print,
    parser::{
        choice, milliseconds, number, optional, optional_path, seconds, secret, size, switch, value,
    },
    url::masked_url,
};
use self::{
    file::SettingsFile,
    setting::{most_similar, prefix},
};

/// The type of a setting with a value such as `none` or `auto`, which is parsed as [`None`].
///
/// clap's derive makes a field of type `Option` an argument without a default, and does not recognize
/// this alias.
pub type Optional<T> = Option<T>;

/// The flag `--config`, to be flattened into the settings of a service.
#[derive(Debug, Clone, Args)]
pub struct ConfigFile {
    /// TOML file of settings, named like the flags, or none
    #[arg(long, value_name = "FILE", default_value = "none", value_parser = optional_path())]
    config: Optional<PathBuf>,
}

/// The subcommands of `config`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Subcommand)]
pub enum ConfigCommand {
    /// Check every setting and the files they name, and print the effective settings with their origins
    Check,
}

/// A command line whose settings come from flags, environment variables and a file.
#[derive(Debug, Clone)]
pub struct Parsed<C> {
    /// The command line.
    pub command_line: C,
    /// The settings one by one, with their origins.
    pub effective: Vec<Effective>,
    /// Warnings about likely mistakes, such as misspelt environment variables.
    pub warnings: Vec<String>,
}

/// Parses the arguments, of which the first is the name of the program, with the environment
/// variables of this process and the file that `--config` names. The settings of the file are
/// defaults of the command line, so that one definition applies to all three.
///
/// The error is printed to the user; `--help` and `--version` are errors, too.
///
/// # Panics
///
/// If the command line does not contain a [`ConfigFile`].
pub fn parse<C: Parser>(
    arguments: impl IntoIterator<Item = impl Into<OsString>>,
) -> Result<Parsed<C>, clap::Error> {
    let arguments: Vec<OsString> = arguments.into_iter().map(Into::into).collect();
    parse_arguments(&arguments).map_err(without_secrets)
}

/// The error without the secrets of a URL that is an argument where none is expected.
fn without_secrets(mut error: clap::Error) -> clap::Error {
    for kind in [
        ContextKind::InvalidArg,
        ContextKind::InvalidSubcommand,
        ContextKind::InvalidValue,
    ] {
        if let Some(ContextValue::String(text)) = error.get(kind) {
            let masked = ContextValue::String(masked_url(text));
            error.insert(kind, masked);
        }
    }
    error
}

fn parse_arguments<C: Parser>(arguments: &[OsString]) -> Result<Parsed<C>, clap::Error> {
    let mut definition = with_few_globals(C::command(), arguments);
    let matches = definition.try_get_matches_from_mut(arguments);
    // The help and the errors of the complete definition.
    let mut matches = matches.or_else(|_| C::command().try_get_matches_from(arguments))?;
    let file = file(&matches, &definition)?;
    if let Some(file) = &file {
        matches = file
            .as_defaults(with_few_globals(C::command(), arguments))
            .try_get_matches_from(arguments)?;
    }
    #[expect(clippy::disallowed_methods, reason = "settings are read here")]
    let variables = std::env::vars_os().filter_map(|(name, _)| name.into_string().ok());
    Ok(Parsed {
        command_line: C::from_arg_matches(&matches)?,
        effective: effective::list(&definition, file.as_ref(), &matches),
        warnings: misspelt_variables(variables, &definition),
    })
}

/// The definition in which only the flags that occur in the arguments are global: clap copies each global flag to every
/// subcommand, which takes longer than the rest of parsing, and 0.8 MB of memory.
fn with_few_globals(definition: Command, arguments: &[OsString]) -> Command {
    let occurs = |flag: &str| {
        let mut flags = arguments
            .iter()
            .filter_map(|argument| argument.to_str()?.strip_prefix("--"));
        flags.any(|argument| argument.starts_with(flag))
    };
    definition.mut_args(|argument| {
        let is_global = argument.is_global_set() && argument.get_long().is_some_and(occurs);
        argument.global(is_global)
    })
}

/// The file that a flag or a variable names.
fn file(matches: &ArgMatches, definition: &Command) -> Result<Option<SettingsFile>, clap::Error> {
    let Some(path) = ConfigFile::from_arg_matches(matches)?.config else {
        return Ok(None);
    };
    SettingsFile::read(&path, definition)
        .map(Some)
        .map_err(|problems| to_clap_error(ErrorKind::ValueValidation, &problems))
}

/// An error with one line per conflict between settings, if there is any.
pub fn reject(conflicts: &[String]) -> Result<(), clap::Error> {
    if conflicts.is_empty() {
        return Ok(());
    }
    Err(to_clap_error(ErrorKind::ArgumentConflict, conflicts))
}

/// Whether colours are disabled by `NO_COLOR`, see <https://no-color.org>.
#[expect(clippy::disallowed_methods, reason = "settings are read here")]
pub fn no_color() -> bool {
    std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty())
}

/// A variable of the environment that an argument names.
#[expect(clippy::disallowed_methods, reason = "settings are read here")]
pub fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok()
}

/// A warning for each unknown variable that is similar to the variable of a setting. It is not an
/// error: Kubernetes sets variables such as `BOOKSHOP_SERVICE_HOST`.
fn misspelt_variables(
    variables: impl Iterator<Item = String>,
    definition: &Command,
) -> Vec<String> {
    let prefix = prefix(definition);
    let is_known = |name: &str| {
        let mut known = definition.get_arguments().filter_map(clap::Arg::get_env);
        known.any(|variable| variable == name)
    };
    let unknown = variables.filter(|name| name.starts_with(prefix) && !is_known(name));
    let sentences = unknown.filter_map(|name| {
        let similar = most_similar(&name, definition)?.variable();
        Some(format!(
            "unknown environment variable {name}; did you mean {similar}?"
        ))
    });
    let mut sentences: Vec<_> = sentences.collect();
    sentences.sort();
    sentences
}

/// An error with one line per message.
fn to_clap_error(kind: ErrorKind, sentences: &[String]) -> clap::Error {
    clap::Error::raw(kind, sentences.join("\nerror: ") + "\n")
}
