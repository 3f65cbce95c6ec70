//! The recorded use of the contract: `--usage-file`, `/usage`, and the `schema` commands that read it.

use std::{fs, net::SocketAddr, path::Path};

use serde_json::{Value, json};
use tempfile::TempDir;
use testkit::{
    Running,
    http::{exchange, get, post},
};

use super::commands::run;
use super::schema::{CONTRACT, with_files};
use crate::support::{program, serve_in};

testkit::tests![
    the_use_is_served_and_saved_and_continued_after_a_restart,
    a_caller_is_the_name_or_the_kind_of_the_client,
    requests_that_are_not_recorded_take_no_name,
    a_crash_and_a_changed_contract_are_recorded,
    an_end_in_the_future_becomes_a_gap,
    a_file_that_cannot_be_continued_prevents_the_start,
    a_second_instance_with_the_same_file_does_not_start,
    use_is_neither_recorded_nor_served_without_the_setting,
    recorded_use_makes_a_breaking_change_of_an_unused_field_dangerous,
    the_callers_of_what_is_deprecated_are_listed,
];

const LOOKUP: &str = r#"{"query":"{ vehicle(id: \"1\") { id type } }"}"#;

/// A service that records its use in this file, and its admin address.
pub(super) fn recording(file: &Path) -> (Running, SocketAddr) {
    let file = format!("--usage-file={}", file.display());
    with_admin(&[&file])
}

fn with_admin(flags: &[&str]) -> (Running, SocketAddr) {
    let running = serve_in(
        program(),
        &[&["--admin-listen=127.0.0.1:0"], flags].concat(),
    );
    let line = running.printed_lines(3).remove(2);
    let admin = line.split('/').find_map(|part| part.parse().ok());
    (running, admin.expect("the line has an address"))
}

/// Sends a request with additional header lines.
pub(super) fn send(running: &Running, body: &str, lines: &str) {
    let response = exchange(
        running.addr,
        &post(body, &format!("Connection: close\r\n{lines}")),
    );
    assert!(response.starts_with("HTTP/1.1 200"), "{response}");
}

fn served(admin: SocketAddr) -> Value {
    let (status, response) = get(admin, "/usage");
    assert_eq!(status, 200, "{response}");
    assert!(
        response.contains("content-type: application/json"),
        "{response}"
    );
    let (_, body) = response.split_once("\r\n\r\n").unwrap();
    serde_json::from_str(body).unwrap()
}

pub(super) fn saved(file: &Path) -> Value {
    serde_json::from_str(&fs::read_to_string(file).unwrap()).unwrap()
}

fn count(usage: &Value, coordinate: &str, fact: &str, caller: &str) -> Option<u64> {
    usage["coordinates"][coordinate][fact][caller]["count"].as_u64()
}

fn the_use_is_served_and_saved_and_continued_after_a_restart() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("usage.json");
    let (running, admin) = recording(&file);
    assert_eq!(saved(&file)["coordinates"]["Vehicle.type"], json!({}));
    send(&running, LOOKUP, "");
    send(&running, LOOKUP, "");
    let list = r#"{"query":"query ($n: Int) { vehicles(count: $n) { id } }","variables":{}}"#;
    send(&running, list, "");
    let usage = served(admin);
    let anonymous = |coordinate, fact| count(&usage, coordinate, fact, "(anonymous)");
    assert_eq!(anonymous("Query.vehicle", "used"), Some(2));
    assert_eq!(anonymous("Query.vehicle(id:)", "used"), Some(2));
    assert_eq!(anonymous("Vehicle.id", "used"), Some(3));
    assert_eq!(anonymous("Query.vehicles(count:)", "omitted"), Some(1));
    assert_eq!(anonymous("Query.vehicles(count:)", "null"), Some(1));
    assert_eq!(usage["coordinates"]["Vehicle.modelCode"], json!({}));
    assert_eq!(usage["stopped"], false);
    send(&running, LOOKUP, "");
    running.stop();
    let first = saved(&file);
    assert_eq!(count(&first, "Vehicle.id", "used", "(anonymous)"), Some(4));
    assert_eq!(first["stopped"], true);
    assert_eq!(
        fs::read_dir(folder.path()).unwrap().count(),
        2,
        "with the lock"
    );

    let (running, admin) = recording(&file);
    send(&running, LOOKUP, "");
    let second = served(admin);
    assert_eq!(count(&second, "Vehicle.id", "used", "(anonymous)"), Some(5));
    for member in ["contract", "instance", "since"] {
        assert_eq!(second[member], first[member], "{member}");
    }
    assert_eq!(
        (&second["gaps"], &second["stopped"]),
        (&json!([]), &json!(false))
    );
    let text = second.to_string();
    assert!(
        !text.contains("vehicle(id: \\") && !text.contains("query"),
        "{text}"
    );
    running.stop();
}

fn a_caller_is_the_name_or_the_kind_of_the_client() {
    let folder = TempDir::new().unwrap();
    let (running, admin) = recording(&folder.path().join("usage.json"));
    for (lines, requests) in [
        (
            "graphql-client-name: web\r\napollographql-client-name: old\r\n",
            1,
        ),
        ("apollographql-client-name: app\r\nCall-Source: IOS\r\n", 2),
        ("Call-Source: IOS\r\n", 3),
        ("Call-Source: unheard of\r\n", 4),
        ("graphql-client-name: (anonymous)\r\n", 5),
        (&format!("graphql-client-name: {}\r\n", "x".repeat(65)), 6),
    ] {
        for _ in 0..requests {
            send(&running, LOOKUP, lines);
        }
    }
    let usage = served(admin);
    let callers = &usage["coordinates"]["Query.vehicle"]["used"];
    let counts = callers.as_object().unwrap().iter();
    let counts: Vec<_> = counts
        .map(|(name, used)| (name.as_str(), used["count"].as_u64().unwrap()))
        .collect();
    let expected = [
        ("(others)", 11),
        ("IOS", 3),
        ("OTHER", 4),
        ("app", 2),
        ("web", 1),
    ];
    assert_eq!(counts, expected);
}

fn requests_that_are_not_recorded_take_no_name() {
    let folder = TempDir::new().unwrap();
    let (running, admin) = recording(&folder.path().join("usage.json"));
    for number in 0..35 {
        let lines = format!("Connection: close\r\ngraphql-client-name: refused {number}\r\n");
        for body in ["{", "{\"query\":\"{ wheels }\"}"] {
            exchange(running.addr, &post(body, &lines));
        }
        let (name, path) = (format!("refused by GET {number}"), "/graphql?query={");
        let request = format!(
            "GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\ngraphql-client-name: {name}\r\n\r\n"
        );
        exchange(running.addr, request.as_bytes());
    }
    send(&running, LOOKUP, "graphql-client-name: web\r\n");
    let callers = served(admin)["coordinates"]["Query.vehicle"]["used"].take();
    let names: Vec<_> = callers.as_object().unwrap().keys().collect();
    assert_eq!(names, ["web"]);
}

fn a_crash_and_a_changed_contract_are_recorded() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("usage.json");
    let (mut running, _) = recording(&file);
    running.signal("KILL");
    running.wait();
    // As if the contract had another field, and the crash was at another time.
    let mut usage = saved(&file);
    let used =
        json!({ "used": { "web": { "first": "2026-01-02", "last": "2026-01-02", "count": 1 } } });
    usage["coordinates"]["Vehicle.gone"] = used.clone();
    usage["coordinates"]["Vehicle.type"] = used.clone();
    usage["coordinates"]
        .as_object_mut()
        .unwrap()
        .remove("Vehicle.id");
    usage["contract"] = "0".repeat(64).into();
    (usage["since"], usage["until"]) =
        ("2026-01-01T00:00:00Z".into(), "2026-01-02T00:00:00Z".into());
    fs::write(&file, usage.to_string()).unwrap();

    let (_running, admin) = recording(&file);
    let usage = served(admin);
    assert_eq!(usage["gaps"][0]["from"], "2026-01-02T00:00:00Z");
    assert_eq!(usage["gaps"].as_array().unwrap().len(), 1);
    assert_ne!(usage["contract"], "0".repeat(64));
    assert_eq!(usage["coordinates"]["Vehicle.gone"], Value::Null);
    assert_eq!(usage["coordinates"]["Vehicle.id"], json!({}));
    assert_eq!(usage["coordinates"]["Vehicle.type"], used);
}

fn an_end_in_the_future_becomes_a_gap() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("usage.json");
    recording(&file).0.stop();
    let mut usage = saved(&file);
    (usage["since"], usage["until"]) =
        ("2026-01-01T00:00:00Z".into(), "9999-01-01T00:00:00Z".into());
    fs::write(&file, usage.to_string()).unwrap();
    let (running, admin) = recording(&file);
    send(&running, LOOKUP, "");
    let usage = served(admin);
    let (gap, until) = (&usage["gaps"][0], usage["until"].as_str().unwrap());
    assert_eq!(gap["from"], "2026-01-01T00:00:00Z");
    assert!(gap["until"].as_str() <= Some(until), "{usage}");
    assert!(until.starts_with("20"), "{until}");
    running.stop();
    assert_eq!(saved(&file)["gaps"], usage["gaps"]);
}

fn a_file_that_cannot_be_continued_prevents_the_start() {
    let damaged = program().with_file("usage.json", "{\"version\": 1,\n\"contract\": 7}");
    let output = damaged.run(&["--listen=127.0.0.1:0", "--usage-file=usage.json"]);
    assert_eq!(output.code, Some(1), "{output:?}");
    for part in [
        "cannot continue the recorded use; correct --usage-file, or move the file to begin a new recording",
        "usage.json is not recorded use",
        "at line 2 column",
    ] {
        assert!(output.stderr.contains(part), "{part}: {}", output.stderr);
    }
    let check = damaged.run(&["--usage-file=usage.json", "config", "check"]);
    assert_eq!(check.code, Some(2), "{check:?}");
    let missing = program().run(&["--listen=127.0.0.1:0", "--usage-file=no/usage.json"]);
    assert_eq!(missing.code, Some(1), "{missing:?}");
    assert!(
        missing
            .stderr
            .contains("cannot write no/usage.json; correct --usage-file"),
        "{}",
        missing.stderr
    );
}

fn a_second_instance_with_the_same_file_does_not_start() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("usage.json");
    let (running, _) = recording(&file);
    let flag = format!("--usage-file={}", file.display());
    let second = program().run(&["--listen=127.0.0.1:0", &flag]);
    let message = format!(
        "another instance uses {}; each instance needs its own --usage-file",
        file.display()
    );
    assert_eq!(second.code, Some(1), "{second:?}");
    assert!(second.stderr.contains(&message), "{}", second.stderr);
    send(&running, LOOKUP, "");
    running.stop();
    assert_eq!(
        count(&saved(&file), "Query.vehicle", "used", "(anonymous)"),
        Some(1)
    );
    recording(&file).0.stop();
}

fn use_is_neither_recorded_nor_served_without_the_setting() {
    let (running, admin) = with_admin(&[]);
    let (status, response) = get(admin, "/usage");
    assert_eq!(status, 404);
    assert!(
        response.contains("not recorded; set usage-file"),
        "{response}"
    );
    drop(running);
    // Clients do not see the names of others.
    let folder = TempDir::new().unwrap();
    let (running, _) = recording(&folder.path().join("usage.json"));
    assert_eq!(get(running.addr, "/usage").0, 404);
}

/// What a service recorded of one lookup, as if it had recorded for 100 days.
fn recorded() -> String {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("usage.json");
    let (running, _) = recording(&file);
    send(&running, LOOKUP, "graphql-client-name: web\r\n");
    running.stop();
    let mut usage = saved(&file);
    usage["since"] = "2020-01-01T00:00:00Z".into();
    usage.to_string()
}

fn recorded_use_makes_a_breaking_change_of_an_unused_field_dangerous() {
    let renamed = |from, to| CONTRACT.replacen(from, to, 1);
    let catalogue = with_files(&[
        ("old.graphql", CONTRACT),
        (
            "brand.graphql",
            &renamed("  brandName: String", "  brand: String"),
        ),
        ("type.graphql", &renamed("  type: String", "  kind: String")),
        ("usage.json", &recorded()),
        ("damaged.json", "{}"),
    ]);
    let diff = |new, usage| run(&catalogue, &["diff", "old.graphql", new, "--usage", usage]);
    let (report, errors, code) = diff("brand.graphql", "usage.json");
    assert_eq!((errors.as_str(), code), ("", 0), "{report}");
    assert!(
        report.starts_with("dangerous: field 'Vehicle.brandName' was removed"),
        "{report}"
    );
    assert!(
        report.contains("no use seen in 90 days by 1 instance, from "),
        "{report}"
    );

    let (report, _, code) = diff("type.graphql", "usage.json");
    assert_eq!(code, 1, "{report}");
    assert!(
        report.contains("\n  used by web (1 request on "),
        "{report}"
    );

    let (_, errors, code) = diff("brand.graphql", "damaged.json");
    assert_eq!(code, 2);
    assert!(
        errors.contains("damaged.json is not recorded use: missing field"),
        "{errors}"
    );

    let days_only = ["diff", "old.graphql", "brand.graphql", "--usage-days=30"];
    let (_, errors, code) = run(&catalogue, &days_only);
    assert_eq!(code, 2);
    assert!(errors.contains("--usage <FILE>"), "{errors}");
}

fn the_callers_of_what_is_deprecated_are_listed() {
    let deprecated = CONTRACT.replacen("  type: String", "  type: String @deprecated", 1);
    let catalogue = with_files(&[("schema.graphql", &deprecated), ("usage.json", &recorded())]);
    let (report, errors, code) = run(&catalogue, &["usage", "usage.json"]);
    assert_eq!((errors.as_str(), code), ("", 0));
    assert!(
        report.starts_with("deprecated: field 'Vehicle.type'\n  at schema.graphql:"),
        "{report}"
    );
    assert!(report.contains("\n  web (1 request on "), "{report}");
    assert!(
        report.contains("\nthe deprecated element is used; recorded by 1 instance from 2020-01-01"),
        "{report}"
    );
}
