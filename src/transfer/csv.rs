//! CSV after RFC 4180, with a row of column names.
//!
//! An empty field is null, and `""` is the empty string, as in PostgreSQL's `COPY … WITH (FORMAT csv)`. `csv_core`
//! splits rows into fields. It does not distinguish these two, and it accepts misplaced quotation marks, so [`value`]
//! compares each field with its bytes in the file.

use std::io::BufRead;

use csv_core::{ReadFieldResult, ReaderBuilder, Terminator};
use graphql_sdl::{excerpt, printable};

use super::columns::{Cells, NAMES, REQUIRED};
use super::lines::{Lines, Unreadable};
use super::row::{IdRule, InvalidRow, RawRow};

/// The maximum number of fields of a row that are kept: more than a valid row has.
const MAX_FIELDS: usize = 64;

/// The maximum number of problems of columns that a message lists.
const MAX_PROBLEMS: usize = 10;

const TEXT_AFTER_QUOTE: &str = "a field that begins with a quotation mark must end with one, \
    and quotation marks in it must be doubled";
const QUOTE_IN_PLAIN: &str = "a field that contains a quotation mark must be quoted, and \
    quotation marks in it must be doubled";
const LONE_RETURN: &str = "a carriage return must be followed by a line feed or be quoted";
const NOT_CLOSED: &str = "a quotation mark is not closed before the end of the file";

/// Reads the rows of a CSV file below its column names.
pub(super) struct Parser {
    fields: csv_core::Reader,
    /// The text of a field.
    buffer: Vec<u8>,
    /// The column of each field, as an index into [`NAMES`].
    columns: Vec<usize>,
}

/// The fields of a row.
#[derive(Default)]
struct Record {
    /// The values of the first fields; `None` is null.
    fields: Vec<Option<Vec<u8>>>,
    field_count: usize,
}

impl Parser {
    /// Reads the column names, which this character separates.
    pub(super) fn open(lines: &mut Lines<impl BufRead>, delimiter: u8) -> Result<Self, Unreadable> {
        let mut fields = ReaderBuilder::new();
        fields.delimiter(delimiter);
        let mut parser = Self {
            fields: fields.terminator(Terminator::Any(b'\n')).build(),
            buffer: Vec::new(),
            columns: Vec::new(),
        };
        // `csv_core` skips a byte order mark in its first input, which can be a part of a field here.
        parser.end_record();
        let header = parser.record(lines)?.ok_or(Unreadable::NoHeader)?;
        let columns = header
            .map_err(Unreadable::MalformedHeader)
            .and_then(|header| columns(&header));
        parser.columns = columns.map_err(|error| match other_separator(&lines.row, delimiter) {
            Some(separator) => Unreadable::OtherSeparator(separator),
            None => error,
        })?;
        Ok(parser)
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
    pub(super) fn row(
        &mut self,
        lines: &mut Lines<impl BufRead>,
    ) -> Result<Option<Result<RawRow, InvalidRow>>, Unreadable> {
        let record = self.record(lines)?;
        Ok(record.map(|record| raw_row(lines.first, &self.columns, record?)))
    }

    /// The next record; blank lines are skipped. A malformed one ends at the end of the line.
    fn record(
        &mut self,
        lines: &mut Lines<impl BufRead>,
    ) -> Result<Option<Result<Record, InvalidRow>>, Unreadable> {
        let is_blank = |line: &[u8]| matches!(line, b"\n" | b"\r\n" | b"\r");
        if !lines.begin_row(is_blank)? {
            return Ok(None);
        }
        let mut record = Record::default();
        // The positions in the row where the field begins and up to which it is parsed, and the length of its text.
        let (mut start, mut end, mut length) = (0, 0, 0);
        loop {
            let row = &lines.row;
            if self.buffer.len() <= row.len() {
                self.buffer.resize(row.len() + 1, 0);
            }
            let output = &mut self.buffer[length..];
            let (result, read, written) = self.fields.read_field(&row[end..], output);
            (end, length) = (end + read, length + written);
            let record_end = match result {
                ReadFieldResult::Field { record_end } => record_end,
                ReadFieldResult::InputEmpty | ReadFieldResult::OutputFull => {
                    // At the end of the file nothing is appended, by which the field ends.
                    lines.append_line()?;
                    continue;
                }
                ReadFieldResult::End => return Ok(None),
            };
            // Without the separator, which is absent at the end of the file.
            let field = &row[start..end - read.min(1)];
            match value(field, &self.buffer[..length], record_end) {
                Ok(value) => record.push(value),
                Err(reason) => {
                    self.end_record();
                    return Ok(Some(Err(InvalidRow::new(lines.first, reason))));
                }
            }
            if record_end {
                return Ok(Some(Ok(record)));
            }
            (start, length) = (end, 0);
        }
    }

    /// Lets the next input begin a record.
    fn end_record(&mut self) {
        self.fields.read_field(b"\n", &mut [0]);
    }
}

impl Record {
    fn push(&mut self, value: Option<Vec<u8>>) {
        self.field_count += 1;
        if self.fields.len() < MAX_FIELDS {
            self.fields.push(value);
        }
    }
}

/// The value of a field with these bytes in the file and this text; `None` is null.
fn value(
    mut field: &[u8],
    mut text: &[u8],
    ends_row: bool,
) -> Result<Option<Vec<u8>>, &'static str> {
    if ends_row && field.ends_with(b"\r") {
        field = &field[..field.len() - 1];
        text = text.strip_suffix(b"\r").unwrap_or(text);
    }
    let Some(quoted) = field.strip_prefix(b"\"") else {
        return match field.iter().find(|byte| matches!(byte, b'"' | b'\r')) {
            Some(b'"') => Err(QUOTE_IN_PLAIN),
            Some(_) => Err(LONE_RETURN),
            None => Ok((!field.is_empty()).then(|| field.to_vec())),
        };
    };
    let mut rest = quoted.iter();
    let is_escaped = text
        .iter()
        .all(|byte| rest.next() == Some(byte) && (*byte != b'"' || rest.next() == Some(byte)));
    match rest.as_slice() {
        b"\"" if is_escaped => Ok(Some(text.to_vec())),
        b"" if is_escaped => Err(NOT_CLOSED),
        _ => Err(TEXT_AFTER_QUOTE),
    }
}

/// Parses the row of column names; the error contains the first problems.
fn columns(header: &Record) -> Result<Vec<usize>, Unreadable> {
    let mut columns = Vec::new();
    let mut problems = Vec::new();
    for name in &header.fields {
        let name = String::from_utf8_lossy(name.as_deref().unwrap_or_default());
        match NAMES.iter().position(|known| *known == name) {
            Some(column) if columns.contains(&column) => problems.push(format!("duplicate {name}")),
            Some(column) => columns.push(column),
            None => problems.push(format!("unknown \"{}\"", printable(&excerpt(&name)))),
        }
    }
    let has = |name: &str| columns.iter().any(|column| NAMES[*column] == name);
    let missing = REQUIRED.into_iter().filter(|name| !has(name));
    problems.extend(missing.map(|name| format!("missing {name}")));
    if problems.len() > MAX_PROBLEMS {
        problems.truncate(MAX_PROBLEMS);
        problems.push("and maybe more".to_owned());
    }
    if problems.is_empty() {
        Ok(columns)
    } else {
        Err(Unreadable::InvalidColumns(problems))
    }
}

/// The plural of the other separator that the columns of this row have, if any.
fn other_separator(row: &[u8], delimiter: u8) -> Option<char> {
    let is_known = |field: &[u8]| {
        let field = field.trim_ascii();
        let unquoted = field.strip_prefix(b"\"").unwrap_or(field);
        let unquoted = unquoted.strip_suffix(b"\"").unwrap_or(unquoted);
        // Excel recognizes the separator by a line such as `sep=;`.
        unquoted == b"sep=" || NAMES.iter().any(|name| name.as_bytes() == unquoted)
    };
    let mut others = b",;\t|".iter().filter(|other| **other != delimiter);
    let separator = others.find(|separator| {
        row.contains(separator) && row.split(|byte| byte == *separator).any(is_known)
    });
    separator.copied().map(char::from)
}

/// The values of a row by column.
fn raw_row(line: u64, columns: &[usize], record: Record) -> Result<RawRow, InvalidRow> {
    let (fields, count) = (record.field_count, columns.len());
    if fields != count {
        let reason = format!("the row has {fields} fields, but there are {count} columns");
        return Err(InvalidRow::new(line, reason));
    }
    let mut cells = Cells::default();
    let mut reasons = Vec::new();
    for (&column, field) in columns.iter().zip(record.fields) {
        match field.map(String::from_utf8).transpose() {
            Ok(text) => cells[column] = text,
            Err(_) => reasons.push(format!("{} must be UTF-8", NAMES[column])),
        }
    }
    if reasons.is_empty() {
        Ok(RawRow { line, cells })
    } else {
        Err(InvalidRow { line, reasons })
    }
}
