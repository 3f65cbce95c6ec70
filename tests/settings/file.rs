//! Files of settings that are wrong: what is said, and where.

use crate::program::{Ended, Program};

/// What becomes of a service with this file.
fn serve_with(file: &str) -> Ended {
    let program = Program::new().with_file("catalogue.toml", file);
    program.run(&["--config", "catalogue.toml"])
}

#[test]
fn a_wrong_value_is_refused_with_its_place_and_what_would_be_right() {
    for (entry, sentence) in [
        (
            "list-limit = 0",
            "list-limit must be a whole number from 1 to 100000, not \"0\"",
        ),
        (
            "fragment-limit = 99999999999999999999",
            "fragment-limit must be a whole number from 0 to 100000, not \"99999999999999999999\"",
        ),
        (
            "pool-size = -1",
            "pool-size must be a whole number from 1 to 1000, not \"-1\"",
        ),
        (
            "listen = \"localhost:8000\"",
            "listen must be an IP address and a port, such as 127.0.0.1:8000 or [::1]:8000, not \"localhost:8000\"",
        ),
        (
            "migrate = \"--help\"",
            "migrate must be at-start or never, not \"--help\"",
        ),
        (
            "production = \"yes\"",
            "production must be on or off, not \"yes\"",
        ),
        (
            "tls-key-file = \"\"",
            "tls-key-file must be a path or none, not \"\"",
        ),
    ] {
        let ended = serve_with(&format!("# settings\n\n{entry}\n"));
        ended.assert_refused(&[&format!("catalogue.toml:3: {sentence}")]);
    }
}

#[test]
fn a_value_of_another_type_is_refused() {
    for (entry, sentence) in [
        (
            "depth-limit = \"8\"",
            "depth-limit must be written without quotes",
        ),
        (
            "depth-limit = 8.0",
            "depth-limit must be a whole number and not a TOML float",
        ),
        (
            "cost-limit = true",
            "cost-limit must be a whole number and not a TOML boolean",
        ),
        (
            "graphiql = true",
            "graphiql must be a text in quotes, such as graphiql = \"auto\", and not a TOML boolean",
        ),
        (
            "listen = 8000",
            "listen must be a text in quotes, such as listen = \"127.0.0.1:8000\", and not a TOML integer",
        ),
        (
            "cors-origins = [\"https://a.example\"]",
            "cors-origins must be a text in quotes, such as cors-origins = \"none\", and not a TOML array",
        ),
    ] {
        let ended = serve_with(entry);
        ended.assert_refused(&[&format!("catalogue.toml:1: {sentence}")]);
    }
}

#[test]
fn an_unknown_name_is_refused_with_the_one_that_was_meant() {
    for (name, meant) in [
        ("lst-limit", "list-limit"),
        ("list_limit", "list-limit"),
        ("List-Limit", "list-limit"),
        ("read-timeout", "read-timeout-seconds"),
        ("CATALOGUE_POOL_SIZE", "pool-size"),
        ("CATALOGUE_LOG", "log-level"),
        ("DATABASE_URL", "database-url"),
        ("databse-url", "database-url"),
    ] {
        let ended = serve_with(&format!("{name} = 5\n"));
        let sentence =
            format!("catalogue.toml:1: there is no setting {name:?}; did you mean {meant}?");
        ended.assert_refused(&[&sentence]);
    }
}

#[test]
fn a_name_like_no_setting_is_answered_with_where_they_are_listed() {
    serve_with("colour = \"red\"\n").assert_refused(&[
        "catalogue.toml:1: there is no setting \"colour\"; vehicle-catalogue config example lists them",
    ]);
    serve_with("[http]\nlisten = \"127.0.0.1:0\"\n").assert_refused(&[
        "catalogue.toml:1: there is no table \"http\": settings stand without tables",
    ]);
    serve_with("config = \"other.toml\"\n")
        .assert_refused(&["catalogue.toml:1: config can't stand in the file that it names"]);
}

#[test]
fn everything_that_is_wrong_is_said_at_once_in_the_order_of_the_file() {
    let ended =
        serve_with("token-limit = 0\nfoo-bar-baz = 1\ndepth-limit = 8\nalias-limit = \"9\"\n");
    ended.assert_refused(&[
        "catalogue.toml:1: token-limit must be a whole number from 1 to 1000000, not \"0\"",
        "catalogue.toml:2: there is no setting \"foo-bar-baz\"; vehicle-catalogue config example lists them",
        "catalogue.toml:4: alias-limit must be written without quotes",
    ]);
}

#[test]
fn what_is_not_toml_is_refused_without_repeating_a_secret() {
    for (file, line) in [
        (
            "list-limit = 3\ndatabase-url = \"postgres://u:canary@h/d\n",
            2,
        ),
        ("database-url = postgres://u:canary@h/d\n", 1),
        ("list-limit = 3\nlist-limit = 4\n", 2),
        ("\n\n= 4\n", 3),
    ] {
        let ended = serve_with(file);
        let start = format!("error: catalogue.toml:{line}: this is not TOML: ");
        assert!(ended.stderr.starts_with(&start), "{ended:?}");
        assert!(!ended.stderr.contains("canary"), "{ended:?}");
        assert_eq!((ended.code, ended.stderr.lines().count()), (Some(2), 1));
    }
}

#[test]
fn a_secret_that_is_wrong_is_not_repeated() {
    for file in [
        "database-url = \"oracle://u:canary@h/d\"\n",
        "database-url = [\"postgres://u:canary@h/d\"]\n",
    ] {
        let ended = serve_with(file);
        let start = "error: catalogue.toml:1: database-url must be ";
        assert!(ended.stderr.starts_with(start), "{ended:?}");
        assert!(!ended.stderr.contains("canary"), "{ended:?}");
        assert_eq!(ended.code, Some(2));
    }
}

#[test]
fn a_file_that_cannot_be_read_is_refused() {
    let ended = Program::new().run(&["--config", "missing.toml"]);
    let start = "error: cannot read the settings in missing.toml: ";
    assert!(ended.stderr.starts_with(start), "{ended:?}");
    assert_eq!((ended.code, ended.stderr.lines().count()), (Some(2), 1));
    let ended = Program::new().run(&["--config", ""]);
    ended.assert_refused(&["--config (CATALOGUE_CONFIG) must be a path or none, not \"\""]);
}

#[test]
fn numbers_may_be_written_in_every_way_that_toml_has() {
    let file = "token-limit = 1_000\nalias-limit = 0x10\ncost-limit = 0b101\ndepth-limit = +7\n";
    let program = Program::new().with_file("catalogue.toml", file);
    let ended = program.run(&["config", "check", "--config", "catalogue.toml"]);
    assert_eq!(ended.code, Some(0), "{ended:?}");
    for expected in [
        "token-limit = 1000 ",
        "alias-limit = 16 ",
        "cost-limit = 5 ",
        "depth-limit = 7 ",
    ] {
        assert!(ended.stdout.contains(expected), "{expected}: {ended:?}");
    }
}
