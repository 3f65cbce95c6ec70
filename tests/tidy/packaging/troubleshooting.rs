//! The messages, flags and commands in `docs/troubleshooting.md` exist. Its metrics are tested in
//! `tests/it/metrics.rs`.

use std::{collections::BTreeSet, fs, path::Path};

use clap::{CommandFactory, Parser};
use vehicle_catalogue::cli::CommandLine;

/// Messages of libraries, and texts that the program does not contain.
const FOREIGN: &[&str] = &[
    "UnknownIssuer",
    "UnknownCA",
    "not valid for name …",
    "server does not support TLS",
    "up",
    "database or disk is full",
    "disk I/O error",
    "attempt to write a readonly database",
    "\"code\":\"LIMIT_EXCEEDED\"",
];

/// How the header of a table begins.
const HEADERS: [&str; 2] = ["| symptom |", "| `state` of "];

/// The rows of the tables: symptom, message, what to do.
fn rows() -> Vec<[String; 3]> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/troubleshooting.md");
    let text = fs::read_to_string(path).unwrap();
    let rows = text.lines().filter(|line| line.starts_with("| "));
    let rows = rows.filter(|row| !HEADERS.iter().any(|header| row.starts_with(header)));
    let rows = rows.map(|row| {
        let cells: Vec<_> = row.trim_matches('|').split(" | ").collect();
        let cells: [&str; 3] = cells.try_into().unwrap_or_else(|_| panic!("{row}"));
        cells.map(|cell| cell.trim().to_owned())
    });
    rows.collect()
}

/// The texts in backticks.
fn quoted(cell: &str) -> Vec<&str> {
    cell.split('`').skip(1).step_by(2).collect()
}

/// The sources, with continued string literals joined.
fn sources(folder: &Path, all: &mut String) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, all);
        } else {
            let text = fs::read_to_string(&path).unwrap();
            for line in text.lines() {
                all.push_str(line.trim_start().trim_end_matches('\\'));
                if !line.ends_with('\\') {
                    all.push('\n');
                }
            }
        }
    }
}

#[test]
fn every_message_exists_in_the_program() {
    let mut program = String::new();
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    sources(&root.join("src"), &mut program);
    for package in fs::read_dir(root.join("crates")).unwrap() {
        sources(&package.unwrap().path().join("src"), &mut program);
    }
    let mut checked = BTreeSet::new();
    let mut missing = Vec::new();
    for [_, messages, _] in rows() {
        for text in quoted(&messages) {
            // Metrics are registered without their suffix.
            let metric = text.starts_with("catalogue_") || text.starts_with("process_");
            if metric || text.starts_with("--") || FOREIGN.contains(&text) {
                continue;
            }
            for part in text
                .split('…')
                .map(str::trim)
                .filter(|part| !part.is_empty())
            {
                let part = part.trim_matches(':');
                checked.insert(part.to_owned());
                if !program.contains(part) {
                    missing.push(part.to_owned());
                }
            }
        }
    }
    assert!(
        missing.is_empty(),
        "nothing in src/ or crates/ says {missing:#?}"
    );
    assert!(checked.len() > 25, "{checked:?}");
}

#[test]
fn every_flag_and_command_exists() {
    let definition = CommandLine::command();
    let mut checked = 0;
    for text in rows().iter().flatten().flat_map(|cell| quoted(cell)) {
        if text.starts_with("--") {
            let words: Vec<_> = text.split(' ').collect();
            let mut flags = definition.get_arguments().filter_map(clap::Arg::get_long);
            assert!(flags.any(|flag| flag == &words[0][2..]), "{text}");
            if words.len() > 1 {
                let line = ["vehicle-catalogue"].into_iter().chain(words);
                assert!(CommandLine::try_parse_from(line).is_ok(), "{text}");
            }
            checked += 1;
        } else if text.starts_with("vehicle-catalogue ") {
            assert!(
                CommandLine::try_parse_from(text.split(' ')).is_ok(),
                "{text}"
            );
            checked += 1;
        }
    }
    assert!(checked > 10, "{checked}");
}
