//! What messages quote of files and their names.

use std::process::Command;

use testkit::CommandOutput;

use super::fixture::{Fixture, without_ids};

testkit::tests![
    names_and_texts_of_files_are_quoted_in_one_line on Sqlite,
    names_the_encoding_and_the_separator_of_a_file on Sqlite,
    a_url_instead_of_a_file_is_not_quoted on Sqlite,
    a_single_thing_is_in_the_singular on Sqlite,
    the_progress_bar_ends_at_100_percent on Sqlite,
];

fn assert_lines(output: &CommandOutput, count: usize) {
    let stderr = &output.stderr;
    assert_eq!(stderr.lines().count(), count, "{stderr}");
    let mut characters = stderr.chars();
    let is_control = |character: char| character.is_control() && character != '\n';
    assert!(!characters.any(is_control), "{stderr:?}");
    assert!(stderr.len() < 3000, "{} bytes", stderr.len());
}

fn names_and_texts_of_files_are_quoted_in_one_line(fixture: &Fixture) {
    let (name, quoted) = ("a\u{1b}[2J\nb.ndjson", "a\\u{1b}[2J\\nb.ndjson");
    let long = "x".repeat(100_000);
    fixture.write(name, format!("{{\"\\u001b\\n{long}\":1}}\n"));
    let output = fixture.run(&["import", name]);
    assert_lines(&output, 3);
    let expected = format!("{quoted}:1: unknown field `\\u{{1b}}\\nxxx");
    assert!(output.stderr.starts_with(&expected), "{}", output.stderr);

    fixture.write("a\u{1b}.csv", format!("type,\"\u{1b}\n{long}\"\n"));
    let output = fixture.run(&["import", "a\u{1b}.csv"]);
    assert_lines(&output, 2);
    let expected = "error: cannot read a\\u{1b}.csv further; no row has been stored: \
                    invalid columns: unknown \"\\u{1b}\\nxxx";
    assert!(output.stderr.contains(expected), "{}", output.stderr);

    fixture.succeed(&["migrate", "up"]);
    std::os::unix::fs::symlink("no\u{1b}where.csv", fixture.path("link.csv")).unwrap();
    for (arguments, code, expected) in [
        (
            &["import", "no\u{1b}.csv"][..],
            1,
            "error: cannot open no\\u{1b}.csv: ",
        ),
        (
            &["import", "no\u{1b}"],
            2,
            "error: --format must be csv or ndjson, since the name no\\u{1b} does not end in ",
        ),
        (
            &["export", "no\u{1b}/folder.csv"],
            1,
            "error: cannot write no\\u{1b}/folder.csv; it is unchanged: ",
        ),
        (
            &["export", "link.csv"],
            1,
            "error: cannot write link.csv; it is unchanged: it is a symbolic link to no\\u{1b}where.csv, ",
        ),
        (
            &["import", &format!("{long}.csv")],
            1,
            "error: cannot open …xxx",
        ),
    ] {
        let output = fixture.run(arguments);
        assert_eq!(output.code, Some(code));
        assert_lines(&output, 1);
        assert!(output.stderr.starts_with(expected), "{}", output.stderr);
    }
}

fn names_the_encoding_and_the_separator_of_a_file(fixture: &Fixture) {
    let text = "\u{feff}type,modelCode\nSUV,XC60\n".encode_utf16();
    let little: Vec<u8> = text.flat_map(u16::to_le_bytes).collect();
    fixture.write("little.csv", &little);
    fixture.write("unmarked.csv", &little[2..]);
    fixture.write("separator.csv", "type;modelCode\nSUV;XC60\n");
    for (name, expected) in [
        (
            "little.csv",
            "it is encoded in UTF-16; save it as UTF-8, in spreadsheets as \"CSV UTF-8\", \
             or convert it with iconv -f UTF-16 -t UTF-8\n",
        ),
        (
            "unmarked.csv",
            "it is encoded in UTF-16LE; save it as UTF-8, ",
        ),
        (
            "separator.csv",
            "the columns are separated by semicolons; separate them by commas\n",
        ),
    ] {
        let output = fixture.run(&["import", name, "--dry-run"]);
        assert_eq!(output.code, Some(1));
        let start =
            format!("error: cannot read {name} further; no row has been stored: {expected}");
        assert!(output.stderr.contains(&start), "{}", output.stderr);
    }
}

fn a_url_instead_of_a_file_is_not_quoted(fixture: &Fixture) {
    for command in ["import", "export"] {
        let output = fixture.run(&[command, "postgres://me:secret@host/vehicles.csv"]);
        assert_eq!(output.code, Some(2));
        let expected = "error: file must be the path of a file, or -: it is a URL \
                        (--database-url names the database)\n";
        assert!(output.stderr.starts_with(expected), "{}", output.stderr);
        assert!(!output.stderr.contains("secret"), "{}", output.stderr);
    }
}

fn a_single_thing_is_in_the_singular(fixture: &Fixture) {
    fixture.write("one.csv", "type,modelCode\nSUV,XC60\n");
    fixture.succeed(&["import", "one.csv"]);
    let export = fixture.succeed(&["export", "one.ndjson"]);
    assert!(
        export.stderr.starts_with("1 vehicle written in "),
        "{export:?}"
    );
    fixture.write("wrong.csv", "type,modelCode\nSUV,\n");
    let wrong = fixture.run(&["import", "wrong.csv", "--on-error=skip"]);
    let expected = "error: 1 row rejected, see above\n";
    assert!(wrong.stderr.ends_with(expected), "{wrong:?}");
    let short = fixture.run(&["import", "one.csv", "--skip-rows=2"]);
    let expected = "it has only 1 row; correct --skip-rows\n";
    assert!(short.stderr.ends_with(expected), "{short:?}");
    let down = fixture.run(&["migrate", "down", "--steps=1000"]);
    assert!(down.stderr.contains("repeat it with --yes"), "{down:?}");
}

/// A bar is drawn on a terminal only, which `script` provides.
fn the_progress_bar_ends_at_100_percent(fixture: &Fixture) {
    fixture.write("vehicles.csv", without_ids(1..=3));
    let program = env!("CARGO_BIN_EXE_vehicle-catalogue");
    for command in ["import vehicles.csv", "export other.csv"] {
        let output = Command::new("script")
            .env("DATABASE_URL", fixture.database_url())
            .current_dir(fixture.path("."))
            .args([
                "-q",
                "-e",
                "-c",
                &format!("{program} {command}"),
                "/dev/null",
            ])
            .output()
            .unwrap();
        let terminal = String::from_utf8(output.stdout).unwrap();
        assert!(output.status.success(), "{terminal}");
        let (_, end) = terminal
            .rsplit_once('%')
            .unwrap_or_else(|| panic!("{terminal:?}"));
        let (bar, _) = terminal.split_at(terminal.len() - end.len());
        assert!(bar.ends_with("100 %"), "{terminal:?}");
        let lines: Vec<_> = end.lines().collect();
        assert!(lines.len() > 1 && end.contains(" rows/s)"), "{terminal:?}");
    }
}
