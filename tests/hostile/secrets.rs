//! The password of the database: in nothing that is printed, logged, served or answered.

use std::{fs, process::Command};

use tempfile::TempDir;

use crate::service::{Service, post};

/// What must not be anywhere.
const CANARY: &str = "canary-9d2e";

/// Nobody listens at this port.
const URL: &str = "postgres://user:canary-9d2e@127.0.0.1:9/vehicles";

/// All that a command says, with the URL in the variable or in a file of settings.
fn said(folder: &TempDir, arguments: &[&str], in_file: bool) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_vehicle-catalogue"));
    command.env_clear().current_dir(folder.path());
    if in_file {
        let text = format!("database-url = \"{URL}\"\n");
        fs::write(folder.path().join("settings.toml"), text).unwrap();
        command.args(["--config", "settings.toml"]);
    } else {
        command.env("DATABASE_URL", URL);
    }
    let output = command
        .args([
            "--database-connect-timeout-seconds=1",
            "--database-timeout-seconds=1",
        ])
        .args(["--listen=127.0.0.1:0", "--log-level=trace"])
        .args(arguments)
        .output()
        .unwrap();
    let said = [output.stdout, output.stderr].concat();
    String::from_utf8(said).unwrap()
}

#[test]
fn no_command_repeats_the_password() {
    let folder = TempDir::new().unwrap();
    fs::write(
        folder.path().join("vehicles.csv"),
        "type,modelCode\nSUV,XC60\n",
    )
    .unwrap();
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
            let said = said(&folder, arguments, in_file);
            assert!(!said.contains(CANARY), "{arguments:?} {in_file}: {said}");
            assert!(!said.is_empty(), "{arguments:?} {in_file}");
        }
    }
}

#[test]
fn a_url_that_is_wrong_is_not_repeated() {
    let folder = TempDir::new().unwrap();
    for url in [
        "postgres://user:canary-9d2e@host:99999/vehicles",
        "postgres://user:canary-9d2e@ho st/vehicles",
        "postgres://user:canary-9d2e@host/vehicles?sslmode=never",
        "postgres://user:canary-9d2e@host/vehicles?nonsense=1",
        "mysql://user:canary-9d2e@host",
        "user:canary-9d2e@host/vehicles",
    ] {
        let said = said(&folder, &["--database-url", url, "config", "check"], false);
        assert!(said.contains("--database-url"), "{url}: {said}");
        assert!(!said.contains(":canary-9d2e"), "{url}: {said}");
    }
    for (line, text) in [
        ("no TOML", format!("database-url = {URL}\n")),
        ("no string", format!("database-url = [\"{URL}\"]\n")),
        ("no setting", format!("database-ur = \"{URL}\"\n")),
        ("twice", format!("database-url = \"{URL}\"\n").repeat(2)),
    ] {
        fs::write(folder.path().join("wrong.toml"), text).unwrap();
        let said = said(
            &folder,
            &["--config", "wrong.toml", "config", "check"],
            false,
        );
        assert!(said.contains("wrong.toml:"), "{line}: {said}");
        assert!(!said.contains(CANARY), "{line}: {said}");
    }
}

/// Neither is the name of the database anybody's business, nor what it says of missing tables.
#[test]
fn what_is_served_has_no_part_of_the_url() {
    let service = Service::start(&["--database-url=sqlite:canary-9d2e.db", "--migrate=never"]);
    let get = |path: &str| {
        let head = format!("GET {path} HTTP/1.1\r\nHost: catalogue\r\nConnection: close\r\n\r\n");
        service.exchange(head.as_bytes())
    };
    for path in [
        "/metrics",
        "/health/ready",
        "/health/live",
        "/limits",
        "/graphiql",
        "/none",
    ] {
        let answer = get(path);
        assert!(answer.starts_with("HTTP/1.1 "), "{path}: {answer}");
        assert!(!answer.contains(CANARY), "{path}: {answer}");
    }
    for query in ["{ vehicle(id: 1) { id } }", "{ vehicles { id } }"] {
        let body = format!(r#"{{"query":"{query}"}}"#);
        let answer = service.exchange(&post(&body, "Connection: close\r\n"));
        assert!(answer.contains("INTERNAL_SERVER_ERROR"), "{answer}");
        for word in [CANARY, "table", "sqlite", "SELECT"] {
            assert!(!answer.contains(word), "{word}: {answer}");
        }
    }
}
