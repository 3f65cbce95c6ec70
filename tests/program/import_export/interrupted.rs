//! Imports that are interrupted.

use std::{
    net::TcpListener,
    os::unix::process::ExitStatusExt as _,
    process::{Child, Command},
};

use testkit::{CommandOutput, wait_until};

use super::fixture::{Fixture, rows, table, without_ids};

testkit::tests![
    sigint_ends_an_import_after_a_batch on Sqlite,
    a_killed_import_with_ids_can_be_repeated on Sqlite Postgres Mariadb,
    sigterm_ends_an_import_that_waits_for_its_database on Sqlite,
];

/// More rows than a pipe and two buffers hold, so that some are stored when all are written.
const PART: u64 = 20_000;
const ALL: u64 = 24_000;
/// The rows that are stored at once.
const BATCH: usize = 2000;

fn a_killed_import_with_ids_can_be_repeated(fixture: &Fixture) {
    let part = table(&rows(1..=PART));
    let (mut process, stdin) = fixture.import_from_stdin(&[], &part);
    process.kill().unwrap();
    process.wait().unwrap();
    drop(stdin);
    let stored = fixture.count();
    assert!(0 < stored && stored <= 20_000 && stored.is_multiple_of(BATCH), "{stored} are stored");

    let all = table(&rows(1..=ALL));
    fixture.write("vehicles.csv", &all);
    let output = fixture.succeed(&["import", "vehicles.csv"]);
    let is_of = |unchanged| output.stderr.contains(&format!("{} stored, {unchanged} unchanged", 24_000 - unchanged));
    // A server can store the batch that it was sent after the rows are counted.
    assert!(is_of(stored) || is_of(stored + BATCH), "{stored} were stored: {}", output.stderr);
    assert_eq!(fixture.exported(), all);
}

fn sigint_ends_an_import_after_a_batch(fixture: &Fixture) {
    let rows = without_ids(1..=PART);
    let (process, stdin) = fixture.import_from_stdin(&[], &rows);
    send("-INT", &process);
    let output = CommandOutput::from(process.wait_with_output().unwrap());
    drop(stdin);
    assert_eq!(output.code, Some(1), "{}", output.stderr);
    let expected = format!("error: stopped by a signal; the import ended after {} rows\n", fixture.count());
    assert!(output.stderr.ends_with(&expected), "{}", output.stderr);
}

fn sigterm_ends_an_import_that_waits_for_its_database(fixture: &Fixture) {
    fixture.write("vehicles.csv", without_ids(1..=1));
    let server = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("--database-url=postgres://a:b@{}/c", server.local_addr().unwrap());
    let mut process = fixture.command(&["import", "vehicles.csv", &url]).spawn().unwrap();
    // The connection is accepted and never answered.
    let _connection = server.accept().unwrap();
    terminate(&mut process);
}

/// Ends a process by SIGTERM, with the default action of the signal.
pub(super) fn terminate(process: &mut Child) {
    send("-TERM", process);
    let mut status = None;
    wait_until("the process has ended", || {
        status = process.try_wait().unwrap();
        status.is_some()
    });
    assert_eq!(status.unwrap().signal(), Some(15));
}

fn send(signal: &str, process: &Child) {
    let id = process.id().to_string();
    let sent = Command::new("kill").args([signal, &id]).status();
    assert!(sent.unwrap().success());
}
