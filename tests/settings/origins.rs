//! Who may say what a setting is, and who has the last word.

use crate::program::Program;

/// The line of `config check` about a setting, without the space that aligns it.
fn line(listing: &str, name: &str) -> String {
    let mut lines = listing.lines();
    let found = lines.find(|line| line.split(" = ").next() == Some(name));
    let line = found.unwrap_or_else(|| panic!("{name} is missing in\n{listing}"));
    line.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn flags_win_over_variables_and_variables_over_the_file_and_the_file_over_defaults() {
    let file = "depth-limit = 11\n\ntoken-limit = 22\nalias-limit = 33\n";
    let program = Program::new().with_file("catalogue.toml", file);
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
        let ended = program.run_with(&variables, &arguments);
        assert_eq!((ended.code, ended.stderr.as_str()), (Some(0), ""));
        for (name, expected) in [
            ("list-limit", "list-limit = 1000 # default"),
            ("depth-limit", "depth-limit = 11 # catalogue.toml:1"),
            (
                "token-limit",
                "token-limit = 222 # variable CATALOGUE_TOKEN_LIMIT",
            ),
            ("alias-limit", "alias-limit = 3333 # flag --alias-limit"),
        ] {
            assert_eq!(line(&ended.stdout, name), expected);
        }
    }
}

#[test]
fn the_file_can_be_named_by_a_variable_and_not_be_named_by_a_flag() {
    let program = Program::new().with_file("catalogue.toml", "depth-limit = 11\n");
    let variables = [("CATALOGUE_CONFIG", "catalogue.toml")];
    let ended = program.run_with(&variables, &["config", "check"]);
    let expected = "depth-limit = 11 # catalogue.toml:1";
    assert_eq!(line(&ended.stdout, "depth-limit"), expected);
    let ended = program.run_with(&variables, &["config", "check", "--config", "none"]);
    let expected = "depth-limit = 20 # default";
    assert_eq!(line(&ended.stdout, "depth-limit"), expected);
}

#[test]
fn every_command_follows_the_file() {
    let file = "database-url = \"sqlite:elsewhere.db\"\n";
    let program = Program::new().with_file("catalogue.toml", file);
    let ended = program.run(&["migrate", "up", "--config", "catalogue.toml"]);
    assert_eq!(ended.code, Some(0), "{ended:?}");
    assert!(program.folder().join("elsewhere.db").exists());
    assert!(!program.folder().join("vehicle-catalogue.db").exists());
}

#[test]
fn the_service_follows_the_file() {
    let file = "list-limit = 7\nadmin-listen = \"127.0.0.1:0\"\ngraphiql = \"on\"\n";
    let program = Program::new().with_file("catalogue.toml", file);
    let (running, _) = program.serve(&["--config", "catalogue.toml", "--production"], 3);
    let (status, limits) = crate::program::get(running.addr, "/limits");
    assert_eq!(status, 200);
    let expected = r#""name": "list-limit",
      "value": 7,"#;
    assert!(limits.contains(expected), "{limits}");
}

#[test]
fn a_wrong_variable_is_refused_though_the_file_is_right() {
    let program = Program::new().with_file("catalogue.toml", "pool-size = 4\n");
    let variables = [("CATALOGUE_POOL_SIZE", "lots")];
    let ended = program.run_with(&variables, &["--config", "catalogue.toml"]);
    ended.assert_refused(&[
        "--pool-size (CATALOGUE_POOL_SIZE) must be a whole number from 1 to 1000, not \"lots\"",
    ]);
}

#[test]
fn secrets_are_never_shown() {
    let url = "postgres://canary-user:canary-password@db.example:5433/vehicles";
    let file = format!("database-url = \"{url}\"\n");
    let program = Program::new().with_file("catalogue.toml", &file);
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
        let ended = program.run_with(&variables, &arguments);
        assert_eq!(ended.code, Some(0), "{ended:?}");
        let expected = format!(
            "database-url = \"********\" # {origin}, PostgreSQL database vehicles at db.example:5433"
        );
        assert_eq!(line(&ended.stdout, "database-url"), expected);
        assert!(!format!("{ended:?}").contains("canary"), "{ended:?}");
    }
}
