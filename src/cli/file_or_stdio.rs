//! The file of `import` and `export`, and its format.

use std::path::PathBuf;

use clap::builder::TypedValueParser;
use settings::{choice, value};

use super::Failure;
use crate::import_export::Format;

/// A file argument.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum FileOrStdio {
    /// `-`: stdin or stdout.
    Stdio,
    /// A path.
    File(PathBuf),
}

impl FileOrStdio {
    /// The path, or `stdio`.
    pub(super) fn name(&self, stdio: &str) -> String {
        match self {
            Self::Stdio => stdio.to_owned(),
            Self::File(path) => path.display().to_string(),
        }
    }

    /// The requested format, or that of the file name.
    pub(super) fn format(&self, requested: Option<Format>) -> Result<Format, Failure> {
        let format = requested.or_else(|| match self {
            Self::Stdio => None,
            Self::File(path) => Format::from_path(path),
        });
        format.ok_or_else(|| Failure::UnknownFormat(self.name("-")))
    }
}

pub(super) fn file_or_stdio() -> impl TypedValueParser<Value = FileOrStdio> {
    value("the path of a file, or -", |text| match text {
        "" => None,
        "-" => Some(FileOrStdio::Stdio),
        path => Some(FileOrStdio::File(path.into())),
    })
}

pub(super) fn format() -> impl TypedValueParser<Value = Format> {
    choice([("csv", Format::Csv), ("ndjson", Format::Ndjson)])
}
