//! The rules of ARCHITECTURE.md that can be executed: who may know whom, and the contract's core.

#![allow(
    missing_docs,
    clippy::expect_used,
    reason = "a test fails by panicking"
)]

use std::{
    fs,
    path::{Path, PathBuf},
};

use apollo_compiler::Schema;
use clap::CommandFactory;
use vehicle_catalogue::config::CommandLine;

/// A room, the other rooms it may use, and the libraries it may not know.
const ROOMS: &[(&str, &[&str], &[&str])] = &[
    (
        "src/catalogue",
        &[],
        &[
            "async_graphql",
            "poem",
            "sea_orm",
            "serde",
            "clap",
            "tokio",
            "tracing",
        ],
    ),
    (
        "src/store",
        &["catalogue", "trace"],
        &["async_graphql", "poem", "clap"],
    ),
    (
        "src/graphql",
        &["store", "catalogue", "trace"],
        &["poem", "sea_orm", "clap"],
    ),
    (
        "src/telemetry",
        &["graphql"],
        &["poem", "hyper", "sea_orm", "clap"],
    ),
    (
        "src/http",
        &["access", "graphql", "telemetry", "trace"],
        &["sea_orm", "clap", "prometheus_client"],
    ),
    (
        "src/access",
        &["graphql"],
        &["async_graphql", "poem", "hyper", "sea_orm", "clap"],
    ),
    (
        "src/trace",
        &[],
        &["async_graphql", "poem", "hyper", "sea_orm", "clap"],
    ),
    (
        "src/check",
        &["graphql", "store"],
        &["async_graphql", "poem", "sea_orm", "clap"],
    ),
    (
        "src/transfer",
        &["catalogue"],
        &["async_graphql", "poem", "sea_orm", "clap", "tokio"],
    ),
    (
        "migration/src",
        &[],
        &["vehicle_catalogue", "async_graphql", "poem", "clap"],
    ),
    (
        "codegen/src",
        &[
            "name",
            "model",
            "problem",
            "reach",
            "read",
            "lower",
            "print",
            "default_value",
            "Bindings",
        ],
        &["vehicle_catalogue", "poem", "sea_orm"],
    ),
    (
        "client/src",
        &[
            "SCHEMA",
            "answer",
            "builder",
            "client",
            "error",
            "exchange",
            "manifest",
            "operations",
            "refused",
            "retries",
            "schema",
            "tls",
        ],
        &["vehicle_catalogue", "async_graphql", "poem", "sea_orm"],
    ),
];

/// Folders of what others have written.
const BUILT: &[&str] = &["target", "node_modules"];

fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("the folder is there") {
        let path = entry.expect("it can be read").path();
        if path.is_dir() {
            found.extend(sources(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
    found
}

fn here(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// A file without its comments.
fn code(path: &Path) -> String {
    let text = fs::read_to_string(path).expect("the file is UTF-8");
    let lines = text
        .lines()
        .filter(|line| !line.trim_start().starts_with("//"));
    lines.collect::<Vec<_>>().join("\n")
}

/// The modules of its crate that some code uses: `crate::a::B` and `crate::{a::B, c}`.
fn used_modules(code: &str) -> Vec<String> {
    let mut used = Vec::new();
    for (position, _) in code.match_indices("crate::") {
        let path = &code[position + "crate::".len()..];
        if code[..position].ends_with('$') {
            continue;
        }
        match path.strip_prefix('{') {
            // `crate::…` stands in the text of a message.
            None if path.starts_with('…') => {}
            None => used.push(identifier(path)),
            Some(group) => {
                let (mut depth, mut starts) = (0, true);
                for (at, letter) in group.char_indices() {
                    match letter {
                        '{' => depth += 1,
                        '}' if depth == 0 => break,
                        '}' => depth -= 1,
                        ',' if depth == 0 => starts = true,
                        letter if starts && letter.is_alphabetic() => {
                            used.push(identifier(&group[at..]));
                            starts = false;
                        }
                        _ => {}
                    }
                }
            }
        }
    }
    used
}

fn identifier(text: &str) -> String {
    let letters = text.chars();
    letters
        .take_while(|letter| letter.is_alphanumeric() || *letter == '_')
        .collect()
}

#[test]
fn used_modules_are_found_in_every_form() {
    let code = "use crate::{\n    app,\n    catalogue::{Count, Vehicle},\n    store::Store,\n};\nlet x = crate::config::X;";
    assert_eq!(used_modules(code), ["app", "catalogue", "store", "config"]);
}

#[test]
fn rooms_know_only_the_rooms_below_them() {
    let mut wrong = Vec::new();
    for &(room, may_use, may_not_know) in ROOMS {
        let own = room.trim_start_matches("src/");
        for file in sources(&here(room)) {
            let code = code(&file);
            for used in used_modules(&code) {
                if used != own && !may_use.contains(&used.as_str()) {
                    wrong.push(format!("{}: knows {used}", file.display()));
                }
            }
            for library in may_not_know {
                if code.contains(&format!("{library}::")) {
                    wrong.push(format!("{}: knows {library}", file.display()));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_module_says_what_it_promises_and_stays_small() {
    let mut wrong = Vec::new();
    let folders = [
        "benches",
        "src",
        "migration/src",
        "codegen/src",
        "client/src",
        "client/tests",
        "contract/src",
        "tests/access",
        "tests/cluster",
        "tests/faults",
        "tests/hostile",
        "tests/it",
        "tests/life",
        "tests/packaging",
        "tests/page",
        "tests/process",
        "tests/settings",
        "tests/store",
        "tests/traces",
        "tests/transfer",
    ];
    for file in folders.iter().flat_map(|folder| sources(&here(folder))) {
        let text = fs::read_to_string(&file).expect("the file is UTF-8");
        if !text.starts_with("//!") {
            wrong.push(format!(
                "{}: does not open with a //! sentence",
                file.display()
            ));
        }
        if text.lines().count() > 400 {
            wrong.push(format!(
                "{}: has {} lines",
                file.display(),
                text.lines().count()
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The lints of a package hold for its build script, examples, benches and tests, too; `forbid` can't
/// be taken back in any of them.
#[test]
fn no_package_has_unsafe_code() {
    let files = manifests(&here("."));
    assert!(files.len() > 4, "{files:?}");
    // The targets of cargo-fuzz call libFuzzer, which is not Rust; nobody builds them but who fuzzes.
    let fuzz = here("fuzz/Cargo.toml");
    for file in files {
        if fs::canonicalize(&file).ok() == fs::canonicalize(&fuzz).ok() {
            continue;
        }
        let text = fs::read_to_string(&file).expect("the file is UTF-8");
        let manifest: toml::Table = text.parse().expect("Cargo has read it");
        let lints = manifest.get("lints");
        let lints = lints.unwrap_or_else(|| panic!("{} has no lints", file.display()));
        let inherits = lints.get("workspace").and_then(toml::Value::as_bool);
        let unsafe_code = lints.get("rust").and_then(|rust| rust.get("unsafe_code"));
        let forbids = unsafe_code.and_then(toml::Value::as_str) == Some("forbid");
        assert!(inherits == Some(true) || forbids, "{}", file.display());
    }
    let root = fs::read_to_string(here("Cargo.toml")).expect("the file is UTF-8");
    let root: toml::Table = root.parse().expect("Cargo has read it");
    let unsafe_code = root["workspace"]["lints"]["rust"]["unsafe_code"].as_str();
    assert_eq!(unsafe_code, Some("forbid"));
}

/// Every `Cargo.toml`, but not those of dependencies and of what was built.
fn manifests(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("the folder is there") {
        let path = entry.expect("it can be read").path();
        let name = path.file_name().and_then(std::ffi::OsStr::to_str);
        let name = name.unwrap_or_default();
        if path.is_dir() && !name.starts_with('.') && !BUILT.contains(&name) {
            found.extend(manifests(&path));
        } else if name == "Cargo.toml" {
            found.push(path);
        }
    }
    found
}

/// README has a row for each setting, with its variable and its default.
#[test]
fn every_setting_is_in_the_table_of_the_readme() {
    let readme = fs::read_to_string(here("README.md")).expect("it is there");
    let command = CommandLine::command();
    let settings = command
        .get_arguments()
        .filter(|argument| argument.get_env().is_some());
    let mut wrong = Vec::new();
    for argument in settings {
        let flag = argument.get_long().expect("a setting has a flag");
        let variable = argument
            .get_env()
            .map(|name| name.to_string_lossy().into_owned());
        let default = argument.get_default_values().first();
        let default = default.map_or("none".into(), |value| value.to_string_lossy());
        let row = format!(
            "| `--{flag}` | `{}` | `{}` |",
            variable.unwrap_or_default(),
            default
        );
        if !readme.contains(&row) {
            wrong.push(row);
        }
    }
    assert!(
        wrong.is_empty(),
        "README lacks the rows\n{}",
        wrong.join("\n")
    );
}

/// Clients depend on these names, arguments and nullabilities; more may be added, nothing changed.
#[test]
fn the_contract_keeps_its_core() {
    let core = "type Vehicle { id: ID! type: String modelCode: String brandName: String launchDate: String }
        type Query { vehicles(count: Int): [Vehicle] vehicle(id: ID): Vehicle }
        type Mutation { createVehicle(type: String!, modelCode: String!, brandName: String, launchDate: String): Vehicle }";
    let core = Schema::parse_and_validate(core, "core").expect("it is valid");
    let sdl = fs::read_to_string(here("schema.graphql")).expect("the contract is there");
    let contract = Schema::parse_and_validate(sdl, "schema.graphql").expect("it is valid");
    for name in ["Vehicle", "Query", "Mutation"] {
        let (core, contract) = (core.get_object(name), contract.get_object(name));
        let (core, contract) = core.zip(contract).expect("both have the type");
        for (field_name, field) in &core.fields {
            let kept = contract
                .fields
                .get(field_name)
                .unwrap_or_else(|| panic!("{name}.{field_name}"));
            assert_eq!(kept.ty, field.ty, "{name}.{field_name}");
            let arguments = |field: &apollo_compiler::schema::FieldDefinition| {
                let arguments = field.arguments.iter();
                arguments
                    .map(|argument| format!("{}: {}", argument.name, argument.ty))
                    .collect::<Vec<_>>()
            };
            assert_eq!(arguments(kept), arguments(field), "{name}.{field_name}");
        }
    }
}

#[test]
fn the_contract_has_no_findings() {
    let sdl = fs::read_to_string(here("schema.graphql")).expect("the contract is there");
    let contract = contract::Schema::parse("schema.graphql", &sdl).expect("it is valid");
    assert_eq!(contract::lint::lint(&contract), []);
}
