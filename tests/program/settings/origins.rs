//! The sources of settings and their precedence.

use testkit::http::get;

use crate::support::{program, serve_in};

testkit::tests![
    flags_override_variables_which_override_the_file_which_overrides_defaults,
    a_variable_names_the_file_and_a_flag_overrides_it,
    every_command_uses_the_file,
    the_service_uses_the_file,
    white_space_around_a_value_is_no_part_of_it,
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
    let too_many = "/graphql?query=%7BvehiclesConnection(first:8)%7Bnodes%7Bid%7D%7D%7D";
    let (_, response) = get(running.addr, too_many);
    assert!(response.contains("from 1 to 7"), "{response}");
}

/// Files of secrets end with a line end, which many tools copy into the variable.
fn white_space_around_a_value_is_no_part_of_it() {
    let file = "database-url = \"\"\"\nsqlite:a.db\n\"\"\"\nauth-issuer = \" issuer\\r\\n\"\ndepth-limit = 7\n";
    let flags = [
        "--database-url= sqlite:a.db\n",
        "--depth-limit=7\r\n",
        "--auth-issuer",
        "issuer\t",
    ];
    for (source, variables, flags) in [
        (
            "variables",
            vec![
                ("DATABASE_URL", "sqlite:a.db\n"),
                ("CATALOGUE_AUTH_ISSUER", "issuer\r\n"),
                ("CATALOGUE_DEPTH_LIMIT", " 7 "),
            ],
            vec![],
        ),
        ("flags", vec![], flags.to_vec()),
        (
            "a file",
            vec![("CATALOGUE_CONFIG", "catalogue.toml\n")],
            vec![],
        ),
    ] {
        let program = program().with_file("catalogue.toml", file);
        let keys = ["--auth-audience=a", "--auth-keys-file=keys.json\n"];
        let run = |command: &[&str]| {
            let arguments = [&keys, &flags[..], command].concat();
            program.run_with(&variables, &arguments)
        };
        let output = run(&["migrate", "up"]);
        assert_eq!(output.code, Some(0), "{source}: {output:?}");
        let names = std::fs::read_dir(program.folder()).unwrap();
        let names = names.map(|entry| entry.unwrap().file_name().into_string().unwrap());
        let databases: Vec<_> = names.filter(|name| name.contains(".db")).collect();
        assert_eq!(databases, ["a.db"], "{source}");
        let output = run(&["config", "check"]);
        let missing = "error: cannot load the token verification keys: cannot read keys.json: ";
        assert!(output.stderr.starts_with(missing), "{source}: {output:?}");
        for expected in ["auth-issuer = \"issuer\"", "depth-limit = 7"] {
            let name = expected.split(' ').next().unwrap();
            let shown = line(&output.stdout, name);
            assert!(
                shown.starts_with(&format!("{expected} #")),
                "{source}: {shown}"
            );
        }
    }
    for flag in ["--auth-issuer= \n", "--database-url=\n", "--depth-limit= "] {
        let output = program().run(&["config", "check", flag]);
        assert_eq!(output.code, Some(2), "{flag:?}: {output:?}");
    }
}
