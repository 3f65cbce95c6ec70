//! The commands of the program `schema-review`, which services can offer for their own contract.

mod diff;
mod documents;
mod git;
mod source;

use std::{
    io::{self, IsTerminal, Write},
    path::PathBuf,
};

use clap::{Args, Subcommand, builder::TypedValueParser};
use schema::{Problems, UsageSnapshot};
use settings::{choice, no_color};

use self::source::old_source;
pub use self::{
    git::GitError,
    source::{Fetched, Source, Unreadable, read},
};
use crate::{
    lint::{self, Severity},
    operations,
    report::Colours,
    usage::{self, Usage},
};

/// A command about contracts.
#[derive(Clone, Debug, Eq, PartialEq, Subcommand)]
pub enum Command {
    /// Lint a contract; exit code 1 if there is an error
    Lint {
        /// A file, the URL of a running service, git:REVISION or git:REVISION:PATH
        #[arg(value_name = "SOURCE", default_value = source::SCHEMA_FILE)]
        source: String,
        /// The output format.
        #[command(flatten)]
        output: Output,
    },
    /// List the changes between two contracts and their effect on clients; exit code 1 for breaking
    /// changes that are not accepted
    Diff(diff::Arguments),
    /// List the callers of what is deprecated, as servers recorded them
    Usage {
        /// Files of recorded use, one for each instance
        #[arg(value_name = "FILE", required = true)]
        files: Vec<PathBuf>,
        /// The contract: a file, the URL of a running service, git:REVISION or git:REVISION:PATH
        #[arg(long, value_name = "SOURCE", default_value = source::SCHEMA_FILE)]
        schema: String,
        /// The output format.
        #[command(flatten)]
        output: Output,
    },
    /// List the operations of clients that a contract breaks, and the changes responsible; exit code
    /// 1 if there is one
    Operations {
        /// Folders of .graphql files, .graphql files, and manifests (JSON): documents by identifier,
        /// or Apollo persisted query manifests
        #[arg(value_name = "DOCUMENTS", required = true)]
        documents: Vec<PathBuf>,
        /// The new contract: a file, the URL of a running service, git:REVISION or git:REVISION:PATH
        #[arg(long, value_name = "NEW", default_value = source::SCHEMA_FILE)]
        schema: String,
        /// The old contract, in the same forms, or none: report every operation that is not valid;
        /// default: the file of the new contract at the merge base with the main branch
        #[arg(long, value_name = "OLD")]
        old: Option<String>,
        /// The output format.
        #[command(flatten)]
        output: Output,
    },
}

/// The output format.
#[derive(Clone, Copy, Debug, Eq, PartialEq, Args)]
pub struct Output {
    /// How to write what was found: text, json or markdown
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
}

/// Why a command failed.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// A contract, the accepted changes or documents cannot be read.
    #[error(transparent)]
    Unreadable(#[from] Unreadable),
    /// `lint` found errors.
    #[error(
        "the contract has lint errors; correct them, or allow them with # lint:allow RULE reason: WHY"
    )]
    Lint,
    /// `diff` found breaking changes.
    #[error(
        "breaking changes: {0}; revert them, or accept them in schema.accepted.toml with a reason"
    )]
    Breaking(usize),
    /// The file of accepted changes has invalid entries.
    #[error("invalid accepted changes:\n{0}")]
    Accepted(Problems),
    /// `operations` or `diff` found operations that stop working.
    #[error("broken operations: {0}; revert the changes, or change the clients first")]
    Operations(usize),
    /// The report could not be written.
    #[error("cannot write to stdout")]
    Print(#[from] io::Error),
}

impl Failure {
    /// The exit code: 2 for what cannot be read, 1 for everything else.
    pub fn exit_code(&self) -> u8 {
        match self {
            Self::Unreadable(_) => 2,
            _ => 1,
        }
    }
}

impl Output {
    /// Makes the report in the chosen format.
    pub fn choose(
        self,
        text: impl FnOnce(Colours) -> String,
        json: impl FnOnce() -> String,
        markdown: impl FnOnce() -> String,
    ) -> String {
        match self.format {
            Format::Text => text(colours()),
            Format::Json => json(),
            Format::Markdown => markdown(),
        }
    }
}

impl Command {
    /// The URLs whose contracts the caller fetches.
    pub fn urls(&self) -> Vec<&str> {
        let sources = match self {
            Self::Lint { source, .. } => [Some(source), None],
            Self::Diff(diff::Arguments { old, new, .. }) => [old.as_ref(), Some(new)],
            Self::Operations { old, schema, .. } => [old.as_ref(), Some(schema)],
            Self::Usage { schema, .. } => [Some(schema), None],
        };
        let sources = sources.into_iter().flatten().map(String::as_str);
        sources
            .filter(|source| matches!(Source::parse(source), Source::Url(_)))
            .collect()
    }

    /// Runs the command and prints its report.
    pub fn run(self, fetched: &Fetched) -> Result<(), Failure> {
        match self {
            Self::Lint { source, output } => {
                let findings = lint::lint(&read(&Source::parse(&source), fetched)?);
                print(&output.choose(
                    |colours| lint::report::text(&findings, colours),
                    || lint::report::json(&findings),
                    || lint::report::markdown(&findings),
                ))?;
                let mut errors = findings.iter().map(|finding| finding.severity);
                if errors.any(|severity| severity == Severity::Error) {
                    Err(Failure::Lint)
                } else {
                    Ok(())
                }
            }
            Self::Diff(arguments) => arguments.run(fetched),
            Self::Usage {
                files,
                schema,
                output,
            } => {
                let usage = read_usage(&files)?;
                let schema = read(&Source::parse(&schema), fetched)?;
                Ok(print(&output.choose(
                    |colours| usage::report::text(&usage, &schema, colours),
                    || usage::report::json(&usage, &schema),
                    || usage::report::markdown(&usage, &schema),
                ))?)
            }
            Self::Operations {
                documents,
                schema,
                old,
                output,
            } => {
                let source = Source::parse(&schema);
                // First, since the default of the old contract depends on it.
                let new = read(&source, fetched)?;
                let old = match old.as_deref() {
                    Some("none") => None,
                    old => Some(read(&old_source(old, &source)?, fetched)?),
                };
                let documents = documents::read(&documents)?;
                let changes = old.as_ref().map(|old| crate::diff(old, &new));
                let changes = changes.unwrap_or_default();
                let checked = operations::check(&documents, old.as_ref(), &new, &changes);
                print(&output.choose(
                    |colours| operations::report::text(&checked, colours),
                    || operations::report::json(&checked),
                    || operations::report::markdown(&checked),
                ))?;
                match checked.broken.len() {
                    0 => Ok(()),
                    broken => Err(Failure::Operations(broken)),
                }
            }
        }
    }
}

fn read_usage(files: &[PathBuf]) -> Result<Usage, Unreadable> {
    let snapshots = files.iter().map(|path| UsageSnapshot::read(path));
    let snapshots: Result<Vec<_>, _> = snapshots.collect();
    Ok(Usage::new(snapshots?))
}

/// Writes to stdout. A closed pipe is not an error: its reader, such as `head`, has read what it needs, and the exit
/// code still states what was found.
pub fn print(text: &str) -> io::Result<()> {
    let mut stdout = io::stdout().lock();
    let written = stdout.write_all(text.as_bytes());
    match written.and_then(|()| stdout.flush()) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        written => written,
    }
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
    ])
}
