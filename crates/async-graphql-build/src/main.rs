//! The program: what is generated from an SDL file, without a build.

mod init;
mod project;

use std::{
    fs,
    io::{self, Write as _},
    process::ExitCode,
};

use lexopt::{Arg, Parser};

const HELP: &str = "\
Generates async-graphql types and resolver traits from an SDL file

Usage: async-graphql-build <COMMAND> <SCHEMA>

Commands:
  check <SCHEMA>                Report what cannot be generated
  expand <SCHEMA> <TYPE>        Print what is generated for a type, with the lines of the schema
  stub <SCHEMA> [TYPE[.FIELD]]  Print the implementations that the files in src/ lack, or those of a type or field
  init <SCHEMA>                 Start a project in the current directory: a server with GraphiQL, whose resolvers are
                                todo!(). Files that exist stay as they are, and what to add to them is printed

The bindings are those of `Contract::new(\"SCHEMA\")` in build.rs or build/, if their arguments are literals; without a
build script, objects with resolvers and scalars belong to crate::graphql.

Options:
      --axum     init: a server of axum instead of poem
  -h, --help     Print help
  -V, --version  Print version

Exit codes: 0 success, 1 problems of the schema or a file, 2 usage";

enum Failure {
    Usage(String),
    Problem(String),
}

impl From<lexopt::Error> for Failure {
    fn from(error: lexopt::Error) -> Self {
        Self::Usage(error.to_string())
    }
}

fn main() -> ExitCode {
    let (text, code) = match run(Parser::from_env()) {
        Ok(text) => {
            match io::stdout().write_all(text.as_bytes()) {
                // A reader such as `head` can close the pipe before the end.
                Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
                    (format!("cannot write to stdout: {error}"), 1)
                }
                _ => return ExitCode::SUCCESS,
            }
        }
        Err(Failure::Usage(message)) => (format!("{message}; see --help"), 2),
        Err(Failure::Problem(message)) => (message, 1),
    };
    // Nothing is left to do if it cannot be written.
    let _ = writeln!(io::stderr(), "{text}");
    ExitCode::from(code)
}

/// What is printed.
fn run(mut parser: Parser) -> Result<String, Failure> {
    let (mut values, mut axum) = (Vec::new(), false);
    while let Some(argument) = parser.next()? {
        match argument {
            Arg::Short('h') | Arg::Long("help") => return Ok(format!("{HELP}\n")),
            Arg::Short('V') | Arg::Long("version") => {
                return Ok(concat!("async-graphql-build ", env!("CARGO_PKG_VERSION"), "\n").into());
            }
            Arg::Long("axum") => axum = true,
            Arg::Value(value) => values.push(value.to_string_lossy().into_owned()),
            argument => return Err(argument.unexpected().into()),
        }
    }
    let values: Vec<&str> = values.iter().map(String::as_str).collect();
    match values[..] {
        ["check", file] if !axum => check(file),
        ["expand", file, name] if !axum => expand(file, name),
        ["stub", file] if !axum => stub(file, None),
        ["stub", file, name] if !axum => stub(file, Some(name)),
        ["init", file] => init::init(file, axum),
        _ => Err(Failure::Usage(
            "expected `check SCHEMA`, `expand SCHEMA TYPE`, `stub SCHEMA [TYPE[.FIELD]]` or `init SCHEMA [--axum]`"
                .to_owned(),
        )),
    }
}

fn read(file: &str) -> Result<String, Failure> {
    let read = fs::read_to_string(file);
    read.map_err(|error| Failure::Problem(format!("{file}: cannot be read: {error}")))
}

fn problems<T>(result: Result<T, graphql_sdl::Problems>) -> Result<T, Failure> {
    result.map_err(|problems| {
        let lines: Vec<_> = problems.iter().map(ToString::to_string).collect();
        Failure::Problem(lines.join("\n"))
    })
}

fn check(file: &str) -> Result<String, Failure> {
    let (contract, sdl) = (project::contract(file)?, read(file)?);
    let translation = problems(contract.translate(&sdl))?;
    let limit = translation.recursion_limit();
    let limit = limit.map(|limit| format!("; begin the root of the crate with {limit}"));
    let (lines, limit) = (translation.source().lines().count(), limit.unwrap_or_default());
    Ok(format!("{file}: {lines} lines are generated{limit}\n"))
}

fn expand(file: &str, name: &str) -> Result<String, Failure> {
    let (contract, sdl) = (project::contract(file)?, read(file)?);
    problems(contract.translate(&sdl).and_then(|translation| translation.expand(name)))
}

fn stub(file: &str, only: Option<&str>) -> Result<String, Failure> {
    let (contract, sdl, written) = (project::contract(file)?, read(file)?, project::written()?);
    let printed = problems(contract.translate(&sdl))?.missing(&written, only);
    let Some(only) = only.filter(|_| printed.is_empty()) else {
        return Ok(printed);
    };
    let message = format!("{file}: \"{only}\" is no object with resolvers or field of one");
    Err(Failure::Problem(message))
}
