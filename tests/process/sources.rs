//! Where contracts come from: files, git and running services.

use std::{fs, process::Command};

use super::{
    Catalogue,
    schema::{CONTRACT, run, with_files},
    stderr,
};

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
        (
            &["diff", "git:main", "--accepted=nothing.toml"],
            "cannot read the accepted changes in nothing.toml: ",
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
