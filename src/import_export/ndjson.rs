//! NDJSON: one JSON object per line, with the field names of the contract.

use std::{
    fmt,
    io::{self, BufRead, Read, Write},
};

use serde::{
    Deserialize, Deserializer, Serializer as _,
    de::{self, MapAccess, Visitor},
    ser::SerializeMap,
};
use serde_json::Serializer;

use super::columns::{GivenCells, NAMES, cells};
use super::quote::excerpt;
use super::row::{InvalidRow, RawRow};
use super::unreadable::{MAX_ROW_BYTES, Unreadable};
use crate::catalogue::Vehicle;

/// The lines of an NDJSON file.
pub(super) struct Lines<R> {
    source: R,
    line: u64,
    bytes: Vec<u8>,
}

/// Reads the values of a JSON object with the names of the columns.
struct Object;

impl<'de> Visitor<'de> for Object {
    type Value = GivenCells;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON object")
    }

    fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<GivenCells, M::Error> {
        let mut cells = GivenCells::default();
        while let Some(name) = map.next_key::<String>()? {
            let column = NAMES.iter().position(|known| *known == name);
            let unknown = || de::Error::unknown_field(&excerpt(&name), &NAMES);
            let column = column.ok_or_else(unknown)?;
            if cells[column].is_some() {
                return Err(de::Error::duplicate_field(NAMES[column]));
            }
            cells[column] = Some(match NAMES[column] {
                "id" | "version" => map
                    .next_value::<Option<Integer>>()?
                    .map(|Integer(text)| text),
                _ => map.next_value()?,
            });
        }
        Ok(cells)
    }
}

/// The text of a number, which can be a JSON string. Any other value is refused before its content is read.
struct Integer(String);

impl<'de> Deserialize<'de> for Integer {
    fn deserialize<D: Deserializer<'de>>(json: D) -> Result<Self, D::Error> {
        json.deserialize_any(IntegerVisitor)
    }
}

struct IntegerVisitor;

impl Visitor<'_> for IntegerVisitor {
    type Value = Integer;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an integer")
    }

    fn visit_u64<E>(self, number: u64) -> Result<Integer, E> {
        Ok(Integer(number.to_string()))
    }

    fn visit_i64<E>(self, number: i64) -> Result<Integer, E> {
        Ok(Integer(number.to_string()))
    }

    fn visit_str<E>(self, text: &str) -> Result<Integer, E> {
        Ok(Integer(text.to_owned()))
    }
}

impl<R: BufRead> Lines<R> {
    pub(super) fn new(source: R) -> Self {
        Self {
            source,
            line: 0,
            bytes: Vec::new(),
        }
    }

    /// The next row; blank lines are skipped.
    pub(super) fn next(&mut self) -> Result<Option<Result<RawRow, InvalidRow>>, Unreadable> {
        let found = self.skip_row()?;
        Ok(found.then(|| parse(self.line, &self.bytes)))
    }

    /// Reads a row without parsing it, skipping blank lines; returns whether there was one.
    pub(super) fn skip_row(&mut self) -> Result<bool, Unreadable> {
        loop {
            self.bytes.clear();
            let mut source = self.source.by_ref().take(MAX_ROW_BYTES + 1);
            if source.read_until(b'\n', &mut self.bytes)? == 0 {
                return Ok(false);
            }
            self.line += 1;
            if self.bytes.len() as u64 > MAX_ROW_BYTES {
                return Err(Unreadable::RowTooLong { line: self.line });
            }
            if !self.bytes.trim_ascii().is_empty() {
                return Ok(true);
            }
        }
    }
}

fn parse(line: u64, bytes: &[u8]) -> Result<RawRow, InvalidRow> {
    let invalid = |reason: String| InvalidRow::new(line, reason);
    let text = str::from_utf8(bytes).map_err(|error| {
        let offset = error.valid_up_to() + 1;
        invalid(format!("the line must be UTF-8, byte {offset} is not"))
    })?;
    // Serde also deserializes a struct from an array.
    if !text.trim_ascii_start().starts_with('{') {
        return Err(invalid("the line must be a JSON object".to_owned()));
    }
    let mut json = serde_json::Deserializer::from_str(text);
    let cells = json.deserialize_map(Object);
    let cells = cells.and_then(|cells| json.end().map(|()| cells));
    let cells = cells.map_err(|error| invalid(message(&error)))?;
    Ok(RawRow { line, cells })
}

/// The message of a JSON error, with the position in the line.
fn message(error: &serde_json::Error) -> String {
    let message = error.to_string();
    match message.rsplit_once(" at line ") {
        Some((text, _)) => format!("{text}, at byte {} of the line", error.column()),
        None => message,
    }
}

/// Writes a vehicle as a JSON object, whose version is a number, and a line feed.
pub(super) fn write_line(sink: &mut impl Write, vehicle: &Vehicle) -> io::Result<()> {
    let mut json = Serializer::new(&mut *sink);
    let mut object = json.serialize_map(None)?;
    for (name, cell) in NAMES.into_iter().zip(cells(vehicle)) {
        match name {
            "version" => object.serialize_entry(name, &vehicle.version)?,
            _ => object.serialize_entry(name, &cell)?,
        }
    }
    object.end()?;
    sink.write_all(b"\n")
}
