//! The commands of the program `schema-review`.

mod diff;
mod documents;
mod failure;
mod fetch;
mod files;
mod git;
mod header;
mod lint;
mod output;
mod policy;
mod program;
mod source;

use std::path::PathBuf;

use clap::Subcommand;
use settings::print;

use self::source::{old_source, read_old, read_usage};
pub use self::{
    failure::Failure,
    fetch::ServiceError,
    git::GitError,
    output::Output,
    program::main,
    source::{Fetched, Source, Unreadable, read},
};
use crate::{annotation, operations, usage};

/// A command about contracts.
#[derive(Clone, Debug, Eq, PartialEq, Subcommand)]
pub enum Command {
    /// Lint a contract; exit code 1 if there is an error
    Lint(lint::Arguments),
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
        /// Folders, .graphql files, source code, and manifests (JSON): documents by identifier,
        /// Apollo persisted query manifests, or the operation output of Apollo Kotlin
        #[arg(value_name = "DOCUMENTS", required = true)]
        documents: Vec<PathBuf>,
        /// The new contract: a file, the URL of a running service, git:REVISION or git:REVISION:PATH
        #[arg(long, value_name = "NEW", default_value = source::SCHEMA_FILE)]
        schema: String,
        /// The old contract, in the same forms, or none: report every operation that is not valid;
        /// default: the file of the new contract at the merge base with the main branch
        #[arg(long, value_name = "OLD")]
        old: Option<String>,
        /// Validate against what can be read of an old contract that is not valid, and list what cannot
        #[arg(long)]
        allow_invalid_old: bool,
        /// The output format.
        #[command(flatten)]
        output: Output,
    },
}

impl Command {
    /// The URLs whose contracts the caller fetches.
    pub fn urls(&self) -> Vec<&str> {
        let sources = match self {
            Self::Lint(lint::Arguments {
                source, baseline, ..
            }) => [Some(source), baseline.as_ref()],
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
            Self::Lint(arguments) => arguments.run(fetched),
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
                    || annotation::of_usage(&usage, &schema),
                ))?)
            }
            Self::Operations {
                documents,
                schema,
                old,
                allow_invalid_old,
                output,
            } => {
                let source = Source::parse(&schema);
                // First, since the default of the old contract depends on it.
                let new = read(&source, fetched)?;
                let (old, unread) = match old.as_deref() {
                    Some("none") => (None, None),
                    old => {
                        let old = old_source(old, &source)?;
                        let (old, unread) = read_old(&old, fetched, allow_invalid_old)?;
                        (Some(old), unread)
                    }
                };
                let documents = documents::read(&documents)?;
                let changes = old.as_ref().map(|old| crate::diff(old, &new));
                let changes = changes.unwrap_or_default();
                let mut checked = operations::check(&documents, old.as_ref(), &new, &changes);
                checked.unread = unread;
                output.warn_of_unread(checked.unread.as_ref());
                print(&output.choose(
                    |colours| operations::report::text(&checked, colours),
                    || operations::report::json(&checked),
                    || operations::report::markdown(&checked),
                    || annotation::of_operations(&checked),
                ))?;
                match checked.broken.len() {
                    0 => Ok(()),
                    broken => Err(Failure::Operations(broken)),
                }
            }
        }
    }
}
