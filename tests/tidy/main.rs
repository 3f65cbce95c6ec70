//! The executable rules of ARCHITECTURE.md: module dependencies and lints; and the links and settings of the documentation.

#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, reason = "a test fails by panicking")]

mod docs;
mod imports;

use std::{
    ffi::OsStr,
    fs,
    path::{Path, PathBuf},
};

/// A module, and the crates that it must not use.
const MODULES: &[(&str, &[&str])] = &[
    ("src/catalogue", &["poem", "clap", "tokio", "tracing"]),
    ("src/store", &["async_graphql", "poem"]),
    ("src/graphql", &["poem", "sea_orm", "clap"]),
    ("src/transfer", &["async_graphql", "poem", "sea_orm"]),
    ("src/telemetry", &["async_graphql", "sea_orm", "clap"]),
    ("migration/src", &["vehicle_catalogue", "async_graphql", "poem", "clap"]),
];

/// The files below a folder with this extension, without what is built or hidden, and without unit tests.
fn files(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("the folder is there") {
        let path = entry.expect("it can be read").path();
        let name = path.file_name().and_then(OsStr::to_str).unwrap_or_default();
        let is_skipped = name.starts_with('.') || ["target", "node_modules"].contains(&name);
        if path.is_dir() && !is_skipped {
            found.extend(files(&path, extension));
        } else if path.extension() == Some(extension.as_ref()) && name != "tests.rs" {
            found.push(path);
        }
    }
    found
}

fn sources(folder: &Path) -> Vec<PathBuf> {
    files(folder, "rs")
}

fn repository_path(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// The folders of the crates below `crates`.
fn crates() -> impl Iterator<Item = PathBuf> {
    let entries = fs::read_dir(repository_path("crates")).expect("the folder is there");
    entries.map(|entry| entry.expect("it can be read").path())
}

#[test]
fn modules_use_no_crates_of_other_layers() {
    let mut problems = Vec::new();
    for &(module, forbidden) in MODULES {
        for file in sources(&repository_path(module)) {
            for path in imports::named_paths(&file) {
                if forbidden.contains(&path[0].as_str()) {
                    problems.push(format!("{}: uses {}", file.display(), path.join("::")));
                }
            }
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

/// As `src/lib.rs` lists them.
#[test]
fn modules_use_only_those_below_them() {
    let root = fs::read_to_string(repository_path("src/lib.rs")).expect("the file is UTF-8");
    let declared = root.lines().filter_map(|line| {
        let line = line.strip_prefix("pub ").unwrap_or(line);
        line.strip_prefix("mod ")?.strip_suffix(';')
    });
    let modules: Vec<_> = declared.chain(["contract"]).collect();
    let position = |module: &str| modules.iter().position(|known| *known == module);
    let mut problems = Vec::new();
    for file in sources(&repository_path("src")) {
        let within = file.strip_prefix(repository_path("src")).expect("it is");
        let own = within.iter().next().and_then(OsStr::to_str);
        let own = own.and_then(|name| position(name.trim_end_matches(".rs")));
        for path in imports::named_paths(&file) {
            if let [first, used, ..] = &path[..]
                && first == "crate"
                && position(used) < own
            {
                problems.push(format!("{}: uses {}", file.display(), path.join("::")));
            }
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

/// What a package compiles is in its folder.
#[test]
fn no_package_includes_files_of_another_one() {
    let package = |file: &Path| {
        let mut folders = file.ancestors().skip(1);
        let folder = folders.find(|folder| folder.join("Cargo.toml").exists());
        folder.expect("each file is in a package").to_owned()
    };
    let mut problems = Vec::new();
    for file in sources(&repository_path(".")) {
        let text = fs::read_to_string(&file).expect("the file is UTF-8");
        let lines = text.lines().map(str::trim_start);
        let included = lines.filter_map(|line| {
            let path = line.strip_prefix("#[path = \"");
            let path = path.or_else(|| line.strip_prefix("include!(\""))?;
            Some(path.split_once('"')?.0)
        });
        for path in included {
            let folder = file.parent().expect("a file is in a folder");
            // A text that a test writes elsewhere names files there.
            let Ok(included) = fs::canonicalize(folder.join(path)) else {
                continue;
            };
            if package(&included) != package(&fs::canonicalize(&file).expect("it is there")) {
                problems.push(format!("{}: includes {path}", file.display()));
            }
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

#[test]
fn no_crate_but_the_client_knows_the_service() {
    for folder in crates().filter(|folder| !folder.ends_with("vehicle-catalogue-client")) {
        for file in sources(&folder.join("src")) {
            let text = fs::read_to_string(&file).expect("the file is UTF-8");
            let text = text.to_lowercase();
            let knows = text.contains("vehicle") || text.contains("catalogue");
            assert!(!knows, "{}", file.display());
        }
    }
}

/// The lints of a package also apply to its build script, examples, benches and tests.
#[test]
fn every_package_has_the_lints_of_the_workspace() {
    for file in files(&repository_path("."), "toml") {
        // The targets of cargo-fuzz call libFuzzer, which needs unsafe code.
        if file.file_name() == Some(OsStr::new("Cargo.toml")) && !file.ends_with("fuzz/Cargo.toml") {
            let manifest = fs::read_to_string(&file).expect("the file is UTF-8");
            let inherits = manifest.contains("\n[lints]\nworkspace = true\n");
            let forbids = manifest.contains("\nunsafe_code = \"forbid\"\n");
            assert!(inherits || forbids, "{}", file.display());
        }
    }
}
