//! Large files: memory usage, and the outcome of every row.

use std::{fmt::Write as _, fs};

use testkit::{Backend, CommandOutput};

use super::fixture::Fixture;

testkit::tests![
    memory_does_not_grow_with_the_file on Sqlite,
    every_row_of_a_large_file_is_stored_or_reported,
];

/// Rows of which every thousandth is invalid.
fn file(rows: u64) -> String {
    let mut file = "type,modelCode,brandName,launchDate\n".to_owned();
    for row in 1..=rows {
        let day = if row % 1000 == 0 { 31 } else { 28 };
        writeln!(file, "SUV,XC{row},\"Brand \"\"{row}\"\"\",2017-02-{day}").unwrap();
    }
    file
}

/// The peak memory of an import in KiB, after it has read this number of rows.
fn peak_kib(fixture: &Fixture, rows: u64, arguments: &[&str]) -> u64 {
    let arguments = [&["--on-error", "skip"], arguments].concat();
    let (mut process, stdin) = fixture.import_from_stdin(&arguments, &file(rows));
    let status = fs::read_to_string(format!("/proc/{}/status", process.id())).unwrap();
    let mut lines = status.lines();
    let peak = lines.find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    let peak = peak.trim().trim_end_matches(" kB").parse().unwrap();
    drop(stdin);
    process.wait().unwrap();
    peak
}

fn memory_does_not_grow_with_the_file(fixture: &Fixture) {
    // Without a database, which would add its own memory.
    let few = peak_kib(fixture, 20_000, &["--dry-run"]);
    let many = peak_kib(fixture, 400_000, &["--dry-run"]);
    assert!(
        many < few + 8 * 1024,
        "{few} KiB for few rows, {many} KiB for many"
    );
    let few = peak_kib(fixture, 20_000, &[]);
    let many = peak_kib(fixture, 100_000, &[]);
    assert!(
        many < few + 8 * 1024,
        "{few} KiB for few rows, {many} KiB for many"
    );
}

fn every_row_of_a_large_file_is_stored_or_reported(fixture: &Fixture) {
    let thousands: usize = match fixture.backend {
        Backend::Sqlite => 1000,
        // Slower, since they are separate processes.
        Backend::Postgres | Backend::Mariadb | Backend::Mysql => 50,
    };
    fixture.write("vehicles.csv", file(thousands as u64 * 1000));
    let output = CommandOutput::from(
        fixture
            .command(&["import", "vehicles.csv", "--on-error", "skip"])
            .output()
            .unwrap(),
    );
    assert_eq!(output.code, Some(1));
    let reported = output
        .stderr
        .lines()
        .filter(|line| line.starts_with("vehicles.csv:"));
    let lines: Vec<usize> = reported
        .map(|line| line.split(':').nth(1).unwrap().parse().unwrap())
        .collect();
    let expected: Vec<_> = (1..=thousands)
        .map(|thousand| thousand * 1000 + 1)
        .collect();
    assert_eq!(lines, expected);
    let stored = thousands * 999;
    let expected = format!("{stored} stored, 0 unchanged, {thousands} rejected");
    assert!(
        output.stderr.contains(&expected),
        "{}",
        output.stderr.lines().last().unwrap()
    );
    assert_eq!(fixture.count(), stored);
}
