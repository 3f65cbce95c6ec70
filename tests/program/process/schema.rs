//! The commands about the contract: their output and exit codes.

use std::fs;

use serde_json::Value;

use testkit::Program;

use super::commands::run;
use crate::support::program;

testkit::tests![
    prints_the_contract_verbatim_and_a_hash_independent_of_layout,
    the_contract_is_compatible_with_the_first_one,
    the_contract_has_no_findings,
    checks_a_contract_and_the_tables,
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

fn checks_a_contract_and_the_tables() {
    let catalogue = with_files(&[]);
    let (report, errors, code) = run(&catalogue, &["check"]);
    assert_eq!(code, 1, "{report}");
    assert!(report.contains("not checked: the SQLite database vehicle-catalogue.db: no file"), "{report}");
    assert!(errors.contains("exclude it with --without-database"), "{errors}");
    assert!(!catalogue.path("vehicle-catalogue.db").exists());
    assert_eq!(run(&catalogue, &["check", "--without-database"]).2, 0);

    assert!(catalogue.run(&["migrate", "up"]).code == Some(0));
    let (report, errors, code) = run(&catalogue, &["check"]);
    assert_eq!((errors.as_str(), code), ("", 0), "{report}");
    let tables = "checked: the tables of the SQLite database vehicle-catalogue.db\n";
    assert!(report.contains(tables), "{report}");

    let renamed = CONTRACT.replacen("brandName: String", "brand: String", 1);
    fs::write(catalogue.path("other.graphql"), renamed).unwrap();
    let (report, errors, code) = run(&catalogue, &["check", "other.graphql"]);
    assert!(code == 1 && errors == "error: the contract, the served schema and the database differ\n", "{errors}");
    for location in ["other.graphql:", "the served schema, Vehicle.brandName"] {
        assert!(report.contains(location), "{location}: {report}");
    }

    let longer = CONTRACT.replace("minLength: 1, maxLength: 255", "minLength: 1, maxLength: 300");
    fs::write(catalogue.path("other.graphql"), longer).unwrap();
    let (report, _, code) = run(&catalogue, &["check", "other.graphql"]);
    assert_eq!(code, 1, "{report}");
    let drift = "Mutation.createVehicle(type:): difference between the contract and the served schema: ";
    assert!(report.contains(drift), "{drift}: {report}");

    let down = catalogue.run(&["migrate", "down", "--steps", "4", "--yes"]);
    assert_eq!(down.code, Some(0), "{down:?}");
    let nothing = catalogue.run(&["migrate", "down"]);
    assert!(nothing.code == Some(0) && nothing.stdout == "no migration is applied\n", "{nothing:?}");
    let (json, _, code) = run(&catalogue, &["check", "--format", "json"]);
    let json: Value = serde_json::from_str(&json).unwrap();
    let count = json["drifts"].as_array().unwrap().len();
    assert!(code == 1 && count >= 6, "a migration and the columns: {json}");
    let (text, _, _) = run(&catalogue, &["check"]);
    assert!(text.ends_with(&format!("{count} differences\n")), "{text}");
}
