//! Splits CSV into records and fields.

use std::io::BufRead;

use crate::import_export::{
    row::InvalidRow,
    unreadable::{MAX_ROW_BYTES, Unreadable},
};

/// The maximum number of fields whose bytes are known.
const MAX_FIELDS: usize = 64;

/// One row, its fields unquoted.
#[derive(Default)]
pub(super) struct Record {
    /// Its first line, from 1.
    pub(super) line: u64,
    bytes: Vec<u8>,
    /// The first fields: more than a valid row has.
    fields: Vec<Field>,
    field_count: usize,
}

#[derive(Clone, Copy)]
struct Field {
    end: usize,
    quoted: bool,
}

/// The records of a file, one at a time.
pub(super) struct Records<R> {
    source: R,
    line: u64,
    record: Record,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    /// Before the first character of a field.
    FieldStart,
    /// In an unquoted field.
    Plain,
    /// In a quoted field.
    Quoted,
    /// After a quotation mark in a quoted field: the closing one, or the first of a doubled one.
    Quote,
    /// After a carriage return, which must precede a line feed; whether the field was quoted.
    Return(bool),
    /// In the remainder of a malformed line.
    Broken(&'static str),
}

const TEXT_AFTER_QUOTE: &str = "a field that begins with a quotation mark must end with one, \
    and quotation marks in it must be doubled";
const QUOTE_IN_PLAIN: &str = "a field that contains a quotation mark must be quoted, and \
    quotation marks in it must be doubled";
const LONE_RETURN: &str = "a carriage return must be followed by a line feed or be quoted";

impl Record {
    /// The number of fields.
    pub(super) fn len(&self) -> usize {
        self.field_count
    }

    /// The bytes of a field; `None` for null and for a missing field.
    pub(super) fn field(&self, index: usize) -> Option<&[u8]> {
        let field = self.fields.get(index)?;
        let start = match index {
            0 => 0,
            _ => self.fields[index - 1].end,
        };
        (field.quoted || field.end > start).then(|| &self.bytes[start..field.end])
    }

    fn clear(&mut self, line: u64) {
        self.line = line;
        self.bytes.clear();
        self.fields.clear();
        self.field_count = 0;
    }

    fn end_field(&mut self, state: State) {
        self.field_count += 1;
        if self.fields.len() < MAX_FIELDS {
            self.fields.push(Field {
                end: self.bytes.len(),
                quoted: matches!(state, State::Quote | State::Return(true)),
            });
        }
    }

    fn is_blank(&self) -> bool {
        self.bytes.is_empty() && matches!(self.fields[..], [Field { quoted: false, .. }])
    }
}

impl<R: BufRead> Records<R> {
    pub(super) fn new(source: R) -> Self {
        Self {
            source,
            line: 1,
            record: Record::default(),
        }
    }

    /// The next record; blank lines are skipped. A malformed one ends at the end of the line.
    pub(super) fn read(&mut self) -> Result<Option<Result<&Record, InvalidRow>>, Unreadable> {
        loop {
            self.record.clear(self.line);
            let first_line = self.line;
            let reason = match self.read_to_end_of_row()? {
                None => return Ok(None),
                Some(State::Broken(reason)) => reason,
                Some(State::Quoted) => "a quotation mark is not closed before the end of the file",
                Some(_) if self.record.is_blank() => continue,
                Some(_) => return Ok(Some(Ok(&self.record))),
            };
            return Ok(Some(Err(InvalidRow::new(first_line, reason))));
        }
    }

    /// The text of the last record without its separators and valid quotation marks.
    pub(super) fn row(&self) -> &[u8] {
        &self.record.bytes
    }

    /// The state at the end of the row; `None` at the end of the file.
    fn read_to_end_of_row(&mut self) -> Result<Option<State>, Unreadable> {
        let mut state = State::FieldStart;
        let mut size_bytes = 0_u64;
        loop {
            let buffer = match self.source.fill_buf() {
                Ok(buffer) => buffer,
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error.into()),
            };
            if buffer.is_empty() {
                if size_bytes == 0 {
                    return Ok(None);
                }
                self.record.end_field(state);
                return Ok(Some(state));
            }
            let mut used = 0;
            let mut row_ended = false;
            for &byte in buffer {
                used += 1;
                if byte == b'\n' {
                    self.line += 1;
                    if state != State::Quoted {
                        row_ended = true;
                        break;
                    }
                }
                state = step(state, byte, &mut self.record);
            }
            self.source.consume(used);
            size_bytes += used as u64;
            if row_ended {
                self.record.end_field(state);
                return Ok(Some(state));
            }
            if size_bytes > MAX_ROW_BYTES {
                return Err(Unreadable::RowTooLong {
                    line: self.record.line,
                });
            }
        }
    }
}

/// The next state, for a byte that does not end the row.
fn step(state: State, byte: u8, record: &mut Record) -> State {
    match (state, byte) {
        (State::Broken(_), _) => {
            record.bytes.push(byte);
            state
        }
        (State::Return(_), _) => broken(LONE_RETURN, byte, record),
        (State::FieldStart, b'"') => State::Quoted,
        (State::Quote, b'"') => {
            record.bytes.push(b'"');
            State::Quoted
        }
        (State::Quoted, b'"') => State::Quote,
        (State::Quoted, _) => {
            record.bytes.push(byte);
            State::Quoted
        }
        (State::FieldStart | State::Plain | State::Quote, b',') => {
            record.end_field(state);
            State::FieldStart
        }
        (State::FieldStart | State::Plain | State::Quote, b'\r') => {
            State::Return(state == State::Quote)
        }
        (State::Quote, _) => broken(TEXT_AFTER_QUOTE, byte, record),
        (State::Plain, b'"') => broken(QUOTE_IN_PLAIN, byte, record),
        (State::FieldStart | State::Plain, _) => {
            record.bytes.push(byte);
            State::Plain
        }
    }
}

/// The state after a byte that makes a row malformed.
fn broken(reason: &'static str, byte: u8, record: &mut Record) -> State {
    record.bytes.push(byte);
    State::Broken(reason)
}
