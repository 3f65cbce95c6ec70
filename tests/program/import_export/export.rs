//! The output of an export, and its snapshot.

use std::{
    fs::{self, File, Permissions},
    io::Read,
    os::unix::fs::{PermissionsExt, symlink},
    process::Command,
};

use testkit::CommandOutput;

use super::{
    fixture::{Fixture, rows, table, without_ids},
    interrupted::terminate,
};

testkit::tests![
    an_export_is_a_snapshot on Sqlite Postgres Mariadb,
    a_file_appears_when_it_is_complete on Sqlite,
    the_target_of_a_link_is_replaced_with_its_permissions on Sqlite,
    does_not_create_a_missing_database on Sqlite,
    a_closed_or_full_output_is_one_error_message on Sqlite,
    an_empty_catalogue_is_a_file_without_rows on Sqlite,
];

fn an_export_is_a_snapshot(fixture: &Fixture) {
    // More than a pipe and two buffers hold, so that the export is running when its first byte is read.
    let before = table(&rows(1..=20_000));
    fixture.write("before.csv", &before);
    fixture.succeed(&["import", "before.csv"]);
    let mut process = fixture.command(&["export", "--format", "csv"]).spawn().unwrap();
    let mut stdout = process.stdout.take().unwrap();
    let mut exported = vec![0];
    stdout.read_exact(&mut exported).unwrap();
    fixture.write("after.csv", without_ids(1..=3000));
    fixture.succeed(&["import", "after.csv"]);
    stdout.read_to_end(&mut exported).unwrap();
    assert!(process.wait().unwrap().success());
    assert!(exported == before.as_bytes(), "the later ones are not in it");
    assert_eq!(fixture.count(), 23_000);
}

fn a_file_appears_when_it_is_complete(fixture: &Fixture) {
    fixture.write("vehicles.csv", "old");
    let failed = fixture.run(&["export", "vehicles.csv"]);
    assert_eq!(failed.code, Some(1), "there is no table yet");
    assert_eq!(fs::read_to_string(fixture.path("vehicles.csv")).unwrap(), "old");

    fixture.write("new.csv", without_ids(1..=3));
    fixture.succeed(&["import", "new.csv"]);
    let output = fixture.succeed(&["export", "vehicles.csv"]);
    assert!(output.stderr.contains("3 vehicles written in "), "{}", output.stderr);
    let written = fs::read_to_string(fixture.path("vehicles.csv")).unwrap();
    assert_eq!(written, table(&rows(1..=3)));
    let mut names: Vec<_> = fs::read_dir(fixture.path("")).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    names.sort();
    assert_eq!(names, ["new.csv", "vehicles.csv"], "nothing else is left");
    let failed = fixture.run(&["export", "no/such/folder.csv"]);
    assert_eq!(failed.code, Some(1));
    assert!(
        failed
            .stderr
            .contains("error: cannot write no/such/folder.csv; it is unchanged: there is no folder no/such; create it"),
        "{}",
        failed.stderr
    );
    fixture.succeed(&["export", "/dev/null", "--format", "csv"]);
    assert!(!fs::metadata("/dev/null").unwrap().is_file());
}

fn the_target_of_a_link_is_replaced_with_its_permissions(fixture: &Fixture) {
    fixture.succeed(&["migrate", "up"]);
    fixture.write("vehicles.csv", "old");
    let target = fixture.path("vehicles.csv");
    fs::set_permissions(&target, Permissions::from_mode(0o660)).unwrap();
    symlink("vehicles.csv", fixture.path("link.csv")).unwrap();
    fixture.succeed(&["export", "link.csv"]);
    assert!(fixture.path("link.csv").is_symlink());
    assert_eq!(fs::read_to_string(&target).unwrap(), table(""));
    let mode = |path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(target), 0o660);
    fixture.write("usual", "");
    fixture.succeed(&["export", "new.csv"]);
    assert_eq!(mode(fixture.path("new.csv")), mode(fixture.path("usual")));
}

fn does_not_create_a_missing_database(fixture: &Fixture) {
    for arguments in [&["export", "vehicles.csv"] as &[&str], &["migrate", "status"], &["migrate", "down"]] {
        let elsewhere = [arguments, &["--database-url=sqlite:missing.db"]].concat();
        let output = fixture.run(&elsewhere);
        assert_eq!(output.code, Some(1), "{arguments:?}");
        let expected = "error: SQLite database missing.db does not exist: ";
        assert!(output.stderr.starts_with(expected), "{}", output.stderr);
        let files = fs::read_dir(fixture.path("")).unwrap().count();
        assert_eq!(files, 0, "{arguments:?}");
    }
}

fn a_closed_or_full_output_is_one_error_message(fixture: &Fixture) {
    fixture.write("vehicles.csv", without_ids(1..=20_000));
    fixture.succeed(&["import", "vehicles.csv"]);
    let mut process = fixture.command(&["export", "--format", "csv"]).spawn().unwrap();
    drop(process.stdout.take());
    let output = CommandOutput::from(process.wait_with_output().unwrap());
    assert_eq!(output.code, Some(1));
    let expected = "error: cannot write every vehicle to stdout: ";
    assert!(output.stderr.starts_with(expected), "{}", output.stderr);
    assert_eq!(output.stderr.lines().count(), 1, "{}", output.stderr);
    let made = Command::new("mkfifo").arg(fixture.path("pipe")).status();
    assert!(made.unwrap().success());
    let export = || {
        let process = fixture.command(&["export", "pipe", "--format", "csv"]).spawn();
        let mut pipe = File::open(fixture.path("pipe")).unwrap();
        pipe.read_exact(&mut [0]).unwrap();
        (process.unwrap(), pipe)
    };
    let (process, pipe) = export();
    drop(pipe);
    let output = CommandOutput::from(process.wait_with_output().unwrap());
    assert_eq!(output.code, Some(1));
    let expected = "error: cannot write every vehicle to pipe: ";
    assert!(output.stderr.starts_with(expected), "{}", output.stderr);
    let full = fixture.run(&["export", "/dev/full", "--format", "csv"]);
    let expected = "error: cannot write every vehicle to /dev/full: ";
    assert!(full.stderr.starts_with(expected), "{}", full.stderr);

    // A reader that stalls does not prevent the end by a signal.
    let (mut process, _pipe) = export();
    terminate(&mut process);
}

fn an_empty_catalogue_is_a_file_without_rows(fixture: &Fixture) {
    fixture.succeed(&["migrate", "up"]);
    assert_eq!(fixture.exported(), table(""));
    assert_eq!(fixture.succeed(&["export", "--format", "ndjson"]).stdout, "");
}
