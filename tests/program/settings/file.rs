//! Invalid files of settings: the error messages and their locations.

use testkit::CommandOutput;

use crate::support::program;

testkit::tests![
    rejects_an_invalid_value_with_its_location_and_the_valid_values,
    rejects_a_value_of_another_type,
    rejects_an_unknown_name_with_a_suggestion,
    rejects_a_dissimilar_name_with_a_pointer_to_the_list,
    reports_every_problem_in_the_order_of_the_file,
    rejects_invalid_toml_without_revealing_a_secret,
    rejects_an_invalid_secret_without_revealing_it,
    rejects_an_unreadable_file,
    accepts_every_integer_format_of_toml,
];

/// The output of a service with this file.
fn serve_with(file: &str) -> CommandOutput {
    let program = program().with_file("catalogue.toml", file);
    program.run(&["--config", "catalogue.toml"])
}

fn rejects_an_invalid_value_with_its_location_and_the_valid_values() {
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
        let output = serve_with(&format!("# settings\n\n{entry}\n"));
        output.assert_rejected(&[&format!("catalogue.toml:3: {sentence}")]);
    }
}

fn rejects_a_value_of_another_type() {
    for (entry, sentence) in [
        (
            "depth-limit = \"8\"",
            "depth-limit must be written without quotes",
        ),
        (
            "database-url = postgres://u:canary@h/d",
            "database-url must be a text in quotes, such as database-url = \"sqlite:vehicle-catalogue.db\"",
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
        let output = serve_with(entry);
        output.assert_rejected(&[&format!("catalogue.toml:1: {sentence}")]);
    }
}

fn rejects_an_unknown_name_with_a_suggestion() {
    for (name, suggestion) in [
        ("lst-limit", "list-limit"),
        ("list_limit", "list-limit"),
        ("List-Limit", "list-limit"),
        ("read-timeout", "read-timeout-seconds"),
        ("CATALOGUE_POOL_SIZE", "pool-size"),
        ("CATALOGUE_LOG", "log-level"),
        ("DATABASE_URL", "database-url"),
        ("databse-url", "database-url"),
    ] {
        let output = serve_with(&format!("{name} = 5\n"));
        let sentence =
            format!("catalogue.toml:1: unknown setting {name:?}; did you mean {suggestion}?");
        output.assert_rejected(&[&sentence]);
    }
}

fn rejects_a_dissimilar_name_with_a_pointer_to_the_list() {
    serve_with("colour = \"red\"\n").assert_rejected(&[
        "catalogue.toml:1: unknown setting \"colour\"; vehicle-catalogue --help lists all",
    ]);
    serve_with("[http]\nlisten = \"127.0.0.1:0\"\n").assert_rejected(&[
        "catalogue.toml:1: unknown table \"http\"; settings are top-level keys",
    ]);
    serve_with("config = \"other.toml\"\n")
        .assert_rejected(&["catalogue.toml:1: config is not allowed in the settings file"]);
}

fn reports_every_problem_in_the_order_of_the_file() {
    let output =
        serve_with("token-limit = 0\nfoo-bar-baz = 1\ndepth-limit = 8\nalias-limit = \"9\"\n");
    output.assert_rejected(&[
        "catalogue.toml:1: token-limit must be a whole number from 1 to 1000000, not \"0\"",
        "catalogue.toml:2: unknown setting \"foo-bar-baz\"; vehicle-catalogue --help lists all",
        "catalogue.toml:4: alias-limit must be written without quotes",
    ]);
}

fn rejects_invalid_toml_without_revealing_a_secret() {
    for (file, line) in [
        (
            "list-limit = 3\ndatabase-url = \"postgres://u:canary@h/d\n",
            2,
        ),
        ("database-urls = postgres://u:canary@h/d\n", 1),
        ("list-limit = 3\nlist-limit = 4\n", 2),
        ("\n\n= 4\n", 3),
    ] {
        let output = serve_with(file);
        let start = format!("error: catalogue.toml:{line}: this is not TOML: ");
        assert!(output.stderr.starts_with(&start), "{output:?}");
        assert!(!output.stderr.contains("canary"), "{output:?}");
        assert_eq!((output.code, output.stderr.lines().count()), (Some(2), 1));
    }
}

fn rejects_an_invalid_secret_without_revealing_it() {
    for file in [
        "database-url = \"oracle://u:canary@h/d\"\n",
        "database-url = \"postgres://u:?canary@h/d\"\n",
        "database-url = [\"postgres://u:canary@h/d\"]\n",
    ] {
        let output = serve_with(file);
        let start = "error: catalogue.toml:1: database-url must be ";
        assert!(output.stderr.starts_with(start), "{output:?}");
        assert!(!output.stderr.contains("canary"), "{output:?}");
        assert_eq!(output.code, Some(2));
    }
}

fn rejects_an_unreadable_file() {
    let output = program().run(&["--config", "missing.toml"]);
    let start = "error: cannot read the settings in missing.toml: ";
    assert!(output.stderr.starts_with(start), "{output:?}");
    assert_eq!((output.code, output.stderr.lines().count()), (Some(2), 1));
    let output = program().run(&["--config", ""]);
    output.assert_rejected(&["--config (CATALOGUE_CONFIG) must be a path or none, not \"\""]);
}

fn accepts_every_integer_format_of_toml() {
    let file = "token-limit = 1_000\nalias-limit = 0x10\ncost-limit = 0b101\ndepth-limit = +7\n";
    let program = program().with_file("catalogue.toml", file);
    let output = program.run(&["config", "check", "--config", "catalogue.toml"]);
    assert_eq!(output.code, Some(0), "{output:?}");
    for expected in [
        "token-limit = 1000 ",
        "alias-limit = 16 ",
        "cost-limit = 5 ",
        "depth-limit = 7 ",
    ] {
        assert!(output.stdout.contains(expected), "{expected}: {output:?}");
    }
}
