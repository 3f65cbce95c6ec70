//! The rules of `deny.toml`, held without cargo-deny: licences, sources, and what is built in once
//! or not at all. Advisories need a database of them: `cargo deny check advisories`.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use serde_json::Value;
use toml::Table;

fn here(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

fn read(path: &str) -> Table {
    let text = fs::read_to_string(here(path)).unwrap();
    text.parse().unwrap()
}

/// The texts in a list of `deny.toml`.
fn list(section: &str, name: &str) -> BTreeSet<String> {
    let rules = read("deny.toml");
    let list = rules[section][name].as_array().unwrap();
    list.iter()
        .map(|text| text.as_str().unwrap().to_owned())
        .collect()
}

/// The versions of every package in `Cargo.lock`, with where they come from.
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

/// Whether a licence is fulfilled by permitted ones alone: `OR` and its old form `/` leave the
/// choice, `AND` binds tighter than they do (SPDX 2.3, annex D).
fn is_permitted(expression: &str, permitted: &BTreeSet<String>) -> bool {
    let expression = expression
        .replace('/', " OR ")
        .replace('(', "( ")
        .replace(')', " )");
    let words: Vec<_> = expression.split_whitespace().collect();
    let mut rest = words.as_slice();
    any_of(&mut rest, permitted) && rest.is_empty()
}

fn any_of(words: &mut &[&str], permitted: &BTreeSet<String>) -> bool {
    let mut holds = all_of(words, permitted);
    while words.first() == Some(&"OR") {
        *words = &words[1..];
        holds |= all_of(words, permitted);
    }
    holds
}

fn all_of(words: &mut &[&str], permitted: &BTreeSet<String>) -> bool {
    let mut holds = one(words, permitted);
    while words.first() == Some(&"AND") {
        *words = &words[1..];
        holds &= one(words, permitted);
    }
    holds
}

fn one(words: &mut &[&str], permitted: &BTreeSet<String>) -> bool {
    match **words {
        ["(", ..] => {
            *words = &words[1..];
            let holds = any_of(words, permitted);
            let closed = words.first() == Some(&")");
            *words = words.get(1..).unwrap_or_default();
            holds && closed
        }
        [licence, "WITH", exception, ..] => {
            *words = &words[3..];
            permitted.contains(&format!("{licence} WITH {exception}"))
        }
        [licence, ..] => {
            *words = &words[1..];
            permitted.contains(licence)
        }
        [] => false,
    }
}

#[test]
fn licences_are_judged_as_spdx_says() {
    let permitted = ["MIT", "ISC", "Apache-2.0 WITH LLVM-exception"];
    let permitted = permitted.into_iter().map(str::to_owned).collect();
    for right in [
        "MIT",
        "GPL-3.0 OR MIT",
        "GPL-3.0/MIT",
        "MIT AND ISC",
        "(GPL-3.0 OR ISC) AND MIT",
        "GPL-3.0 AND MIT OR ISC",
        "Apache-2.0 WITH LLVM-exception OR GPL-3.0",
    ] {
        assert!(is_permitted(right, &permitted), "{right}");
    }
    for wrong in [
        "",
        "GPL-3.0",
        "MIT AND GPL-3.0",
        "Apache-2.0",
        "MIT WITH LLVM-exception",
        "(MIT OR GPL-3.0) AND GPL-2.0",
        "(MIT",
        "MIT ISC",
    ] {
        assert!(!is_permitted(wrong, &permitted), "{wrong}");
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
    // What is built here was downloaded for that.
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
    let mut wrong = Vec::new();
    for package in packages {
        let name = package["name"].as_str().unwrap();
        let licence = package["license"]
            .as_str()
            .map_or_else(|| of_file(package), str::to_owned);
        if !is_permitted(&licence, &permitted) {
            wrong.push(format!("{name}: {licence}"));
        }
    }
    assert!(
        wrong.is_empty(),
        "deny.toml does not permit\n{}",
        wrong.join("\n")
    );
}

/// The licence of a package that only has its text.
fn of_file(package: &Value) -> String {
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
    let text = fs::read_to_string(here("Cargo.lock")).unwrap();
    let (mut wrong, mut foreign) = (Vec::new(), 0);
    for (name, versions) in locked() {
        for (version, source) in versions {
            match source {
                Some(source) if registries.contains(&source) => foreign += 1,
                None if members.contains(&name) => {}
                source => wrong.push(format!("{name} {version}: {source:?}")),
            }
        }
    }
    assert!(
        wrong.is_empty(),
        "deny.toml does not permit\n{}",
        wrong.join("\n")
    );
    assert_eq!(text.matches("\nchecksum = ").count(), foreign);
}

/// The names of the packages of the workspace.
fn members() -> BTreeSet<String> {
    let root = read("Cargo.toml");
    let folders = root["workspace"]["members"].as_array().unwrap();
    let folders = folders.iter().map(|folder| folder.as_str().unwrap());
    let name = |folder: &str| {
        let manifest = read(&format!("{folder}/Cargo.toml"));
        manifest["package"]["name"].as_str().unwrap().to_owned()
    };
    folders.chain(["."]).map(name).collect()
}

#[test]
fn what_is_banned_is_not_there_and_what_must_be_one_is_one() {
    let rules = read("deny.toml");
    let locked = locked();
    let mut wrong = Vec::new();
    for ban in rules["bans"]["deny"].as_array().unwrap() {
        let name = ban["crate"].as_str().unwrap();
        let versions = locked.get(name).map_or(0, Vec::len);
        let once = ban.get("deny-multiple-versions").is_some();
        let most = usize::from(once);
        if versions > most {
            wrong.push(format!("{name}: {versions} versions, at most {most}"));
        }
        if once && versions == 0 {
            wrong.push(format!("{name}: nothing uses it any more"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
