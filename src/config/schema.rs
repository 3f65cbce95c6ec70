//! What can be asked about the contract.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::checked::{Checked, value};

/// What can be asked about the contract.
#[derive(Debug, Clone, PartialEq, Eq, Subcommand)]
pub enum Schema {
    /// Print the contract that this program serves
    Print {
        /// Print what the resolvers serve, in the form of the library that serves it
        #[arg(long)]
        served: bool,
    },
    /// Print the hash by which clients know a contract: that of this program, or of a source
    Hash {
        /// A file, the URL of a running service, git:REVISION or git:REVISION:PATH
        #[arg(value_name = "SOURCE")]
        source: Option<String>,
    },
    /// Find what makes a contract hard to read, to use or to keep; exit code 1 if there is an error
    Lint {
        /// A file, the URL of a running service, git:REVISION or git:REVISION:PATH
        #[arg(value_name = "SOURCE", default_value = "schema.graphql")]
        source: String,
        /// How to write what was found.
        #[command(flatten)]
        output: Output,
    },
    /// Prove that the contract, what the resolvers serve and the tables of the database agree; exit
    /// code 1 if they do not, or if the database is not reached
    Check {
        /// The contract: a file, the URL of a running service, git:REVISION or git:REVISION:PATH;
        /// that of this program if it is not given
        #[arg(value_name = "SOURCE")]
        source: Option<String>,
        /// Leave the database out
        #[arg(long)]
        without_database: bool,
        /// How to write what was found.
        #[command(flatten)]
        output: Output,
    },
    /// List what changed between two contracts and what it means for clients; exit code 1 if
    /// something breaks that was not accepted
    Diff {
        /// The old contract: a file, the URL of a running service, git:REVISION or
        /// git:REVISION:PATH; if it is not given schema.graphql where the branch left the main branch
        #[arg(value_name = "OLD")]
        old: Option<String>,
        /// The new contract, in the same forms
        #[arg(value_name = "NEW", default_value = "schema.graphql")]
        new: String,
        /// The changes that were accepted (TOML); schema.accepted.toml beside the new contract if
        /// that is a file and it is there
        #[arg(long, value_name = "FILE")]
        accepted: Option<PathBuf>,
        /// How to write what was found.
        #[command(flatten)]
        output: Output,
    },
}

/// How to write what was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Args)]
pub struct Output {
    /// How to write what was found: text, json or markdown
    #[arg(long, value_name = "FORMAT", default_value = "text", value_parser = format())]
    pub format: Format,
}

/// For whom something is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// For a terminal.
    Text,
    /// For programs.
    Json,
    /// For a comment on a pull request.
    Markdown,
}

/// Whether the user wants no colours, in the way that <https://no-color.org> describes.
#[expect(clippy::disallowed_methods, reason = "settings enter by this door")]
pub fn no_color() -> bool {
    std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty())
}

fn format() -> Checked<Format> {
    value("text, json or markdown", |text| match text {
        "text" => Some(Format::Text),
        "json" => Some(Format::Json),
        "markdown" => Some(Format::Markdown),
        _ => None,
    })
}
