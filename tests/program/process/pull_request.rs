//! The worked pull request of `docs/pull-request.md`. `UPDATE_EXPECT=1` rewrites the output of its commands.

use std::fmt::Write as _;
use std::fs;

use serde_json::{Value, json};
use tempfile::TempDir;
use testkit::{Program, variable};

use super::commands::run;
use super::schema::CONTRACT;
use super::sources::repository;
use super::usage::{recording, saved, send};

testkit::tests![the_documented_review_is_that_of_the_program];

const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/pull-request.md");

/// The day of the recorded use on the page.
const DOCUMENTED_DAY: &str = "2026-11-22";

/// The clients on the page, each with a file of operations.
const CLIENTS: [&str; 2] = ["web", "stock-report"];

fn the_documented_review_is_that_of_the_program() {
    let catalogue = repository();
    fs::create_dir(catalogue.path("clients")).unwrap();
    let page = fs::read_to_string(PAGE).unwrap();
    let mut updated = String::new();
    let mut day = None;
    let mut commands = 0;
    for (index, part) in page.split("```").enumerate() {
        let mut part = part.to_owned();
        if index % 2 == 1 {
            let (language, text) = part.split_once('\n').unwrap();
            match language {
                "graphql" | "toml" => write_file(&catalogue, text),
                "diff" => fs::write(catalogue.path("schema.graphql"), changed(text)).unwrap(),
                "console" => {
                    let day = day.get_or_insert_with(|| record_use(&catalogue));
                    let documented = text.lines().filter_map(|line| line.strip_prefix("$ "));
                    let documented: Vec<_> = documented.collect();
                    commands += documented.len();
                    let output = outputs(&catalogue, &documented).replace(&*day, DOCUMENTED_DAY);
                    part = format!("console\n{output}");
                }
                other => panic!("unknown block {other}"),
            }
        }
        if index > 0 {
            updated.push_str("```");
        }
        updated.push_str(&part);
    }
    assert!(commands > 4, "{commands}");
    if variable("UPDATE_EXPECT").is_some() {
        fs::write(PAGE, updated).unwrap();
    } else {
        assert_eq!(updated, page, "UPDATE_EXPECT=1 rewrites the page");
    }
}

/// Writes a file whose first line is a comment with its name.
fn write_file(catalogue: &Program, text: &str) {
    let (name, _) = text.split_once('\n').unwrap();
    let name = name.strip_prefix("# ").unwrap();
    fs::write(catalogue.path(name), text).unwrap();
}

/// The contract with a change: hunks without line numbers.
fn changed(diff: &str) -> String {
    let side = |hunk: &str, other: char| -> String {
        let lines = hunk.lines().skip(1);
        let lines = lines.filter(|line| !line.starts_with(other));
        lines.fold(String::new(), |text, line| text + &line[1..] + "\n")
    };
    let hunks = diff.split("@@ ").skip(1);
    hunks.fold(CONTRACT.to_owned(), |contract, hunk| {
        let old = side(hunk, '+');
        assert_eq!(contract.matches(&old).count(), 1, "{hunk}");
        contract.replacen(&old, &side(hunk, '-'), 1)
    })
}

/// What two instances record of the operations of the clients, as if since August. Returns the day.
fn record_use(catalogue: &Program) -> String {
    let folder = TempDir::new().unwrap();
    let mut day = String::new();
    for name in ["one.json", "two.json"] {
        let file = folder.path().join(name);
        let (running, _) = recording(&file);
        for client in CLIENTS {
            let document = fs::read_to_string(catalogue.path(&format!("clients/{client}.graphql")));
            let document = document.unwrap();
            let operations = document.lines().filter_map(|line| {
                let (_, rest) = line.split_once("query ").or(line.split_once("mutation "))?;
                rest.split([' ', '(']).next()
            });
            for operation in operations {
                let variables = json!({ "type": "SUV", "modelCode": "XC60" });
                let body = json!({
                    "query": document, "operationName": operation, "variables": variables
                });
                let caller = format!("graphql-client-name: {client}\r\n");
                send(&running, &body.to_string(), &caller);
            }
        }
        running.stop();
        let mut usage: Value = saved(&file);
        usage["since"] = "2026-08-01T09:30:00Z".into();
        usage["until"].as_str().unwrap()[..10].clone_into(&mut day);
        fs::write(catalogue.path(name), usage.to_string()).unwrap();
    }
    day
}

/// Commands with their output, as in a terminal.
fn outputs(catalogue: &Program, commands: &[&str]) -> String {
    let mut text = String::new();
    for (index, command) in commands.iter().enumerate() {
        let arguments = command.strip_prefix("schema-review ").unwrap();
        let arguments: Vec<_> = arguments.split(' ').collect();
        let (stdout, stderr, _) = run(catalogue, &arguments);
        let gap = if index > 0 { "\n" } else { "" };
        write!(text, "{gap}$ {command}\n{stdout}{stderr}").unwrap();
    }
    text
}
