//! The executable rules of ARCHITECTURE.md: module dependencies, file sizes, lints, and the core of the
//! contract. The submodules check the dependencies and what is packaged.

#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a test fails by panicking"
)]
#![allow(clippy::print_stdout, reason = "reports skipped tests")]

mod dependencies;
mod imports;
mod packaging;
mod tables;
mod undocumented;

use std::{
    fs,
    path::{Path, PathBuf},
};

use apollo_compiler::Schema;
use clap::CommandFactory;
use expect_test::expect_file;
use vehicle_catalogue::cli::CommandLine;

/// A module, the other modules it may use, and the crates it must not use.
const MODULES: &[(&str, &[&str], &[&str])] = &[
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
        &["catalogue"],
        &["async_graphql", "poem", "clap"],
    ),
    (
        "src/graphql",
        &["store", "catalogue"],
        &["poem", "sea_orm", "clap"],
    ),
    (
        "src/import_export",
        &["catalogue"],
        &["async_graphql", "poem", "sea_orm", "clap", "tokio"],
    ),
    (
        "migration/src",
        &["TABLE"],
        &["vehicle_catalogue", "async_graphql", "poem", "clap"],
    ),
];

/// Folders without source files of this repository.
const SKIPPED_FOLDERS: &[&str] = &["target", "node_modules"];

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

fn repository_path(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// The folders of the crates below `crates`.
fn crates() -> impl Iterator<Item = PathBuf> {
    let entries = fs::read_dir(repository_path("crates")).expect("the folder is there");
    entries.map(|entry| entry.expect("it can be read").path())
}

/// The content of a file without comments.
fn code(path: &Path) -> String {
    let text = fs::read_to_string(path).expect("the file is UTF-8");
    let lines = text
        .lines()
        .filter(|line| !line.trim_start().starts_with("//"));
    lines.collect::<Vec<_>>().join("\n")
}

/// The modules used by paths such as `crate::a::B` and `crate::{a::B, c}`.
fn used_modules(code: &str) -> Vec<String> {
    let mut used = Vec::new();
    for (position, _) in code.match_indices("crate::") {
        let path = &code[position + "crate::".len()..];
        if code[..position].ends_with('$') {
            continue;
        }
        match path.strip_prefix('{') {
            // `crate::…` is part of a message.
            None if path.starts_with('…') => {}
            None => used.push(identifier(path)),
            Some(group) => {
                let (mut depth, mut is_start) = (0, true);
                for (position, letter) in group.char_indices() {
                    match letter {
                        '{' => depth += 1,
                        '}' if depth == 0 => break,
                        '}' => depth -= 1,
                        ',' if depth == 0 => is_start = true,
                        letter if is_start && letter.is_alphabetic() => {
                            used.push(identifier(&group[position..]));
                            is_start = false;
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
fn modules_use_only_permitted_modules_and_crates() {
    let mut problems = Vec::new();
    for &(module, permitted, forbidden) in MODULES {
        let own = module.trim_start_matches("src/");
        for file in sources(&repository_path(module)) {
            let code = code(&file);
            for used in used_modules(&code) {
                if used != own && !permitted.contains(&used.as_str()) {
                    problems.push(format!("{}: uses {used}", file.display()));
                }
            }
            for library in forbidden {
                if code.contains(&format!("{library}::")) {
                    problems.push(format!("{}: uses {library}", file.display()));
                }
            }
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

#[test]
fn no_crate_but_the_client_knows_the_service() {
    let mut problems = Vec::new();
    for folder in crates().filter(|folder| !folder.ends_with("client")) {
        let page = ["graphiql/page.jsx", "graphiql/index.html"].map(|file| folder.join(file));
        let page = page.into_iter().filter(|file| file.exists());
        for file in sources(&folder.join("src")).into_iter().chain(page) {
            let text = fs::read_to_string(&file).expect("the file is UTF-8");
            for word in ["vehicle", "catalogue"] {
                if text.to_lowercase().contains(word) {
                    problems.push(format!("{}: mentions {word}", file.display()));
                }
            }
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

#[test]
fn every_file_has_module_docs_and_at_most_400_lines() {
    let mut problems = Vec::new();
    let folders = [
        "benches",
        "src",
        "migration/src",
        "crates/client/tests",
        "crates/settings/tests",
        "tests",
    ];
    let folders = folders.iter().map(|folder| repository_path(folder));
    for file in folders
        .chain(crates().map(|folder| folder.join("src")))
        .flat_map(|folder| sources(&folder))
    {
        let text = fs::read_to_string(&file).expect("the file is UTF-8");
        if !text.starts_with("//!") {
            problems.push(format!(
                "{}: does not start with module docs (//!)",
                file.display()
            ));
        }
        if text.lines().count() > 400 {
            problems.push(format!(
                "{}: has {} lines",
                file.display(),
                text.lines().count()
            ));
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

/// The lints of a package also apply to its build script, examples, benches and tests; `forbid` cannot
/// be overridden in any of them.
#[test]
fn no_package_has_unsafe_code() {
    let files = manifests(&repository_path("."));
    assert!(files.len() > 4, "{files:?}");
    // The targets of cargo-fuzz call libFuzzer, which needs unsafe code.
    let fuzz = repository_path("fuzz/Cargo.toml");
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
    let root = fs::read_to_string(repository_path("Cargo.toml")).expect("the file is UTF-8");
    let root: toml::Table = root.parse().expect("Cargo has read it");
    let unsafe_code = root["workspace"]["lints"]["rust"]["unsafe_code"].as_str();
    assert_eq!(unsafe_code, Some("forbid"));
}

/// Every `Cargo.toml` of the repository.
fn manifests(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("the folder is there") {
        let path = entry.expect("it can be read").path();
        let name = path.file_name().and_then(std::ffi::OsStr::to_str);
        let name = name.unwrap_or_default();
        if path.is_dir() && !name.starts_with('.') && !SKIPPED_FOLDERS.contains(&name) {
            found.extend(manifests(&path));
        } else if name == "Cargo.toml" {
            found.push(path);
        }
    }
    found
}

/// `UPDATE_EXPECT=1` rewrites the page.
#[test]
fn the_settings_reference_is_up_to_date() {
    expect_file!["../../docs/settings.md"].assert_eq(&service::reference(&CommandLine::command()));
}

/// Clients depend on these names, arguments and types, so they must not change; additions are allowed.
#[test]
fn the_contract_keeps_its_core() {
    let core = "type Vehicle { id: ID! type: String modelCode: String brandName: String launchDate: String }
        type Query { vehicles(count: Int): [Vehicle] vehicle(id: ID): Vehicle }
        type Mutation { createVehicle(type: String!, modelCode: String!, brandName: String, launchDate: String): Vehicle }";
    let core = Schema::parse_and_validate(core, "core").expect("it is valid");
    let sdl = fs::read_to_string(repository_path("schema.graphql")).expect("the contract is there");
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
            for argument in &field.arguments {
                let kept = kept.argument_by_name(&argument.name);
                let kept =
                    kept.unwrap_or_else(|| panic!("{name}.{field_name}({}:)", argument.name));
                assert_eq!(
                    kept.ty, argument.ty,
                    "{name}.{field_name}({}:)",
                    argument.name
                );
            }
            for argument in &kept.arguments {
                let is_known = field.argument_by_name(&argument.name).is_some();
                assert!(
                    is_known || !argument.is_required(),
                    "{name}.{field_name}({}:) is required",
                    argument.name
                );
            }
        }
    }
}

#[test]
fn the_examples_show_every_operation() {
    let sdl = fs::read_to_string(repository_path("schema.graphql")).expect("the contract is there");
    let contract = Schema::parse_and_validate(sdl, "schema.graphql").expect("it is valid");
    let page = fs::read_to_string(repository_path("docs/examples.md")).expect("it is there");
    let words = page.split(|letter: char| !letter.is_alphanumeric());
    for root in ["Query", "Mutation"] {
        let root = contract.get_object(root).expect("the contract has both");
        for field in root.fields.keys() {
            let is_shown = words.clone().any(|word| word == field.as_str());
            assert!(is_shown, "docs/examples.md does not show {field}");
        }
    }
}

/// The requests of the documentation, and the tabs of GraphiQL that return a vehicle.
#[test]
fn the_examples_show_every_field_of_a_vehicle() {
    let sdl = fs::read_to_string(repository_path("schema.graphql")).expect("the contract is there");
    let contract = Schema::parse_and_validate(sdl, "schema.graphql").expect("it is valid");
    let vehicle = contract.get_object("Vehicle").expect("it is a type");
    let tabs = ["first_page", "next_page", "create", "update"];
    let tabs = tabs.map(|tab| format!("src/examples/{tab}.graphql"));
    for path in tabs.into_iter().chain(["docs/examples.md".to_owned()]) {
        let text = fs::read_to_string(repository_path(&path)).expect("it is there");
        for field in vehicle.fields.keys() {
            let words = text.split(|letter: char| !letter.is_alphanumeric());
            let is_shown = words.into_iter().any(|word| word == field.as_str());
            assert!(is_shown, "{path} does not show Vehicle.{field}");
        }
    }
}

#[test]
fn the_contract_has_no_findings() {
    let sdl = fs::read_to_string(repository_path("schema.graphql")).expect("the contract is there");
    let contract = schema::Schema::parse("schema.graphql", &sdl).expect("it is valid");
    assert_eq!(review::lint::lint(&contract), []);
}
