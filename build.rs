//! Generates the resolver trait from the contract, `schema.graphql`, and sets its hash and the commit of a release build.

#[path = "build/commit.rs"]
mod commit;
#[path = "build/contract.rs"]
mod contract;

use std::{env, fs, path::Path};

use graphql_sdl::Schema;

fn main() {
    contract::contract().generate();
    set_contract_hash();
    set_commit();
}

/// Sets `CONTRACT_HASH`, so that the command line need not parse the contract.
fn set_contract_hash() {
    let file = "schema.graphql";
    let sdl = fs::read_to_string(file).expect("the generator has read it");
    let schema = Schema::parse(file, &sdl).expect("the generator has validated it");
    println!("cargo::rustc-env=CONTRACT_HASH={}", schema.hash());
}

/// Sets `COMMIT` to `BUILD_COMMIT`, for builds without a repository, or else to the checked-out commit.
/// Debug builds omit the latter, since each commit would recompile them.
#[expect(clippy::disallowed_methods, reason = "Cargo passes its inputs to build scripts as environment variables")]
fn set_commit() {
    println!("cargo::rerun-if-env-changed=BUILD_COMMIT");
    let given = env::var("BUILD_COMMIT").ok();
    let given = given.filter(|commit| !commit.is_empty());
    let commit = given.or_else(|| {
        let release = env::var("PROFILE").is_ok_and(|profile| profile == "release");
        let commit = release.then(|| commit::checked_out(Path::new(env!("CARGO_MANIFEST_DIR"))));
        let commit = commit.flatten()?;
        println!("cargo::rerun-if-changed={}", commit.watched_file.display());
        Some(commit.hash)
    });
    if let Some(commit) = commit {
        println!("cargo::rustc-env=COMMIT={commit}");
    }
}
