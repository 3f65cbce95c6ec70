//! The commands of the program `schema-review`.

mod argument;
mod diff;
mod documents;
mod failure;
mod fetch;
mod files;
mod git;
mod header;
mod lint;
mod operations;
mod output;
mod policy;
mod program;
mod source;

use clap::Subcommand;
use reqwest::Url;

pub use self::{
    failure::Failure,
    fetch::ServiceError,
    git::GitError,
    output::Output,
    program::main,
    source::{Fetched, Source, Unreadable, read},
};
use self::{output::print, source::read_usage};
use crate::{annotation, usage};

/// A command about contracts.
#[derive(Clone, Debug, Eq, PartialEq, Subcommand)]
pub enum Command {
    /// Lint a contract; exit code 1 if there is an error
    Lint(lint::Arguments),
    /// List the changes between two contracts and their effect on clients; exit code 1 for breaking
    /// changes that are not accepted
    Diff(diff::Arguments),
    /// List the clients of what is deprecated, as Prometheus counted them
    Usage {
        /// Recorded use: the base URL of a Prometheus, the URL or a saved answer of its query API, or the metrics of a
        /// service
        #[arg(value_name = "SOURCE", required = true)]
        sources: Vec<String>,
        /// The range that a Prometheus at a base URL is asked for, such as 30d
        #[arg(long, value_name = "DURATION", default_value = source::DEFAULT_RANGE)]
        #[arg(value_parser = source::parse_range)]
        range: String,
        /// The contract: a file, the URL of a running service, git:REVISION or git:REVISION:PATH
        #[arg(long, value_name = "SOURCE", default_value = source::SCHEMA_FILE)]
        schema: String,
        /// The output format.
        #[command(flatten)]
        output: Output,
    },
    /// List the operations of clients that a contract breaks, and the changes responsible; exit code
    /// 1 if there is one
    Operations(operations::Arguments),
}

impl Command {
    /// The URLs whose contracts the caller fetches.
    pub fn urls(&self) -> Vec<&str> {
        let sources = match self {
            Self::Lint(lint::Arguments {
                source, baseline, ..
            }) => [Some(source), baseline.as_ref()],
            Self::Diff(diff::Arguments { old, new, .. }) => [old.as_ref(), Some(new)],
            Self::Operations(operations::Arguments { old, schema, .. }) => {
                [old.as_ref(), Some(schema)]
            }
            Self::Usage { schema, .. } => [Some(schema), None],
        };
        let sources = sources.into_iter().flatten().map(String::as_str);
        sources
            .filter(|source| matches!(Source::parse(source), Source::Url(_)))
            .collect()
    }

    /// The sources of recorded use that the caller fetches, with their URLs.
    pub fn usage_urls(&self) -> Vec<(&str, Url)> {
        let (sources, range) = match self {
            Self::Diff(diff::Arguments { usage, range, .. }) => (usage, range),
            Self::Usage { sources, range, .. } => (sources, range),
            Self::Lint(_) | Self::Operations(_) => return Vec::new(),
        };
        let urls = sources.iter().filter_map(|source| {
            let url = source::usage_url(source, range)?;
            Some((source.as_str(), url))
        });
        urls.collect()
    }

    /// Runs the command and prints its report.
    pub fn run(self, fetched: &Fetched) -> Result<(), Failure> {
        match self {
            Self::Lint(arguments) => arguments.run(fetched),
            Self::Diff(arguments) => arguments.run(fetched),
            Self::Usage {
                sources,
                schema,
                output,
                ..
            } => {
                let schema = read(&Source::parse(&schema), fetched)?;
                let usage = read_usage(&sources, fetched, &schema)?;
                Ok(print(&output.choose(
                    |colours| usage::report::text(&usage, &schema, colours),
                    || usage::report::json(&usage, &schema),
                    || usage::report::markdown(&usage, &schema),
                    || annotation::of_usage(&usage, &schema),
                ))?)
            }
            Self::Operations(arguments) => arguments.run(fetched),
        }
    }
}
