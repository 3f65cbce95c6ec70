//! `schema-review`: compares and lints GraphQL schemas, and checks the operations of clients.

use std::{error::Error, process::ExitCode};

use clap::Parser;
use review::cli::{Command, Failure, Fetched, Source, read};
use schema::printable_lines;
use settings::{masked_url, print};

const EXIT_CODES: &str = "Exit codes: 0 nothing found; 1 breaking changes, lint errors or broken \
     operations; 2 invalid command line, unreadable or invalid file";

/// Compares and lints GraphQL schemas, and checks the operations of clients against them.
///
/// A schema is a file of SDL, an introspection response whose name ends in .json, or a file in a git
/// revision.
#[derive(Debug, Parser)]
#[command(name = "schema-review", version, max_term_width = 100, after_help = EXIT_CODES)]
struct CommandLine {
    #[command(subcommand)]
    command: Requested,
}

#[derive(Debug, clap::Subcommand)]
enum Requested {
    #[command(flatten)]
    Review(Command),
    /// Print the hash that identifies a schema, whatever its layout and order
    Hash {
        /// A file, git:REVISION or git:REVISION:PATH
        #[arg(value_name = "SOURCE", default_value = "schema.graphql")]
        source: String,
    },
}

fn main() -> ExitCode {
    let command = match CommandLine::try_parse() {
        Ok(parsed) => parsed.command,
        Err(error) => return report_usage(&error),
    };
    match run(command) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            report(&failure);
            ExitCode::from(failure.exit_code())
        }
    }
}

fn run(requested: Requested) -> Result<(), Failure> {
    let nothing_fetched = Fetched::new();
    match requested {
        Requested::Review(command) => command.run(&nothing_fetched),
        Requested::Hash { source } => {
            let hash = read(&Source::parse(&source), &nothing_fetched)?.hash();
            Ok(print(&format!("{hash}\n"))?)
        }
    }
}

/// Prints the help to stdout, or an error to stderr, with the URLs of the command line masked.
#[expect(clippy::print_stderr, reason = "the output of the program")]
fn report_usage(error: &clap::Error) -> ExitCode {
    if !error.use_stderr() {
        // A closed stdout is not a failure.
        let _ = error.print();
        return ExitCode::SUCCESS;
    }
    let mut text = error.to_string();
    for argument in std::env::args_os() {
        let argument = argument.to_string_lossy();
        // Of `--old=URL`, clap can quote the value alone.
        let (_, value) = argument.split_once('=').unwrap_or_default();
        for quoted in [&*argument, value] {
            if quoted.contains("://") {
                text = text.replace(quoted, &masked_url(quoted));
            }
        }
    }
    eprint!("{}", printable_lines(&text));
    ExitCode::from(2)
}

#[expect(clippy::print_stderr, reason = "the output of the program")]
fn report(failure: &Failure) {
    let causes = std::iter::successors(failure.source(), |error: &&dyn Error| (*error).source());
    let causes = causes.map(ToString::to_string);
    let messages: Vec<String> = std::iter::once(failure.to_string()).chain(causes).collect();
    eprintln!("error: {}", printable_lines(&messages.join(": ")));
}
