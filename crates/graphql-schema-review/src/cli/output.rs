//! The output of commands: reports in the chosen format, on stdout.

use std::io::{self, IsTerminal, Write};

use clap::{Args, ValueEnum};
use graphql_sdl::Problems;
use serde::{
    Serialize,
    de::{DeserializeOwned, IntoDeserializer, value},
};

use crate::{
    annotation::{self, Annotation},
    report::{self, Colours, Report},
};

/// The output format.
#[derive(Args, Clone, Copy, Debug)]
pub(super) struct Output {
    /// How to write what was found
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

/// The format of a report.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Format {
    /// For a terminal
    Text,
    /// For programs
    Json,
    /// For a comment on a pull request
    Markdown,
    /// Annotations: workflow commands of GitHub
    Github,
    /// Annotations: code quality of GitLab
    Gitlab,
    /// Annotations: SARIF 2.1.0
    Sarif,
    /// Annotations: `JUnit` XML
    Junit,
}

impl Output {
    /// Prints in the chosen format: what was found as JSON, its report or its annotations.
    pub(super) fn print(
        self,
        found: &impl Serialize,
        report: impl FnOnce() -> Report,
        annotations: impl FnOnce() -> Vec<Annotation>,
    ) -> io::Result<()> {
        print(&match self.format {
            Format::Text => report().text(colours()),
            Format::Json => report::json(found),
            Format::Markdown => report().markdown(),
            Format::Github => annotation::github(&annotations()),
            Format::Gitlab => annotation::gitlab(&annotations()),
            Format::Sarif => annotation::sarif(&annotations()),
            Format::Junit => annotation::junit(&annotations()),
        })
    }

    /// Writes the problems of an old contract that is not valid to stderr, if the report cannot contain them.
    pub(super) fn warn_of_unread(self, unread: Option<&Problems>) {
        let is_in_report = matches!(self.format, Format::Text | Format::Markdown);
        if let (false, Some(problems)) = (is_in_report, unread) {
            print_error(&format!("warning: the old contract is not valid:\n{problems}\n"));
        }
    }
}

/// Writes to stderr. A closed pipe is not an error, since the exit code states the same.
pub(super) fn print_error(text: &str) {
    let _ = io::stderr().write_all(text.as_bytes());
}

/// Writes to stdout. A closed pipe is not an error: its reader, such as `head`, has read what it needs, and the exit
/// code still states what was found.
pub(super) fn print(text: &str) -> io::Result<()> {
    let mut stdout = io::stdout().lock();
    let written = stdout.write_all(text.as_bytes());
    match written.and_then(|()| stdout.flush()) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        written => written,
    }
}

/// Reports are coloured on a terminal, unless `NO_COLOR` is set, see <https://no-color.org>.
#[expect(clippy::disallowed_methods, reason = "the program reads no other settings")]
fn colours() -> Colours {
    let is_disabled = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    if io::stdout().is_terminal() && !is_disabled { Colours::Ansi } else { Colours::None }
}

/// Parses one of several names.
pub(super) fn named<T: DeserializeOwned>(text: &str) -> Result<T, value::Error> {
    T::deserialize(text.into_deserializer())
}
