//! Resolvers that differ from the contract do not compile, and the compiler's message shows both locations: the
//! line of the resolver and, as a comment in the displayed line of the generated code, that of `schema.graphql`.
//!
//! Each case in `drift/` is compiled as a binary of a separate package. The checks work with any compiler; the
//! messages in `drift/messages/` are compared only for the compiler version that they contain.
//! `UPDATE_EXPECT=1` rewrites them.

#![allow(
    missing_docs,
    clippy::expect_used,
    reason = "a test fails by panicking"
)]

use std::{
    collections::BTreeMap,
    env, fs,
    path::{Path, PathBuf},
    process::Command,
};

use serde_json::Value;

/// The part of the generated code that a message must show.
enum Shows {
    /// A line with this location in an SDL file.
    Location(&'static str),
    /// Only the item.
    Item(&'static str),
    /// This text, and no line of the case: a constant or function is missing or differs.
    Assertion(&'static str),
}

/// The cases that compile.
const AGREES: [&str; 3] = ["agrees", "agrees_with_pages", "constrained"];

const CASES: [(&str, &str, Shows); 24] = [
    (
        "resolver_missing",
        "E0046",
        Shows::Location("schema.graphql:9:3"),
    ),
    (
        "getter_missing",
        "E0046",
        Shows::Location("schema.graphql:4:3"),
    ),
    ("resolver_unknown", "E0407", Shows::Item("`QueryResolver`")),
    ("getter_unknown", "E0407", Shows::Item("`VehicleResolver`")),
    (
        "argument_missing",
        "E0107",
        Shows::Location("schema.graphql:13:3"),
    ),
    (
        "argument_unknown",
        "E0026",
        Shows::Item("QueryVehiclesArguments` has a field named `count`"),
    ),
    (
        "argument_type_differs",
        "E0053",
        Shows::Location("schema.graphql:9:3"),
    ),
    (
        "arguments_type_differs",
        "E0053",
        Shows::Location("schema.graphql:9:3"),
    ),
    (
        "argument_order_differs",
        "E0532",
        Shows::Location("schema.graphql:13:3"),
    ),
    (
        "argument_nullability_differs",
        "E0053",
        Shows::Location("schema.graphql:13:3"),
    ),
    (
        "omitted_not_distinguished",
        "E0308",
        Shows::Item("expected `Option<String>`, found `MaybeUndefined<String>`"),
    ),
    (
        "result_type_differs",
        "E0271",
        Shows::Location("schema.graphql:13:3"),
    ),
    (
        "result_nullability_differs",
        "E0271",
        Shows::Location("schema.graphql:9:3"),
    ),
    (
        "getter_type_differs",
        "E0053",
        Shows::Location("schema.graphql:3:3"),
    ),
    (
        "getter_nullability_differs",
        "E0053",
        Shows::Location("schema.graphql:4:3"),
    ),
    (
        "enum_value_missing",
        "E0004",
        Shows::Location("pages.graphql:7:3"),
    ),
    (
        "enum_value_unknown",
        "E0599",
        Shows::Item("named `LaunchDateAsc` found for enum"),
    ),
    (
        "connection_getter_missing",
        "E0046",
        Shows::Location("pages.graphql:16:3"),
    ),
    (
        "connection_field_missing",
        "E0063",
        Shows::Item("missing field `end_cursor` in initializer of `contract::PageInfo`"),
    ),
    (
        "omitted_distinction_removed",
        "E0308",
        Shows::Item("expected `MaybeUndefined<String>`, found `Option<String>`"),
    ),
    (
        "limit_differs",
        "E0080",
        Shows::Assertion("schema.graphql:3:16: Query.vehicles(count:) has min: 0"),
    ),
    (
        "limit_missing",
        "E0425",
        Shows::Assertion("// schema.graphql:4:18"),
    ),
    (
        "parser_differs",
        "E0308",
        Shows::Assertion("// schema.graphql:5:16"),
    ),
    (
        "pattern_parser_differs",
        "E0308",
        Shows::Assertion("// schema.graphql:6:18"),
    ),
];

#[test]
fn resolvers_that_differ_from_the_contract_do_not_compile() {
    let messages = compile();
    for case in AGREES {
        assert_eq!(messages.get(case), None, "resolvers that agree compile");
    }
    for (case, code, shows) in &CASES {
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
    let names = CASES.iter().map(|(case, ..)| *case).chain(AGREES);
    let bins: Vec<String> = names
        .map(|name| {
            let path = cases.join(name).with_extension("rs");
            format!("[[bin]]\nname = {name:?}\npath = '{}'\n", path.display())
        })
        .collect();
    let bins = bins.concat();
    let engine = Path::new(env!("CARGO_MANIFEST_DIR")).join("../engine");
    let manifest = format!(
        "[workspace]\n[package]\nname = \"drift\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\
         [dependencies]\nasync-graphql = {{ version = \"7.2.1\", default-features = false }}\n\
         engine = {{ path = '{}' }}\n{bins}",
        engine.display()
    );
    fs::write(package.join("Cargo.toml"), manifest).expect("the manifest can be written");
    package
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
    let here = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/drift/");
    for (case, message) in messages {
        let message = message.replace(&*here.to_string_lossy(), "");
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
