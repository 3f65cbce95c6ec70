//! Writes vehicles to a file.

use std::io::{self, Write};

use super::{Format, csv, ndjson};
use crate::catalogue::Vehicle;

/// Writes vehicles, which a [`Reader`](super::Reader) reads back unchanged.
pub struct Writer<W> {
    sink: W,
    format: Format,
}

impl<W: Write> Writer<W> {
    /// Writes the header, if the format has one.
    pub fn begin(mut sink: W, format: Format) -> io::Result<Self> {
        if format == Format::Csv {
            csv::write_header(&mut sink)?;
        }
        Ok(Self { sink, format })
    }

    /// Writes a row.
    pub fn write(&mut self, vehicle: &Vehicle) -> io::Result<()> {
        match self.format {
            Format::Csv => csv::write_row(&mut self.sink, vehicle),
            Format::Ndjson => ndjson::write_line(&mut self.sink, vehicle),
        }
    }

    /// Flushes, and returns the underlying writer.
    pub fn finish(mut self) -> io::Result<W> {
        self.sink.flush()?;
        Ok(self.sink)
    }
}
