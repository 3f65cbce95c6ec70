//! The commands about the contract: their output and exit codes.

use serde_json::Value;

use testkit::Program;

use super::commands::run;
use crate::support::program;

testkit::tests![
    prints_the_contract_verbatim_and_a_hash_independent_of_layout,
    the_contract_is_compatible_with_the_first_one,
    the_contract_has_no_findings,
    checks_the_tables,
];

pub(super) const CONTRACT: &str = include_str!("../../../schema.graphql");

/// The first contract, which must stay compatible: three definitions without descriptions.
const PROMISED: &str = include_str!("promised.graphql");

pub(super) fn with_files(files: &[(&str, &str)]) -> Program {
    files.iter().fold(program(), |catalogue, (name, text)| catalogue.with_file(name, text))
}

fn prints_the_contract_verbatim_and_a_hash_independent_of_layout() {
    let one_line = CONTRACT.replace("type Query", "# A comment.\n  type  Query");
    let catalogue = with_files(&[("other.graphql", &one_line)]);
    assert_eq!(run(&catalogue, &["print"]), (CONTRACT.to_owned(), String::new(), 0));
    let (hash, _, code) = run(&catalogue, &["hash"]);
    assert_eq!((hash.len(), code), (65, 0), "{hash}");
    assert_eq!(run(&catalogue, &["hash", "other.graphql"]).0, hash);
}

fn the_contract_is_compatible_with_the_first_one() {
    let files = [("promised.graphql", PROMISED), ("schema.graphql", CONTRACT)];
    let diff = ["diff", "promised.graphql", "--format=json"];
    let (json, _, _) = run(&with_files(&files), &diff);
    let json: Value = serde_json::from_str(&json).unwrap();
    let changes = json.as_array().unwrap().iter();
    let breaking: Vec<_> = changes.filter(|change| change["level"] == "breaking").collect();
    // These rules existed, and the contract did not declare them.
    for change in &breaking {
        assert_eq!(change["kind"], "DIRECTIVE_USAGE_ARGUMENT_DEFINITION_ADDED");
        let message = change["message"].as_str().unwrap();
        assert!(message.starts_with("@constraint("), "{message}");
    }
    assert_eq!(breaking.len(), 5, "four texts of a vehicle, and a count");
}

fn the_contract_has_no_findings() {
    let policy = include_str!("../../../schema.toml");
    let catalogue = with_files(&[("schema.graphql", CONTRACT), ("schema.toml", policy)]);
    assert_eq!(run(&catalogue, &["lint"]), ("no findings\n".to_owned(), String::new(), 0));
}

fn checks_the_tables() {
    let catalogue = with_files(&[]);
    let (report, errors, code) = run(&catalogue, &["check"]);
    assert_eq!((report.as_str(), code), ("", 1), "{errors}");
    assert!(errors.contains("error: SQLite database vehicle-catalogue.db does not exist"), "{errors}");
    assert!(!catalogue.path("vehicle-catalogue.db").exists());

    assert!(catalogue.run(&["migrate", "up"]).code == Some(0));
    let status = catalogue.run(&["migrate", "status"]);
    let applied = status.stdout.lines().filter(|line| line.starts_with("applied m2026")).count();
    assert_eq!((status.code, applied, status.stdout.lines().count()), (Some(0), 4, 4), "{status:?}");
    let tables = "checked: the tables of the SQLite database vehicle-catalogue.db\nno difference found\n";
    assert_eq!(run(&catalogue, &["check"]), (tables.to_owned(), String::new(), 0));

    let down = catalogue.run(&["migrate", "down", "--steps", "4", "--yes"]);
    assert_eq!(down.code, Some(0), "{down:?}");
    let nothing = catalogue.run(&["migrate", "down"]);
    assert!(nothing.code == Some(0) && nothing.stdout == "no migration is applied\n", "{nothing:?}");
    let (report, errors, code) = run(&catalogue, &["check"]);
    assert_eq!((errors.as_str(), code), ("error: the tables do not fit the contract\n", 1), "{report}");
    let count = report.lines().filter(|line| line.contains("; ")).count();
    assert!(count >= 6, "a migration and the columns: {report}");
    assert!(report.ends_with(&format!("{count} differences\n")), "{report}");
}
