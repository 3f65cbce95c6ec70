//! The commands about the contract: their output and exit codes.

use std::fs;

use serde_json::Value;

use testkit::Program;

use super::commands::run;
use crate::support::program;

testkit::tests![
    prints_the_contract_verbatim_and_a_hash_independent_of_layout,
    the_contract_is_compatible_with_the_first_one,
    the_contract_has_no_findings_and_an_error_is_exit_code_1,
    a_breaking_change_is_exit_code_1_until_it_is_accepted,
    checks_the_contract_the_resolvers_and_the_tables,
    operations_that_a_change_breaks_are_exit_code_1,
    documents_that_cannot_be_read_are_exit_code_2,
];

pub(super) const CONTRACT: &str = include_str!("../../../schema.graphql");

/// The first contract, which must stay compatible: three definitions without descriptions.
const PROMISED: &str = include_str!("promised.graphql");

pub(super) fn with_files(files: &[(&str, &str)]) -> Program {
    files.iter().fold(program(), |catalogue, (name, text)| {
        catalogue.with_file(name, text)
    })
}

fn prints_the_contract_verbatim_and_a_hash_independent_of_layout() {
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
    fs::write(catalogue.path("served.graphql"), served).unwrap();
    assert_eq!(run(&catalogue, &["hash", "served.graphql"]).0, hash);
}

fn the_contract_is_compatible_with_the_first_one() {
    let files = [("promised.graphql", PROMISED), ("schema.graphql", CONTRACT)];
    let diff = ["diff", "promised.graphql", "--format=json"];
    let (json, _, _) = run(&with_files(&files), &diff);
    let json: Value = serde_json::from_str(&json).unwrap();
    let changes = json.as_array().unwrap().iter();
    let breaking: Vec<_> = changes
        .filter(|change| change["level"] == "breaking")
        .collect();
    // These rules existed, and the contract did not declare them.
    for change in &breaking {
        assert_eq!(change["kind"], "DIRECTIVE_USAGE_ARGUMENT_DEFINITION_ADDED");
        let message = change["message"].as_str().unwrap();
        assert!(message.starts_with("@constraint("), "{message}");
    }
    assert_eq!(breaking.len(), 5, "four texts of a vehicle, and a count");
}

fn the_contract_has_no_findings_and_an_error_is_exit_code_1() {
    let policy = include_str!("../../../schema.toml");
    let catalogue = with_files(&[
        ("schema.graphql", CONTRACT),
        ("bad.graphql", PROMISED),
        ("schema.toml", policy),
    ]);
    assert_eq!(
        run(&catalogue, &["lint"]),
        ("no findings\n".to_owned(), String::new(), 0)
    );
    let (report, errors, code) = run(&catalogue, &["lint", "bad.graphql"]);
    assert_eq!(code, 1);
    assert!(
        report.contains("bad.graphql:1:6: error: Vehicle has no description"),
        "{report}"
    );
    assert!(!report.contains('\u{1b}'), "colours are for terminals");
    assert!(
        errors.starts_with("error: the contract has lint errors; "),
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

fn a_breaking_change_is_exit_code_1_until_it_is_accepted() {
    let changed = CONTRACT.replacen("brandName: String", "brand: String", 1);
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
    fs::write(catalogue.path("schema.accepted.toml"), accepted).unwrap();
    let (report, errors, code) = run(&catalogue, &diff);
    assert_eq!((errors.as_str(), code), ("", 0), "{report}");
    assert!(report.contains("Nobody asks for it."), "{report}");
    let stale = run(&catalogue, &["diff", "old.graphql", "old.graphql"]);
    assert_eq!(stale.2, 1, "an accepted change that is not there is stale");
    assert!(stale.1.contains("schema.accepted.toml:1"), "{}", stale.1);
}

fn checks_the_contract_the_resolvers_and_the_tables() {
    let catalogue = with_files(&[]);
    let (report, errors, code) = run(&catalogue, &["check"]);
    assert_eq!(code, 1, "{report}");
    assert!(
        report.contains("not checked: the SQLite database vehicle-catalogue.db: no file"),
        "{report}"
    );
    assert!(
        errors.contains("exclude it with --without-database"),
        "{errors}"
    );
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
    assert!(
        code == 1 && errors == "error: the contract, the served schema and the database differ\n",
        "{errors}"
    );
    for location in ["other.graphql:", "the served schema, Vehicle.brandName"] {
        assert!(report.contains(location), "{location}: {report}");
    }

    let longer = CONTRACT.replace(
        "minLength: 1, maxLength: 255",
        "minLength: 1, maxLength: 300",
    );
    fs::write(catalogue.path("other.graphql"), longer).unwrap();
    let (report, _, code) = run(&catalogue, &["check", "other.graphql"]);
    assert_eq!(code, 1, "{report}");
    let drift =
        "Mutation.createVehicle(type:): difference between the contract and the served schema: ";
    assert!(report.contains(drift), "{drift}: {report}");

    let down = catalogue.run(&["migrate", "down", "--steps", "4", "--yes"]);
    assert_eq!(down.code, Some(0), "{down:?}");
    let nothing = catalogue.run(&["migrate", "down"]);
    assert!(
        nothing.code == Some(0) && nothing.stdout == "no migration is applied\n",
        "{nothing:?}"
    );
    let (json, _, code) = run(&catalogue, &["check", "--format", "json"]);
    let json: Value = serde_json::from_str(&json).unwrap();
    let count = json["drifts"].as_array().unwrap().len();
    assert!(
        code == 1 && count >= 6,
        "a migration and the columns: {json}"
    );
    let (markdown, _, _) = run(&catalogue, &["check", "--format", "markdown"]);
    assert!(
        markdown.starts_with(&format!("### Contract: {count} differences\n")),
        "{markdown}"
    );
}

fn operations_that_a_change_breaks_are_exit_code_1() {
    let changed = CONTRACT.replacen("brandName: String", "brand: String", 1);
    let manifest = r#"{
  "list": "query List { vehicles { id brandName } }",
  "one": "query One { vehicle(id: 1) { id } }"
}"#;
    let files = [
        ("old.graphql", CONTRACT),
        ("new.graphql", &changed),
        ("manifest.json", manifest),
    ];
    let catalogue = with_files(&files);
    let folder = catalogue.path("clients");
    fs::create_dir_all(folder.join("parts")).unwrap();
    fs::write(
        folder.join("list.graphql"),
        "query Brands {\n  vehicles { ...Brand }\n}\nquery Ids { vehicles { id } }\n",
    )
    .unwrap();
    fs::write(
        folder.join("parts/brand.graphql"),
        "fragment Brand on Vehicle {\n  brandName\n}\n",
    )
    .unwrap();
    let schemas = ["--schema=new.graphql", "--old=old.graphql"];
    let operations = [
        &["operations", "clients", "manifest.json"][..],
        &schemas[..],
    ]
    .concat();
    let (report, errors, code) = run(&catalogue, &operations);
    assert_eq!(code, 1, "{report}");
    for expected in [
        "broken: query Brands\n  at clients/list.graphql:1:1\n  \
         clients/parts/brand.graphql:2:3: type \"Vehicle\" does not have a field \"brandName\"\n  \
         because field 'Vehicle.brandName' was removed [FIELD_REMOVED] at old.graphql:",
        "broken: query List of the document \"list\"\n  at manifest.json:2:12\n  manifest.json:2:39: ",
        "\n2 of 4 operations stop working\n",
    ] {
        assert!(report.contains(expected), "{expected}: {report}");
    }
    assert!(
        errors.starts_with("error: broken operations: 2; "),
        "{errors}"
    );
    let unchanged = [
        "operations",
        "clients",
        "--schema=old.graphql",
        "--old=old.graphql",
    ];
    assert_eq!(
        run(&catalogue, &unchanged),
        (
            "none of 2 operations stops working\n".to_owned(),
            String::new(),
            0
        )
    );
    let without_old = [
        "operations",
        "clients",
        "--schema=new.graphql",
        "--old=none",
    ];
    assert_eq!(run(&catalogue, &without_old).2, 1);

    let diff = ["diff", "old.graphql", "new.graphql", "--operations=clients"];
    let (report, _, code) = run(&catalogue, &diff);
    assert_eq!(code, 1);
    assert!(
        report.contains("  breaks query Brands at clients/list.graphql:1:1\n"),
        "{report}"
    );
    let (json, _, _) = run(&catalogue, &[&operations[..], &["--format=json"]].concat());
    let json: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(
        json["broken"][0]["changes"][0]["coordinate"],
        "Vehicle.brandName"
    );
    let (markdown, _, _) = run(
        &catalogue,
        &[&operations[..], &["--format=markdown"]].concat(),
    );
    assert!(
        markdown.starts_with("### Operations: 2 of 4 operations stop working\n"),
        "{markdown}"
    );
    assert!(
        markdown.contains("| query Brands | `clients/list.graphql:1:1` |"),
        "{markdown}"
    );
}

fn documents_that_cannot_be_read_are_exit_code_2() {
    let wrong = "{ vehicles { ...A ...B ...C ...D ...E ...F ...G ...H ...I ...J ...K ...L } }";
    let files = [
        ("schema.graphql", CONTRACT),
        ("wrong.graphql", wrong),
        ("syntax.graphql", "query {\n  vehicles { id \n"),
        (
            "twice.graphql",
            "fragment A on Vehicle { id }\nfragment A on Vehicle { id }",
        ),
        ("manifest.json", "{\n  \"a\": 1\n}"),
        ("query.txt", "{ vehicles { id } }"),
    ];
    let catalogue = with_files(&files);
    fs::create_dir(catalogue.path("empty")).unwrap();
    fs::write(
        catalogue.path("latin.graphql"),
        b"{ vehicles { id } } # \xe9",
    )
    .unwrap();
    for (file, expected) in [
        (
            "wrong.graphql",
            "wrong.graphql:1:17: unknown fragment \"A\"",
        ),
        ("syntax.graphql", "syntax.graphql:3:1: syntax error"),
        (
            "twice.graphql",
            "twice.graphql:2:10: the fragment \"A\" is defined twice; rename one",
        ),
        ("manifest.json", "manifest.json:2:8: is not a manifest"),
        (
            "query.txt",
            "unknown format of query.txt; name a folder, a .graphql file",
        ),
        (
            "empty",
            "no operations found; name a folder, a .graphql file",
        ),
        (
            "latin.graphql",
            "cannot read the documents in latin.graphql: ",
        ),
    ] {
        for arguments in [
            &["operations", "--old=none", file][..],
            &["diff", "schema.graphql", "--operations", file],
        ] {
            let (report, errors, code) = run(&catalogue, arguments);
            assert_eq!((report.as_str(), code), ("", 2), "{errors}");
            assert!(errors.contains(expected), "{errors}");
            assert!(errors.lines().count() <= 11, "{errors}");
        }
    }
    let (_, errors, _) = run(&catalogue, &["operations", "--old=none", "wrong.graphql"]);
    assert!(errors.trim_end().ends_with("and 2 more"), "{errors}");
    assert_eq!(run(&catalogue, &["operations"]).2, 2);
}
