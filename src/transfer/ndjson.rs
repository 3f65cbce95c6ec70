//! NDJSON: a JSON object a line, with the names of the contract's fields.

use std::io::{self, BufRead, Read, Write};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::MAX_ROW_BYTES;
use super::row::{BadRow, Raw};
use super::unreadable::Unreadable;
use crate::catalogue::Vehicle;

/// The lines of an NDJSON file.
pub(super) struct Lines<R> {
    source: R,
    line: u64,
    bytes: Vec<u8>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Input {
    id: Option<Value>,
    r#type: Option<String>,
    model_code: Option<String>,
    brand_name: Option<String>,
    launch_date: Option<String>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Output<'a> {
    id: String,
    r#type: &'a str,
    model_code: &'a str,
    brand_name: Option<&'a str>,
    launch_date: Option<String>,
}

impl<R: BufRead> Lines<R> {
    pub(super) fn new(source: R) -> Self {
        Self {
            source,
            line: 0,
            bytes: Vec::new(),
        }
    }

    /// The next line that is not blank, as a row.
    pub(super) fn next(&mut self) -> Result<Option<Result<Raw, BadRow>>, Unreadable> {
        let found = self.pass_over()?;
        Ok(found.then(|| parse(self.line, &self.bytes)))
    }

    /// Passes over a line that is not blank; whether there was one.
    pub(super) fn pass_over(&mut self) -> Result<bool, Unreadable> {
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

fn parse(line: u64, bytes: &[u8]) -> Result<Raw, BadRow> {
    let bad = |reason: String| BadRow::new(line, reason);
    let text = str::from_utf8(bytes).map_err(|error| {
        let place = error.valid_up_to() + 1;
        bad(format!("the line must be UTF-8, byte {place} is not"))
    })?;
    // Serde would also take a list of values in the order of the fields.
    if !text.trim_ascii_start().starts_with('{') {
        return Err(bad("the line must be a JSON object".to_owned()));
    }
    let input: Input = serde_json::from_str(text).map_err(|error| bad(said(&error)))?;
    let id = match input.id {
        None => None,
        Some(Value::String(text)) => Some(text),
        Some(other) => Some(other.to_string()),
    };
    Ok(Raw {
        line,
        id,
        r#type: input.r#type,
        model_code: input.model_code,
        brand_name: input.brand_name,
        launch_date: input.launch_date,
    })
}

/// What the JSON reader said, about a line that to it is the only one.
fn said(error: &serde_json::Error) -> String {
    let message = error.to_string();
    match message.rsplit_once(" at line ") {
        Some((what, _)) => format!("{what}, at byte {} of the line", error.column()),
        None => message,
    }
}

/// Writes a vehicle and the end of its line.
pub(super) fn write_line(sink: &mut impl Write, vehicle: &Vehicle) -> io::Result<()> {
    let output = Output {
        id: vehicle.id.to_string(),
        r#type: &vehicle.r#type,
        model_code: &vehicle.model_code,
        brand_name: vehicle.brand_name.as_deref(),
        launch_date: vehicle.formatted_date(),
    };
    serde_json::to_writer(&mut *sink, &output)?;
    sink.write_all(b"\n")
}
