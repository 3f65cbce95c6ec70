//! CSV as RFC 4180 describes it, with a row of column names first.
//!
//! A field without a character is null, and `""` is the empty text: that is what PostgreSQL's
//! `COPY … WITH (FORMAT csv)` reads and writes, and what no general CSV reader tells apart.

mod columns;
mod records;
mod write;

use std::io::BufRead;

use super::row::{BadRow, IdRule, Raw};
use super::unreadable::Unreadable;
use columns::Columns;
use records::{Read, Records};
pub(super) use write::{write_header, write_row};

/// The rows of a CSV file below its column names.
pub(super) struct Rows<R> {
    records: Records<R>,
    columns: Columns,
}

impl<R: BufRead> Rows<R> {
    /// Reads the column names.
    pub(super) fn open(source: R) -> Result<Self, Unreadable> {
        let mut records = Records::new(source);
        let columns = match records.read()? {
            Read::End => return Err(Unreadable::NoHeader),
            Read::Malformed(_, reason) => return Err(Unreadable::MalformedHeader(reason)),
            Read::Record(header) => Columns::parse(header)?,
        };
        Ok(Self { records, columns })
    }

    /// What the columns say about ids.
    pub(super) fn id_rule(&self) -> IdRule {
        if self.columns.have_id() {
            IdRule::Required
        } else {
            IdRule::Refused
        }
    }

    /// The next row.
    pub(super) fn next(&mut self) -> Result<Option<Result<Raw, BadRow>>, Unreadable> {
        Ok(match self.records.read()? {
            Read::End => None,
            Read::Malformed(line, reason) => Some(Err(BadRow::new(line, reason))),
            Read::Record(record) => Some(self.columns.raw(record)),
        })
    }

    /// Passes over a row; whether there was one.
    pub(super) fn pass_over(&mut self) -> Result<bool, Unreadable> {
        Ok(!matches!(self.records.read()?, Read::End))
    }
}
