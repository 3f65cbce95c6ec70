//! CSV after RFC 4180, with a row of column names.
//!
//! An empty field is null, and `""` is the empty string, as in PostgreSQL's
//! `COPY … WITH (FORMAT csv)`. General CSV readers do not distinguish them.

mod columns;
mod records;
mod write;

use std::io::BufRead;

use super::row::{IdRule, InvalidRow, RawRow};
use super::unreadable::Unreadable;
use columns::Columns;
use records::Records;
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
        let header = records.read()?.ok_or(Unreadable::NoHeader)?;
        let columns = Columns::parse(header.map_err(Unreadable::MalformedHeader)?)?;
        Ok(Self { records, columns })
    }

    /// Whether the rows must have ids, by the columns.
    pub(super) fn id_rule(&self) -> IdRule {
        if self.columns.have_id() {
            IdRule::Required
        } else {
            IdRule::Forbidden
        }
    }

    /// The next row.
    pub(super) fn next(&mut self) -> Result<Option<Result<RawRow, InvalidRow>>, Unreadable> {
        let record = self.records.read()?;
        Ok(record.map(|record| self.columns.raw_row(record?)))
    }

    /// Skips a row without validation; returns whether there was one.
    pub(super) fn skip_row(&mut self) -> Result<bool, Unreadable> {
        Ok(self.records.read()?.is_some())
    }
}
