//! What an import stores, refuses and says.

use crate::{
    cases,
    fixture::{Fixture, HEADER, rows, without_ids},
};

cases![
    the_vehicles_of_a_file_are_stored_in_its_order,
    a_bad_row_stops_after_what_stands_before_it,
    bad_rows_can_be_skipped,
    a_rehearsal_lists_every_bad_row_and_stores_nothing,
    all_or_nothing_stores_nothing_if_a_row_is_bad,
    tables_that_are_not_up_to_date_are_refused,
    a_command_line_that_is_not_clear_is_refused on Sqlite,
    a_file_that_cannot_be_read_is_one_sentence on Sqlite,
];

/// Three sound rows, on the lines 2, 4 and 6, and two that are not.
const MIXED: &str =
    "type,modelCode,launchDate\nSUV,a,2017-03-07\nSUV,b,2017-02-29\nSUV,c,\n,,soon\nSUV,d,\n";

fn the_vehicles_of_a_file_are_stored_in_its_order(fixture: &Fixture) {
    fixture.write("vehicles.csv", without_ids(1..=1234));
    let ended = fixture.succeed(&["import", "vehicles.csv", "--batch-rows", "500"]);
    assert!(
        ended
            .stderr
            .contains("1234 stored, 0 were there already, 0 refused, in "),
        "{}",
        ended.stderr
    );
    assert_eq!(ended.stdout, "");
    assert_eq!(fixture.exported(), format!("{HEADER}{}", rows(1..=1234)));
}

fn a_bad_row_stops_after_what_stands_before_it(fixture: &Fixture) {
    fixture.write("vehicles.csv", MIXED);
    let ended = fixture.run(&["import", "vehicles.csv"]);
    assert_eq!(ended.code, Some(1));
    let lines: Vec<_> = ended.stderr.lines().collect();
    assert_eq!(
        lines[0],
        "vehicles.csv:3: launchDate must be a date that exists, there is no such day in the calendar"
    );
    assert!(lines[1].starts_with("rows: 1 stored, "), "{lines:?}");
    assert_eq!(
        lines[2],
        "error: line 3 cannot be stored, see above; go on with --skip-rows 1"
    );
    assert_eq!(fixture.count(), 1);

    fixture.write(
        "vehicles.csv",
        MIXED
            .replace("2017-02-29", "2017-03-01")
            .replace(",,soon\n", ""),
    );
    fixture.succeed(&["import", "vehicles.csv", "--skip-rows", "1"]);
    assert_eq!(
        fixture.exported(),
        format!("{HEADER}1,SUV,a,,2017-03-07\n2,SUV,b,,2017-03-01\n3,SUV,c,,\n4,SUV,d,,\n")
    );
}

fn bad_rows_can_be_skipped(fixture: &Fixture) {
    fixture.write("vehicles.csv", MIXED);
    let ended = fixture.run(&["import", "vehicles.csv", "--on-error", "skip"]);
    assert_eq!(ended.code, Some(1), "a script has to notice");
    for said in [
        "vehicles.csv:3: launchDate must be",
        "vehicles.csv:5: type must be given; modelCode must be given; launchDate must have the form",
        "3 stored, 0 were there already, 2 refused",
        "error: 2 of the rows cannot be stored, see above",
    ] {
        assert!(ended.stderr.contains(said), "{}", ended.stderr);
    }
    assert_eq!(fixture.count(), 3);
}

fn a_rehearsal_lists_every_bad_row_and_stores_nothing(fixture: &Fixture) {
    fixture.write("vehicles.csv", MIXED);
    let ended = fixture.run(&["import", "vehicles.csv", "--dry-run"]);
    assert_eq!(ended.code, Some(1));
    for said in [
        "vehicles.csv:3: ",
        "vehicles.csv:5: ",
        "rows: 3 can be stored, 2 cannot",
    ] {
        assert!(ended.stderr.contains(said), "{}", ended.stderr);
    }
    fixture.write("sound.ndjson", "{\"type\":\"SUV\",\"modelCode\":\"a\"}\n");
    fixture.succeed(&["import", "sound.ndjson", "--dry-run"]);
    fixture.succeed(&["migrate", "up"]);
    assert_eq!(fixture.exported(), HEADER);
}

fn all_or_nothing_stores_nothing_if_a_row_is_bad(fixture: &Fixture) {
    let file = format!("{}SUV,,,\n", without_ids(1..=300));
    fixture.write("vehicles.csv", file);
    let arguments = [
        "import",
        "vehicles.csv",
        "--all-or-nothing",
        "--batch-rows",
        "100",
    ];
    let ended = fixture.run(&arguments);
    assert_eq!(ended.code, Some(1));
    for said in [
        "rows: 0 stored",
        "error: line 302 cannot be stored, see above; nothing is stored",
    ] {
        assert!(ended.stderr.contains(said), "{}", ended.stderr);
    }
    assert_eq!(fixture.count(), 0);
    fixture.write("vehicles.csv", without_ids(1..=300));
    fixture.succeed(&arguments);
    assert_eq!(fixture.count(), 300);
}

fn tables_that_are_not_up_to_date_are_refused(fixture: &Fixture) {
    // A database that is there, without its tables.
    fixture.succeed(&["migrate", "up"]);
    fixture.succeed(&["migrate", "down"]);
    fixture.write("vehicles.csv", without_ids(1..=3));
    for arguments in [
        &["import", "vehicles.csv", "--migrate", "never"][..],
        &["export", "-", "--format", "csv"],
    ] {
        let ended = fixture.run(arguments);
        assert_eq!((ended.code, ended.stdout.as_str()), (Some(1), ""));
        let said = "error: the tables of the database are not those of this version: apply the migrations ";
        assert!(ended.stderr.contains(said), "{}", ended.stderr);
    }
}

fn a_command_line_that_is_not_clear_is_refused(fixture: &Fixture) {
    for arguments in [
        &["import", "-"][..],
        &["import", "vehicles.txt"],
        &["import", "vehicles.txt", "--format", "xml"],
        &["import", "vehicles.csv", "--on-error", "ignore"],
        &["import", "vehicles.csv", "--batch-rows", "0"],
        &["import", "vehicles.csv", "--skip-rows", "-1"],
        &["import", "vehicles.csv", "--ids", "some"],
        &["export"],
        &["export", "vehicles"],
    ] {
        let ended = fixture.run(arguments);
        assert_eq!(ended.code, Some(2), "{arguments:?}: {}", ended.stderr);
        let said = ended.stderr.lines().next().unwrap();
        assert!(
            said.starts_with("error: --") && said.contains("must be"),
            "{said}"
        );
    }
}

fn a_file_that_cannot_be_read_is_one_sentence(fixture: &Fixture) {
    fixture.write("wrong.csv", "type,model\nSUV,a\n");
    fixture.write(
        "open.csv",
        format!("type,modelCode\nSUV,a\nSUV,\"{}", "x".repeat(2 << 20)),
    );
    for (file, said) in [
        ("missing.csv", "error: cannot open missing.csv: "),
        (
            "wrong.csv",
            "error: cannot go on reading wrong.csv; no row has been stored: its columns are wrong: \"model\" is unknown; modelCode is missing; ",
        ),
        (
            "open.csv",
            "error: cannot go on reading open.csv; go on with --skip-rows 1: the row that begins on line 3 has more than 1048576 bytes",
        ),
    ] {
        let ended = fixture.run(&["import", file]);
        assert_eq!(ended.code, Some(1));
        let last = ended.stderr.lines().last().unwrap();
        assert!(last.starts_with(said), "{}", ended.stderr);
    }
    assert_eq!(fixture.count(), 1, "what stands before is stored");
}
