//! Maps the columns of a CSV file to the fields of a vehicle.

use super::records::Record;
use crate::import_export::{
    columns::{Cells, NAMES, REQUIRED},
    row::{InvalidRow, RawRow},
    unreadable::Unreadable,
};

/// The field of each column, as an index into [`NAMES`].
pub(super) struct Columns(Vec<usize>);

impl Columns {
    /// Parses the row of column names; the error contains every problem.
    pub(super) fn parse(header: &Record) -> Result<Self, Unreadable> {
        let mut columns = Vec::new();
        let mut problems = Vec::new();
        for index in 0..header.len() {
            let name = String::from_utf8_lossy(header.field(index).unwrap_or_default());
            match NAMES.iter().position(|known| *known == name) {
                Some(field) if columns.contains(&field) => {
                    problems.push(format!("duplicate {name}"));
                }
                Some(field) => columns.push(field),
                None => problems.push(format!("unknown {name:?}")),
            }
        }
        for required in REQUIRED {
            if !columns.iter().any(|field| NAMES[*field] == required) {
                problems.push(format!("missing {required}"));
            }
        }
        if problems.is_empty() {
            Ok(Self(columns))
        } else {
            Err(Unreadable::InvalidColumns(problems))
        }
    }

    /// Whether there is an id column.
    pub(super) fn have_id(&self) -> bool {
        self.0.iter().any(|column| NAMES[*column] == "id")
    }

    /// The values of a row by field.
    pub(super) fn raw_row(&self, record: &Record) -> Result<RawRow, InvalidRow> {
        let (line, fields, columns) = (record.line, record.len(), self.0.len());
        if fields != columns {
            let reason = format!("the row has {fields} fields, but there are {columns} columns");
            return Err(InvalidRow::new(line, reason));
        }
        let mut cells = Cells::default();
        let mut reasons = Vec::new();
        for (index, &field) in self.0.iter().enumerate() {
            match record.field(index).map(str::from_utf8).transpose() {
                Ok(text) => cells[field] = text.map(str::to_owned),
                Err(_) => reasons.push(format!("{} must be UTF-8", NAMES[field])),
            }
        }
        if reasons.is_empty() {
            Ok(RawRow { line, cells })
        } else {
            Err(InvalidRow { line, reasons })
        }
    }
}
