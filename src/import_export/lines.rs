//! Reads rows of one or more lines, of bounded size.

use std::io::{BufRead, Read};

use super::unreadable::{MAX_ROW_BYTES, Unreadable};

/// The lines of a file, of which one row is in memory.
pub(super) struct Lines<R> {
    source: R,
    count: u64,
    /// The first line of the row, from 1.
    pub(super) first: u64,
    /// The lines of the row, with their ends.
    pub(super) row: Vec<u8>,
}

impl<R: BufRead> Lines<R> {
    pub(super) fn new(source: R) -> Self {
        Self {
            source,
            count: 0,
            first: 0,
            row: Vec::new(),
        }
    }

    /// Begins a row with the next line that is not blank; returns whether there is one.
    pub(super) fn begin_row(&mut self, is_blank: fn(&[u8]) -> bool) -> Result<bool, Unreadable> {
        loop {
            self.row.clear();
            self.first = self.count + 1;
            if !self.append_line()? {
                return Ok(false);
            }
            if !is_blank(&self.row) {
                return Ok(true);
            }
        }
    }

    /// Appends the next line to the row; returns whether there is one.
    pub(super) fn append_line(&mut self) -> Result<bool, Unreadable> {
        let limit = MAX_ROW_BYTES + 1 - self.row.len() as u64;
        let mut source = self.source.by_ref().take(limit);
        let read = source.read_until(b'\n', &mut self.row)?;
        if self.row.len() as u64 > MAX_ROW_BYTES {
            return Err(Unreadable::RowTooLong { line: self.first });
        }
        self.count += u64::from(read > 0);
        Ok(read > 0)
    }
}
