//! Values as JSON text (RFC 8259), without a tree in between.

use std::io::Write;

use async_graphql::Value;

/// Writes a value. A binary one is JSON text already and stands as it is: planned answers are.
pub fn write_value(value: &Value, json: &mut Vec<u8>) {
    match value {
        Value::Null => json.extend_from_slice(b"null"),
        Value::Boolean(true) => json.extend_from_slice(b"true"),
        Value::Boolean(false) => json.extend_from_slice(b"false"),
        Value::Number(number) => write!(json, "{number}").expect("memory takes every text"),
        Value::String(text) => write_text(text, json),
        Value::Enum(name) => write_text(name, json),
        Value::Binary(text) => json.extend_from_slice(text),
        Value::List(items) => write_list(items, json, write_value),
        Value::Object(members) => {
            json.push(b'{');
            for (place, (key, value)) in members.iter().enumerate() {
                if place > 0 {
                    json.push(b',');
                }
                write_text(key, json);
                json.push(b':');
                write_value(value, json);
            }
            json.push(b'}');
        }
    }
}

pub(crate) fn write_list<T>(items: &[T], json: &mut Vec<u8>, write: impl Fn(&T, &mut Vec<u8>)) {
    json.push(b'[');
    for (place, item) in items.iter().enumerate() {
        if place > 0 {
            json.push(b',');
        }
        write(item, json);
    }
    json.push(b']');
}

/// The key of an object with the colon behind it and, unless it is the first, the comma before it.
pub(crate) fn write_key(key: &str, first: bool) -> Box<[u8]> {
    let mut json = Vec::with_capacity(key.len() + 4);
    if !first {
        json.push(b',');
    }
    write_text(key, &mut json);
    json.push(b':');
    json.into_boxed_slice()
}

/// Writes a string. Only what must be escaped is (section 7).
pub fn write_text(text: &str, json: &mut Vec<u8>) {
    json.reserve(text.len() + 2);
    json.push(b'"');
    let mut rest = text.as_bytes();
    // Without a branch in the loop, many bytes are looked at in one step.
    if !rest
        .iter()
        .fold(false, |must, byte| must | must_be_escaped(*byte))
    {
        json.extend_from_slice(rest);
        json.push(b'"');
        return;
    }
    while let Some(place) = rest.iter().position(|byte| must_be_escaped(*byte)) {
        json.extend_from_slice(&rest[..place]);
        match rest[place] {
            byte @ (b'"' | b'\\') => json.extend_from_slice(&[b'\\', byte]),
            0x08 => json.extend_from_slice(b"\\b"),
            0x0c => json.extend_from_slice(b"\\f"),
            b'\n' => json.extend_from_slice(b"\\n"),
            b'\r' => json.extend_from_slice(b"\\r"),
            b'\t' => json.extend_from_slice(b"\\t"),
            byte => write!(json, "\\u{byte:04x}").expect("memory takes every text"),
        }
        rest = &rest[place + 1..];
    }
    json.extend_from_slice(rest);
    json.push(b'"');
}

fn must_be_escaped(byte: u8) -> bool {
    byte < b' ' || byte == b'"' || byte == b'\\'
}
