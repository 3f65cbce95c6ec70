//! The output of commands: reports in the chosen format, on stdout.

use std::io::{self, IsTerminal, Write};

use clap::{Args, builder::TypedValueParser};
use graphql_sdl::Problems;

use super::argument::choice;
use crate::{annotation::Annotation, annotation_formats, format::Colours};

/// The output format.
#[derive(Clone, Copy, Debug, Eq, PartialEq, Args)]
pub struct Output {
    /// How to write what was found: text, json, markdown; or as annotations: github (workflow
    /// commands), gitlab (code quality), sarif, junit
    #[arg(long, value_name = "FORMAT", default_value = "text", value_parser = format())]
    format: Format,
}

/// The format of a report.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Format {
    /// Text for a terminal.
    Text,
    /// JSON.
    Json,
    /// Markdown for a comment on a pull request.
    Markdown,
    /// Workflow commands of GitHub.
    Github,
    /// Code quality of GitLab.
    Gitlab,
    /// SARIF.
    Sarif,
    /// `JUnit` XML.
    Junit,
}

impl Output {
    /// Makes the report in the chosen format.
    pub fn choose(
        self,
        text: impl FnOnce(Colours) -> String,
        json: impl FnOnce() -> String,
        markdown: impl FnOnce() -> String,
        annotations: impl FnOnce() -> Vec<Annotation>,
    ) -> String {
        match self.format {
            Format::Text => text(colours()),
            Format::Json => json(),
            Format::Markdown => markdown(),
            Format::Github => annotation_formats::github(&annotations()),
            Format::Gitlab => annotation_formats::gitlab(&annotations()),
            Format::Sarif => annotation_formats::sarif(&annotations()),
            Format::Junit => annotation_formats::junit(&annotations()),
        }
    }
}

impl Output {
    /// Writes the problems of an old contract that is not valid to stderr, if the report cannot contain them.
    pub(super) fn warn_of_unread(self, unread: Option<&Problems>) {
        let is_in_report = matches!(self.format, Format::Text | Format::Markdown);
        if let (false, Some(problems)) = (is_in_report, unread) {
            print_error(&format!(
                "warning: the old contract is not valid:
{problems}
"
            ));
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

/// Whether colours are disabled by `NO_COLOR`, see <https://no-color.org>.
#[expect(
    clippy::disallowed_methods,
    reason = "the program reads no other settings"
)]
fn no_color() -> bool {
    std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty())
}

/// Reports are coloured on a terminal, unless `NO_COLOR` is set.
fn colours() -> Colours {
    if io::stdout().is_terminal() && !no_color() {
        Colours::Ansi
    } else {
        Colours::None
    }
}

fn format() -> impl TypedValueParser<Value = Format> {
    choice([
        ("text", Format::Text),
        ("json", Format::Json),
        ("markdown", Format::Markdown),
        ("github", Format::Github),
        ("gitlab", Format::Gitlab),
        ("sarif", Format::Sarif),
        ("junit", Format::Junit),
    ])
}
