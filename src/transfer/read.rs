//! Reads the rows of a file, which is UTF-8.

use std::io::BufRead;

use super::lines::{Lines, Unreadable};
use super::row::{Row, validate};
use super::{Format, csv, ndjson};

/// An iterator over the rows of a file.
///
/// It ends at the end of the file, or after the first [`Unreadable`].
pub struct Reader<R> {
    lines: Lines<R>,
    format: Format,
    delimiter: u8,
    /// Those of CSV.
    columns: Vec<usize>,
    /// Whether rows have ids; unknown before the first row of NDJSON.
    has_ids: Option<bool>,
    ended: bool,
}

impl<R: BufRead> Reader<R> {
    /// Reads the column names, in CSV.
    pub fn open(source: R, format: Format, delimiter: u8) -> Result<Self, Unreadable> {
        let (lines, columns) = (Lines::new(source), Vec::new());
        let mut reader = Self { lines, format, delimiter, columns, has_ids: None, ended: false };
        if format == Format::Csv {
            reader.columns = csv::columns(&mut reader.lines, delimiter)?;
            // The id is the first of all columns.
            reader.has_ids = Some(reader.columns.contains(&0));
        }
        Ok(reader)
    }

    /// The number of bytes that have been read.
    pub fn position(&self) -> u64 {
        self.lines.position
    }

    fn read(&mut self) -> Result<Option<Row>, Unreadable> {
        if !self.lines.begin_row()? {
            return Ok(None);
        }
        let cells = match self.format {
            Format::Csv => csv::cells(&mut self.lines, self.delimiter, &self.columns)?,
            Format::Ndjson => ndjson::cells(&self.lines.row),
        };
        let line = self.lines.first;
        let vehicle = cells.and_then(|cells| validate(cells, &mut self.has_ids));
        Ok(Some(Row { line, vehicle }))
    }
}

impl<R: BufRead> Iterator for Reader<R> {
    type Item = Result<Row, Unreadable>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.ended {
            return None;
        }
        let read = self.read().transpose();
        self.ended = !matches!(read, Some(Ok(_)));
        read
    }
}

#[cfg(test)]
mod tests;
