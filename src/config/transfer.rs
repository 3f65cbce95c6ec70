//! What `import` and `export` can be told.

use std::path::{Path, PathBuf};

use clap::Args;

use super::Command;
use super::checked::{Checked, number, value};
use crate::transfer::{Format, Ids};

pub(super) const IMPORT: &str = "\
Store the vehicles of a CSV or NDJSON file, under the rules of createVehicle

Columns of CSV and names of NDJSON are those of the contract: id, type, modelCode, brandName,
launchDate; type and modelCode have to be there. In CSV a field without a character is null, and \"\"
is the empty text. Rows that cannot be stored are listed on stderr, each with its line.

The exit code is 0 when every row is stored (with --dry-run: could be), 1 when some are not, and 2
for a wrong command line. An import that ends early says how to go on. Rows count from the first
below the column names.";

pub(super) const EXPORT: &str = "\
Write every vehicle to a CSV or NDJSON file, in the order of their ids

The vehicles are those of one moment, whatever is created meanwhile, and what was exported imports
back identical. A file appears, or is replaced, when it is complete.";

/// Where a file is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Place {
    /// `-`: stdin, or stdout.
    Standard,
    /// A path.
    File(PathBuf),
}

/// What `import` does at a row that cannot be stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OnBadRow {
    /// It ends; what stands before the row is stored.
    Stop,
    /// It goes on with the next one.
    Skip,
}

/// What `import` is told.
#[derive(Debug, Clone, PartialEq, Eq, Args)]
pub struct ImportArguments {
    /// The file, or - for stdin
    #[arg(value_name = "FILE", value_parser = place())]
    pub file: Place,

    /// csv or ndjson, where the name of the file does not end in .csv, .ndjson or .jsonl
    #[arg(long, value_name = "FORMAT", value_parser = format())]
    format: Option<Format>,

    /// What to do at a row that cannot be stored: stop (what stands before it is stored) or skip
    #[arg(long, value_name = "STOP|SKIP", default_value = "stop", value_parser = on_bad_row())]
    pub on_error: OnBadRow,

    /// What becomes of ids in the file: they are kept, or the database makes new ones: keep or new.
    /// With keep, a vehicle that is there already, the same under the same id, counts as stored, and
    /// another one under its id makes the row one that cannot be stored
    #[arg(long, value_name = "KEEP|NEW", default_value = "keep", value_parser = ids())]
    pub ids: Ids,

    /// Read the whole file and list every row that breaks a rule; ask no database, store nothing
    #[arg(long)]
    pub dry_run: bool,

    /// How many rows are stored in one transaction, from 1 to 100000
    #[arg(long, value_name = "ROWS", default_value = "2000", value_parser = number(1..=100_000))]
    #[arg(allow_negative_numbers = true)]
    pub batch_rows: u32,

    /// Store everything in one transaction: if the import does not come to its end, nothing is stored
    #[arg(long)]
    pub all_or_nothing: bool,

    /// How many rows to pass over at the beginning
    #[arg(long, value_name = "ROWS", default_value = "0", value_parser = rows())]
    #[arg(allow_negative_numbers = true)]
    pub skip_rows: u64,
}

/// What `export` is told.
#[derive(Debug, Clone, PartialEq, Eq, Args)]
pub struct ExportArguments {
    /// The file, or - for stdout
    #[arg(value_name = "FILE", default_value = "-", value_parser = place())]
    pub file: Place,

    /// csv or ndjson, where the name of the file does not end in .csv, .ndjson or .jsonl
    #[arg(long, value_name = "FORMAT", value_parser = format())]
    format: Option<Format>,
}

impl ImportArguments {
    /// How the rows of the file are written.
    pub fn format(&self) -> Format {
        decided(self.format, &self.file).expect("the command line was checked")
    }
}

impl ExportArguments {
    /// How the rows of the file are to be written.
    pub fn format(&self) -> Format {
        decided(self.format, &self.file).expect("the command line was checked")
    }
}

impl Place {
    /// The path, if it has one.
    pub fn path(&self) -> Option<&Path> {
        match self {
            Self::Standard => None,
            Self::File(path) => Some(path),
        }
    }
}

/// A sentence if neither the name of the file nor the command line says how its rows are written.
pub(super) fn undecided_format(command: &Command) -> Option<String> {
    let (format, file) = match command {
        Command::Import(arguments) => (arguments.format, &arguments.file),
        Command::Export(arguments) => (arguments.format, &arguments.file),
        _ => return None,
    };
    if decided(format, file).is_some() {
        return None;
    }
    let name = file.path().map_or("-".into(), Path::to_string_lossy);
    Some(format!(
        "--format must be csv or ndjson, since the name {name} does not end in .csv, .ndjson or .jsonl"
    ))
}

fn decided(format: Option<Format>, file: &Place) -> Option<Format> {
    format.or_else(|| Format::of_file(file.path()?))
}

fn place() -> Checked<Place> {
    value("the path of a file, or -", |text| match text {
        "" => None,
        "-" => Some(Place::Standard),
        path => Some(Place::File(path.into())),
    })
}

fn format() -> Checked<Format> {
    value("csv or ndjson", Format::parse)
}

fn on_bad_row() -> Checked<OnBadRow> {
    value("stop or skip", |text| match text {
        "stop" => Some(OnBadRow::Stop),
        "skip" => Some(OnBadRow::Skip),
        _ => None,
    })
}

fn ids() -> Checked<Ids> {
    value("keep or new", |text| match text {
        "keep" => Some(Ids::Keep),
        "new" => Some(Ids::New),
        _ => None,
    })
}

fn rows() -> Checked<u64> {
    value("a whole number from 0 on", |text| text.parse().ok())
}
