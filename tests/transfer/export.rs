//! Where an export goes, and what it sees.

use std::{fs, io::Read};

use crate::{
    cases,
    fixture::{Fixture, HEADER, ended, rows, without_ids},
};

cases![
    an_export_is_the_catalogue_of_one_moment,
    a_file_appears_when_it_is_complete on Sqlite,
    a_database_that_is_not_there_is_not_made on Sqlite,
    a_reader_that_goes_away_is_one_sentence on Sqlite,
    an_empty_catalogue_is_a_file_without_rows,
];

fn an_export_is_the_catalogue_of_one_moment(fixture: &Fixture) {
    // More than a pipe and two buffers hold: the export cannot be over when its first byte is read.
    let before = format!("{HEADER}{}", rows(1..=20_000));
    fixture.write("before.csv", &before);
    fixture.succeed(&["import", "before.csv"]);
    let mut process = fixture
        .command(&["export", "--format", "csv"])
        .spawn()
        .unwrap();
    let mut stdout = process.stdout.take().unwrap();
    let mut exported = vec![0];
    stdout.read_exact(&mut exported).unwrap();
    fixture.write("after.csv", without_ids(1..=3000));
    fixture.succeed(&["import", "after.csv"]);
    stdout.read_to_end(&mut exported).unwrap();
    assert!(process.wait().unwrap().success());
    assert!(
        exported == before.as_bytes(),
        "the later ones are not in it"
    );
    assert_eq!(fixture.count(), 23_000);
}

fn a_file_appears_when_it_is_complete(fixture: &Fixture) {
    fixture.write("vehicles.csv", "old");
    let failed = fixture.run(&["export", "vehicles.csv"]);
    assert_eq!(failed.code, Some(1), "there is no table yet");
    assert_eq!(
        fs::read_to_string(fixture.path("vehicles.csv")).unwrap(),
        "old"
    );

    fixture.write("new.csv", without_ids(1..=3));
    fixture.succeed(&["import", "new.csv"]);
    let ended = fixture.succeed(&["export", "vehicles.csv"]);
    assert!(
        ended.stderr.contains("3 vehicles written in "),
        "{}",
        ended.stderr
    );
    let written = fs::read_to_string(fixture.path("vehicles.csv")).unwrap();
    assert_eq!(written, format!("{HEADER}{}", rows(1..=3)));
    let mut names: Vec<_> = fs::read_dir(fixture.path(""))
        .unwrap()
        .map(|entry| entry.unwrap().file_name())
        .collect();
    names.sort();
    assert_eq!(names, ["new.csv", "vehicles.csv"], "nothing else is left");
    let failed = fixture.run(&["export", "no/such/folder.csv"]);
    assert_eq!(failed.code, Some(1));
    assert!(
        failed
            .stderr
            .contains("error: cannot write no/such/folder.csv"),
        "{}",
        failed.stderr
    );
    fixture.succeed(&["export", "/dev/null", "--format", "csv"]);
    assert!(!fs::metadata("/dev/null").unwrap().is_file());
}

fn a_database_that_is_not_there_is_not_made(fixture: &Fixture) {
    for arguments in [
        &["export", "vehicles.csv"] as &[&str],
        &["migrate", "status"],
        &["migrate", "down"],
    ] {
        let elsewhere = [arguments, &["--database-url=sqlite:missing.db"]].concat();
        let ended = fixture.run(&elsewhere);
        assert_eq!(ended.code, Some(1), "{arguments:?}");
        let said = "error: there is no SQLite database missing.db: ";
        assert!(ended.stderr.starts_with(said), "{}", ended.stderr);
        let left = fs::read_dir(fixture.path("")).unwrap().count();
        assert_eq!(left, 0, "{arguments:?}");
    }
}

fn a_reader_that_goes_away_is_one_sentence(fixture: &Fixture) {
    fixture.write("vehicles.csv", without_ids(1..=20_000));
    fixture.succeed(&["import", "vehicles.csv"]);
    let mut process = fixture
        .command(&["export", "--format", "csv"])
        .spawn()
        .unwrap();
    drop(process.stdout.take());
    let ended = ended(process.wait_with_output().unwrap());
    assert_eq!(ended.code, Some(1));
    let said = "error: stdout was closed before every vehicle was written: ";
    assert!(ended.stderr.starts_with(said), "{}", ended.stderr);
    assert_eq!(ended.stderr.lines().count(), 1, "{}", ended.stderr);
}

fn an_empty_catalogue_is_a_file_without_rows(fixture: &Fixture) {
    fixture.succeed(&["migrate", "up"]);
    assert_eq!(fixture.exported(), HEADER);
    assert_eq!(
        fixture.succeed(&["export", "--format", "ndjson"]).stdout,
        ""
    );
}
