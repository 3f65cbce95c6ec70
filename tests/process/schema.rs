//! The commands about the contract: what they print, and their exit codes.

use std::{fs, process::Command};

use serde_json::Value;

use super::{Catalogue, stderr};

const CONTRACT: &str = include_str!("../../schema.graphql");

/// The three definitions that clients were promised, without descriptions.
const PROMISED: &str = include_str!("promised.graphql");

/// What a command printed, its last words, and its exit code.
fn run(catalogue: &Catalogue, arguments: &[&str]) -> (String, String, i32) {
    let mut command = catalogue.command(&[&["schema"], arguments].concat());
    // Where git is; everything else of the environment stays away.
    let output = command.env("PATH", env!("PATH")).output().unwrap();
    let stdout = String::from_utf8(output.stdout.clone()).unwrap();
    (stdout, stderr(&output), output.status.code().unwrap())
}

fn with_files(files: &[(&str, &str)]) -> Catalogue {
    let catalogue = Catalogue::new();
    for (name, text) in files {
        fs::write(catalogue.folder.path().join(name), text).unwrap();
    }
    catalogue
}

fn git(catalogue: &Catalogue, arguments: &[&str]) {
    let folder = catalogue.folder.path();
    let identity = ["-c", "user.name=Test", "-c", "user.email=test@example.org"];
    let output = Command::new("git")
        .current_dir(folder)
        .args(identity)
        .args(arguments)
        .output();
    let output = output.unwrap();
    assert!(
        output.status.success(),
        "{arguments:?}: {}",
        stderr(&output)
    );
}

/// A repository with the contract on its main branch.
fn repository() -> Catalogue {
    let catalogue = with_files(&[("schema.graphql", CONTRACT)]);
    git(&catalogue, &["init", "--quiet", "--initial-branch=main"]);
    git(&catalogue, &["add", "schema.graphql"]);
    git(&catalogue, &["commit", "--quiet", "--message=The contract"]);
    git(&catalogue, &["switch", "--quiet", "--create", "change"]);
    catalogue
}

#[test]
fn the_contract_is_printed_word_for_word_and_its_hash_is_that_of_every_layout() {
    let one_line = CONTRACT.replace("type Query", "# A comment.\n  type  Query");
    let catalogue = with_files(&[("other.graphql", &one_line)]);
    assert_eq!(
        run(&catalogue, &["print"]),
        (CONTRACT.to_owned(), String::new(), 0)
    );
    let (hash, _, code) = run(&catalogue, &["hash"]);
    assert_eq!((hash.len(), code), (65, 0), "{hash}");
    assert_eq!(run(&catalogue, &["hash", "other.graphql"]).0, hash);
    let (served, _, _) = run(&catalogue, &["print", "--served"]);
    fs::write(catalogue.folder.path().join("served.graphql"), served).unwrap();
    assert_eq!(run(&catalogue, &["hash", "served.graphql"]).0, hash);
}

#[test]
fn what_was_promised_is_not_broken() {
    let files = [("promised.graphql", PROMISED), ("schema.graphql", CONTRACT)];
    let (report, errors, code) = run(&with_files(&files), &["diff", "promised.graphql"]);
    assert_eq!((errors.as_str(), code), ("", 0), "{report}");
    assert!(report.contains("0 breaking, 0 dangerous"), "{report}");
}

#[test]
fn the_contract_has_no_findings_and_an_error_is_exit_code_1() {
    let catalogue = with_files(&[("schema.graphql", CONTRACT), ("bad.graphql", PROMISED)]);
    assert_eq!(
        run(&catalogue, &["lint"]),
        ("nothing found\n".to_owned(), String::new(), 0)
    );
    let (report, errors, code) = run(&catalogue, &["lint", "bad.graphql"]);
    assert_eq!(code, 1);
    assert!(
        report.contains("bad.graphql:1:6: error: Vehicle has no description"),
        "{report}"
    );
    assert!(!report.contains('\u{1b}'), "colours are for terminals");
    assert!(
        errors.starts_with("error: the contract has errors; "),
        "{errors}"
    );
    let (json, _, _) = run(&catalogue, &["lint", "bad.graphql", "--format", "json"]);
    let json: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json[0]["rule"], "described");
    let (markdown, _, _) = run(&catalogue, &["lint", "bad.graphql", "--format", "markdown"]);
    assert!(
        markdown.contains("| error | `described` | `Vehicle` has no"),
        "{markdown}"
    );
}

#[test]
fn a_breaking_change_is_exit_code_1_until_it_is_accepted() {
    let changed = CONTRACT.replacen("brandName: String\n", "brand: String\n", 1);
    let catalogue = with_files(&[("old.graphql", CONTRACT), ("new.graphql", &changed)]);
    let diff = ["diff", "old.graphql", "new.graphql"];
    let (report, errors, code) = run(&catalogue, &diff);
    assert_eq!(code, 1);
    assert!(report.contains("old.graphql:"), "{report}");
    assert!(
        errors.starts_with("error: breaking changes: 1; "),
        "{errors}"
    );
    let (json, _, _) = run(&catalogue, &[&diff[..], &["--format", "json"]].concat());
    let json: Value = serde_json::from_str(&json).unwrap();
    let kinds: Vec<_> = json
        .as_array()
        .unwrap()
        .iter()
        .map(|change| &change["kind"])
        .collect();
    assert!(
        kinds.iter().any(|kind| *kind == "FIELD_REMOVED"),
        "{kinds:?}"
    );

    let accepted = "[[accepted]]\ncoordinate = \"Vehicle.brandName\"\nkind = \"FIELD_REMOVED\"\nreason = \"Nobody asks for it.\"\n";
    fs::write(
        catalogue.folder.path().join("schema.accepted.toml"),
        accepted,
    )
    .unwrap();
    let (report, errors, code) = run(&catalogue, &diff);
    assert_eq!((errors.as_str(), code), ("", 0), "{report}");
    assert!(report.contains("Nobody asks for it."), "{report}");
    let stale = run(&catalogue, &["diff", "old.graphql", "old.graphql"]);
    assert_eq!(stale.2, 1, "an accepted change that is not there is stale");
    assert!(stale.1.contains("schema.accepted.toml:1"), "{}", stale.1);
}

#[test]
fn the_contract_is_compared_with_the_main_branch() {
    let catalogue = repository();
    assert_eq!(
        run(&catalogue, &["diff"]),
        ("no change\n".to_owned(), String::new(), 0)
    );
    let changed = CONTRACT.replacen("brandName: String\n", "brand: String\n", 1);
    fs::write(catalogue.folder.path().join("schema.graphql"), changed).unwrap();
    let (report, _, code) = run(&catalogue, &["diff"]);
    assert_eq!(code, 1);
    assert!(
        report.contains("at git:") && report.contains(":schema.graphql:"),
        "{report}"
    );
    assert_eq!(run(&catalogue, &["diff", "git:main", "git:HEAD"]).2, 0);
}

#[test]
fn what_git_does_not_have_is_said_with_what_to_do_and_exit_code_2() {
    let catalogue = repository();
    for (arguments, expected) in [
        (
            &["diff", "git:nothing"][..],
            "git knows no revision \"nothing\"; fetch it",
        ),
        (&["diff", "git:--help"], "git knows no revision \"--help\""),
        (
            &["diff", "git:main:nothing.graphql"],
            "revision \"main\" has no file \"nothing.graphql\"",
        ),
        (
            &["diff", "nothing.graphql"],
            "cannot read nothing.graphql; name another file",
        ),
    ] {
        let (stdout, errors, code) = run(&catalogue, arguments);
        assert_eq!((stdout.as_str(), code), ("", 2), "{errors}");
        assert!(errors.contains(expected), "{errors}");
    }
    let outside = with_files(&[("schema.graphql", CONTRACT)]);
    let (_, errors, code) = run(&outside, &["diff"]);
    assert!(
        code == 2 && errors.contains("this folder is in no git repository"),
        "{errors}"
    );
    assert!(
        errors.contains("name the old contract, as in schema diff OLD"),
        "{errors}"
    );
    let mut without_git = outside.command(&["schema", "diff"]);
    let without_git = without_git
        .env("PATH", outside.folder.path())
        .output()
        .unwrap();
    assert!(
        stderr(&without_git).contains("cannot run git; install it"),
        "{}",
        stderr(&without_git)
    );
}

#[test]
fn a_shallow_clone_is_told_what_to_do() {
    let origin = repository();
    for number in 1..4 {
        let text = format!("{CONTRACT}# {number}\n");
        fs::write(origin.folder.path().join("schema.graphql"), text).unwrap();
        git(&origin, &["commit", "--quiet", "--all", "--message=More"]);
    }
    let clone = Catalogue::new();
    let url = format!("file://{}", origin.folder.path().display());
    git(
        &clone,
        &[
            "clone",
            "--quiet",
            "--depth=1",
            "--branch=change",
            &url,
            ".",
        ],
    );
    let (_, errors, code) = run(&clone, &["diff"]);
    assert_eq!(code, 2, "{errors}");
    assert!(errors.contains("fetch-depth: 0"), "{errors}");
    git(
        &clone,
        &[
            "fetch",
            "--quiet",
            "--depth=1",
            "origin",
            "main:refs/remotes/origin/main",
        ],
    );
    let (_, errors, code) = run(&clone, &["diff"]);
    assert_eq!(code, 2, "{errors}");
    assert!(
        errors.contains("have no commit in common; this clone is shallow"),
        "{errors}"
    );
}

#[test]
fn a_text_that_is_no_contract_is_exit_code_2_with_every_place() {
    let catalogue = with_files(&[(
        "wrong.graphql",
        "type Query { a: Vehicel }\ntype Vehicle { a: Nothing }",
    )]);
    let (stdout, errors, code) = run(&catalogue, &["hash", "wrong.graphql"]);
    assert_eq!((stdout.as_str(), code), ("", 2));
    assert!(
        errors.contains("wrong.graphql:1:17: ") && errors.contains("wrong.graphql:2:19: "),
        "{errors}"
    );
    let format = run(&catalogue, &["lint", "--format", "xml"]);
    assert_eq!(format.2, 2);
    assert_eq!(
        format.1,
        "error: --format must be text, json or markdown, not \"xml\"\n"
    );
}

#[test]
fn a_running_service_is_a_source_by_its_document_and_by_introspection() {
    let withheld = "--introspection=off";
    for flags in [
        &[][..],
        &["--schema-document=off"],
        &["--schema-document=on", withheld],
    ] {
        let running = Catalogue::new().serve(flags);
        let catalogue = with_files(&[("schema.graphql", CONTRACT)]);
        let url = format!("http://{}/graphql", running.addr);
        let (report, errors, code) = run(&catalogue, &["diff", &url]);
        assert_eq!(
            (report.as_str(), code),
            ("no change\n", 0),
            "{flags:?}: {errors}"
        );
    }
    let running = Catalogue::new().serve(&[withheld]);
    let url = format!("http://{}", running.addr);
    let (_, errors, code) = run(&Catalogue::new(), &["hash", &url]);
    assert_eq!(code, 2);
    assert!(
        errors.contains("/schema.graphql answers 404, and introspection at"),
        "{errors}"
    );
    drop(running);
    let (_, errors, code) = run(&Catalogue::new(), &["hash", &url]);
    assert!(
        code == 2 && errors.contains("the service does not answer; is it running there?"),
        "{errors}"
    );
}

#[test]
fn a_check_proves_the_contract_the_resolvers_and_the_tables() {
    let catalogue = with_files(&[]);
    let (report, errors, code) = run(&catalogue, &["check"]);
    assert_eq!(code, 1, "{report}");
    assert!(
        report.contains("not checked: the database: there is no file"),
        "{report}"
    );
    assert!(
        errors.contains("leave it out with --without-database"),
        "{errors}"
    );
    assert!(
        !catalogue
            .folder
            .path()
            .join("vehicle-catalogue.db")
            .exists()
    );
    assert_eq!(run(&catalogue, &["check", "--without-database"]).2, 0);

    assert!(catalogue.run(&["migrate", "up"]).status.success());
    let (report, errors, code) = run(&catalogue, &["check"]);
    assert_eq!((errors.as_str(), code), ("", 0), "{report}");
    assert!(
        report.contains("checked: the migrations and 5 columns of "),
        "{report}"
    );
    assert!(
        report.contains("not checked: SQLite does not enforce the types"),
        "{report}"
    );

    let renamed = CONTRACT.replacen("brandName: String\n", "brand: String\n", 1);
    fs::write(catalogue.folder.path().join("other.graphql"), renamed).unwrap();
    let (report, errors, code) = run(&catalogue, &["check", "other.graphql"]);
    assert!(
        code == 1 && errors == "error: the contract is not true everywhere\n",
        "{errors}"
    );
    for place in [
        "other.graphql:",
        "what the resolvers serve, Vehicle.brandName",
        "the column vehicle.brand_name",
    ] {
        assert!(report.contains(place), "{place}: {report}");
    }

    assert!(catalogue.run(&["migrate", "down"]).status.success());
    let (json, _, code) = run(&catalogue, &["check", "--format", "json"]);
    let json: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(
        (code, json["drifts"].as_array().unwrap().len()),
        (1, 6),
        "{json}"
    );
    let (markdown, _, _) = run(&catalogue, &["check", "--format", "markdown"]);
    assert!(
        markdown.starts_with("### Contract: 6 differences\n"),
        "{markdown}"
    );
}
