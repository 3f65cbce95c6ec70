//! Reads a contract from the history of a repository, with the program `git`.

use std::{
    io::{self, Write as _},
    process::{Command, Output, Stdio},
};

use super::files::{WILDCARDS, folder_of, is_omitted_below};
use crate::report::one_line;

/// The possible names of the main branch, remote branches first: local ones can be outdated.
const MAIN_BRANCHES: [&str; 4] = ["origin/main", "origin/master", "main", "master"];

/// The advice for a shallow clone.
const UNSHALLOW: &str = "this clone is shallow: run git fetch --unshallow origin, or in GitHub \
     Actions give actions/checkout fetch-depth: 0";

/// The advice if git cannot provide the contract.
const NAME_IT: &str = "name the old contract: diff OLD, or --old OLD";

/// Why a contract cannot be read from git.
#[derive(Debug, thiserror::Error)]
pub(super) enum GitError {
    #[error("cannot run git; install it, or {NAME_IT}")]
    NoGit(#[source] io::Error),
    #[error("not a readable git repository ({0}); {NAME_IT}")]
    NoRepository(String),
    #[error("unknown git revision {revision:?}; {advice}")]
    NoRevision { revision: String, advice: &'static str },
    #[error("revision {0:?} has no file {1:?} below the current folder")]
    NoFile(String, String),
    #[error("{1:?} in revision {0:?} is not UTF-8")]
    NotText(String, String),
    #[error(
        "none of the branches {} exists; {advice}, or {NAME_IT}",
        MAIN_BRANCHES.join(", ")
    )]
    NoMainBranch { advice: &'static str },
    #[error("HEAD and {branch} have no commit in common; {advice}, or {NAME_IT}")]
    NoMergeBase { branch: &'static str, advice: &'static str },
}

/// The content of a file in a revision; the path is relative to the current folder.
pub(crate) fn show(revision: &str, path: &str) -> Result<String, GitError> {
    in_repository()?;
    let found = object(revision, path, "--batch")?;
    let (revision, path) = (revision.to_owned(), path.to_owned());
    let Some((Object::Blob, mut content)) = found else {
        return Err(GitError::NoFile(revision, path));
    };
    // The line break that ends the output.
    content.pop();
    String::from_utf8(content).map_err(|_| GitError::NotText(revision, path))
}

/// The file of a revision at a path, or those below it that [`files_in`](super::files::files_in) would find, relative to the
/// current folder; for a pattern, those below its folder.
pub(crate) fn list(revision: &str, path: &str) -> Result<Vec<String>, GitError> {
    in_repository()?;
    let folder = if path.contains(WILDCARDS) { folder_of(path) } else { path };
    let tree = match object(revision, folder, "--batch-check")? {
        Some((Object::Tree(tree), _)) => tree,
        Some((Object::Blob, _)) => return Ok(vec![path.to_owned()]),
        None => return Ok(Vec::new()),
    };
    let listed = git(&["ls-tree", "-r", "-z", "--full-tree", "--name-only", &tree])?;
    let listed = String::from_utf8_lossy(&listed.stdout).into_owned();
    let files = listed.split('\0').filter(|file| !file.is_empty() && !is_omitted_below(file));
    let folder = match folder.trim_end_matches('/') {
        "." => String::new(),
        folder => format!("{folder}/"),
    };
    Ok(files.map(|file| folder.clone() + file).collect())
}

/// What a path in a revision is.
enum Object {
    Blob,
    /// A folder, with the name of the object.
    Tree(String),
}

/// What a path in a revision is, after its symbolic links, and the content if `output` is `--batch`; `None` if there is
/// nothing in the repository.
fn object(revision: &str, path: &str, output: &str) -> Result<Option<(Object, Vec<u8>)>, GitError> {
    let commit = commit(revision)?.ok_or_else(|| GitError::NoRevision {
        revision: revision.to_owned(),
        advice: history_advice("fetch it, as in git fetch origin, or look at git log"),
    })?;
    let relative = match path.strip_prefix('/') {
        Some(from_root) => from_root.to_owned(),
        None => format!("./{path}"),
    };
    let mut git = command(&["cat-file", output, "--follow-symlinks"]);
    let git = git.stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut git = git.spawn().map_err(GitError::NoGit)?;
    let mut names = git.stdin.take().expect("it is piped");
    // A failure to write is that of the process, whose output is then empty.
    let _ = writeln!(names, "{commit}:{}", relative.trim_end_matches('/'));
    drop(names);
    let found = git.wait_with_output().map_err(GitError::NoGit)?.stdout;
    let end = found.iter().position(|byte| *byte == b'\n');
    let (head, content) = found.split_at(end.map_or(0, |end| end + 1));
    let head = String::from_utf8_lossy(head);
    Ok(match head.split_whitespace().collect::<Vec<_>>()[..] {
        [_, "blob", _] => Some((Object::Blob, content.to_owned())),
        [tree, "tree", _] => Some((Object::Tree(tree.to_owned()), Vec::new())),
        _ => None,
    })
}

/// The commit at which the current branch left the main branch, shortened.
pub(crate) fn merge_base() -> Result<String, GitError> {
    in_repository()?;
    for branch in MAIN_BRANCHES {
        if commit(branch)?.is_some() {
            let base = git(&["merge-base", "HEAD", branch])?;
            let base = String::from_utf8_lossy(&base.stdout).trim().to_owned();
            return match base.get(..12) {
                Some(short) => Ok(short.to_owned()),
                None => {
                    Err(GitError::NoMergeBase { branch, advice: history_advice("merge the main branch into this one") })
                }
            };
        }
    }
    Err(GitError::NoMainBranch { advice: history_advice("run git fetch origin") })
}

fn in_repository() -> Result<(), GitError> {
    let output = git(&["rev-parse", "--git-dir"])?;
    if output.status.success() {
        return Ok(());
    }
    let stderr = String::from_utf8_lossy(&output.stderr);
    let first = stderr.lines().next().unwrap_or("git gave no reason");
    Err(GitError::NoRepository(one_line(first)))
}

fn commit(revision: &str) -> Result<Option<String>, GitError> {
    let name = format!("{revision}^{{commit}}");
    let output = git(&["rev-parse", "--verify", "--quiet", "--end-of-options", &name])?;
    let stdout = String::from_utf8_lossy(&output.stdout);
    // Git prints `--end-of-options` before the hash.
    Ok(stdout.lines().last().filter(|_| output.status.success()).map(str::to_owned))
}

/// The advice for missing history: that for shallow clones, or `otherwise`.
fn history_advice(otherwise: &'static str) -> &'static str {
    let shallow = git(&["rev-parse", "--is-shallow-repository"]);
    match shallow {
        Ok(output) if output.stdout.starts_with(b"true") => UNSHALLOW,
        _ => otherwise,
    }
}

fn git(arguments: &[&str]) -> Result<Output, GitError> {
    command(arguments).output().map_err(GitError::NoGit)
}

fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new("git");
    // Error messages of git are part of English messages.
    command.args(arguments).env("LC_ALL", "C");
    command
}
