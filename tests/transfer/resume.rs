//! Imports that are interrupted, and go on.

use std::process::{Child, Command};

use crate::{
    cases,
    fixture::{Fixture, HEADER, ended, rows, without_ids},
};

cases![
    an_import_of_ids_that_was_killed_is_simply_repeated,
    what_was_killed_under_all_or_nothing_has_stored_nothing,
    ctrl_c_says_how_to_go_on,
];

/// More than fits into a pipe and two buffers, so that a part of it has been stored when all of it
/// has been handed over.
const PART: u64 = 20_000;
const ALL: u64 = 24_000;

fn an_import_of_ids_that_was_killed_is_simply_repeated(fixture: &Fixture) {
    let part = format!("{HEADER}{}", rows(1..=PART));
    let (mut process, stdin) = fixture.import_from_stdin(&["--batch-rows", "100"], &part);
    process.kill().unwrap();
    process.wait().unwrap();
    drop(stdin);
    let stored = fixture.count();
    assert!(
        0 < stored && stored <= 20_000 && stored.is_multiple_of(100),
        "{stored} are stored"
    );

    let all = format!("{HEADER}{}", rows(1..=ALL));
    fixture.write("vehicles.csv", &all);
    let ended = fixture.succeed(&["import", "vehicles.csv"]);
    let said = format!("{} stored, {stored} were there already", 24_000 - stored);
    assert!(ended.stderr.contains(&said), "{}", ended.stderr);
    assert_eq!(fixture.exported(), all);
}

fn what_was_killed_under_all_or_nothing_has_stored_nothing(fixture: &Fixture) {
    let arguments = ["--all-or-nothing", "--batch-rows", "500"];
    let (mut process, stdin) = fixture.import_from_stdin(&arguments, &without_ids(1..=PART));
    process.kill().unwrap();
    process.wait().unwrap();
    drop(stdin);
    fixture.succeed(&["migrate", "up"]);
    assert_eq!(fixture.count(), 0);
}

fn ctrl_c_says_how_to_go_on(fixture: &Fixture) {
    let (process, stdin) =
        fixture.import_from_stdin(&["--batch-rows", "100"], &without_ids(1..=PART));
    interrupt(&process);
    let ended = ended(process.wait_with_output().unwrap());
    drop(stdin);
    assert_eq!(ended.code, Some(1), "{}", ended.stderr);
    let last = ended.stderr.lines().last().unwrap();
    let done = last
        .strip_prefix("error: stopped by a signal; go on with --skip-rows ")
        .expect(last);
    assert_eq!(fixture.count().to_string(), done, "it says what is true");

    fixture.write("vehicles.csv", without_ids(1..=ALL));
    fixture.succeed(&["import", "vehicles.csv", "--skip-rows", done]);
    let exported = fixture.exported();
    // Ids that the database had made for rows that were not stored are not made again.
    let vehicles = |text: &str| -> Vec<String> {
        let rows = text.lines().skip(1);
        rows.map(|row| row.split_once(',').unwrap().1.to_owned())
            .collect()
    };
    assert_eq!(
        vehicles(&exported),
        vehicles(&format!("{HEADER}{}", rows(1..=ALL)))
    );
}

fn interrupt(process: &Child) {
    let id = process.id().to_string();
    assert!(
        Command::new("kill")
            .args(["-INT", &id])
            .status()
            .unwrap()
            .success()
    );
}
