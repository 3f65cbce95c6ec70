//! What git remembers of a contract; asks the program `git`.

use std::{
    io,
    process::{Command, Output},
};

/// What the main branch may be called, the one on the server first: the local one may be old.
const MAIN_BRANCHES: [&str; 4] = ["origin/main", "origin/master", "main", "master"];

/// What to do where history is missing.
const UNSHALLOW: &str = "this clone is shallow: run git fetch --unshallow origin, or in GitHub \
     Actions give actions/checkout fetch-depth: 0";

/// What to do where git can't help.
const NAME_IT: &str = "name the old contract, as in schema diff OLD";

/// Why git does not have a contract.
#[derive(Debug, thiserror::Error)]
pub enum GitError {
    /// There is no git.
    #[error("cannot run git; install it, or {NAME_IT}")]
    NoGit(#[source] io::Error),
    /// There is nothing that git could remember.
    #[error("this folder is in no git repository that can be read ({0}); {NAME_IT}")]
    NoRepository(String),
    /// The revision is not here.
    #[error("git knows no revision {revision:?}; {advice}")]
    NoRevision {
        /// What was asked for.
        revision: String,
        /// What can be done.
        advice: String,
    },
    /// The revision does not have the file.
    #[error("revision {0:?} has no file {1:?} below the current folder")]
    NoFile(String, String),
    /// The file is not a text.
    #[error("{1:?} in revision {0:?} is not UTF-8")]
    NotText(String, String),
    /// There is no branch to compare with.
    #[error(
        "none of the branches {} is here to compare with; {advice}, or {NAME_IT}",
        MAIN_BRANCHES.join(", ")
    )]
    NoMainBranch {
        /// What can be done.
        advice: &'static str,
    },
    /// The branches have nothing in common.
    #[error("HEAD and {branch} have no commit in common; {advice}, or {NAME_IT}")]
    NoMergeBase {
        /// The main branch.
        branch: &'static str,
        /// What can be done.
        advice: &'static str,
    },
}

/// A file as it was in a revision; the path is relative to the current folder.
pub(super) fn show(revision: &str, path: &str) -> Result<String, GitError> {
    in_repository()?;
    let commit = commit(revision)?.ok_or_else(|| GitError::NoRevision {
        revision: revision.to_owned(),
        advice: missing("fetch it, as in git fetch origin, or look at git log").to_owned(),
    })?;
    let relative = match path.strip_prefix('/') {
        Some(from_the_root) => from_the_root.to_owned(),
        None => format!("./{path}"),
    };
    let shown = git(&["show", "--end-of-options", &format!("{commit}:{relative}")])?;
    let names = || (revision.to_owned(), path.to_owned());
    if !shown.status.success() {
        let (revision, path) = names();
        return Err(GitError::NoFile(revision, path));
    }
    String::from_utf8(shown.stdout).map_err(|_| {
        let (revision, path) = names();
        GitError::NotText(revision, path)
    })
}

/// The commit at which the current branch left the main branch, shortened.
pub(super) fn merge_base() -> Result<String, GitError> {
    in_repository()?;
    for branch in MAIN_BRANCHES {
        if commit(branch)?.is_some() {
            let base = git(&["merge-base", "HEAD", branch])?;
            let base = String::from_utf8_lossy(&base.stdout).trim().to_owned();
            return match base.get(..12) {
                Some(short) => Ok(short.to_owned()),
                None => Err(GitError::NoMergeBase {
                    branch,
                    advice: missing("merge the main branch into this one"),
                }),
            };
        }
    }
    Err(GitError::NoMainBranch {
        advice: missing("run git fetch origin"),
    })
}

fn in_repository() -> Result<(), GitError> {
    let asked = git(&["rev-parse", "--git-dir"])?;
    if asked.status.success() {
        return Ok(());
    }
    let words = String::from_utf8_lossy(&asked.stderr);
    let first = words.lines().next().unwrap_or("git does not say why");
    Err(GitError::NoRepository(first.to_owned()))
}

fn commit(revision: &str) -> Result<Option<String>, GitError> {
    let name = format!("{revision}^{{commit}}");
    let asked = git(&[
        "rev-parse",
        "--verify",
        "--quiet",
        "--end-of-options",
        &name,
    ])?;
    let hash = String::from_utf8_lossy(&asked.stdout).trim().to_owned();
    Ok((asked.status.success() && !hash.is_empty()).then(|| {
        // With this option git repeats it before the answer.
        hash.lines().last().unwrap_or_default().to_owned()
    }))
}

/// What can be done about missing history.
fn missing(otherwise: &'static str) -> &'static str {
    let shallow = git(&["rev-parse", "--is-shallow-repository"]);
    match shallow {
        Ok(answer) if answer.stdout.starts_with(b"true") => UNSHALLOW,
        _ => otherwise,
    }
}

fn git(arguments: &[&str]) -> Result<Output, GitError> {
    let mut command = Command::new("git");
    // Its words are shown beside English ones.
    let command = command.args(arguments).env("LC_ALL", "C");
    command.output().map_err(GitError::NoGit)
}
