//! Why a file cannot be read any further.

use std::io;

use super::MAX_ROW_BYTES;

/// What is wrong with a file as a whole. A row that breaks a rule is a [`BadRow`](super::BadRow).
#[derive(Debug, thiserror::Error)]
pub enum Unreadable {
    /// The operating system reports an error.
    #[error("it cannot be read")]
    Io(#[source] io::Error),

    /// There is no row of column names.
    #[error(
        "it is empty: a CSV file begins with a row of column names, type and modelCode at least"
    )]
    NoHeader,

    /// The row of column names is not CSV.
    #[error("its row of column names is not CSV: {0}")]
    MalformedHeader(String),

    /// The columns are not those of a vehicle.
    #[error(
        "its columns are wrong: {}; the columns are type and modelCode and, where wanted, \
         id, brandName and launchDate, in any order and written like this", .0.join("; ")
    )]
    WrongColumns(Vec<String>),

    /// A row has more bytes than any vehicle needs.
    #[error(
        "the row that begins on line {line} has more than {MAX_ROW_BYTES} bytes (in CSV, a quotation \
         mark may not be closed)"
    )]
    RowTooLong {
        /// The line on which the row begins, counted from 1.
        line: u64,
    },
}

impl From<io::Error> for Unreadable {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}
