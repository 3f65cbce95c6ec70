//! The commit that is built, for `--version`. Unknown outside of a git repository.

use std::{
    path::{Path, PathBuf},
    process::Command,
};

/// The checked-out commit of a work tree.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Commit {
    /// The full hash.
    pub(crate) hash: String,
    /// A file that changes with every checkout and commit.
    pub(crate) watched_file: PathBuf,
}

/// The commit that is checked out in `folder`, if that is the root of a git work tree. An enclosing
/// repository is ignored.
pub(crate) fn checked_out(folder: &Path) -> Option<Commit> {
    let output = Command::new("git")
        .current_dir(folder)
        .args(["rev-parse", "--show-prefix", "HEAD"])
        .args(["--git-path", "logs/HEAD", "--git-path", "HEAD"])
        .output()
        .ok()?;
    let output_text = String::from_utf8(output.stdout).ok()?;
    let mut lines = output_text.lines();
    let (prefix, hash, log, head) = (lines.next()?, lines.next()?, lines.next()?, lines.next()?);
    if !output.status.success() || !prefix.is_empty() {
        return None;
    }
    // Without a reflog only `HEAD` can be watched.
    let (log, head) = (folder.join(log), folder.join(head));
    Some(Commit { hash: hash.to_owned(), watched_file: if log.is_file() { log } else { head } })
}
