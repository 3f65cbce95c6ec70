//! `--version`, and the source of its commit.

use std::{fs, path::Path, process::Command};

use tempfile::TempDir;

use super::{commit, manual::stdout};

fn git(folder: &Path, arguments: &[&str]) -> String {
    let identity = ["-c", "user.name=Test", "-c", "user.email=test@localhost"];
    let output = Command::new("git")
        .current_dir(folder)
        .args(identity)
        .args(arguments)
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).unwrap().trim().to_owned()
}

#[test]
fn the_version_contains_commit_and_contract() {
    let long = stdout(&["--version"]);
    let lines: Vec<_> = long.lines().collect();
    let [program, commit, contract] = lines[..] else {
        panic!("{long}");
    };
    let version = env!("CARGO_PKG_VERSION");
    assert_eq!(program, format!("vehicle-catalogue {version}"));
    assert!(commit.starts_with("commit "), "{long}");
    let hash = stdout(&["schema", "hash"]);
    assert_eq!(contract, format!("contract {}", hash.trim()));
    assert_eq!(stdout(&["-V"]), format!("vehicle-catalogue {version}\n"));
}

#[test]
fn the_commit_is_the_head_of_the_repository_at_the_root() {
    let folder = TempDir::new().unwrap();
    let root = folder.path();
    assert_eq!(commit::checked_out(root), None, "no repository");
    git(root, &["init", "-q"]);
    assert_eq!(commit::checked_out(root), None, "no commit");
    git(root, &["commit", "-q", "--allow-empty", "-m", "one"]);
    let one = commit::checked_out(root).unwrap();
    assert_eq!(one.hash, git(root, &["rev-parse", "HEAD"]));
    fs::create_dir(root.join("inside")).unwrap();
    assert_eq!(
        commit::checked_out(&root.join("inside")),
        None,
        "not the root"
    );

    let log = fs::read(&one.watched_file).unwrap();
    git(root, &["commit", "-q", "--allow-empty", "-m", "two"]);
    let two = commit::checked_out(root).unwrap();
    assert_ne!(one.hash, two.hash);
    assert_eq!(one.watched_file, two.watched_file);
    assert_ne!(log, fs::read(&two.watched_file).unwrap(), "a move is seen");
}
