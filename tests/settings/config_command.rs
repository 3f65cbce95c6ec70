//! `config check` and `config example`.

use crate::program::Program;

#[test]
fn the_example_is_a_file_of_settings_with_their_defaults() {
    let program = Program::new();
    let example = program.run(&["config", "example"]);
    assert_eq!((example.code, example.stderr.as_str()), (Some(0), ""));
    let defaults = program.run(&["config", "check"]);
    assert_eq!(defaults.code, Some(0));

    let program = program.with_file("example.toml", &example.stdout);
    let checked = program.run(&["config", "check", "--config", "example.toml"]);
    assert_eq!(
        checked.stdout, defaults.stdout,
        "as it is, it changes nothing"
    );

    let lines = example.stdout.lines();
    let uncommented: Vec<_> = lines
        .map(|line| match line.strip_prefix('#') {
            Some(entry) if !entry.starts_with(['#', ' ']) => entry,
            _ => line,
        })
        .collect();
    let program = program.with_file("uncommented.toml", &uncommented.join("\n"));
    let checked = program.run(&["config", "check", "--config", "uncommented.toml"]);
    assert_eq!(checked.code, Some(0), "{checked:?}");
    let values = |listing: &str| {
        let lines = listing.lines().map(|line| line.split(" #").next().unwrap());
        lines
            .map(|line| line.trim_end().to_owned())
            .filter(|line| {
                !line.starts_with("database-url") && !line.starts_with("read-database-url")
            })
            .collect::<Vec<_>>()
    };
    assert_eq!(values(&checked.stdout), values(&defaults.stdout));
    let settings = checked.stdout.lines().filter(|line| !line.starts_with('#'));
    for setting in settings {
        assert!(setting.contains("# uncommented.toml:"), "{setting}");
    }
}

#[test]
fn the_example_says_what_each_setting_means_and_by_which_names_it_goes() {
    let example = Program::new().run(&["config", "example"]).stdout;
    let expected = "\n# Most vehicles in one list, from 1 to 100000\n\
                    # (--list-limit, CATALOGUE_LIST_LIMIT)\n#list-limit = 1000\n";
    assert!(example.contains(expected), "{example}");
    assert!(example.lines().all(|line| line.chars().count() <= 100));
}

#[test]
fn settings_that_contradict_each_other_are_refused_by_every_command() {
    for (flags, sentence) in [
        (
            ["--tls-certificate-file=a.pem", ""],
            "--tls-certificate-file needs --tls-key-file",
        ),
        (
            ["--tls-key-file=a.pem", ""],
            "--tls-key-file needs --tls-certificate-file",
        ),
        (
            ["--listen=127.0.0.1:9000", "--admin-listen=127.0.0.1:9000"],
            "--admin-listen must be another address or port than --listen",
        ),
        (
            ["--listen=0.0.0.0:9000", "--admin-listen=127.0.0.1:9000"],
            "--admin-listen must be another address or port than --listen",
        ),
        (
            ["--trusted-documents-mode=enforce", ""],
            "--trusted-documents-mode enforce needs --trusted-documents: without any, every operation would be refused",
        ),
    ] {
        for command in [vec![], vec!["migrate", "up"], vec!["config", "check"]] {
            let flags = flags.iter().copied().filter(|flag| !flag.is_empty());
            let arguments: Vec<_> = flags.chain(command).collect();
            Program::new().run(&arguments).assert_refused(&[sentence]);
        }
    }
}

#[test]
fn files_that_settings_name_are_read_and_every_bad_one_is_told() {
    let program = Program::new().with_file("wrong.json", "[]");
    let ended = program.run(&[
        "config",
        "check",
        "--tls-certificate-file=missing.pem",
        "--tls-key-file=missing.pem",
        "--trusted-documents=wrong.json",
    ]);
    assert_eq!(ended.code, Some(2), "{ended:?}");
    let lines: Vec<_> = ended.stderr.lines().collect();
    assert_eq!(lines.len(), 2, "{ended:?}");
    let tls = "error: cannot use TLS: cannot read missing.pem: ";
    assert!(lines[0].starts_with(tls), "{ended:?}");
    let documents = "error: cannot use the trusted documents: ";
    assert!(lines[1].starts_with(documents), "{ended:?}");
    assert!(lines[1].contains("wrong.json"), "{ended:?}");
    assert!(ended.stdout.contains("trusted-documents = \"wrong.json\""));
}

#[test]
fn trusted_documents_that_do_not_fit_the_contract_are_told() {
    let documents = r#"{"right": "{ vehicles { id } }", "wrong": "{ vehicles { wheels } }"}"#;
    let program = Program::new().with_file("documents.json", documents);
    let ended = program.run(&["config", "check", "--trusted-documents=documents.json"]);
    assert_eq!(ended.code, Some(2), "{ended:?}");
    let said = "error: these trusted documents are not valid: \"{ vehicles { wheels } }\": ";
    assert!(ended.stderr.starts_with(said), "{ended:?}");
    assert_eq!(ended.stderr.lines().count(), 1, "{ended:?}");
    assert!(!program.folder().join("vehicle-catalogue.db").exists());
}

#[test]
fn a_misspelt_variable_is_told_and_a_foreign_one_is_not() {
    let variables = [
        ("CATALOGUE_POOL_SIZZE", "3"),
        ("CATALOGUE_SERVICE_HOST", "10.0.0.1"),
    ];
    let ended = Program::new().run_with(&variables, &["config", "check"]);
    assert_eq!(ended.code, Some(0), "{ended:?}");
    let said =
        "no setting has the variable CATALOGUE_POOL_SIZZE; did you mean CATALOGUE_POOL_SIZE?";
    assert!(ended.stderr.contains(said), "{ended:?}");
    assert_eq!(ended.stderr.lines().count(), 1, "{ended:?}");
}

#[test]
fn checking_settings_touches_no_database() {
    let program = Program::new();
    assert_eq!(program.run(&["config", "check"]).code, Some(0));
    assert!(!program.folder().join("vehicle-catalogue.db").exists());
}

#[test]
fn config_needs_to_know_what_to_do() {
    let ended = Program::new().run(&["config"]);
    assert_eq!(ended.code, Some(2), "{ended:?}");
    assert!(ended.stderr.contains("check") && ended.stderr.contains("example"));
}
