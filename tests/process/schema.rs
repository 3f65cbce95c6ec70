//! The commands about the contract: what they print, and their exit codes.

use std::fs;

use serde_json::Value;

use super::{Catalogue, stderr};

pub(super) const CONTRACT: &str = include_str!("../../schema.graphql");

/// The three definitions that clients were promised, without descriptions.
const PROMISED: &str = include_str!("promised.graphql");

/// What a command printed, its last words, and its exit code.
pub(super) fn run(catalogue: &Catalogue, arguments: &[&str]) -> (String, String, i32) {
    let mut command = catalogue.command(&[&["schema"], arguments].concat());
    // Where git is; everything else of the environment stays away.
    let output = command.env("PATH", env!("PATH")).output().unwrap();
    let stdout = String::from_utf8(output.stdout.clone()).unwrap();
    (stdout, stderr(&output), output.status.code().unwrap())
}

pub(super) fn with_files(files: &[(&str, &str)]) -> Catalogue {
    let catalogue = Catalogue::new();
    for (name, text) in files {
        fs::write(catalogue.folder.path().join(name), text).unwrap();
    }
    catalogue
}

#[test]
fn the_contract_is_printed_word_for_word_and_its_hash_is_that_of_every_layout() {
    let one_line = CONTRACT.replace("type Query", "# A comment.\n  type  Query");
    let catalogue = with_files(&[("other.graphql", &one_line)]);
    assert_eq!(
        run(&catalogue, &["print"]),
        (CONTRACT.to_owned(), String::new(), 0)
    );
    let (hash, _, code) = run(&catalogue, &["hash"]);
    assert_eq!((hash.len(), code), (65, 0), "{hash}");
    assert_eq!(run(&catalogue, &["hash", "other.graphql"]).0, hash);
    let (served, _, _) = run(&catalogue, &["print", "--served"]);
    fs::write(catalogue.folder.path().join("served.graphql"), served).unwrap();
    assert_eq!(run(&catalogue, &["hash", "served.graphql"]).0, hash);
}

#[test]
fn what_was_promised_is_not_broken() {
    let files = [("promised.graphql", PROMISED), ("schema.graphql", CONTRACT)];
    let (report, errors, code) = run(&with_files(&files), &["diff", "promised.graphql"]);
    assert_eq!((errors.as_str(), code), ("", 0), "{report}");
    assert!(report.contains("0 breaking, 0 dangerous"), "{report}");
}

#[test]
fn the_contract_has_no_findings_and_an_error_is_exit_code_1() {
    let catalogue = with_files(&[("schema.graphql", CONTRACT), ("bad.graphql", PROMISED)]);
    assert_eq!(
        run(&catalogue, &["lint"]),
        ("nothing found\n".to_owned(), String::new(), 0)
    );
    let (report, errors, code) = run(&catalogue, &["lint", "bad.graphql"]);
    assert_eq!(code, 1);
    assert!(
        report.contains("bad.graphql:1:6: error: Vehicle has no description"),
        "{report}"
    );
    assert!(!report.contains('\u{1b}'), "colours are for terminals");
    assert!(
        errors.starts_with("error: the contract has errors; "),
        "{errors}"
    );
    let (json, _, _) = run(&catalogue, &["lint", "bad.graphql", "--format", "json"]);
    let json: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json[0]["rule"], "described");
    let (markdown, _, _) = run(&catalogue, &["lint", "bad.graphql", "--format", "markdown"]);
    assert!(
        markdown.contains("| error | `described` | `Vehicle` has no"),
        "{markdown}"
    );
}

#[test]
fn a_breaking_change_is_exit_code_1_until_it_is_accepted() {
    let changed = CONTRACT.replacen("brandName: String\n", "brand: String\n", 1);
    let catalogue = with_files(&[("old.graphql", CONTRACT), ("new.graphql", &changed)]);
    let diff = ["diff", "old.graphql", "new.graphql"];
    let (report, errors, code) = run(&catalogue, &diff);
    assert_eq!(code, 1);
    assert!(report.contains("old.graphql:"), "{report}");
    assert!(
        errors.starts_with("error: breaking changes: 1; "),
        "{errors}"
    );
    let (json, _, _) = run(&catalogue, &[&diff[..], &["--format", "json"]].concat());
    let json: Value = serde_json::from_str(&json).unwrap();
    let kinds: Vec<_> = json
        .as_array()
        .unwrap()
        .iter()
        .map(|change| &change["kind"])
        .collect();
    assert!(
        kinds.iter().any(|kind| *kind == "FIELD_REMOVED"),
        "{kinds:?}"
    );

    let accepted = "[[accepted]]\ncoordinate = \"Vehicle.brandName\"\nkind = \"FIELD_REMOVED\"\nreason = \"Nobody asks for it.\"\n";
    fs::write(
        catalogue.folder.path().join("schema.accepted.toml"),
        accepted,
    )
    .unwrap();
    let (report, errors, code) = run(&catalogue, &diff);
    assert_eq!((errors.as_str(), code), ("", 0), "{report}");
    assert!(report.contains("Nobody asks for it."), "{report}");
    let stale = run(&catalogue, &["diff", "old.graphql", "old.graphql"]);
    assert_eq!(stale.2, 1, "an accepted change that is not there is stale");
    assert!(stale.1.contains("schema.accepted.toml:1"), "{}", stale.1);
}

#[test]
fn a_check_proves_the_contract_the_resolvers_and_the_tables() {
    let catalogue = with_files(&[]);
    let (report, errors, code) = run(&catalogue, &["check"]);
    assert_eq!(code, 1, "{report}");
    assert!(
        report.contains("not checked: the database: there is no file"),
        "{report}"
    );
    assert!(
        errors.contains("leave it out with --without-database"),
        "{errors}"
    );
    assert!(
        !catalogue
            .folder
            .path()
            .join("vehicle-catalogue.db")
            .exists()
    );
    assert_eq!(run(&catalogue, &["check", "--without-database"]).2, 0);

    assert!(catalogue.run(&["migrate", "up"]).status.success());
    let (report, errors, code) = run(&catalogue, &["check"]);
    assert_eq!((errors.as_str(), code), ("", 0), "{report}");
    assert!(
        report.contains("checked: the migrations and 5 columns of "),
        "{report}"
    );
    assert!(
        report.contains("not checked: SQLite does not enforce the types"),
        "{report}"
    );

    let renamed = CONTRACT.replacen("brandName: String\n", "brand: String\n", 1);
    fs::write(catalogue.folder.path().join("other.graphql"), renamed).unwrap();
    let (report, errors, code) = run(&catalogue, &["check", "other.graphql"]);
    assert!(
        code == 1 && errors == "error: the contract is not true everywhere\n",
        "{errors}"
    );
    for place in [
        "other.graphql:",
        "what the resolvers serve, Vehicle.brandName",
        "the column vehicle.brand_name",
    ] {
        assert!(report.contains(place), "{place}: {report}");
    }

    assert!(catalogue.run(&["migrate", "down"]).status.success());
    let (json, _, code) = run(&catalogue, &["check", "--format", "json"]);
    let json: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(
        (code, json["drifts"].as_array().unwrap().len()),
        (1, 6),
        "{json}"
    );
    let (markdown, _, _) = run(&catalogue, &["check", "--format", "markdown"]);
    assert!(
        markdown.starts_with("### Contract: 6 differences\n"),
        "{markdown}"
    );
}
