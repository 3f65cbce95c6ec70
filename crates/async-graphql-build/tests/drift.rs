//! Resolvers that differ from the contract do not compile, and the compiler's message shows both locations: the
//! line of the resolver and, as a comment in the displayed line of the generated code, that of `schema.graphql`.
//!
//! Each case is an edit of a file in `drift/` (`drift/cases.rs`), compiled as a binary of a separate package. The
//! checks work with any compiler; the messages in `drift/messages/` are compared only for the compiler version that
//! they contain. `UPDATE_EXPECT=1` rewrites them.

#![allow(
    missing_docs,
    clippy::expect_used,
    reason = "a test fails by panicking"
)]

#[path = "drift/cases.rs"]
mod cases;
#[path = "drift/support.rs"]
mod support;

use std::{
    collections::BTreeMap,
    env, fs,
    path::{Path, PathBuf},
    process::Command,
};

use serde_json::Value;

use self::cases::{CASES, COMPILES, Shows};

#[test]
fn resolvers_that_differ_from_the_contract_do_not_compile() {
    let messages = compile();
    for (case, _) in COMPILES {
        assert_eq!(messages.get(case), None, "resolvers that agree compile");
    }
    for (case, _, _, code, shows) in &CASES {
        let message = messages
            .get(*case)
            .unwrap_or_else(|| panic!("{case} compiles"));
        assert!(
            message.contains(&format!("error[{code}]")),
            "{case}: {message}"
        );
        assert!(
            message.contains(&format!("{case}.rs:")) || matches!(shows, Shows::Assertion(_)),
            "{case}: no line of the resolver: {message}"
        );
        let shown = match shows {
            Shows::Location(location) => format!("// {location}"),
            Shows::Item(text) | Shows::Assertion(text) => (*text).to_owned(),
        };
        assert!(
            message.contains(&shown),
            "{case}: {shown} is not shown: {message}"
        );
    }
    compare_with_recorded(&messages);
}

/// The messages of each case that does not compile.
fn compile() -> BTreeMap<String, String> {
    let package = package();
    let output = Command::new(env!("CARGO"))
        .args([
            "check",
            "--keep-going",
            "--bins",
            "--offline",
            "--quiet",
            "--message-format=json",
        ])
        .current_dir(&package)
        .env("CARGO_TARGET_DIR", package.join("target"))
        .env_remove("RUSTFLAGS")
        .output()
        .expect("cargo runs");
    let mut messages: BTreeMap<String, String> = BTreeMap::new();
    for line in String::from_utf8_lossy(&output.stdout).lines() {
        let line: Value = serde_json::from_str(line).expect("cargo prints JSON");
        let message = &line["message"];
        if message["level"] == "error" && !message["spans"].as_array().is_none_or(Vec::is_empty) {
            let case = line["target"]["name"]
                .as_str()
                .expect("a target has a name");
            let rendered = message["rendered"].as_str().expect("a message is rendered");
            messages
                .entry(case.to_owned())
                .or_default()
                .push_str(rendered);
        }
    }
    assert!(
        !messages.is_empty(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    messages
}

/// Writes a package with a binary for each case and the lock file of this workspace.
fn package() -> PathBuf {
    let cases = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/drift");
    let package = Path::new(env!("CARGO_TARGET_TMPDIR")).join("drift");
    fs::create_dir_all(&package).expect("the folder for temporary files can be written");
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../Cargo.lock");
    fs::copy(workspace, package.join("Cargo.lock")).expect("the workspace has a lock file");
    for contract in [
        "contract.rs",
        "pages_contract.rs",
        "constrained_contract.rs",
    ] {
        let source = fs::read_to_string(cases.join(contract)).expect("it can be read");
        let source = format!("{source}\n#[path = \"support/mod.rs\"]\npub mod support;\n");
        fs::write(package.join(contract), source).expect("it can be written");
    }
    support::copy(&package);
    let compiles = COMPILES.map(|(name, source)| (name, source.to_owned()));
    let edited = CASES
        .iter()
        .map(|(name, source, edits, ..)| (*name, edited(source, edits)));
    let mut bins = Vec::new();
    for (name, source) in edited.chain(compiles) {
        fs::write(package.join(name).with_extension("rs"), source).expect("it can be written");
        bins.push(format!("[[bin]]\nname = {name:?}\npath = \"{name}.rs\"\n"));
    }
    let bins = bins.concat();
    let manifest = format!(
        "[workspace]\n[package]\nname = \"drift\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\
         [dependencies]\nasync-graphql = {{ version = \"7.2.1\", default-features = false }}\n{bins}"
    );
    fs::write(package.join("Cargo.toml"), manifest).expect("the manifest can be written");
    package
}

fn edited(source: &str, edits: &[(&str, &str)]) -> String {
    edits.iter().fold(source.to_owned(), |source, (from, to)| {
        assert_eq!(source.matches(from).count(), 1, "{from}");
        source.replace(from, to)
    })
}

fn compare_with_recorded(messages: &BTreeMap<String, String>) {
    let compiler = Command::new("rustc")
        .arg("--version")
        .output()
        .expect("rustc runs")
        .stdout;
    let compiler = String::from_utf8_lossy(&compiler);
    let compiler = compiler.split(" (").next().expect("a version is printed");
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/drift/messages");
    for (case, message) in messages {
        let expected = format!("{compiler}\n\n{message}");
        let path = folder.join(case).with_extension("txt");
        let recorded = fs::read_to_string(&path).unwrap_or_default();
        if env::var_os("UPDATE_EXPECT").is_some() {
            fs::write(&path, &expected).expect("the message can be written");
        } else if recorded.lines().next() == Some(compiler) {
            assert_eq!(recorded, expected, "{case}: see the head of tests/drift.rs");
        }
    }
}
