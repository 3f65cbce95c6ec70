//! The program: what is generated from an SDL file, without a build.

use std::{
    fmt::Write as _,
    fs,
    io::{self, Write as _},
    path::Path,
    process::ExitCode,
};

use async_graphql_build::Contract;
use graphql_sdl::{Constraint, Element, built_in};
use lexopt::{Arg, Parser};

const HELP: &str = "\
Generates async-graphql types and resolver traits from an SDL file

Usage: async-graphql-build <COMMAND> <SCHEMA>

Commands:
  check <SCHEMA>          Report what cannot be generated, with each object and scalar in a module of the crate
  expand <SCHEMA> <TYPE>  Print what is generated for a type, with the lines of the schema
  init <SCHEMA>           Write build.rs and src/graphql.rs for a schema in the current directory, and print the
                          implementations that are missing

Options:
      --stubs    init: write the implementations into src/graphql.rs, with todo!() in each method
  -h, --help     Print help
  -V, --version  Print version

Exit codes: 0 success, 1 problems of the schema or a file that exists, 2 usage";

/// The module of the Rust types.
const MODULE: &str = "crate::graphql";

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
    let (mut values, mut stubs) = (Vec::new(), false);
    while let Some(argument) = parser.next()? {
        match argument {
            Arg::Short('h') | Arg::Long("help") => return Ok(format!("{HELP}\n")),
            Arg::Short('V') | Arg::Long("version") => {
                return Ok(concat!("async-graphql-build ", env!("CARGO_PKG_VERSION"), "\n").into());
            }
            Arg::Long("stubs") => stubs = true,
            Arg::Value(value) => values.push(value.to_string_lossy().into_owned()),
            argument => return Err(argument.unexpected().into()),
        }
    }
    let values: Vec<&str> = values.iter().map(String::as_str).collect();
    match values[..] {
        ["check", file] if !stubs => check(file),
        ["expand", file, name] if !stubs => problems(by_rule(file).expand(&read(file)?, name)),
        ["init", file] => init(file, stubs),
        _ => Err(Failure::Usage(
            "expected `check SCHEMA`, `expand SCHEMA TYPE` or `init SCHEMA [--stubs]`".to_owned(),
        )),
    }
}

fn by_rule(file: &str) -> Contract {
    let contract = Contract::new(file).objects_in(MODULE).scalars_in(MODULE);
    contract.documentation("*")
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
    let source = problems(by_rule(file).translate(&read(file)?))?;
    Ok(format!(
        "{file}: {} lines are generated\n",
        source.lines().count()
    ))
}

fn init(file: &str, stubs: bool) -> Result<String, Failure> {
    if Path::new(file).is_absolute() {
        let message =
            format!("{file}: must be relative to the current directory, that of the crate");
        return Err(Failure::Usage(message));
    }
    let sdl = read(file)?;
    let files = [(file.to_owned(), sdl.clone())];
    let (schema, found) = graphql_sdl::Schema::parse_files_partly(file, &files);
    let schema = problems(found.into_result(schema))?;
    let scalars = schema
        .tree()
        .types
        .values()
        .filter(|ty| ty.is_scalar() && !ty.is_built_in());
    let (mut contract, mut lines) = (Contract::new(file).objects_in(MODULE), String::new());
    for scalar in scalars {
        let name = scalar.name().as_str();
        contract = contract.serde_scalar(name, "async_graphql::Value");
        let _ = write!(
            lines,
            "\n        .serde_scalar({name:?}, \"async_graphql::Value\")"
        );
    }
    for directive in schema.elements().into_iter().flat_map(Element::directives) {
        let name = directive.name.as_str();
        if !built_in::is_directive(name) && name != Constraint::DIRECTIVE {
            let line = format!("\n        .documentation({name:?})");
            if !lines.contains(&line) {
                lines.push_str(&line);
            }
            contract = contract.documentation(name);
        }
    }
    let implementations = problems(contract.stubs(&sdl))?;
    let build = format!(
        "//! Generates the module `contract` from `{file}`.

fn main() {{
    async_graphql_build::Contract::new({file:?})
        .objects_in({MODULE:?}){lines}
        .generate();
}}
"
    );
    let allowed = if stubs {
        "#![allow(unused_variables, reason = \"the resolvers are not implemented\")]\n\n"
    } else {
        ""
    };
    let mut module = format!(
        "//! The resolvers of `{file}`.

{allowed}// The module `contract`, which `build.rs` generates.
include!(concat!(env!(\"OUT_DIR\"), \"/contract.rs\"));

use contract::*;
"
    );
    if stubs {
        module.push('\n');
        module.push_str(&implementations);
    }
    let files = [("build.rs", build), ("src/graphql.rs", module)];
    if let Some((existing, _)) = files.iter().find(|(path, _)| Path::new(path).exists()) {
        return Err(Failure::Problem(format!(
            "{existing} exists; nothing was written"
        )));
    }
    for (path, text) in files {
        let written = fs::create_dir_all("src").and_then(|()| fs::write(path, text));
        written.map_err(|error| Failure::Problem(format!("{path}: cannot be written: {error}")))?;
    }
    if stubs {
        return Ok("wrote build.rs and src/graphql.rs; declare `mod graphql;`\n".to_owned());
    }
    Ok(implementations)
}
