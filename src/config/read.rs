//! From arguments, environment and file to the settings: the file's are the defaults of the command
//! line, so that one definition and its parsers hold for all three.

use std::ffi::OsString;

use clap::{Command, CommandFactory, FromArgMatches, error::ErrorKind};

use super::{
    CommandLine,
    checked::OptionalPath,
    effective, example,
    file::{ConfigFile, alike},
    setting::{self, CONFIG},
    transfer,
};

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
            Some(file) => file.as_defaults(Self::command()),
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
        #[expect(
            clippy::disallowed_methods,
            reason = "this is the door by which settings enter"
        )]
        let variables = std::env::vars_os().filter_map(|(name, _)| name.into_string().ok());
        command_line.doubts = misspelt(variables, &Self::command());
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
}

/// A sentence for each variable that is none of a setting, but looks as if it were meant for one.
/// That is no error: whoever runs services gives them variables of their names, such as
/// `CATALOGUE_SERVICE_HOST`.
fn misspelt(variables: impl Iterator<Item = String>, definition: &Command) -> Vec<String> {
    let is_known = |name: &str| {
        let mut settings = setting::all(definition);
        name == "CATALOGUE_CONFIG" || settings.any(|setting| setting.variable() == name)
    };
    let unknown = variables.filter(|name| name.starts_with("CATALOGUE_") && !is_known(name));
    let sentences = unknown.filter_map(|name| {
        let meant = alike(&name, definition)?.variable();
        Some(format!(
            "no setting has the variable {name}; did you mean {meant}?"
        ))
    });
    let mut sentences: Vec<_> = sentences.collect();
    sentences.sort();
    sentences
}

/// Everything that is wrong, a line each.
fn refusal(kind: ErrorKind, sentences: &[String]) -> clap::Error {
    clap::Error::raw(kind, sentences.join("\nerror: ") + "\n")
}
