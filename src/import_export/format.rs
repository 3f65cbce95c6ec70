//! The file formats.

use std::path::Path;

/// The format of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Comma-separated values: RFC 4180 with a row of column names. An empty field is null, and a
    /// pair of quotation marks is the empty string.
    Csv,
    /// One JSON object per line.
    Ndjson,
}

impl Format {
    /// The format of a file extension: `.csv`, `.ndjson` or `.jsonl`, case-insensitive.
    pub fn from_path(path: &Path) -> Option<Self> {
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
    fn the_file_extension_determines_the_format() {
        for (name, format) in [
            ("vehicles.csv", Some(Format::Csv)),
            ("backup/VEHICLES.CSV", Some(Format::Csv)),
            ("vehicles.2026.ndjson", Some(Format::Ndjson)),
            ("vehicles.jsonl", Some(Format::Ndjson)),
            ("vehicles.json", None),
            ("vehicles", None),
            (".csv", None),
        ] {
            assert_eq!(Format::from_path(Path::new(name)), format, "{name}");
        }
    }
}
