//! Why a file cannot be read.

use std::io;

use schema::counted;

use super::columns::{NAMES, REQUIRED};
use super::row::InvalidRow;

/// The maximum size of a row, far above that of the longest valid row.
pub const MAX_ROW_BYTES: u64 = 1 << 20;

/// Why the rest of a file cannot be read. A single row that cannot be stored is an [`InvalidRow`].
#[derive(Debug, thiserror::Error)]
pub enum Unreadable {
    /// An I/O error.
    #[error("it cannot be read")]
    Io(#[from] io::Error),

    /// It is UTF-16, in the encoding with this name.
    #[error(
        "it is encoded in {0}; save it as UTF-8, in spreadsheets as \"CSV UTF-8\", or convert it with \
         iconv -f {0} -t UTF-8"
    )]
    Utf16(&'static str),

    /// There is no row of column names.
    #[error(
        "it is empty; a CSV file begins with a row of column names, at least {}",
        REQUIRED.join(" and ")
    )]
    NoHeader,

    /// The row of column names is not CSV.
    #[error("invalid row of column names: {0}")]
    MalformedHeader(InvalidRow),

    /// The columns are separated by other characters, which are named.
    #[error("the columns are separated by {0}; separate them by commas")]
    OtherSeparator(&'static str),

    /// The columns are not those of a vehicle.
    #[error(
        "invalid columns: {}; allowed are {} in any order, of which {} are required (with --update only id)",
        .0.join("; "), NAMES.join(", "), REQUIRED.join(" and ")
    )]
    InvalidColumns(Vec<String>),

    /// A row is longer than [`MAX_ROW_BYTES`].
    #[error(
        "the row that begins on line {line} has more than {MAX_ROW_BYTES} bytes (in CSV, a quotation \
         mark may not be closed)"
    )]
    RowTooLong {
        /// The first line of the row, from 1.
        line: u64,
    },

    /// There are fewer rows than are to be skipped.
    #[error("it has only {}; correct --skip-rows", counted(*.0, "row"))]
    TooFewRows(u64),
}
