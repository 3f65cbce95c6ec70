//! The description and the arguments of `import`.

use clap::{Args, builder::TypedValueParser};
use settings::{choice, number, value};

use super::super::file_or_stdio::{FileOrStdio, file_or_stdio, format};
use crate::{
    import_export::{COLUMNS, Format, REQUIRED_COLUMNS},
    store::OnConflict,
};

/// The description of the command.
pub(in crate::cli) fn about() -> String {
    format!(
        "\
Import vehicles from a CSV or NDJSON file, validated as by createVehicle

CSV columns and NDJSON keys are named as in the contract: {}; {} are required. In CSV an empty field is null, \
and \"\" is the empty string. Ids of the file are kept: an identical stored vehicle is unchanged, and a different one \
with the same id makes the row invalid. Invalid rows are listed on stderr with their lines.

The exit code is 0 if every row is stored (with --dry-run: valid), 1 if not, and 2 for an invalid
command line.",
        COLUMNS.join(", "),
        REQUIRED_COLUMNS.join(" and ")
    )
}

/// The arguments of `import`.
#[derive(Debug, Clone, PartialEq, Eq, Args)]
pub(crate) struct ImportArguments {
    /// The file, or - for stdin
    #[arg(value_name = "FILE", value_parser = file_or_stdio())]
    pub(super) file: FileOrStdio,

    /// csv or ndjson; required if the file name does not end in .csv, .ndjson or .jsonl
    #[arg(long, value_name = "FORMAT", value_parser = format())]
    pub(super) format: Option<Format>,

    /// What to do with an invalid row: stop (the rows before it are stored) or skip
    #[arg(long, value_name = "STOP|SKIP", default_value = "stop")]
    #[arg(value_parser = choice([("stop", OnConflict::Stop), ("skip", OnConflict::Skip)]))]
    pub(super) on_error: OnConflict,

    /// What separates the columns of CSV: an ASCII punctuation character, or \t for a tab
    #[arg(long, value_name = "CHARACTER", default_value = ",", value_parser = delimiter())]
    pub(super) delimiter: u8,

    /// Validate the whole file and list every invalid row, without a database
    #[arg(long)]
    pub(super) dry_run: bool,

    /// Rows per transaction, from 1 to 100000
    #[arg(long, value_name = "ROWS", default_value = "2000", value_parser = number(1..=100_000))]
    #[arg(allow_negative_numbers = true)]
    pub(super) batch_rows: u32,

    /// Store all rows in one transaction: all or nothing
    #[arg(long)]
    pub(super) all_or_nothing: bool,
}

fn delimiter() -> impl TypedValueParser<Value = u8> {
    let must_be = "an ASCII punctuation character other than a quotation mark, or \\t";
    value(must_be, |text| match text.as_bytes() {
        b"\\t" => Some(b'\t'),
        [byte] if byte.is_ascii_punctuation() && *byte != b'"' => Some(*byte),
        _ => None,
    })
}
