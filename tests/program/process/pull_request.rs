//! The worked pull request of `docs/pull-request.md`. `UPDATE_EXPECT=1` rewrites the output of its commands.

use std::fmt::Write as _;
use std::fs;

use serde_json::json;
use testkit::{
    Program,
    http::{exchange, get, post},
    variable,
};

use super::commands::run;
use super::schema::CONTRACT;
use super::sources::repository;
use crate::support::{program, serve_in};

testkit::tests![the_documented_review_is_that_of_the_program];

const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/pull-request.md");

/// The clients on the page, each with a file of operations.
const CLIENTS: [&str; 2] = ["web", "stock-report"];

fn the_documented_review_is_that_of_the_program() {
    let catalogue = repository();
    fs::create_dir(catalogue.path("clients")).unwrap();
    let page = fs::read_to_string(PAGE).unwrap();
    let mut updated = String::new();
    let mut is_recorded = false;
    let mut commands = 0;
    for (index, part) in page.split("```").enumerate() {
        let mut part = part.to_owned();
        if index % 2 == 1 {
            let (language, text) = part.split_once('\n').unwrap();
            match language {
                "graphql" | "toml" => write_file(&catalogue, text),
                "diff" => fs::write(catalogue.path("schema.graphql"), changed(text)).unwrap(),
                "console" => {
                    if !std::mem::replace(&mut is_recorded, true) {
                        record_use(&catalogue);
                    }
                    let documented = text.lines().filter_map(|line| line.strip_prefix("$ "));
                    let documented: Vec<_> = documented.collect();
                    commands += documented.len();
                    let output = outputs(&catalogue, &documented);
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

/// The metrics of two instances after the operations of the clients.
fn record_use(catalogue: &Program) {
    for name in ["one.prom", "two.prom"] {
        let running = serve_in(program(), &[]);
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
                let headers = format!("Connection: close\r\ngraphql-client-name: {client}\r\n");
                let response = exchange(running.addr, &post(&body.to_string(), &headers));
                assert!(response.starts_with("HTTP/1.1 200"), "{response}");
            }
        }
        let (_, response) = get(running.addr, "/metrics");
        let (_, metrics) = response.split_once("\r\n\r\n").unwrap();
        fs::write(catalogue.path(name), metrics).unwrap();
    }
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
