//! What an import stores, rejects and reports.

use std::process::Command;

use super::fixture::{Fixture, rows, table, without_ids};

testkit::tests![
    the_vehicles_of_a_file_are_stored_in_its_order,
    stops_at_an_invalid_row_and_stores_the_rows_before_it on Sqlite,
    a_dry_run_lists_every_invalid_row_and_stores_nothing on Sqlite,
    rejects_outdated_tables on Sqlite,
    rejects_an_invalid_command_line on Sqlite,
    an_unreadable_file_is_one_error_message on Sqlite,
    the_sample_of_the_repository_is_imported on Sqlite,
    the_columns_have_the_requested_delimiter on Sqlite,
    the_progress_bar_ends_at_100_percent on Sqlite,
    skips_invalid_rows_on_request on Sqlite,
    names_and_texts_of_files_are_quoted_in_one_line on Sqlite,
];

/// Three valid rows, on the lines 2, 4 and 6, and two invalid ones.
const MIXED: &str = "type,modelCode,launchDate\nSUV,a,2017-03-07\nSUV,b,2017-02-29\nSUV,c,\n,,soon\nSUV,d,\n";

fn the_vehicles_of_a_file_are_stored_in_its_order(fixture: &Fixture) {
    fixture.write("vehicles.csv", without_ids(1..=4321));
    let output = fixture.succeed(&["import", "vehicles.csv"]);
    assert!(output.stderr.contains("4321 stored, 0 unchanged, 0 rejected, in "), "{}", output.stderr);
    assert_eq!(output.stdout, "");
    assert_eq!(fixture.exported(), table(&rows(1..=4321)));
}

fn stops_at_an_invalid_row_and_stores_the_rows_before_it(fixture: &Fixture) {
    fixture.write("vehicles.csv", MIXED);
    let output = fixture.run(&["import", "vehicles.csv"]);
    assert_eq!(output.code, Some(1));
    let lines: Vec<_> = output.stderr.lines().collect();
    assert_eq!(lines[0], "vehicles.csv:3: launchDate must be a calendar date");
    assert!(lines[1].starts_with("rows: 1 stored, "), "{lines:?}");
    assert_eq!(lines[2], "error: line 3 was rejected, see above; the import ended after 1 row");
    assert_eq!(fixture.exported(), table("1,SUV,a,,2017-03-07\n"));
}

fn skips_invalid_rows_on_request(fixture: &Fixture) {
    fixture.write("vehicles.csv", MIXED);
    let output = fixture.run(&["import", "vehicles.csv", "--on-error", "skip"]);
    assert_eq!(output.code, Some(1), "a script has to notice");
    for expected in [
        "vehicles.csv:3: launchDate must be",
        "vehicles.csv:5: type is required; modelCode is required; launchDate must have the form",
        "3 stored, 0 unchanged, 2 rejected",
        "error: 2 rows rejected, see above",
    ] {
        assert!(output.stderr.contains(expected), "{}", output.stderr);
    }
    assert_eq!(fixture.count(), 3);
}

fn a_dry_run_lists_every_invalid_row_and_stores_nothing(fixture: &Fixture) {
    fixture.write("vehicles.csv", MIXED);
    let output = fixture.run(&["import", "vehicles.csv", "--dry-run"]);
    assert_eq!(output.code, Some(1));
    for expected in ["vehicles.csv:3: ", "vehicles.csv:5: ", "rows: 3 valid, 2 rejected"] {
        assert!(output.stderr.contains(expected), "{}", output.stderr);
    }
    fixture.write("sound.ndjson", "{\"type\":\"SUV\",\"modelCode\":\"a\"}\n");
    fixture.succeed(&["import", "sound.ndjson", "--dry-run"]);
    fixture.succeed(&["migrate", "up"]);
    assert_eq!(fixture.exported(), table(""));
}

fn rejects_outdated_tables(fixture: &Fixture) {
    // A database without tables.
    fixture.succeed(&["migrate", "up"]);
    fixture.succeed(&["migrate", "down", "--yes"]);
    fixture.write("vehicles.csv", without_ids(1..=3));
    for arguments in [&["import", "vehicles.csv", "--migrate", "never"][..], &["export", "-", "--format", "csv"]] {
        let output = fixture.run(arguments);
        assert_eq!((output.code, output.stdout.as_str()), (Some(1), ""));
        let expected = "error: migrations are pending; run migrate up first";
        assert!(output.stderr.contains(expected), "{}", output.stderr);
    }
}

fn rejects_an_invalid_command_line(fixture: &Fixture) {
    for arguments in [
        &["import", "-"][..],
        &["import", "vehicles.txt"],
        &["import", "vehicles.txt", "--format", "xml"],
        &["import", "vehicles.csv", "--on-error", "ignore"],
        &["import", "vehicles.csv", "--delimiter", "ab"],
        &["export", "vehicles"],
    ] {
        let output = fixture.run(arguments);
        assert_eq!(output.code, Some(2), "{arguments:?}: {}", output.stderr);
        assert!(output.stderr.starts_with("error: "), "{}", output.stderr);
    }
}

fn an_unreadable_file_is_one_error_message(fixture: &Fixture) {
    fixture.write("wrong.csv", "type,model\nSUV,a\n");
    fixture.write("open.csv", format!("type,modelCode\nSUV,a\nSUV,\"{}", "x".repeat(2 << 20)));
    for (file, expected) in [
        ("missing.csv", "error: cannot read missing.csv; no row has been stored: No such file"),
        (
            "wrong.csv",
            "error: cannot read wrong.csv; no row has been stored: invalid columns: unknown \"model\", did you mean \"modelCode\"?; missing modelCode; ",
        ),
        (
            "open.csv",
            "error: cannot read open.csv; the import ended after 1 row: the row that begins on line 3 has more than 1048576 bytes",
        ),
    ] {
        let output = fixture.run(&["import", file]);
        assert_eq!(output.code, Some(1));
        let last = output.stderr.lines().last().unwrap();
        assert!(last.starts_with(expected), "{}", output.stderr);
    }
    assert_eq!(fixture.count(), 1, "what stands before is stored");
}

fn names_and_texts_of_files_are_quoted_in_one_line(fixture: &Fixture) {
    let long = "x".repeat(100_000);
    let name = "a\u{1b}[2J\nb.ndjson";
    fixture.write(name, format!("{{\"\\u001b\\n{long}\":1}}\n"));
    let output = fixture.run(&["import", name]);
    let expected = "a\\u{1b}[2J\\nb.ndjson:1: unknown \"\\u{1b}\\nxxx";
    assert!(output.stderr.starts_with(expected), "{}", output.stderr);
    assert_eq!(output.stderr.lines().count(), 3, "{}", output.stderr);
    assert!(output.stderr.len() < 3000, "{}", output.stderr);
}

fn the_sample_of_the_repository_is_imported(fixture: &Fixture) {
    let sample = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/vehicles.csv");
    let output = fixture.succeed(&["import", sample]);
    let expected = "rows: 50 stored, 0 unchanged, 0 rejected, in ";
    assert!(output.stderr.contains(expected), "{output:?}");
    assert_eq!(fixture.count(), 50);
}

fn the_columns_have_the_requested_delimiter(fixture: &Fixture) {
    fixture.write("semicolons.csv", "type;modelCode\nSUV;\"a;b,c\"\n");
    let output = fixture.run(&["import", "semicolons.csv"]);
    assert!(output.stderr.contains("separated by the --delimiter"), "{}", output.stderr);
    fixture.write("tabs.csv", "type\tmodelCode\nSUV\td\n");
    fixture.succeed(&["import", "semicolons.csv", "--delimiter", ";"]);
    fixture.succeed(&["import", "tabs.csv", "--delimiter", r"\t"]);
    let expected = table("1,SUV,\"a;b,c\",,\n2,SUV,d,,\n");
    assert_eq!(fixture.exported(), expected);
}

/// A bar is drawn on a terminal only, which `script` provides.
fn the_progress_bar_ends_at_100_percent(fixture: &Fixture) {
    fixture.write("vehicles.csv", without_ids(1..=3));
    fixture.write("mixed.csv", MIXED);
    let program = env!("CARGO_BIN_EXE_vehicle-catalogue");
    let run = |command: &str| {
        let output = Command::new("script")
            .env("DATABASE_URL", fixture.database_url())
            .current_dir(fixture.path("."))
            .args(["-q", "-e", "-c", &format!("{program} {command}"), "/dev/null"])
            .output()
            .unwrap();
        let terminal = String::from_utf8(output.stdout).unwrap();
        (terminal, output.status.success())
    };
    // The file has been read to its end when its first row is stored.
    let (stopped, _) = run("import mixed.csv");
    assert!(stopped.contains(" 0 %") && !stopped.contains("100 %"), "{stopped}");
    for command in ["import vehicles.csv", "export other.csv"] {
        let (terminal, is_success) = run(command);
        assert!(is_success, "{terminal}");
        let (bar, summary) = terminal.rsplit_once(" %").unwrap();
        assert!(bar.ends_with("100"), "{terminal:?}");
        assert!(summary.contains(" rows/s)"), "{terminal:?}");
    }
}
