//! The command line of the program `schema-review`.

use std::{error::Error, ffi::OsString, process::ExitCode};

use clap::Parser;
use graphql_sdl::{masked_url, printable_lines};
use reqwest::Url;
use tokio::runtime;

use super::{
    Command, Failure, Fetched, Source, Unreadable,
    fetch::{fetch, fetch_usage},
    header::Header,
    output::{print, print_error},
    read,
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
    command: Requested,
    /// A header of the requests to URLs, such as 'Authorization: Bearer ${TOKEN}', in which a variable of the
    /// environment is replaced; can be repeated
    #[arg(long = "header", value_name = "HEADER", global = true, value_parser = Header::parser())]
    headers: Vec<Header>,
}

#[derive(Debug, clap::Subcommand)]
enum Requested {
    #[command(flatten)]
    Review(Command),
    /// Print the hash that identifies a schema, whatever its layout and order
    Hash {
        /// A schema: a file, a folder, a URL, git:REVISION or git:REVISION:PATH
        #[arg(value_name = "SOURCE", default_value = "schema.graphql")]
        source: String,
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

fn run(parsed: CommandLine) -> Result<(), Failure> {
    let headers = &parsed.headers;
    match parsed.command {
        Requested::Review(command) => {
            let fetched = fetch_all(&command.urls(), &command.usage_urls(), headers)?;
            command.run(&fetched)
        }
        Requested::Hash { source } => {
            let parsed = Source::parse(&source);
            let is_url = matches!(parsed, Source::Url(_));
            let fetched = fetch_all(&Vec::from_iter(is_url.then_some(&*source)), &[], headers)?;
            let hash = read(&parsed, &fetched)?.hash();
            Ok(print(&format!("{hash}\n"))?)
        }
    }
}

/// The schemas of running services, and recorded use.
fn fetch_all(urls: &[&str], usage: &[(&str, Url)], headers: &[Header]) -> Result<Fetched, Failure> {
    let mut fetched = Fetched::default();
    if urls.is_empty() && usage.is_empty() {
        return Ok(fetched);
    }
    let runtime = runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(Failure::Runtime)?;
    for url in urls {
        let schema = runtime.block_on(fetch(url, headers));
        let schema = schema.map_err(|error| Unreadable::Service(masked_url(url), error))?;
        let schema = schema.map_err(Unreadable::Invalid)?;
        fetched.schemas.insert((*url).to_owned(), schema);
    }
    for (source, url) in usage {
        let text = runtime.block_on(fetch_usage(url, headers));
        let text = text.map_err(|error| Unreadable::UsageUrl(masked_url(source), error))?;
        fetched.usage.insert((*source).to_owned(), text);
    }
    Ok(fetched)
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
