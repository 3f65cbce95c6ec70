//! The command line of the program `schema-review`.

mod config;
mod diff;
mod documents;
mod failure;
mod fetch;
mod files;
mod git;
mod lint;
mod operations;
mod output;
mod source;
mod usage;

use std::{error::Error, ffi::OsString, process::ExitCode};

use clap::Parser;
use graphql_sdl::{masked_url, printable_lines};

use self::{
    failure::Failure,
    fetch::Header,
    output::{print, print_error},
    source::{Source, Unreadable, read},
};

const EXIT_CODES: &str = "Exit codes: 0 nothing found; 1 breaking changes, lint errors or broken \
     operations; 2 invalid command line, unreadable or invalid file";

/// Compares and lints GraphQL schemas, and checks the operations of clients against them.
///
/// A schema is a file of SDL, a folder, a pattern or a list of them with commas, an introspection
/// response whose name ends in .json, the URL of a running service, or git:REVISION:PATH.
#[derive(Debug, Parser)]
#[command(name = "schema-review", version, max_term_width = 100, after_help = EXIT_CODES)]
struct CommandLine {
    #[command(subcommand)]
    command: Command,
    /// A header of the requests to URLs, such as 'Authorization: Bearer ${TOKEN}', in which a variable of the
    /// environment is replaced; can be repeated
    #[arg(long = "header", value_name = "HEADER", global = true)]
    headers: Vec<String>,
    /// The project of .graphqlrc whose schema and documents are the default
    #[arg(long, value_name = "NAME", global = true)]
    project: Option<String>,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    /// Lint a contract; exit code 1 if there is an error
    Lint(lint::Arguments),
    /// List the changes between two contracts and their effect on clients; exit code 1 for breaking
    /// changes that are not accepted
    Diff(diff::Arguments),
    /// List the clients of what is deprecated, as Prometheus counted them
    Usage(usage::Arguments),
    /// List the operations of clients that a contract breaks, and the changes responsible; exit code
    /// 1 if there is one
    Operations(operations::Arguments),
    /// Print the hash that identifies a schema, whatever its layout and order
    Hash {
        /// A schema: a file, a folder, a URL, git:REVISION or git:REVISION:PATH; default: that of the configuration, or
        /// schema.graphql
        #[arg(value_name = "SOURCE")]
        source: Option<String>,
    },
}

/// Runs the program with its arguments, of which the first is its name.
pub fn main(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    let arguments: Vec<OsString> = arguments.into_iter().collect();
    let parsed = match CommandLine::try_parse_from(&arguments) {
        Ok(parsed) => parsed,
        Err(error) => return report_usage(&error, &arguments),
    };
    match run(parsed) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            report(&failure);
            ExitCode::from(failure.exit_code())
        }
    }
}

fn run(mut parsed: CommandLine) -> Result<(), Failure> {
    let headers = parsed.headers.iter().map(|header| Header::parse(header)).collect::<Result<_, _>>();
    let headers: Vec<Header> = headers.map_err(Unreadable::Header)?;
    let (schema, documents) = match &mut parsed.command {
        Command::Lint(arguments) => (&mut arguments.source, None),
        Command::Diff(arguments) => (&mut arguments.new, None),
        Command::Usage(arguments) => (&mut arguments.schema, None),
        Command::Operations(arguments) => (&mut arguments.schema, Some(&mut arguments.documents)),
        Command::Hash { source } => (source, None),
    };
    config::complete(schema, documents, parsed.project.as_deref())?;
    match parsed.command {
        Command::Lint(arguments) => arguments.run(&headers),
        Command::Diff(arguments) => arguments.run(&headers),
        Command::Usage(arguments) => arguments.run(&headers),
        Command::Operations(arguments) => arguments.run(&headers),
        Command::Hash { source } => {
            let hash = read(&Source::or_default(source.as_deref()), &headers)?.hash();
            Ok(print(&format!("{hash}\n"))?)
        }
    }
}

/// Prints the help to stdout, or an error to stderr, with the URLs of the command line masked.
fn report_usage(error: &clap::Error, arguments: &[OsString]) -> ExitCode {
    if !error.use_stderr() {
        // A closed stdout is not a failure.
        let _ = error.print();
        return ExitCode::SUCCESS;
    }
    let mut text = error.to_string();
    for argument in arguments {
        let argument = argument.to_string_lossy();
        // Of `--old=URL`, clap can quote the value alone.
        let (_, value) = argument.split_once('=').unwrap_or_default();
        for quoted in [&*argument, value] {
            if quoted.contains("://") {
                text = text.replace(quoted, &masked_url(quoted));
            }
        }
    }
    print_error(&printable_lines(&text));
    ExitCode::from(2)
}

fn report(failure: &Failure) {
    let causes = std::iter::successors(failure.source(), |error: &&dyn Error| (*error).source());
    let causes = causes.map(ToString::to_string);
    let messages: Vec<String> = std::iter::once(failure.to_string()).chain(causes).collect();
    let message = printable_lines(&messages.join(": "));
    print_error(&format!("error: {message}\n"));
}
