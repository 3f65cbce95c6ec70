//! Generates the interface that the resolvers implement from the contract, `schema.graphql`,
//! lists the files of the GraphiQL page, so that they become part of the binary, and tells a
//! release which commit it is.

#[path = "build/commit.rs"]
mod commit;

use std::{env, fmt::Write, fs, path::Path};

/// What `npm run build` wrote in `graphiql/`.
const GRAPHIQL_ASSETS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/graphiql/dist/assets");

fn main() {
    codegen::Contract::new("schema.graphql")
        .object("Vehicle", "crate::graphql::SharedVehicle")
        .generate();
    list_graphiql_assets();
    name_the_commit();
}

/// Sets `COMMIT` to what `BUILD_COMMIT` says, for builds without a repository, else to what is
/// checked out. Builds for development do without: each commit would have them compiled again.
#[expect(
    clippy::disallowed_methods,
    reason = "Cargo tells a build script in the environment what it builds"
)]
fn name_the_commit() {
    println!("cargo::rerun-if-env-changed=BUILD_COMMIT");
    let told = env::var("BUILD_COMMIT").ok();
    let told = told.filter(|commit| !commit.is_empty());
    let known = told.or_else(|| {
        let release = env::var("PROFILE").is_ok_and(|profile| profile == "release");
        let commit = release.then(|| commit::checked_out(Path::new(env!("CARGO_MANIFEST_DIR"))));
        let commit = commit.flatten()?;
        println!("cargo::rerun-if-changed={}", commit.moves.display());
        Some(commit.hash)
    });
    if let Some(commit) = known {
        println!("cargo::rustc-env=COMMIT={commit}");
    }
}

/// Writes `graphiql.rs`: an array of the names of the assets with their compressed bytes.
#[expect(
    clippy::disallowed_methods,
    reason = "Cargo tells a build script in the environment where to write"
)]
fn list_graphiql_assets() {
    println!("cargo::rerun-if-changed={GRAPHIQL_ASSETS}");
    let entries = fs::read_dir(GRAPHIQL_ASSETS).expect("graphiql/dist/assets is in the repository");
    let mut names: Vec<_> = entries
        .map(|entry| entry.expect("it can be read").file_name())
        .collect();
    names.sort();
    let mut list = "[\n".to_owned();
    for name in names {
        let file = name.to_str().expect("names of assets are plain");
        let name = file.trim_end_matches(".gz");
        let path = format!("{GRAPHIQL_ASSETS}/{file}");
        writeln!(list, "    ({name:?}, include_bytes!({path:?}).as_slice()),")
            .expect("a text can grow");
    }
    list.push_str("]\n");
    let out_dir = env::var("OUT_DIR").expect("Cargo sets it");
    fs::write(Path::new(&out_dir).join("graphiql.rs"), list).expect("Cargo made the folder");
}
