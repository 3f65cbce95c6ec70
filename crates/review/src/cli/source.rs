//! Reads contracts from files, git revisions and what the caller has fetched, and recorded use from files.

use std::{
    collections::HashMap,
    fs, io,
    path::{Path, PathBuf},
};

use schema::{Position, Problems, Schema, UnreadableUsage, UsageSnapshot, file_name};
use settings::masked_url;

use super::git::{self, GitError};
use crate::usage::Usage;

/// The default path of the contract in a repository.
pub(crate) const SCHEMA_FILE: &str = "schema.graphql";

/// The contracts that the caller has fetched, by URL.
pub type Fetched = HashMap<String, Schema>;

/// The source of a contract.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Source {
    /// An SDL file, or an introspection response whose name ends in `.json`.
    File(PathBuf),
    /// The URL of a running service.
    Url(String),
    /// A file in a revision, in the same formats.
    Git {
        /// The revision.
        revision: String,
        /// The path, relative to the current folder.
        path: String,
    },
}

/// Why a contract, accepted changes or documents cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum Unreadable {
    /// The file cannot be read.
    #[error(
        "cannot read {}; name another file, the URL of a running service, or git:REVISION[:PATH]",
        file_name(&.0.to_string_lossy())
    )]
    File(PathBuf, #[source] io::Error),
    /// The caller has not fetched the URL.
    #[error("this program does not fetch {}; save its contract to a file, and name the file", masked_url(.0))]
    Url(String),
    /// The file of accepted changes cannot be read.
    #[error("cannot read the accepted changes in {}", file_name(&.0.to_string_lossy()))]
    Accepted(PathBuf, #[source] io::Error),
    /// The policy cannot be read.
    #[error("cannot read the policy in {}", file_name(&.0.to_string_lossy()))]
    Policy(PathBuf, #[source] io::Error),
    /// Documents cannot be read.
    #[error("cannot read the documents in {}", file_name(&.0.to_string_lossy()))]
    Documents(PathBuf, #[source] io::Error),
    /// A file has neither documents nor a manifest.
    #[error(
        "unknown format of {}; name a folder, a .graphql file, a file of source code, or a manifest \
         (.json)",
        file_name(&.0.to_string_lossy())
    )]
    Format(PathBuf),
    /// The documents are too large.
    #[error("the documents have more than {0} bytes; name fewer folders")]
    TooLarge(u64),
    /// There are no operations.
    #[error(
        "no operations found; name a folder, a .graphql file, a file of source code, or a manifest"
    )]
    NoOperations,
    /// Recorded use cannot be read.
    #[error(transparent)]
    Usage(#[from] UnreadableUsage),
    /// The contract cannot be read from git.
    #[error(transparent)]
    Git(#[from] GitError),
    /// The contract, the file of accepted changes, the policy or a document is invalid.
    #[error("{0}")]
    Invalid(Problems),
}

impl Source {
    /// Parses a source; a text that is neither a URL nor a revision is a path.
    pub fn parse(text: &str) -> Self {
        if let Some(revision) = text.strip_prefix("git:") {
            let (revision, path) = revision.split_once(':').unwrap_or((revision, SCHEMA_FILE));
            return Self::Git {
                revision: revision.to_owned(),
                path: path.to_owned(),
            };
        }
        if text.starts_with("http://") || text.starts_with("https://") {
            Self::Url(text.to_owned())
        } else {
            Self::File(text.into())
        }
    }
}

/// The source of the old contract; by default the file of the new one where the current branch left
/// the main branch.
pub(crate) fn old_source(old: Option<&str>, new: &Source) -> Result<Source, Unreadable> {
    if let Some(old) = old {
        return Ok(Source::parse(old));
    }
    let path = match new {
        Source::File(path) if path.is_relative() => path.to_string_lossy().into_owned(),
        _ => SCHEMA_FILE.to_owned(),
    };
    let revision = git::merge_base()?;
    Ok(Source::Git { revision, path })
}

/// Reads the contract of a source.
pub fn read(source: &Source, fetched: &Fetched) -> Result<Schema, Unreadable> {
    let (schema, problems) = read_partly(source, fetched)?;
    match problems {
        None => Ok(schema),
        Some(problems) => Err(Unreadable::Invalid(problems)),
    }
}

/// Reads an old contract, and its problems if one that is not valid is allowed (`--allow-invalid-old`).
pub(super) fn read_old(
    source: &Source,
    fetched: &Fetched,
    allow_invalid: bool,
) -> Result<(Schema, Option<Problems>), Unreadable> {
    if allow_invalid {
        read_partly(source, fetched)
    } else {
        Ok((read(source, fetched)?, None))
    }
}

/// Reads what is valid of the contract of a source, and its problems. Of an introspection response, nothing is read if
/// there are some.
fn read_partly(
    source: &Source,
    fetched: &Fetched,
) -> Result<(Schema, Option<Problems>), Unreadable> {
    let (name, text) = match source {
        Source::File(path) => {
            let text = fs::read_to_string(path);
            let text = text.map_err(|error| Unreadable::File(path.clone(), error))?;
            (path.to_string_lossy().into_owned(), text)
        }
        Source::Git { revision, path } => {
            let text = git::show(revision, path)?;
            (format!("git:{revision}:{path}"), text)
        }
        Source::Url(url) => {
            let fetched = fetched.get(url).cloned();
            let fetched = fetched.ok_or_else(|| Unreadable::Url(url.clone()))?;
            return Ok((fetched, None));
        }
    };
    let extension = Path::new(&name).extension();
    if extension.is_some_and(|end| end == "json") {
        let schema = from_introspection(&name, &text).map_err(Unreadable::Invalid)?;
        return Ok((schema, None));
    }
    let (schema, problems) = Schema::parse_partly(name, &text);
    Ok((schema, problems.into_result(()).err()))
}

fn from_introspection(name: &str, json: &str) -> Result<Schema, Problems> {
    // A parser may ignore a byte order mark (RFC 8259, section 8.1).
    let json = json.strip_prefix('\u{feff}').unwrap_or(json);
    let response = serde_json::from_str(json).map_err(|error| {
        let (line, column) = (error.line().max(1), error.column().max(1));
        let mut problems = Problems::new(name);
        let message = if error.to_string().starts_with("recursion limit") {
            "nested too deeply (limit 127)".to_owned()
        } else {
            format!("is not an introspection response ({error})")
        };
        problems.add(Position { line, column }, message);
        problems
    })?;
    Schema::from_introspection(name, &response)
}

/// Reads files of recorded use, one for each instance.
pub(super) fn read_usage(files: &[PathBuf]) -> Result<Usage, Unreadable> {
    let snapshots = files.iter().map(|path| UsageSnapshot::read(path));
    let snapshots: Result<Vec<_>, _> = snapshots.collect();
    Ok(Usage::new(snapshots?))
}

#[cfg(test)]
mod tests {
    use super::Source;

    #[test]
    fn the_prefix_determines_the_kind_of_source() {
        let git = |revision: &str, path: &str| Source::Git {
            revision: revision.to_owned(),
            path: path.to_owned(),
        };
        for (text, expected) in [
            ("a/b.graphql", Source::File("a/b.graphql".into())),
            ("git", Source::File("git".into())),
            ("git:HEAD~1", git("HEAD~1", "schema.graphql")),
            ("git:v1:a/b.graphql", git("v1", "a/b.graphql")),
            (
                "http://127.0.0.1:8000",
                Source::Url("http://127.0.0.1:8000".into()),
            ),
        ] {
            assert_eq!(Source::parse(text), expected, "{text}");
        }
    }
}
