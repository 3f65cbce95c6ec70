//! Vehicles to rows of CSV.

use std::io::{self, Write};

use super::columns::NAMES;
use crate::catalogue::Vehicle;

/// Writes the row of column names.
pub(in crate::transfer) fn write_header(sink: &mut impl Write) -> io::Result<()> {
    writeln!(sink, "{}", NAMES.join(","))
}

/// Writes a row with the columns of [`write_header`].
pub(in crate::transfer) fn write_row(sink: &mut impl Write, vehicle: &Vehicle) -> io::Result<()> {
    write!(sink, "{},", vehicle.id)?;
    write_text(sink, &vehicle.r#type)?;
    sink.write_all(b",")?;
    write_text(sink, &vehicle.model_code)?;
    sink.write_all(b",")?;
    if let Some(brand_name) = &vehicle.brand_name {
        write_text(sink, brand_name)?;
    }
    sink.write_all(b",")?;
    if let Some(launch_date) = vehicle.launch_date {
        write!(sink, "{launch_date}")?;
    }
    sink.write_all(b"\n")
}

fn write_text(sink: &mut impl Write, text: &str) -> io::Result<()> {
    // Without quotation marks the empty text would be null.
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
