//! The sources of settings and their precedence.

use crate::support::program;

testkit::tests![flags_override_variables_which_override_defaults, white_space_around_a_value_is_no_part_of_it,];

/// The line of `config` for a setting, without alignment.
fn line(listing: &str, name: &str) -> String {
    let mut lines = listing.lines();
    let found = lines.find(|line| line.split(" = ").next() == Some(name));
    let line = found.unwrap_or_else(|| panic!("{name} is missing in\n{listing}"));
    line.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn flags_override_variables_which_override_defaults() {
    let variables = [
        ("CATALOGUE_LIST_LIMIT", "222"),
        ("CATALOGUE_BULK_LIMIT", "333"),
        ("DATABASE_URL", "postgres://user:secret@h/d?application_name=a"),
    ];
    for arguments in [["--bulk-limit", "444", "config"], ["config", "--bulk-limit", "444"]] {
        let output = program().run_with(&variables, &arguments);
        assert_eq!((output.code, output.stderr.as_str()), (Some(0), ""));
        for (name, expected) in [
            ("pool-size", "pool-size = 8 # default"),
            ("cost-limit", "cost-limit = auto # default"),
            ("list-limit", "list-limit = 222 # variable CATALOGUE_LIST_LIMIT"),
            ("bulk-limit", "bulk-limit = 444 # flag --bulk-limit"),
            ("database-url", "database-url = postgres://********@h/d # variable DATABASE_URL"),
        ] {
            assert_eq!(line(&output.stdout, name), expected);
        }
    }
}

/// Files of secrets end with a line end, which many tools copy into the variable.
fn white_space_around_a_value_is_no_part_of_it() {
    let flags = ["--database-url= sqlite:a.db\n", "--list-limit=7\r\n", "--auth-issuer", "issuer\t"];
    for (source, variables, flags) in [
        (
            "variables",
            vec![
                ("DATABASE_URL", "sqlite:a.db\n"),
                ("CATALOGUE_AUTH_ISSUER", "issuer\r\n"),
                ("CATALOGUE_LIST_LIMIT", " 7 "),
            ],
            vec![],
        ),
        ("flags", vec![], flags.to_vec()),
    ] {
        let program = program();
        let keys = ["--auth-audience=a", "--auth-keys-file=keys.json\n"];
        let run = |command: &[&str]| {
            let arguments = [&keys, &flags[..], command].concat();
            program.run_with(&variables, &arguments)
        };
        let output = run(&["migrate", "up"]);
        assert_eq!(output.code, Some(0), "{source}: {output:?}");
        let names = std::fs::read_dir(program.folder()).unwrap();
        let names = names.map(|entry| entry.unwrap().file_name().into_string().unwrap());
        let databases: Vec<_> = names.filter(|name| name.split('.').next_back() == Some("db")).collect();
        assert_eq!(databases, ["a.db"], "{source}");
        let output = run(&["config"]);
        let missing = "error: cannot load the token verification keys: cannot read keys.json: ";
        assert!(output.stderr.starts_with(missing), "{source}: {output:?}");
        for expected in ["auth-issuer = issuer", "list-limit = 7"] {
            let name = expected.split(' ').next().unwrap();
            let shown = line(&output.stdout, name);
            assert!(shown.starts_with(&format!("{expected} #")), "{source}: {shown}");
        }
    }
    for flag in ["--auth-issuer= \n", "--database-url=\n", "--list-limit= "] {
        let output = program().run(&["config", flag]);
        assert_eq!(output.code, Some(2), "{flag:?}: {output:?}");
    }
}
