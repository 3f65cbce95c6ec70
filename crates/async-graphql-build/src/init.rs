//! Starts a project: dependencies, build script, resolvers and a server with `GraphiQL`.

use std::{fmt::Write as _, fs, path::Path};

use async_graphql_build::Contract;
use graphql_sdl::{Constraint, Element, built_in};

use crate::{Failure, problems, project::MODULE, read};

/// What `cargo init` writes, which is replaced.
const EMPTY_MAIN: &str = "fn main() {\n    println!(\"Hello, world!\");\n}\n";

const MANIFEST: &str = "Cargo.toml";

/// The servers.
const POEM: &str = include_str!("../templates/poem.rs.txt");
const AXUM: &str = include_str!("../templates/axum.rs.txt");

/// Writes the files that do not exist, and returns what was written and what is to be added to the others.
pub(crate) fn init(file: &str, axum: bool) -> Result<String, Failure> {
    let (sdl, manifest) = (read(file)?, read(MANIFEST)?);
    let files = [(file.to_owned(), sdl.clone())];
    let (schema, found) = graphql_sdl::Schema::parse_files_partly(file, &files);
    let schema = problems(found.into_result(schema))?;
    let types = schema.tree().types.values();
    let scalars = types.filter(|ty| ty.is_scalar() && !ty.is_built_in());
    let (mut contract, mut lines) = (Contract::new(file).objects_in(MODULE), String::new());
    for scalar in scalars {
        let name = scalar.name().as_str();
        contract = contract.serde_scalar(name, "async_graphql::Value");
        let _ = write!(lines, "\n        .serde_scalar({name:?}, \"async_graphql::Value\")");
    }
    for directive in schema.elements().into_iter().flat_map(Element::directives) {
        let name = directive.name.as_str();
        let line = format!("\n        .documentation({name:?})");
        if !built_in::is_directive(name) && name != Constraint::DIRECTIVE && !lines.contains(&line) {
            lines.push_str(&line);
            contract = contract.documentation(name);
        }
    }
    let translation = problems(contract.translate(&sdl))?;
    let stubs = translation.stubs();
    let limit = translation.recursion_limit().map(|limit| limit + "\n\n").unwrap_or_default();
    let build = format!(
        "//! Generates the module `contract` from `{file}`.

fn main() {{
    async_graphql_build::Contract::new({file:?})
        .objects_in({MODULE:?}){lines}
        .generate();
}}
"
    );
    let module = format!(
        "//! The resolvers of `{file}`.

#![allow(unused_variables, reason = \"the resolvers are not implemented\")]

// The module `contract`, which `build.rs` generates.
include!(concat!(env!(\"OUT_DIR\"), \"/contract.rs\"));

use contract::*;

{stubs}"
    );
    let main = limit + if axum { AXUM } else { POEM };
    let mut report = String::new();
    for (path, text) in [("build.rs", build), ("src/graphql.rs", module), ("src/main.rs", main)] {
        if fs::read_to_string(path).is_ok_and(|present| present != EMPTY_MAIN) {
            let _ = writeln!(report, "{path} exists; add what it lacks of this:\n\n{text}");
        } else {
            write(path, &text)?;
            let _ = writeln!(report, "wrote {path}");
        }
    }
    write(MANIFEST, &with_dependencies(manifest, axum))?;
    report.push_str(
        "added dependencies to Cargo.toml\nreplace each todo!() in src/graphql.rs; `cargo run` starts the server\n",
    );
    Ok(report)
}

/// The manifest with the dependencies that it lacks.
fn with_dependencies(mut manifest: String, axum: bool) -> String {
    let server = if axum {
        ["async-graphql-axum = \"=7.0.19\"", "axum = \"0.8\""]
    } else {
        ["async-graphql-poem = \"=7.0.19\"", "poem = \"3\""]
    };
    // An installed program knows the folder that it was built from.
    let (own, version) = (env!("CARGO_MANIFEST_DIR"), env!("CARGO_PKG_VERSION"));
    let own = if Path::new(own).is_dir() {
        format!("async-graphql-build = {{ path = {own:?} }}")
    } else {
        format!("async-graphql-build = {version:?}")
    };
    let dependencies = [
        "async-graphql = { version = \"=7.0.19\", default-features = false, features = [\"graphiql\", \"raw_value\"] }",
        server[0],
        server[1],
        "tokio = { version = \"1\", features = [\"full\"] }",
    ];
    for (table, lines) in [("[dependencies]\n", &dependencies[..]), ("[build-dependencies]\n", &[&own])] {
        let lines = lines.iter().filter(|line| {
            let name = line.split(' ').next().unwrap_or_default();
            !manifest.lines().any(|line| line.split([' ', '.', '=']).next() == Some(name))
        });
        let lines = lines.flat_map(|line| [*line, "\n"]).collect::<String>();
        match manifest.find(table) {
            Some(start) => manifest.insert_str(start + table.len(), &lines),
            None => manifest.extend(["\n", table, &lines]),
        }
    }
    manifest
}

fn write(path: &str, text: &str) -> Result<(), Failure> {
    let written = fs::create_dir_all("src").and_then(|()| fs::write(path, text));
    written.map_err(|error| Failure::Problem(format!("{path}: cannot be written: {error}")))
}
