//! The kinds of files.

use std::path::Path;

/// How the rows of a file are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Comma-separated values: RFC 4180 with a row of column names. A field without a character is
    /// null, and a pair of quotation marks the empty text.
    Csv,
    /// A JSON object a line.
    Ndjson,
}

impl Format {
    /// `csv` or `ndjson`.
    pub fn parse(name: &str) -> Option<Self> {
        match name {
            "csv" => Some(Self::Csv),
            "ndjson" => Some(Self::Ndjson),
            _ => None,
        }
    }

    /// What the end of the file's name says: `.csv`, `.ndjson` or `.jsonl`, in any case.
    pub fn of_file(path: &Path) -> Option<Self> {
        let extension = path.extension()?.to_str()?.to_ascii_lowercase();
        match extension.as_str() {
            "csv" => Some(Self::Csv),
            "ndjson" | "jsonl" => Some(Self::Ndjson),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_of_a_name_tells_the_format() {
        for (name, format) in [
            ("vehicles.csv", Some(Format::Csv)),
            ("backup/VEHICLES.CSV", Some(Format::Csv)),
            ("vehicles.2026.ndjson", Some(Format::Ndjson)),
            ("vehicles.jsonl", Some(Format::Ndjson)),
            ("vehicles.json", None),
            ("vehicles", None),
            (".csv", None),
        ] {
            assert_eq!(Format::of_file(Path::new(name)), format, "{name}");
        }
    }
}
