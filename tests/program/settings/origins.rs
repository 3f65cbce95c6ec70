//! The sources of settings and their precedence.

use testkit::http::get;

use crate::support::{program, serve_in};

testkit::tests![
    flags_override_variables_which_override_the_file_which_overrides_defaults,
    a_variable_names_the_file_and_a_flag_overrides_it,
    every_command_uses_the_file,
    the_service_uses_the_file,
    rejects_an_invalid_variable_if_the_file_is_valid,
    secrets_are_never_shown,
];

/// The line of `config check` for a setting, without alignment.
fn line(listing: &str, name: &str) -> String {
    let mut lines = listing.lines();
    let found = lines.find(|line| line.split(" = ").next() == Some(name));
    let line = found.unwrap_or_else(|| panic!("{name} is missing in\n{listing}"));
    line.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn flags_override_variables_which_override_the_file_which_overrides_defaults() {
    let file = "depth-limit = 11\n\ntoken-limit = 22\nalias-limit = 33\n";
    let program = program().with_file("catalogue.toml", file);
    let variables = [
        ("CATALOGUE_TOKEN_LIMIT", "222"),
        ("CATALOGUE_ALIAS_LIMIT", "333"),
    ];
    for arguments in [
        [
            "--config",
            "catalogue.toml",
            "--alias-limit",
            "3333",
            "config",
            "check",
        ],
        [
            "config",
            "check",
            "--alias-limit",
            "3333",
            "--config",
            "catalogue.toml",
        ],
        [
            "config",
            "--config",
            "catalogue.toml",
            "--alias-limit",
            "3333",
            "check",
        ],
    ] {
        let output = program.run_with(&variables, &arguments);
        assert_eq!((output.code, output.stderr.as_str()), (Some(0), ""));
        for (name, expected) in [
            ("list-limit", "list-limit = 1000 # default"),
            ("depth-limit", "depth-limit = 11 # catalogue.toml:1"),
            (
                "token-limit",
                "token-limit = 222 # variable CATALOGUE_TOKEN_LIMIT",
            ),
            ("alias-limit", "alias-limit = 3333 # flag --alias-limit"),
        ] {
            assert_eq!(line(&output.stdout, name), expected);
        }
    }
}

fn a_variable_names_the_file_and_a_flag_overrides_it() {
    let program = program().with_file("catalogue.toml", "depth-limit = 11\n");
    let variables = [("CATALOGUE_CONFIG", "catalogue.toml")];
    let output = program.run_with(&variables, &["config", "check"]);
    let expected = "depth-limit = 11 # catalogue.toml:1";
    assert_eq!(line(&output.stdout, "depth-limit"), expected);
    let output = program.run_with(&variables, &["config", "check", "--config", "none"]);
    let expected = "depth-limit = 20 # default";
    assert_eq!(line(&output.stdout, "depth-limit"), expected);
}

fn every_command_uses_the_file() {
    let file = "database-url = \"sqlite:elsewhere.db\"\n";
    let program = program().with_file("catalogue.toml", file);
    let output = program.run(&["migrate", "up", "--config", "catalogue.toml"]);
    assert_eq!(output.code, Some(0), "{output:?}");
    assert!(program.folder().join("elsewhere.db").exists());
    assert!(!program.folder().join("vehicle-catalogue.db").exists());
}

fn the_service_uses_the_file() {
    let file = "list-limit = 7\nadmin-listen = \"127.0.0.1:0\"\ngraphiql = \"on\"\n";
    let program = program().with_file("catalogue.toml", file);
    let flags = [
        "--listen=127.0.0.1:0",
        "--config=catalogue.toml",
        "--production",
    ];
    let running = serve_in(program, &flags);
    let (status, limits) = get(running.addr, "/limits");
    assert_eq!(status, 200);
    let expected = r#""name": "list-limit",
      "value": 7,"#;
    assert!(limits.contains(expected), "{limits}");
}

fn rejects_an_invalid_variable_if_the_file_is_valid() {
    let program = program().with_file("catalogue.toml", "pool-size = 4\n");
    let variables = [("CATALOGUE_POOL_SIZE", "lots")];
    let output = program.run_with(&variables, &["--config", "catalogue.toml"]);
    output.assert_rejected(&[
        "--pool-size (CATALOGUE_POOL_SIZE) must be a whole number from 1 to 1000, not \"lots\"",
    ]);
}

fn secrets_are_never_shown() {
    let url = "postgres://canary-user:canary-password@db.example:5433/vehicles";
    let file = format!("database-url = \"{url}\"\n");
    let program = program().with_file("catalogue.toml", &file);
    for (variables, arguments, origin) in [
        (
            vec![],
            vec!["config", "check", "--config", "catalogue.toml"],
            "catalogue.toml:1",
        ),
        (
            vec![("DATABASE_URL", url)],
            vec!["config", "check"],
            "variable DATABASE_URL",
        ),
        (
            vec![],
            vec!["config", "check", "--database-url", url],
            "flag --database-url",
        ),
    ] {
        let output = program.run_with(&variables, &arguments);
        assert_eq!(output.code, Some(0), "{output:?}");
        let expected = format!(
            "database-url = \"********\" # {origin}, PostgreSQL database vehicles at db.example:5433"
        );
        assert_eq!(line(&output.stdout, "database-url"), expected);
        assert!(!format!("{output:?}").contains("canary"), "{output:?}");
    }
}
