//! Invalid files of settings: the error messages and their locations.

use testkit::CommandOutput;

use crate::support::program;

testkit::tests![
    reports_every_problem_in_the_order_of_the_file,
    rejects_invalid_toml_without_revealing_a_secret,
    rejects_an_unreadable_file,
];

/// The output of a service with this file.
fn serve_with(file: &str) -> CommandOutput {
    let program = program().with_file("catalogue.toml", file);
    program.run(&["--config", "catalogue.toml"])
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

fn rejects_an_unreadable_file() {
    let output = program().run(&["--config", "missing.toml"]);
    let start = "error: cannot read the settings in missing.toml: ";
    assert!(output.stderr.starts_with(start), "{output:?}");
    assert_eq!((output.code, output.stderr.lines().count()), (Some(2), 1));
    let output = program().run(&["--config", ""]);
    output.assert_rejected(&["--config (CATALOGUE_CONFIG) must be a path or none, not \"\""]);
}
