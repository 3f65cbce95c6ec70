//! Reads the rows of a file.

use std::io::{BufRead, Chain, Cursor, Read};

use super::lines::Lines;
use super::row::{IdRule, RawRow};
use super::{Format, Ids, InvalidRow, Row, Unreadable, csv, ndjson};

const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

/// An iterator over the rows of a file.
///
/// It ends at the end of the file, or after the first [`Unreadable`].
pub struct Reader<R> {
    lines: Lines<Chain<Cursor<Vec<u8>>, R>>,
    /// `None` in NDJSON.
    csv: Option<csv::Parser>,
    ids: Ids,
    id_rule: IdRule,
    ended: bool,
}

impl<R: BufRead> Reader<R> {
    /// Reads the byte order mark, if there is one, and in CSV the column names.
    pub fn open(mut source: R, format: Format, ids: Ids) -> Result<Self, Unreadable> {
        let mut start = Vec::new();
        let mark_bytes = BYTE_ORDER_MARK.len() as u64;
        source.by_ref().take(mark_bytes).read_to_end(&mut start)?;
        if start == BYTE_ORDER_MARK {
            start.clear();
        }
        if let Some(encoding) = utf_16(&start) {
            return Err(Unreadable::Utf16(encoding));
        }
        let mut lines = Lines::new(Cursor::new(start).chain(source));
        let csv = match format {
            Format::Csv => Some(csv::Parser::open(&mut lines, ids)?),
            Format::Ndjson => None,
        };
        let id_rule = match (ids, &csv) {
            (Ids::New, _) => IdRule::Ignored,
            (Ids::Keep | Ids::Update, Some(csv)) => csv.id_rule(),
            (Ids::Keep | Ids::Update, None) => IdRule::AsFirstRow,
        };
        Ok(Self {
            lines,
            csv,
            ids,
            id_rule,
            ended: false,
        })
    }

    /// Skips the next row without validation; returns whether there was one.
    pub fn skip_row(&mut self) -> Result<bool, Unreadable> {
        Ok(self.raw_row()?.is_some())
    }

    fn raw_row(&mut self) -> Result<Option<Result<RawRow, InvalidRow>>, Unreadable> {
        match &mut self.csv {
            Some(csv) => csv.row(&mut self.lines),
            None => ndjson::row(&mut self.lines),
        }
    }

    fn read(&mut self) -> Result<Option<Result<Row, InvalidRow>>, Unreadable> {
        let next = self.raw_row()?;
        Ok(next.map(|raw| raw.and_then(|raw| raw.validate(self.ids, &mut self.id_rule))))
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

/// The name of the encoding, if a file that begins with these bytes is UTF-16: a byte order mark, or an ASCII character,
/// with which every valid file begins.
fn utf_16(start: &[u8]) -> Option<&'static str> {
    match start {
        [0xff, 0xfe, ..] | [0xfe, 0xff, ..] => Some("UTF-16"),
        [0, ..] => Some("UTF-16BE"),
        [_, 0, ..] => Some("UTF-16LE"),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
