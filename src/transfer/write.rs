//! Writes vehicles to a file.

use std::{
    borrow::Cow,
    io::{self, Write},
};

use serde::Serializer as _;
use serde_json::{Serializer, Value};

use super::Format;
use super::row::{NAMES, cells};
use crate::catalogue::vehicle::Model;

/// Writes the row of column names, if the format has one.
pub fn write_header(sink: &mut impl Write, format: Format) -> io::Result<()> {
    match format {
        Format::Csv => writeln!(sink, "{}", NAMES.join(",")),
        Format::Ndjson => Ok(()),
    }
}

/// Writes a vehicle, which a [`Reader`](super::Reader) reads back unchanged.
pub fn write_row(sink: &mut impl Write, format: Format, vehicle: &Model) -> io::Result<()> {
    match format {
        Format::Csv => writeln!(sink, "{}", cells(vehicle).map(csv_field).join(",")),
        Format::Ndjson => {
            let object = NAMES.into_iter().zip(cells(vehicle).map(Value::from));
            let object = object.map(|(name, value)| match name {
                "version" => (name, vehicle.version.into()),
                _ => (name, value),
            });
            Serializer::new(&mut *sink).collect_map(object)?;
            writeln!(sink)
        }
    }
}

/// The field of a value. The writer of `csv` cannot quote only the empty string, which would be null
/// without quotation marks.
fn csv_field(cell: Option<Cow<'_, str>>) -> Cow<'_, str> {
    match cell {
        None => Cow::default(),
        Some(text) if text.is_empty() || text.contains(['"', ',', '\r', '\n']) => {
            format!("\"{}\"", text.replace('"', "\"\"")).into()
        }
        Some(text) => text,
    }
}
