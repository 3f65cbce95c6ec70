//! `config`.

use serde_json::json;

use crate::support::program;

testkit::tests![
    every_command_rejects_conflicting_settings,
    every_mistake_is_reported_at_once,
    reports_every_invalid_file_that_settings_name,
    reports_trusted_documents_that_are_invalid_against_the_contract,
    warns_of_an_unknown_variable_but_not_of_an_unrelated_one,
];

fn every_command_rejects_conflicting_settings() {
    let tls = "--tls-certificate-file and --tls-key-file enable TLS together: set both or none";
    let admin = "--admin-listen must differ from --listen";
    for (flags, sentence) in [
        (["--tls-certificate-file=a.pem", ""], tls),
        (["--tls-key-file=a.pem", ""], tls),
        (["--listen=127.0.0.1:9000", "--admin-listen=127.0.0.1:9000"], admin),
        (["--listen=0.0.0.0:9000", "--admin-listen=127.0.0.1:9000"], admin),
        (["--listen=[::]:9000", "--admin-listen=127.0.0.1:9000"], admin),
        (["--trusted-documents-mode=enforce", ""], "--trusted-documents-mode needs --trusted-documents"),
    ] {
        for command in [vec![], vec!["migrate", "up"], vec!["config"]] {
            let flags = flags.iter().copied().filter(|flag| !flag.is_empty());
            let arguments: Vec<_> = flags.chain(command).collect();
            program().run(&arguments).assert_rejected(&[sentence]);
        }
    }
}

fn every_mistake_is_reported_at_once() {
    let variables = [("CATALOGUE_LIST_LIMIT", "0"), ("CATALOGUE_PRODUCTION", "yes")];
    let output = program().run_with(&variables, &["--pool-size=many", "--allowed-hosts=10.0.0.0/8"]);
    assert_eq!(output.code, Some(2), "{output:?}");
    let mut lines: Vec<_> = output.stderr.lines().collect();
    lines.sort_unstable();
    assert_eq!(
        lines,
        [
            "error: --allowed-hosts (CATALOGUE_ALLOWED_HOSTS) must be auto, or * for any host, or names without ports \
             such as a.example or *.a.example, separated by commas (addresses are always allowed), not \"10.0.0.0/8\"",
            "error: --list-limit (CATALOGUE_LIST_LIMIT) must be a whole number from 1 to 100000, not \"0\"",
            "error: --pool-size (CATALOGUE_POOL_SIZE) must be a whole number from 2 to 1000, not \"many\"",
            "error: --production (CATALOGUE_PRODUCTION) must be on or off, not \"yes\"",
        ]
    );
}

/// A manifest with these identifiers and documents.
fn manifest(documents: &[(&str, &str)]) -> String {
    let operation = |(id, body): &(&str, &str)| json!({ "id": id, "body": body });
    let operations: Vec<_> = documents.iter().map(operation).collect();
    json!({
        "format": "apollo-persisted-query-manifest", "version": 1, "operations": operations,
    })
    .to_string()
}

/// A manifest with two documents of the same identifier.
const WRONG: &str = r#"{"format": "apollo-persisted-query-manifest", "version": 1, "operations": [
{"id": "a", "body": "{ __typename }"},
{"id": "a", "body": "{ vehicles { id } }"}]}"#;

fn reports_every_invalid_file_that_settings_name() {
    let program = program().with_file("wrong.json", WRONG);
    let output = program.run(&[
        "config",
        "--tls-certificate-file=missing.pem",
        "--tls-key-file=missing.pem",
        "--trusted-documents=wrong.json",
    ]);
    assert_eq!(output.code, Some(2), "{output:?}");
    let lines: Vec<_> = output.stderr.lines().collect();
    assert_eq!(lines.len(), 2, "{output:?}");
    let tls = "error: cannot use TLS: cannot read missing.pem: ";
    assert!(lines[0].starts_with(tls), "{output:?}");
    let documents = "error: cannot use the trusted documents: wrong.json:3:22: the identifier \"a\" is that of another \
                     document, at wrong.json:2:22; change one";
    assert_eq!(lines[1], documents, "{output:?}");
    assert!(output.stdout.contains("trusted-documents = wrong.json"));
    let output = program.run(&["config", "--trusted-documents=missing.json"]);
    let unreadable = "error: cannot use the trusted documents: missing.json: cannot be read (";
    assert!(output.stderr.starts_with(unreadable), "{output:?}");
}

fn reports_trusted_documents_that_are_invalid_against_the_contract() {
    let documents = manifest(&[("right", "{ vehicles { id } }"), ("wrong", "{ vehicles { wheels } }")]);
    let program = program().with_file("documents.json", documents);
    let output = program.run(&["config", "--trusted-documents=documents.json"]);
    assert_eq!(output.code, Some(2), "{output:?}");
    let expected = "error: invalid trusted documents: \"wrong\" (\"{ vehicles { wheels } }\"): ";
    assert!(output.stderr.starts_with(expected), "{output:?}");
    assert_eq!(output.stderr.lines().count(), 1, "{output:?}");
    assert!(!program.folder().join("vehicle-catalogue.db").exists());
}

fn warns_of_an_unknown_variable_but_not_of_an_unrelated_one() {
    let variables = [
        ("CATALOGUE_POOL_SIZZE", "3"),
        // Kubernetes sets these for a service named catalogue.
        ("CATALOGUE_SERVICE_HOST", "10.0.0.1"),
        ("CATALOGUE_PORT_8000_TCP_ADDR", "10.0.0.1"),
        ("POOL_SIZZE", "3"),
    ];
    let output = program().run_with(&variables, &["config"]);
    assert_eq!(output.code, Some(0), "{output:?}");
    let expected = r#"unknown environment variable CATALOGUE_POOL_SIZZE; did you mean \"CATALOGUE_POOL_SIZE\"?"#;
    assert!(output.stderr.contains(expected), "{output:?}");
    assert_eq!(output.stderr.lines().count(), 1, "{output:?}");
}
