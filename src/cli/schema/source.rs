//! Where contracts come from: files, running services, and what git remembers.

use std::{fs, io, path::PathBuf};

use contract::{Problems, Schema};

use super::{
    git::{self, GitError},
    service::{self, ServiceError},
};

/// The contract's place in a repository.
pub(super) const SCHEMA_FILE: &str = "schema.graphql";

/// Where a contract comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Source {
    /// A file of SDL.
    File(PathBuf),
    /// A running service.
    Service(String),
    /// A file, relative to the current folder, as it was in a revision.
    Git { revision: String, path: String },
}

/// Why a contract, or a file beside it, can't be read.
#[derive(Debug, thiserror::Error)]
pub enum Unreadable {
    /// The file can't be had.
    #[error(
        "cannot read {}; name another file, the URL of a running service, or git:REVISION[:PATH]",
        .0.display()
    )]
    File(PathBuf, #[source] io::Error),
    /// The file of accepted changes can't be had.
    #[error("cannot read the accepted changes in {}", .0.display())]
    Accepted(PathBuf, #[source] io::Error),
    /// The service does not tell.
    #[error("cannot read the contract of {0}")]
    Service(String, #[source] ServiceError),
    /// Git does not have it.
    #[error(transparent)]
    Git(#[from] GitError),
    /// What was read is not a contract, or not a file of accepted changes.
    #[error("{0}")]
    Wrong(Problems),
}

impl Source {
    /// Every text is a source: what is neither a URL nor a revision is a file.
    pub(super) fn parse(text: &str) -> Self {
        if let Some(revision) = text.strip_prefix("git:") {
            let (revision, path) = revision.split_once(':').unwrap_or((revision, SCHEMA_FILE));
            return Self::Git {
                revision: revision.to_owned(),
                path: path.to_owned(),
            };
        }
        if text.starts_with("http://") || text.starts_with("https://") {
            Self::Service(text.to_owned())
        } else {
            Self::File(text.into())
        }
    }
}

/// The contract of a source.
pub(super) async fn read(source: &Source) -> Result<Schema, Unreadable> {
    let parsed = match source {
        Source::File(path) => {
            let sdl = fs::read_to_string(path);
            let sdl = sdl.map_err(|error| Unreadable::File(path.clone(), error))?;
            Schema::parse(path.to_string_lossy(), &sdl)
        }
        Source::Git { revision, path } => {
            let sdl = git::show(revision, path)?;
            Schema::parse(format!("git:{revision}:{path}"), &sdl)
        }
        Source::Service(url) => {
            let told = service::ask(url).await;
            told.map_err(|error| Unreadable::Service(url.clone(), error))?
        }
    };
    parsed.map_err(Unreadable::Wrong)
}

#[cfg(test)]
mod tests {
    use super::Source;

    #[test]
    fn a_source_is_known_by_how_it_begins() {
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
                Source::Service("http://127.0.0.1:8000".into()),
            ),
        ] {
            assert_eq!(Source::parse(text), expected, "{text}");
        }
    }
}
