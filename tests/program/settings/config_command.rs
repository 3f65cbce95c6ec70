//! `config check`.

use crate::support::program;

testkit::tests![
    every_command_rejects_conflicting_settings,
    reports_every_invalid_file_that_settings_name,
    reports_trusted_documents_that_are_invalid_against_the_contract,
    warns_of_a_misspelt_variable_but_not_of_an_unrelated_one,
    warns_of_a_misspelt_log_target_but_not_of_a_library,
    config_check_does_not_use_the_database,
];

fn every_command_rejects_conflicting_settings() {
    for (flags, sentence) in [
        (
            ["--tls-certificate-file=a.pem", ""],
            "--tls-certificate-file requires --tls-key-file",
        ),
        (
            ["--tls-key-file=a.pem", ""],
            "--tls-key-file requires --tls-certificate-file",
        ),
        (
            ["--listen=127.0.0.1:9000", "--admin-listen=127.0.0.1:9000"],
            "--admin-listen must differ from --listen",
        ),
        (
            ["--listen=0.0.0.0:9000", "--admin-listen=127.0.0.1:9000"],
            "--admin-listen must differ from --listen",
        ),
        (
            ["--listen=[::]:9000", "--admin-listen=127.0.0.1:9000"],
            "--admin-listen must differ from --listen",
        ),
        (
            ["--trusted-documents-mode=enforce", ""],
            "--trusted-documents-mode enforce requires --trusted-documents",
        ),
    ] {
        for command in [vec![], vec!["migrate", "up"], vec!["config", "check"]] {
            let flags = flags.iter().copied().filter(|flag| !flag.is_empty());
            let arguments: Vec<_> = flags.chain(command).collect();
            program().run(&arguments).assert_rejected(&[sentence]);
        }
    }
}

fn reports_every_invalid_file_that_settings_name() {
    let wrong = "{\"a\": \"{ __typename }\",\n \"a\": \"{ vehicles { id } }\"}";
    let program = program().with_file("wrong.json", wrong);
    let output = program.run(&[
        "config",
        "check",
        "--tls-certificate-file=missing.pem",
        "--tls-key-file=missing.pem",
        "--trusted-documents=wrong.json",
    ]);
    assert_eq!(output.code, Some(2), "{output:?}");
    let lines: Vec<_> = output.stderr.lines().collect();
    assert_eq!(lines.len(), 2, "{output:?}");
    let tls = "error: cannot use TLS: cannot read missing.pem: ";
    assert!(lines[0].starts_with(tls), "{output:?}");
    let documents = "error: cannot use the trusted documents: wrong.json:2:8: the identifier \"a\" is that of \
                     another document, at wrong.json:1:8; change one";
    assert_eq!(lines[1], documents, "{output:?}");
    assert!(output.stdout.contains("trusted-documents = \"wrong.json\""));
}

fn reports_trusted_documents_that_are_invalid_against_the_contract() {
    let documents = r#"{"right": "{ vehicles { id } }", "wrong": "{ vehicles { wheels } }"}"#;
    let program = program().with_file("documents.json", documents);
    let output = program.run(&["config", "check", "--trusted-documents=documents.json"]);
    assert_eq!(output.code, Some(2), "{output:?}");
    let expected = "error: invalid trusted documents: \"wrong\" (\"{ vehicles { wheels } }\"): ";
    assert!(output.stderr.starts_with(expected), "{output:?}");
    assert_eq!(output.stderr.lines().count(), 1, "{output:?}");
    assert!(!program.folder().join("vehicle-catalogue.db").exists());
}

fn warns_of_a_misspelt_variable_but_not_of_an_unrelated_one() {
    let variables = [
        ("CATALOGUE_POOL_SIZZE", "3"),
        ("CATALOGUE_SERVICE_HOST", "10.0.0.1"),
        ("CATALOGUE_CONFIG", "none"),
        ("POOL_SIZZE", "3"),
    ];
    let output = program().run_with(&variables, &["config", "check"]);
    assert_eq!(output.code, Some(0), "{output:?}");
    let expected =
        "unknown environment variable CATALOGUE_POOL_SIZZE; did you mean CATALOGUE_POOL_SIZE?";
    assert!(output.stderr.contains(expected), "{output:?}");
    assert_eq!(output.stderr.lines().count(), 1, "{output:?}");
}

fn warns_of_a_misspelt_log_target_but_not_of_a_library() {
    for (target, warning) in [
        (
            "graphqlhttp",
            r#"unknown log target "graphqlhttp"; did you mean "graphql_http"?"#,
        ),
        (
            "databse::retry",
            r#"unknown log target "databse::retry"; did you mean "database"?"#,
        ),
        ("graphql_http::pipeline", ""),
        ("graphql", ""),
        ("sqlx::query", ""),
        ("hyper", ""),
    ] {
        let level = format!("--log-level=warn,{target}=warn");
        let output = program().run(&["config", "check", &level]);
        assert_eq!(output.code, Some(0), "{output:?}");
        let lines = usize::from(!warning.is_empty());
        assert_eq!(output.stderr.lines().count(), lines, "{output:?}");
        let stderr = output.stderr.replace("\\\"", "\"");
        assert!(stderr.contains(warning), "{output:?}");
    }
}

fn config_check_does_not_use_the_database() {
    let program = program();
    assert_eq!(program.run(&["config", "check"]).code, Some(0));
    assert!(!program.folder().join("vehicle-catalogue.db").exists());
}
