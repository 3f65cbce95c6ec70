//! Large files: memory usage, and the outcome of every row.

use std::{fmt::Write as _, fs};

use testkit::CommandOutput;

use super::fixture::Fixture;

testkit::tests![
    memory_does_not_grow_with_the_file on Sqlite,
    every_row_of_a_large_file_is_stored_or_reported on Sqlite Postgres,
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

/// The larger files would take more memory than the growth that is permitted.
fn memory_does_not_grow_with_the_file(fixture: &Fixture) {
    // Without a database, which would add its own memory.
    for (few, many, arguments) in [(20_000, 200_000, ["--dry-run"].as_slice()), (20_000, 100_000, &[])] {
        let few = peak_kib(fixture, few, arguments);
        let many = peak_kib(fixture, many, arguments);
        assert!(many < few + 8 * 1024, "{few} KiB for few rows, {many} KiB for many");
    }
}

fn every_row_of_a_large_file_is_stored_or_reported(fixture: &Fixture) {
    const THOUSANDS: usize = 20;
    fixture.write("vehicles.csv", file(THOUSANDS as u64 * 1000));
    let output =
        CommandOutput::from(fixture.command(&["import", "vehicles.csv", "--on-error", "skip"]).output().unwrap());
    assert_eq!(output.code, Some(1));
    let reported = output.stderr.lines().filter(|line| line.starts_with("vehicles.csv:"));
    let lines: Vec<usize> = reported.map(|line| line.split(':').nth(1).unwrap().parse().unwrap()).collect();
    let expected: Vec<_> = (1..=THOUSANDS).map(|thousand| thousand * 1000 + 1).collect();
    assert_eq!(lines, expected);
    let stored = THOUSANDS * 999;
    let expected = format!("{stored} stored, 0 unchanged, {THOUSANDS} rejected");
    assert!(output.stderr.contains(&expected), "{}", output.stderr.lines().last().unwrap());
    assert_eq!(fixture.count(), stored);
}
