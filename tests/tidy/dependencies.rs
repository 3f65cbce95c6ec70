//! Checks the rules of `deny.toml` without cargo-deny: licences, sources, and banned or duplicate
//! crates. Advisories need their database: `cargo deny check advisories`.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use serde_json::Value;
use toml::Table;

fn repository_path(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

fn read(path: &str) -> Table {
    let text = fs::read_to_string(repository_path(path)).unwrap();
    text.parse().unwrap()
}

/// The strings of a list in `deny.toml`.
fn list(section: &str, name: &str) -> BTreeSet<String> {
    let rules = read("deny.toml");
    let list = rules[section][name].as_array().unwrap();
    list.iter()
        .map(|text| text.as_str().unwrap().to_owned())
        .collect()
}

/// The versions and sources of every package in `Cargo.lock`.
fn locked() -> BTreeMap<String, Vec<(String, Option<String>)>> {
    let lock = read("Cargo.lock");
    let mut packages: BTreeMap<_, Vec<_>> = BTreeMap::new();
    for package in lock["package"].as_array().unwrap() {
        let text = |key: &str| {
            package
                .get(key)
                .map(|text| text.as_str().unwrap().to_owned())
        };
        let versions = packages.entry(text("name").unwrap()).or_default();
        versions.push((text("version").unwrap(), text("source")));
    }
    packages
}

/// Whether permitted licences satisfy a licence expression. `OR` and its old form `/` are a choice,
/// and `AND` has precedence over them (SPDX 2.3, annex D).
fn is_permitted(expression: &str, permitted: &BTreeSet<String>) -> bool {
    let expression = expression
        .replace('/', " OR ")
        .replace('(', "( ")
        .replace(')', " )");
    let tokens: Vec<_> = expression.split_whitespace().collect();
    let mut remaining = tokens.as_slice();
    parse_or(&mut remaining, permitted) && remaining.is_empty()
}

fn parse_or(tokens: &mut &[&str], permitted: &BTreeSet<String>) -> bool {
    let mut holds = parse_and(tokens, permitted);
    while tokens.first() == Some(&"OR") {
        *tokens = &tokens[1..];
        holds |= parse_and(tokens, permitted);
    }
    holds
}

fn parse_and(tokens: &mut &[&str], permitted: &BTreeSet<String>) -> bool {
    let mut holds = parse_operand(tokens, permitted);
    while tokens.first() == Some(&"AND") {
        *tokens = &tokens[1..];
        holds &= parse_operand(tokens, permitted);
    }
    holds
}

fn parse_operand(tokens: &mut &[&str], permitted: &BTreeSet<String>) -> bool {
    match **tokens {
        ["(", ..] => {
            *tokens = &tokens[1..];
            let holds = parse_or(tokens, permitted);
            let closed = tokens.first() == Some(&")");
            *tokens = tokens.get(1..).unwrap_or_default();
            holds && closed
        }
        [licence, "WITH", exception, ..] => {
            *tokens = &tokens[3..];
            permitted.contains(&format!("{licence} WITH {exception}"))
        }
        [licence, ..] => {
            *tokens = &tokens[1..];
            permitted.contains(licence)
        }
        [] => false,
    }
}

#[test]
fn licence_expressions_follow_spdx() {
    let permitted = ["MIT", "ISC", "Apache-2.0 WITH LLVM-exception"];
    let permitted = permitted.into_iter().map(str::to_owned).collect();
    for satisfied in [
        "MIT",
        "GPL-3.0 OR MIT",
        "GPL-3.0/MIT",
        "MIT AND ISC",
        "(GPL-3.0 OR ISC) AND MIT",
        "GPL-3.0 AND MIT OR ISC",
        "Apache-2.0 WITH LLVM-exception OR GPL-3.0",
    ] {
        assert!(is_permitted(satisfied, &permitted), "{satisfied}");
    }
    for unsatisfied in [
        "",
        "GPL-3.0",
        "MIT AND GPL-3.0",
        "Apache-2.0",
        "MIT WITH LLVM-exception",
        "(MIT OR GPL-3.0) AND GPL-2.0",
        "(MIT",
        "MIT ISC",
    ] {
        assert!(!is_permitted(unsatisfied, &permitted), "{unsatisfied}");
    }
}

#[test]
fn every_licence_is_permitted() {
    let host = Command::new("rustc").arg("-vV").output().unwrap();
    let host = String::from_utf8(host.stdout).unwrap();
    let host = host
        .lines()
        .find_map(|line| line.strip_prefix("host: "))
        .unwrap();
    // Packages of other platforms are not downloaded.
    let output = Command::new(env!("CARGO"))
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .args(["metadata", "--format-version=1", "--locked", "--offline"])
        .args(["--filter-platform", host])
        .output()
        .unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{stderr}");
    let metadata: Value = serde_json::from_slice(&output.stdout).unwrap();
    let packages = metadata["packages"].as_array().unwrap();
    assert!(packages.len() > 300, "{}", packages.len());
    let permitted = list("licenses", "allow");
    let mut problems = Vec::new();
    for package in packages {
        let name = package["name"].as_str().unwrap();
        let licence = package["license"]
            .as_str()
            .map_or_else(|| licence_from_file(package), str::to_owned);
        if !is_permitted(&licence, &permitted) {
            problems.push(format!("{name}: {licence}"));
        }
    }
    assert!(
        problems.is_empty(),
        "deny.toml does not permit\n{}",
        problems.join("\n")
    );
}

/// The licence of a package that only has a licence file.
fn licence_from_file(package: &Value) -> String {
    let manifest = Path::new(package["manifest_path"].as_str().unwrap());
    let file = package["license_file"].as_str().unwrap_or("LICENSE");
    let text = fs::read_to_string(manifest.with_file_name(file)).unwrap_or_default();
    let title = text.lines().next().unwrap_or_default().trim();
    title.trim_end_matches(" License").to_owned()
}

#[test]
fn every_package_comes_from_the_registry_with_its_checksum() {
    let registries = list("sources", "allow-registry");
    let registries: Vec<_> = registries
        .iter()
        .map(|url| format!("registry+{url}"))
        .collect();
    let members = members();
    let text = fs::read_to_string(repository_path("Cargo.lock")).unwrap();
    let (mut problems, mut foreign) = (Vec::new(), 0);
    for (name, versions) in locked() {
        for (version, source) in versions {
            match source {
                Some(source) if registries.contains(&source) => foreign += 1,
                None if members.contains(&name) => {}
                source => problems.push(format!("{name} {version}: {source:?}")),
            }
        }
    }
    assert!(
        problems.is_empty(),
        "deny.toml does not permit\n{}",
        problems.join("\n")
    );
    assert_eq!(text.matches("\nchecksum = ").count(), foreign);
}

/// The names of the packages of the workspace.
fn members() -> BTreeSet<String> {
    let root = read("Cargo.toml");
    let members = root["workspace"]["members"].as_array().unwrap();
    let folders = members.iter().flat_map(|member| {
        let member = member.as_str().unwrap();
        match member.strip_suffix("/*") {
            None => vec![repository_path(member)],
            Some(parent) => fs::read_dir(repository_path(parent))
                .unwrap()
                .map(|entry| entry.unwrap().path())
                .filter(|path| path.is_dir())
                .collect(),
        }
    });
    let name = |folder: PathBuf| {
        let manifest = fs::read_to_string(folder.join("Cargo.toml")).unwrap();
        let manifest: Table = manifest.parse().unwrap();
        manifest["package"]["name"].as_str().unwrap().to_owned()
    };
    folders.chain([repository_path(".")]).map(name).collect()
}

#[test]
fn banned_crates_are_absent_and_single_version_crates_have_one_version() {
    let rules = read("deny.toml");
    let locked = locked();
    let mut problems = Vec::new();
    for ban in rules["bans"]["deny"].as_array().unwrap() {
        let name = ban["crate"].as_str().unwrap();
        let versions = locked.get(name).map_or(0, Vec::len);
        let once = ban.get("deny-multiple-versions").is_some();
        let max_versions = usize::from(once);
        if versions > max_versions {
            problems.push(format!(
                "{name}: {versions} versions, at most {max_versions}"
            ));
        }
        if once && versions == 0 {
            problems.push(format!("{name}: nothing uses it any more"));
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

/// The packages that are not part of the product.
const DEVELOPMENT: [&str; 3] = ["bookshop", "bookshop-axum", "testkit"];

#[test]
fn every_dependency_of_the_product_has_a_reason() {
    let output = Command::new(env!("CARGO"))
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .args(["metadata", "--format-version=1", "--locked", "--offline"])
        .arg("--no-deps")
        .output()
        .unwrap();
    let metadata: Value = serde_json::from_slice(&output.stdout).unwrap();
    let (members, mut direct) = (members(), BTreeMap::<_, BTreeSet<_>>::new());
    for package in metadata["packages"].as_array().unwrap() {
        let user = package["name"].as_str().unwrap();
        for dependency in package["dependencies"].as_array().unwrap() {
            let name = dependency["name"].as_str().unwrap();
            let is_product = !DEVELOPMENT.contains(&user) && dependency["kind"] != "dev";
            if is_product && !members.contains(name) {
                direct.entry(name).or_default().insert(user);
            }
        }
    }
    let page = fs::read_to_string(repository_path("docs/dependencies.md")).unwrap();
    let rows = page.lines().filter_map(|row| row.strip_prefix("| `"));
    let listed: Vec<_> = rows
        .map(|row| {
            let (name, row) = row.split_once("` | ").unwrap();
            let (reason, users) = row.split_once(" | ").unwrap();
            assert!(!reason.is_empty(), "{name}");
            let users = users.trim_end_matches(" |").split(", ").collect();
            (name, users)
        })
        .collect();
    let direct: Vec<(_, BTreeSet<_>)> = direct.into_iter().collect();
    assert_eq!(
        listed, direct,
        "docs/dependencies.md lists other crates than the manifests"
    );
}
