//! The password of the database is never printed, logged or served.

use std::fs;

use testkit::{Program, http::get};

use super::service::{Service, post};
use crate::support::program;

testkit::tests![
    no_command_prints_the_password,
    an_invalid_url_is_not_printed,
    no_response_contains_a_part_of_the_url,
];

/// The password that no output may contain.
const CANARY: &str = "canary-9d2e";

/// No process listens on this port.
const URL: &str = "postgres://user:canary-9d2e@127.0.0.1:9/vehicles";

/// The output of a command, with the URL in the environment variable or in a settings file.
fn output(program: &Program, arguments: &[&str], in_file: bool) -> String {
    let flags = [
        "--database-connect-timeout-seconds=1",
        "--database-timeout-seconds=1",
        "--listen=127.0.0.1:0",
        "--log-level=trace",
    ];
    let arguments = [&flags, arguments].concat();
    let output = if in_file {
        let text = format!("database-url = \"{URL}\"\n");
        fs::write(program.path("settings.toml"), text).unwrap();
        program.run(&[&["--config", "settings.toml"], &arguments[..]].concat())
    } else {
        program.run_with(&[("DATABASE_URL", URL)], &arguments)
    };
    output.stdout + &output.stderr
}

fn no_command_prints_the_password() {
    let program = program().with_file("vehicles.csv", "type,modelCode\nSUV,XC60\n");
    for arguments in [
        ["--help"].as_slice(),
        &["-h"],
        &["import", "--help"],
        &["help", "migrate"],
        &["man"],
        &["completions", "bash"],
        &["config", "check"],
        &["config", "example"],
        &["--pool-size=none", "config", "check"],
        &["--no-such-flag"],
        &["serve"],
        &["migrate", "status"],
        &["migrate", "up"],
        &["schema", "check"],
        &["export", "out.csv"],
        &["import", "vehicles.csv"],
        &["health"],
    ] {
        for in_file in [false, true] {
            let output = output(&program, arguments, in_file);
            assert!(
                !output.contains(CANARY),
                "{arguments:?} {in_file}: {output}"
            );
            assert!(!output.is_empty(), "{arguments:?} {in_file}");
        }
    }
}

fn an_invalid_url_is_not_printed() {
    let program = program();
    for url in [
        "postgres://user:canary-9d2e@host:99999/vehicles",
        "postgres://user:canary-9d2e@ho st/vehicles",
        "postgres://user:canary-9d2e@host/vehicles?sslmode=never",
        "postgres://user:canary-9d2e@host/vehicles?nonsense=1",
        "mysql://user:canary-9d2e@host",
        "user:canary-9d2e@host/vehicles",
    ] {
        let output = output(&program, &["--database-url", url, "config", "check"], false);
        assert!(output.contains("--database-url"), "{url}: {output}");
        assert!(!output.contains(":canary-9d2e"), "{url}: {output}");
    }
    for (line, text) in [
        ("no TOML", format!("database-url = {URL}\n")),
        ("no string", format!("database-url = [\"{URL}\"]\n")),
        ("no setting", format!("database-ur = \"{URL}\"\n")),
        ("twice", format!("database-url = \"{URL}\"\n").repeat(2)),
    ] {
        fs::write(program.path("wrong.toml"), text).unwrap();
        let output = output(
            &program,
            &["--config", "wrong.toml", "config", "check"],
            false,
        );
        assert!(output.contains("wrong.toml:"), "{line}: {output}");
        assert!(!output.contains(CANARY), "{line}: {output}");
    }
}

/// The name of the database and its error messages are not served either.
fn no_response_contains_a_part_of_the_url() {
    let service = Service::start(&["--database-url=sqlite:canary-9d2e.db", "--migrate=never"]);
    for path in [
        "/metrics",
        "/health/ready",
        "/health/live",
        "/limits",
        "/graphiql",
        "/none",
    ] {
        let (_, response) = get(service.addr, path);
        assert!(response.starts_with("HTTP/1.1 "), "{path}: {response}");
        assert!(!response.contains(CANARY), "{path}: {response}");
    }
    for query in ["{ vehicle(id: 1) { id } }", "{ vehicles { id } }"] {
        let body = format!(r#"{{"query":"{query}"}}"#);
        let response = service.exchange(&post(&body, "Connection: close\r\n"));
        assert!(response.contains("INTERNAL_SERVER_ERROR"), "{response}");
        for secret in [CANARY, "table", "sqlite", "SELECT"] {
            assert!(!response.contains(secret), "{secret}: {response}");
        }
    }
}
