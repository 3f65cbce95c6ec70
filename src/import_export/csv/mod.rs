//! CSV after RFC 4180, with a row of column names.
//!
//! An empty field is null, and `""` is the empty string, as in PostgreSQL's
//! `COPY … WITH (FORMAT csv)`. General CSV readers do not distinguish them.

mod records;

use std::io::{self, BufRead, Write};

use super::columns::{GivenCells, NAMES, REQUIRED, cells};
use super::quote::excerpt;
use super::row::{IdRule, Ids, InvalidRow, RawRow};
use super::unreadable::Unreadable;
use crate::catalogue::Vehicle;
use records::{Record, Records};

/// The maximum number of problems of columns that a message lists.
const MAX_PROBLEMS: usize = 10;

/// The rows of a CSV file below its column names.
pub(super) struct Rows<R> {
    records: Records<R>,
    /// The field of each column, as an index into [`NAMES`].
    columns: Vec<usize>,
}

impl<R: BufRead> Rows<R> {
    /// Reads the column names.
    pub(super) fn open(source: R, ids: Ids) -> Result<Self, Unreadable> {
        let mut records = Records::new(source);
        let header = records.read()?.ok_or(Unreadable::NoHeader)?;
        let columns = header
            .map_err(Unreadable::MalformedHeader)
            .and_then(|header| columns(header, ids));
        let columns = columns.map_err(|error| match other_separator(records.row()) {
            Some(separator) => Unreadable::OtherSeparator(separator),
            None => error,
        })?;
        Ok(Self { records, columns })
    }

    /// Whether the rows must have ids, by the columns.
    pub(super) fn id_rule(&self) -> IdRule {
        if self.columns.iter().any(|column| NAMES[*column] == "id") {
            IdRule::Required
        } else {
            IdRule::Forbidden
        }
    }

    /// The next row.
    pub(super) fn next(&mut self) -> Result<Option<Result<RawRow, InvalidRow>>, Unreadable> {
        let record = self.records.read()?;
        Ok(record.map(|record| raw_row(&self.columns, record?)))
    }

    /// Skips a row without validation; returns whether there was one.
    pub(super) fn skip_row(&mut self) -> Result<bool, Unreadable> {
        Ok(self.records.read()?.is_some())
    }
}

/// Parses the row of column names; the error contains the first problems.
fn columns(header: &Record, ids: Ids) -> Result<Vec<usize>, Unreadable> {
    let mut columns = Vec::new();
    let mut problems = Vec::new();
    for index in 0..header.len() {
        let name = String::from_utf8_lossy(header.field(index).unwrap_or_default());
        match NAMES.iter().position(|known| *known == name) {
            Some(field) if columns.contains(&field) => problems.push(format!("duplicate {name}")),
            Some(field) => columns.push(field),
            None => problems.push(format!("unknown \"{}\"", excerpt(&name))),
        }
        if problems.len() == MAX_PROBLEMS {
            problems.push("and maybe more".to_owned());
            return Err(Unreadable::InvalidColumns(problems));
        }
    }
    let has_ids = columns.iter().any(|field| NAMES[*field] == "id");
    let required: &[&str] = match ids {
        Ids::Update if has_ids => &[],
        _ => &REQUIRED,
    };
    for &required in required {
        if !columns.iter().any(|field| NAMES[*field] == required) {
            problems.push(format!("missing {required}"));
        }
    }
    if problems.is_empty() {
        Ok(columns)
    } else {
        Err(Unreadable::InvalidColumns(problems))
    }
}

/// The plural of the other separator that the columns of this row have, if any.
fn other_separator(row: &[u8]) -> Option<&'static str> {
    let others = [
        (b';', "semicolons"),
        (b'\t', "tabs"),
        (b'|', "vertical bars"),
    ];
    let is_known = |field: &[u8]| {
        let field = field.trim_ascii();
        let unquoted = field.strip_prefix(b"\"").unwrap_or(field);
        let unquoted = unquoted.strip_suffix(b"\"").unwrap_or(unquoted);
        NAMES.iter().any(|name| name.as_bytes() == unquoted)
    };
    let separated = others.into_iter().find(|(separator, _)| {
        // The line by which Excel recognizes the separator.
        row == [b"sep=".as_slice(), &[*separator]].concat()
            || row.contains(separator) && row.split(|byte| byte == separator).any(is_known)
    });
    separated.map(|(_, name)| name)
}

/// The values of a row by field.
fn raw_row(columns: &[usize], record: &Record) -> Result<RawRow, InvalidRow> {
    let (line, count) = (record.line, columns.len());
    if record.len() != count {
        let fields = record.len();
        let reason = format!("the row has {fields} fields, but there are {count} columns");
        return Err(InvalidRow::new(line, reason));
    }
    let mut cells = GivenCells::default();
    let mut reasons = Vec::new();
    for (index, &field) in columns.iter().enumerate() {
        match record.field(index).map(str::from_utf8).transpose() {
            Ok(text) => cells[field] = Some(text.map(str::to_owned)),
            Err(_) => reasons.push(format!("{} must be UTF-8", NAMES[field])),
        }
    }
    if reasons.is_empty() {
        Ok(RawRow { line, cells })
    } else {
        Err(InvalidRow { line, reasons })
    }
}

/// Writes the row of column names.
pub(super) fn write_header(sink: &mut impl Write) -> io::Result<()> {
    writeln!(sink, "{}", NAMES.join(","))
}

/// Writes a row with the columns of [`write_header`].
pub(super) fn write_row(sink: &mut impl Write, vehicle: &Vehicle) -> io::Result<()> {
    for (index, cell) in cells(vehicle).iter().enumerate() {
        if index > 0 {
            sink.write_all(b",")?;
        }
        match cell {
            None => {}
            // An unquoted empty string would be null.
            Some(text) if text.is_empty() || text.contains(['"', ',', '\r', '\n']) => {
                write!(sink, "\"{}\"", text.replace('"', "\"\""))?;
            }
            Some(text) => sink.write_all(text.as_bytes())?,
        }
    }
    sink.write_all(b"\n")
}
