//! Which commit is built, for `--version`. Never fails: outside of a repository nobody knows it.

use std::{
    path::{Path, PathBuf},
    process::Command,
};

/// The commit of a work tree.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Commit {
    /// Its whole hash.
    pub(crate) hash: String,
    /// A file that changes whenever another commit is checked out or made.
    pub(crate) moves: PathBuf,
}

/// The commit that is checked out in `folder`, if it is the root of a work tree of git; that of a
/// repository around it says nothing.
pub(crate) fn checked_out(folder: &Path) -> Option<Commit> {
    let output = Command::new("git")
        .current_dir(folder)
        .args(["rev-parse", "--show-prefix", "HEAD"])
        .args(["--git-path", "logs/HEAD", "--git-path", "HEAD"])
        .output()
        .ok()?;
    let answer = String::from_utf8(output.stdout).ok()?;
    let mut lines = answer.lines();
    let (prefix, hash, log, head) = (lines.next()?, lines.next()?, lines.next()?, lines.next()?);
    if !output.status.success() || !prefix.is_empty() {
        return None;
    }
    // Without a log of its moves the name of the branch is all that can be watched.
    let (log, head) = (folder.join(log), folder.join(head));
    Some(Commit {
        hash: hash.to_owned(),
        moves: if log.is_file() { log } else { head },
    })
}
