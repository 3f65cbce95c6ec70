//! The file of an import or an export, and its format.

use std::{ffi::OsStr, path::PathBuf};

use graphql_sdl::file_name;

/// The format of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Format {
    /// Comma-separated values: RFC 4180 with a row of column names. An empty field is null, and a pair of quotation marks is
    /// the empty string.
    Csv,
    /// One JSON object per line.
    Ndjson,
}

/// A file argument.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FileOrStdio {
    /// `-`: stdin or stdout.
    Stdio,
    /// A path.
    File(PathBuf),
}

impl FileOrStdio {
    /// Parses a path, or `-`. A URL is refused, because it can contain a password, such as that of the database.
    pub fn parse(text: &str) -> Result<Self, &'static str> {
        match text {
            "" => Err("it is empty"),
            "-" => Ok(Self::Stdio),
            url if url.contains("://") => Err("it is a URL (--database-url names the database)"),
            path => Ok(Self::File(path.into())),
        }
    }

    /// The path for messages, or `stdio`.
    pub fn name(&self, stdio: &str) -> String {
        match self {
            Self::Stdio => stdio.to_owned(),
            Self::File(path) => file_name(&path.to_string_lossy()).into_owned(),
        }
    }

    /// The requested format, or that of the file extension, case-insensitive, or what to say if neither states it.
    pub fn format(&self, requested: Option<Format>) -> Result<Format, String> {
        let extension = match self {
            Self::Stdio => None,
            Self::File(path) => path.extension().and_then(OsStr::to_str),
        };
        let named = match extension.map(str::to_ascii_lowercase).as_deref() {
            Some("csv") => Some(Format::Csv),
            Some("ndjson" | "jsonl") => Some(Format::Ndjson),
            _ => None,
        };
        requested.or(named).ok_or_else(|| {
            let name = self.name("-");
            format!("--format must be csv or ndjson, since the name {name} does not end in .csv, .ndjson or .jsonl")
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_extension_determines_the_format() {
        for (name, format) in [
            ("vehicles.csv", Some(Format::Csv)),
            ("backup/VEHICLES.CSV", Some(Format::Csv)),
            ("vehicles.2026.ndjson", Some(Format::Ndjson)),
            ("vehicles.jsonl", Some(Format::Ndjson)),
            ("vehicles.json", None),
            (".csv", None),
            ("-", None),
        ] {
            let file = FileOrStdio::parse(name).expect("it is no URL");
            assert_eq!(file.format(None).ok(), format, "{name}");
        }
    }
}
