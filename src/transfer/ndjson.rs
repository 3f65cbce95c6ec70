//! NDJSON: one JSON object per line, with the field names of the contract.

use std::{fmt, io::BufRead};

use graphql_sdl::{excerpt, printable};
use serde::{
    Deserializer,
    de::{self, MapAccess, Visitor},
};
use serde_json::value::RawValue;

use super::columns::{Cells, NAMES};
use super::lines::{Lines, Unreadable};
use super::row::{InvalidRow, RawRow};

/// Reads the values of a JSON object with the names of the columns.
struct Object;

impl<'de> Visitor<'de> for Object {
    type Value = Cells<String>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON object")
    }

    fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<Cells<String>, M::Error> {
        let (mut cells, mut is_given) = (Cells::default(), [false; NAMES.len()]);
        while let Some(name) = map.next_key::<String>()? {
            let column = NAMES.iter().position(|known| *known == name);
            let unknown = || de::Error::unknown_field(&printable(&excerpt(&name)), &NAMES);
            let column = column.ok_or_else(unknown)?;
            if std::mem::replace(&mut is_given[column], true) {
                return Err(de::Error::duplicate_field(NAMES[column]));
            }
            cells[column] = match NAMES[column] {
                "id" | "version" => map.next_value::<Option<_>>()?.map(integer),
                _ => map.next_value()?,
            };
        }
        Ok(cells)
    }
}

/// The text of a number, which can be a JSON string.
fn integer(json: &RawValue) -> String {
    let text = serde_json::from_str(json.get());
    text.unwrap_or_else(|_| json.get().to_owned())
}

/// The next row; blank lines are skipped.
pub(super) fn row(
    lines: &mut Lines<impl BufRead>,
) -> Result<Option<Result<RawRow, InvalidRow>>, Unreadable> {
    let found = lines.begin_row(|line| line.trim_ascii().is_empty())?;
    Ok(found.then(|| parse(lines.first, &lines.row)))
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
