//! The file of `import` and `export`, and its format.

use std::path::PathBuf;

use clap::builder::TypedValueParser;
use schema::file_name;
use service::Failure;
use settings::{choice, secret};

use crate::import_export::Format;

/// A file argument.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum FileOrStdio {
    /// `-`: stdin or stdout.
    Stdio,
    /// A path.
    File(PathBuf),
}

/// Neither a flag nor the name of a file states its format.
#[derive(Debug, thiserror::Error)]
#[error(
    "--format must be csv or ndjson, since the name {0} does not end in .csv, .ndjson or .jsonl"
)]
struct UnknownFormat(String);

impl FileOrStdio {
    /// The path for messages, or `stdio`.
    pub(super) fn name(&self, stdio: &str) -> String {
        match self {
            Self::Stdio => stdio.to_owned(),
            Self::File(path) => file_name(&path.to_string_lossy()).into_owned(),
        }
    }

    /// The requested format, or that of the file name.
    pub(super) fn format(&self, requested: Option<Format>) -> Result<Format, Failure> {
        let format = requested.or_else(|| match self {
            Self::Stdio => None,
            Self::File(path) => Format::from_path(path),
        });
        format.ok_or_else(|| Failure::command(UnknownFormat(self.name("-")), 2))
    }
}

pub(super) fn file_or_stdio() -> impl TypedValueParser<Value = FileOrStdio> {
    // A URL can contain a password, such as that of the database.
    secret("the path of a file, or -", |text| match text {
        "" => Err("it is empty".to_owned()),
        "-" => Ok(FileOrStdio::Stdio),
        url if url.contains("://") => {
            Err("it is a URL (--database-url names the database)".to_owned())
        }
        path => Ok(FileOrStdio::File(path.into())),
    })
}

pub(super) fn format() -> impl TypedValueParser<Value = Format> {
    choice([("csv", Format::Csv), ("ndjson", Format::Ndjson)])
}
