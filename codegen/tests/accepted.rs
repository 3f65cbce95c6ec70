//! What is accepted compiles: the corpus of the fuzzing and some of what comes of it by chance is
//! translated, and compiled for real as modules of one package.

#![allow(
    missing_docs,
    clippy::expect_used,
    reason = "a test fails by panicking"
)]

#[path = "../../tests/replay/dice.rs"]
mod dice;
#[path = "../../tests/replay/mutation.rs"]
mod mutation;

use std::{
    collections::BTreeSet,
    env, fs,
    path::{Path, PathBuf},
    process::Command,
};

use codegen::Contract;
use dice::Dice;

const SAMPLE: usize = 12;

#[test]
fn what_is_accepted_compiles() {
    let corpus = corpus();
    let inputs: Vec<&[u8]> = corpus.iter().map(Vec::as_slice).collect();
    let mut accepted: Vec<(String, String)> =
        corpus.iter().filter_map(|sdl| translated(sdl)).collect();
    assert!(accepted.len() >= 4, "most of the corpus is accepted");
    let mut known: BTreeSet<String> = accepted.iter().map(|(_, source)| source.clone()).collect();
    for seed in 0..100_000 {
        if accepted.len() >= SAMPLE {
            break;
        }
        let input = mutation::of(&inputs, "codegen", &mut Dice::new(seed));
        accepted.extend(translated(&input).filter(|(_, source)| known.insert(source.clone())));
    }
    assert_eq!(accepted.len(), SAMPLE, "so many are accepted");
    compile(&accepted);
}

/// SDL and what it becomes, if it is accepted.
fn translated(sdl: &[u8]) -> Option<(String, String)> {
    let sdl = String::from_utf8(sdl.to_vec()).ok()?;
    let contract = Contract::new("schema.graphql");
    let source = contract.translate(&sdl).ok()?;
    Some((sdl, source))
}

fn corpus() -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fuzz/corpus/codegen");
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
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).join("../Cargo.lock");
    fs::copy(workspace, package.join("Cargo.lock")).expect("the workspace has a lock file");
    let manifest = "[workspace]\n[package]\nname = \"accepted\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\
                    [dependencies]\nasync-graphql = { version = \"7.2.1\", default-features = false }\n";
    let mut root = "#![allow(warnings, reason = \"nobody resolves it\")]\n".to_owned();
    for (number, (sdl, source)) in accepted.iter().enumerate() {
        let write = |name: String, text: &str| {
            fs::write(sources.join(name), text).expect("it can be written");
        };
        write(format!("case_{number}.rs"), source);
        write(format!("case_{number}.graphql"), sdl);
        root.extend(["mod case_", &number.to_string(), ";\n"]);
    }
    fs::write(sources.join("lib.rs"), root).expect("it can be written");
    fs::write(package.join("Cargo.toml"), manifest).expect("it can be written");
    let output = Command::new(env!("CARGO"))
        .args(["check", "--lib", "--offline", "--quiet"])
        .current_dir(&package)
        // What the package of `drift.rs` needs is compiled there already.
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
