//! Reads the rows of a file, which is UTF-8.

use std::io::{BufRead, Chain, Cursor, Read};

use super::lines::{Lines, Unreadable};
use super::row::{Row, validate};
use super::{Format, csv, ndjson};

const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

/// An iterator over the rows of a file.
///
/// It ends at the end of the file, or after the first [`Unreadable`].
pub struct Reader<R> {
    lines: Lines<Chain<Cursor<Vec<u8>>, R>>,
    format: Format,
    delimiter: u8,
    /// Those of CSV.
    columns: Vec<usize>,
    /// Whether rows have ids; unknown before the first row of NDJSON.
    has_ids: Option<bool>,
    ended: bool,
}

impl<R: BufRead> Reader<R> {
    /// Reads the byte order mark, if there is one, and in CSV the column names.
    pub fn open(mut source: R, format: Format, delimiter: u8) -> Result<Self, Unreadable> {
        let mut start = Vec::new();
        let mark_bytes = BYTE_ORDER_MARK.len() as u64;
        source.by_ref().take(mark_bytes).read_to_end(&mut start)?;
        if start == BYTE_ORDER_MARK {
            start.clear();
        }
        let mut reader = Self {
            lines: Lines::new(Cursor::new(start).chain(source)),
            format,
            delimiter,
            columns: Vec::new(),
            has_ids: None,
            ended: false,
        };
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
