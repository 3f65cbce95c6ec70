//! Generated code compiles: accepted files of the fuzzing corpus are translated, and compiled as modules of one package.

#![allow(
    missing_docs,
    clippy::expect_used,
    reason = "a test fails by panicking"
)]

#[path = "drift/support.rs"]
mod support;

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::Command,
};

use async_graphql_build::Contract;

#[test]
fn generated_code_compiles() {
    let corpus = corpus();
    let accepted: Vec<(String, String)> = corpus.iter().filter_map(|sdl| translated(sdl)).collect();
    assert!(accepted.len() >= 4, "most of the corpus is accepted");
    compile(&accepted);
}

/// The SDL and the generated code, if the SDL is accepted.
fn translated(sdl: &[u8]) -> Option<(String, String)> {
    let sdl = String::from_utf8(sdl.to_vec()).ok()?;
    let contract = Contract::new("schema.graphql");
    let source = contract.translate(&sdl).ok()?;
    Some((sdl, source))
}

fn corpus() -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus/codegen");
    let files = fs::read_dir(folder).expect("the corpus is there");
    let files = files.map(|file| file.expect("it can be read").path());
    let mut paths: Vec<PathBuf> = files.filter(|path| path.extension().is_some()).collect();
    paths.sort();
    let read = |path| fs::read(path).expect("it can be read");
    paths.into_iter().map(read).collect()
}

fn compile(accepted: &[(String, String)]) {
    let temporary = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let package = temporary.join("accepted");
    let sources = package.join("src");
    fs::create_dir_all(&sources).expect("the folder for temporary files can be written");
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../Cargo.lock");
    fs::copy(workspace, package.join("Cargo.lock")).expect("the workspace has a lock file");
    let manifest = "[workspace]\n[package]\nname = \"accepted\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\
         [dependencies]\nasync-graphql = { version = \"7.2.1\", default-features = false }\n";
    let mut root = "#![allow(warnings, reason = \"the code is not used\")]\n".to_owned();
    for (number, (sdl, source)) in accepted.iter().enumerate() {
        let write = |name: String, text: &str| {
            fs::write(sources.join(name), text).expect("it can be written");
        };
        let source = format!("{source}\n#[path = \"support/mod.rs\"]\npub mod support;\n");
        write(format!("case_{number}.rs"), &source);
        write(format!("case_{number}.graphql"), sdl);
        root.extend(["mod case_", &number.to_string(), ";\n"]);
    }
    support::copy(&sources);
    fs::write(sources.join("lib.rs"), root).expect("it can be written");
    fs::write(package.join("Cargo.toml"), manifest).expect("it can be written");
    let output = Command::new(env!("CARGO"))
        .args(["check", "--lib", "--offline", "--quiet"])
        .current_dir(&package)
        // Shares the compiled dependencies with the package of `drift.rs`.
        .env("CARGO_TARGET_DIR", temporary.join("drift/target"))
        .env_remove("RUSTFLAGS")
        .output()
        .expect("cargo runs");
    assert!(
        output.status.success(),
        "the contracts are beside their sources in {}\n{}",
        sources.display(),
        String::from_utf8_lossy(&output.stderr)
    );
}

/// Commas are ignored tokens everywhere, equivalent to spaces.
#[test]
fn ignores_commas_between_any_two_tokens() {
    let sdl = include_str!("kitchen_sink.graphql");
    let separated = |separator: &str| -> String {
        let tokens = apollo_parser::Lexer::new(sdl);
        tokens
            .map(|token| separator.to_owned() + token.expect("it is SDL").data())
            .collect()
    };
    let contract = Contract::new("kitchen_sink.graphql")
        .scalar("Date", "crate::Day")
        .object("Person", "crate::Human")
        .object("Shop", "crate::Store")
        .object("Offer", "crate::Bargain")
        .object("Holder", "crate::Holding");
    let expected = contract.translate(&separated(" "));
    assert!(expected.is_ok());
    assert!(contract.translate(&separated(",")) == expected);
}
