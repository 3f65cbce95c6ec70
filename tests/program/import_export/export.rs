//! The output of an export, and its snapshot.

use std::{
    fs::{self, File, Permissions},
    io::Read,
    os::unix::fs::{PermissionsExt, symlink},
    process::Command,
};

use testkit::{Backend, CommandOutput, Databases};

use super::{
    fixture::{Fixture, rows, table, without_ids},
    resume::terminate,
};

testkit::tests![
    an_export_is_a_snapshot,
    a_file_appears_when_it_is_complete on Sqlite,
    an_export_is_synced_to_disk_under_its_name on Sqlite,
    follows_a_symbolic_link_and_rejects_a_dangling_one on Sqlite,
    a_replaced_file_keeps_its_permissions on Sqlite,
    only_the_owner_can_read_a_file_that_is_not_complete on Sqlite,
    a_temporary_file_of_a_killed_export_does_not_conflict on Sqlite,
    spreadsheet_formulas_are_not_changed on Sqlite,
    does_not_create_a_missing_database on Sqlite,
    a_closed_stdout_is_one_error_message on Sqlite,
    a_pipe_or_device_is_not_reported_as_unchanged on Sqlite,
    an_empty_catalogue_is_a_file_without_rows,
];

fn an_export_is_a_snapshot(fixture: &Fixture) {
    // More than a pipe and two buffers hold, so that the export is running when its first byte is read.
    let before = table(&rows(1..=20_000));
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
    let output = fixture.succeed(&["export", "vehicles.csv"]);
    assert!(
        output.stderr.contains("3 vehicles written in "),
        "{}",
        output.stderr
    );
    let written = fs::read_to_string(fixture.path("vehicles.csv")).unwrap();
    assert_eq!(written, table(&rows(1..=3)));
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

/// The system calls of the program with these names, one per line. `None` without `strace`.
#[expect(clippy::print_stderr, reason = "reports a skipped test")]
fn trace_system_calls(fixture: &Fixture, calls: &str, arguments: &[&str]) -> Option<String> {
    let installed = Command::new("strace").arg("-V").output().is_ok();
    if !installed && !Databases::is_required(Backend::Sqlite) {
        eprintln!("not tested: strace was not found");
        return None;
    }
    let program = fixture.command(arguments);
    let mut strace = Command::new("strace");
    strace
        .args(["-f", "-qq", "-y", "-o", "calls", "-e", calls])
        .arg(program.get_program())
        .args(program.get_args())
        .current_dir(fixture.path(""));
    for (name, value) in program.get_envs() {
        strace.env(name, value.unwrap());
    }
    let status = strace.status().expect("package strace");
    assert!(status.success());
    Some(fs::read_to_string(fixture.path("calls")).unwrap())
}

fn an_export_is_synced_to_disk_under_its_name(fixture: &Fixture) {
    fixture.write("new.csv", without_ids(1..=3));
    fixture.succeed(&["import", "new.csv"]);
    fs::create_dir(fixture.path("folder")).unwrap();
    let export = ["export", "folder/vehicles.csv"];
    let Some(calls) = trace_system_calls(fixture, "trace=fsync,/^rename", &export) else {
        return;
    };
    let folder = fs::canonicalize(fixture.path("folder")).unwrap();
    let folder = format!("<{}", folder.display());
    let calls: Vec<_> = calls
        .lines()
        .filter(|call| call.contains("folder"))
        .collect();
    let [file, rename, directory] = calls[..] else {
        panic!("{calls:?}");
    };
    assert!(file.contains("fsync(") && file.contains(&format!("{folder}/.vehicles.csv.")));
    assert!(rename.contains("rename") && rename.contains("folder/vehicles.csv\""));
    assert!(directory.contains("fsync(") && directory.contains(&format!("{folder}>")));
    assert!(calls.iter().all(|call| call.ends_with(" = 0")), "{calls:?}");
}

fn follows_a_symbolic_link_and_rejects_a_dangling_one(fixture: &Fixture) {
    fixture.succeed(&["migrate", "up"]);
    fs::create_dir(fixture.path("folder")).unwrap();
    symlink("folder/vehicles.csv", fixture.path("link.csv")).unwrap();
    let rejected = fixture.run(&["export", "link.csv"]);
    assert_eq!(rejected.code, Some(1));
    for part in [
        "error: cannot write link.csv",
        "symbolic link to folder/vehicles.csv",
        "create that file, or remove the link",
    ] {
        assert!(rejected.stderr.contains(part), "{}", rejected.stderr);
    }
    let link = fs::read_link(fixture.path("link.csv")).unwrap();
    assert_eq!(link.to_str(), Some("folder/vehicles.csv"));

    fixture.write("folder/vehicles.csv", "old");
    fixture.succeed(&["export", "link.csv"]);
    let written = fs::read_to_string(fixture.path("folder/vehicles.csv")).unwrap();
    assert_eq!(written, table(""));
    assert!(fixture.path("link.csv").is_symlink());
}

fn a_replaced_file_keeps_its_permissions(fixture: &Fixture) {
    fixture.succeed(&["migrate", "up"]);
    fixture.write("vehicles.csv", "old");
    let path = fixture.path("vehicles.csv");
    fs::set_permissions(&path, Permissions::from_mode(0o600)).unwrap();
    fixture.succeed(&["export", "vehicles.csv"]);
    let mode = |path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(path), 0o600);
    // A new file has the default permissions.
    fixture.write("usual", "");
    fixture.succeed(&["export", "new.csv"]);
    assert_eq!(mode(fixture.path("new.csv")), mode(fixture.path("usual")));
}

fn only_the_owner_can_read_a_file_that_is_not_complete(fixture: &Fixture) {
    fixture.write("new.csv", without_ids(1..=3));
    fixture.succeed(&["import", "new.csv"]);
    fs::create_dir(fixture.path("folder")).unwrap();
    fixture.write("folder/replaced.csv", "old");
    let readable = Permissions::from_mode(0o644);
    fs::set_permissions(fixture.path("folder/replaced.csv"), readable).unwrap();
    for name in ["created", "replaced"] {
        let export = ["export", &format!("folder/{name}.csv")];
        let calls = "trace=openat,write,/^f?chmod,/^rename";
        let Some(calls) = trace_system_calls(fixture, calls, &export) else {
            return;
        };
        let temporary = format!("/folder/.{name}.csv.");
        let calls = calls.lines().filter(|call| call.contains(&temporary));
        // The first file is empty: it has the permissions of a new one.
        let calls = calls.filter(|call| !call.contains("0666"));
        let calls: Vec<_> = calls.collect();
        let [create, write, change, rename] = calls[..] else {
            panic!("{calls:?}");
        };
        assert!(create.contains("O_CREAT|O_EXCL") && create.contains(", 0600)"));
        assert!(write.contains("write(") && change.contains("fchmod("));
        assert!(rename.contains("rename"), "{calls:?}");
    }
}

/// In a container the id of every process can be 1.
fn a_temporary_file_of_a_killed_export_does_not_conflict(fixture: &Fixture) {
    fixture.succeed(&["migrate", "up"]);
    let mut export = Command::new("/bin/sh");
    // The program that replaces the shell keeps its process id.
    let script = r#"touch ".vehicles.csv.$$.tmp" && exec "$@""#;
    let program = fixture.command(&["export", "vehicles.csv"]);
    export
        .args(["-c", script, "sh"])
        .arg(program.get_program())
        .args(program.get_args())
        .current_dir(fixture.path(""));
    for (name, value) in program.get_envs() {
        export.env(name, value.unwrap());
    }
    let output = CommandOutput::from(export.output().unwrap());
    assert_eq!(output.code, Some(0), "{}", output.stderr);
}

fn spreadsheet_formulas_are_not_changed(fixture: &Fixture) {
    let file = table(
        "1,SUV,=1+1,,\n2,SUV,+1,,\n3,SUV,-1,,\n4,SUV,@SUM(A1),,\n5,SUV,\ttab,,\n6,SUV,\"\r=1\",,\n",
    );
    fixture.write("formulas.csv", &file);
    fixture.succeed(&["import", "formulas.csv"]);
    assert_eq!(fixture.exported(), file);
}

fn does_not_create_a_missing_database(fixture: &Fixture) {
    for arguments in [
        &["export", "vehicles.csv"] as &[&str],
        &["migrate", "status"],
        &["migrate", "down"],
    ] {
        let elsewhere = [arguments, &["--database-url=sqlite:missing.db"]].concat();
        let output = fixture.run(&elsewhere);
        assert_eq!(output.code, Some(1), "{arguments:?}");
        let expected = "error: SQLite database missing.db does not exist: ";
        assert!(output.stderr.starts_with(expected), "{}", output.stderr);
        let files = fs::read_dir(fixture.path("")).unwrap().count();
        assert_eq!(files, 0, "{arguments:?}");
    }
}

fn a_closed_stdout_is_one_error_message(fixture: &Fixture) {
    fixture.write("vehicles.csv", without_ids(1..=20_000));
    fixture.succeed(&["import", "vehicles.csv"]);
    let mut process = fixture
        .command(&["export", "--format", "csv"])
        .spawn()
        .unwrap();
    drop(process.stdout.take());
    let output = CommandOutput::from(process.wait_with_output().unwrap());
    assert_eq!(output.code, Some(1));
    let expected = "error: stdout was closed before every vehicle was written: ";
    assert!(output.stderr.starts_with(expected), "{}", output.stderr);
    assert_eq!(output.stderr.lines().count(), 1, "{}", output.stderr);
}

fn a_pipe_or_device_is_not_reported_as_unchanged(fixture: &Fixture) {
    fixture.write("vehicles.csv", without_ids(1..=20_000));
    fixture.succeed(&["import", "vehicles.csv"]);
    let made = Command::new("mkfifo").arg(fixture.path("pipe")).status();
    assert!(made.unwrap().success());
    let export = || {
        let process = fixture
            .command(&["export", "pipe", "--format", "csv"])
            .spawn();
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
    assert_eq!(
        fixture.succeed(&["export", "--format", "ndjson"]).stdout,
        ""
    );
}
