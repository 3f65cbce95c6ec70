//! Reads rows of one or more lines, of bounded size.

use std::io::{self, BufRead, Read};

use super::row::{NAMES, REQUIRED};

const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

/// The maximum size of a row, far above that of the longest valid row.
pub const MAX_ROW_BYTES: u64 = 1 << 20;

/// The lines of a file, of which one row is in memory.
pub(super) struct Lines<R> {
    source: R,
    count: u64,
    /// The number of bytes that have been read.
    pub(super) position: u64,
    /// The first line of the row, from 1.
    pub(super) first: u64,
    /// The lines of the row, with their ends.
    pub(super) row: Vec<u8>,
}

impl<R: BufRead> Lines<R> {
    pub(super) fn new(source: R) -> Self {
        Self { source, count: 0, position: 0, first: 0, row: Vec::new() }
    }

    /// Begins a row with the next line that is not blank; returns whether there is one.
    pub(super) fn begin_row(&mut self) -> Result<bool, Unreadable> {
        loop {
            self.row.clear();
            self.first = self.count + 1;
            if !self.append_line()? {
                return Ok(false);
            }
            if !self.row.trim_ascii().is_empty() {
                return Ok(true);
            }
        }
    }

    /// Appends the next line to the row, the first without a byte order mark; returns whether there is one.
    pub(super) fn append_line(&mut self) -> Result<bool, Unreadable> {
        let limit = MAX_ROW_BYTES + 1 - self.row.len() as u64;
        let mut source = self.source.by_ref().take(limit);
        let read = source.read_until(b'\n', &mut self.row)?;
        if self.row.len() as u64 > MAX_ROW_BYTES {
            return Err(Unreadable::RowTooLong { line: self.first });
        }
        if self.count == 0 && self.row.starts_with(BYTE_ORDER_MARK) {
            self.row.drain(..BYTE_ORDER_MARK.len());
        }
        self.position += read as u64;
        self.count += u64::from(read > 0);
        Ok(read > 0)
    }
}

/// Why a file, or the rest of it, cannot be read. The violations of a single row are in its [`Row`](super::Row).
#[derive(Debug, thiserror::Error)]
pub enum Unreadable {
    /// The file cannot be opened, or an I/O error.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// There is no row of column names.
    #[error(
        "it is empty; a CSV file begins with a row of column names, at least {}",
        REQUIRED.join(" and ")
    )]
    NoHeader,
    /// The row of column names is not CSV.
    #[error("invalid row of column names: {0}")]
    MalformedHeader(&'static str),
    /// The columns are not those of a vehicle.
    #[error(
        "invalid columns: {}; allowed are {} in any order, of which {} are required, separated by the --delimiter",
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
