//! Responses as JSON text.

use std::io::{self, Write};

use async_graphql::{Response, Value};
use serde::Serialize;
use serde_json::ser::{Formatter, Serializer};

/// How many bytes a response has apart from its planned answers, nearly always.
const AROUND: usize = 128;

/// The text of a response. Planned answers are text already and stand in it as they are.
pub(super) fn of(response: &Response) -> Vec<u8> {
    let mut text = Vec::with_capacity(AROUND + planned_bytes(&response.data));
    let mut serializer = Serializer::with_formatter(&mut text, Verbatim);
    response
        .serialize(&mut serializer)
        .expect("GraphQL values are JSON values");
    text
}

fn planned_bytes(data: &Value) -> usize {
    match data {
        Value::Object(data) => data.values().map(planned_bytes).sum(),
        Value::Binary(text) => text.len(),
        _ => 0,
    }
}

/// Writes binary values as the JSON that they are.
struct Verbatim;

impl Formatter for Verbatim {
    fn write_byte_array<W>(&mut self, writer: &mut W, value: &[u8]) -> io::Result<()>
    where
        W: ?Sized + Write,
    {
        writer.write_all(value)
    }
}
