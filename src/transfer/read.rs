//! Reads the rows of a file, which is UTF-8.

use std::io::{BufRead, Chain, Cursor, Read};

use super::lines::{Lines, Unreadable};
use super::row::{IdRule, InvalidRow, RawRow, Row};
use super::{Format, csv, ndjson};

const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

/// An iterator over the rows of a file.
///
/// It ends at the end of the file, or after the first [`Unreadable`].
pub struct Reader<R> {
    lines: Lines<Chain<Cursor<Vec<u8>>, R>>,
    /// `None` in NDJSON.
    csv: Option<csv::Parser>,
    id_rule: IdRule,
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
        let mut lines = Lines::new(Cursor::new(start).chain(source));
        let csv = match format {
            Format::Csv => Some(csv::Parser::open(&mut lines, delimiter)?),
            Format::Ndjson => None,
        };
        let id_rule = csv
            .as_ref()
            .map_or(IdRule::AsFirstRow, csv::Parser::id_rule);
        Ok(Self {
            lines,
            csv,
            id_rule,
            ended: false,
        })
    }

    fn raw_row(&mut self) -> Result<Option<Result<RawRow, InvalidRow>>, Unreadable> {
        match &mut self.csv {
            Some(csv) => csv.row(&mut self.lines),
            None => ndjson::row(&mut self.lines),
        }
    }

    fn read(&mut self) -> Result<Option<Result<Row, InvalidRow>>, Unreadable> {
        let next = self.raw_row()?;
        Ok(next.map(|raw| raw.and_then(|raw| raw.validate(&mut self.id_rule))))
    }
}

impl<R: BufRead> Iterator for Reader<R> {
    type Item = Result<Result<Row, InvalidRow>, Unreadable>;

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
