//! Why a file cannot be read.

use std::io;

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

    /// There is no row of column names.
    #[error(
        "it is empty; a CSV file begins with a row of column names, at least {}",
        REQUIRED.join(" and ")
    )]
    NoHeader,

    /// The row of column names is not CSV.
    #[error("invalid row of column names: {0}")]
    MalformedHeader(InvalidRow),

    /// The columns have another delimiter.
    #[error("the columns are separated by {0:?}; set --delimiter {0:?}")]
    OtherDelimiter(char),

    /// The columns are not those of a vehicle.
    #[error(
        "invalid columns: {}; allowed are {} in any order, of which {} are required",
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
}
