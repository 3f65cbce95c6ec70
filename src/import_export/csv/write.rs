//! Writes vehicles as CSV.

use std::io::{self, Write};

use crate::{
    catalogue::Vehicle,
    import_export::columns::{NAMES, cells},
};

/// Writes the row of column names.
pub(in crate::import_export) fn write_header(sink: &mut impl Write) -> io::Result<()> {
    writeln!(sink, "{}", NAMES.join(","))
}

/// Writes a row with the columns of [`write_header`].
pub(in crate::import_export) fn write_row(
    sink: &mut impl Write,
    vehicle: &Vehicle,
) -> io::Result<()> {
    for (index, cell) in cells(vehicle).iter().enumerate() {
        if index > 0 {
            sink.write_all(b",")?;
        }
        if let Some(text) = cell {
            write_text(sink, text)?;
        }
    }
    sink.write_all(b"\n")
}

fn write_text(sink: &mut impl Write, text: &str) -> io::Result<()> {
    // An unquoted empty string would be null.
    if !text.is_empty() && !text.contains(['"', ',', '\r', '\n']) {
        return sink.write_all(text.as_bytes());
    }
    sink.write_all(b"\"")?;
    for (index, part) in text.split('"').enumerate() {
        if index > 0 {
            sink.write_all(b"\"\"")?;
        }
        sink.write_all(part.as_bytes())?;
    }
    sink.write_all(b"\"")
}
