//! Responses as JSON (RFC 8259), and JSON text in values.

use async_graphql::{Name, Response, Value};
use serde::Serialize;

/// The key by which async-graphql's feature `raw_value` and `serde_json` recognize JSON text in a value.
const RAW_VALUE: &str = "$serde_json::private::RawValue";

/// Values of this size are not copied.
const LARGE_BYTES: usize = 64 * 1024;

/// JSON text as a value.
pub(crate) fn raw(json: Vec<u8>) -> Value {
    let json = String::from_utf8(json).expect("JSON is UTF-8");
    let member = (Name::new(RAW_VALUE), Value::String(json));
    Value::Object(std::iter::once(member).collect())
}

/// The JSON text in a value, if the value is one.
fn text(value: &Value) -> Option<&str> {
    match value {
        Value::Object(members) if members.len() == 1 => match members.get(RAW_VALUE)? {
            Value::String(json) => Some(json),
            _ => None,
        },
        _ => None,
    }
}

/// Takes the JSON text of the only member of an object, if it is large: copies in concurrent responses take memory.
fn take_large(value: &mut Value) -> Option<(Name, String)> {
    let Value::Object(members) = value else {
        return None;
    };
    let (1, Some((_, Value::Object(raw)))) = (members.len(), members.first_mut()) else {
        return None;
    };
    match raw.get_mut(RAW_VALUE) {
        Some(Value::String(json)) if json.len() >= LARGE_BYTES => {
            let json = std::mem::take(json);
            members.pop().map(|(key, _)| (key, json))
        }
        _ => None,
    }
}

/// The response as JSON. The values of generated code are JSON text, which is written as it is if it is trusted:
/// async-graphql's feature `raw_value` parses it again.
pub(crate) fn to_json(mut response: Response, is_trusted: bool) -> Vec<u8> {
    let mut json;
    if !is_trusted {
        json = b"{\"data\":".to_vec();
        write_leaf(&response.data, &mut json);
    } else if let Some((key, text)) = take_large(&mut response.data) {
        json = text.into_bytes();
        json.splice(..0, format!("{{\"data\":{{\"{key}\":").into_bytes());
        json.push(b'}');
    } else {
        json = Vec::with_capacity(size(&response.data) + 64);
        json.extend_from_slice(b"{\"data\":");
        write(&response.data, &mut json);
    }
    if !response.extensions.is_empty() {
        json.extend_from_slice(b",\"extensions\":");
        write_leaf(&response.extensions, &mut json);
    }
    if !response.errors.is_empty() {
        json.extend_from_slice(b",\"errors\":");
        write_leaf(&response.errors, &mut json);
    }
    json.push(b'}');
    json
}

/// The size of the JSON of a value, apart from escapes.
pub(crate) fn size(value: &Value) -> usize {
    if let Some(json) = text(value) {
        return json.len();
    }
    match value {
        Value::Object(members) => {
            let members = members.iter();
            let members = members.map(|(key, value)| key.len() + r#""":,"#.len() + size(value));
            members.sum::<usize>() + "{}".len()
        }
        Value::List(items) => items.iter().map(|item| size(item) + 1).sum::<usize>() + "[]".len(),
        Value::String(text) => text.len() + r#""""#.len(),
        Value::Enum(name) => name.len() + r#""""#.len(),
        Value::Binary(bytes) => bytes.len() * "255,".len(),
        Value::Number(_) | Value::Boolean(_) | Value::Null => "null".len(),
    }
}

fn write(value: &Value, json: &mut Vec<u8>) {
    if let Some(text) = text(value) {
        return json.extend_from_slice(text.as_bytes());
    }
    match value {
        Value::Object(members) => {
            json.push(b'{');
            for (index, (key, value)) in members.iter().enumerate() {
                separate(index, json);
                write_leaf(&**key, json);
                json.push(b':');
                write(value, json);
            }
            json.push(b'}');
        }
        Value::List(items) => {
            json.push(b'[');
            for (index, item) in items.iter().enumerate() {
                separate(index, json);
                write(item, json);
            }
            json.push(b']');
        }
        leaf => write_leaf(leaf, json),
    }
}

/// Writes a comma before all values but the first.
pub(crate) fn separate(index: usize, json: &mut Vec<u8>) {
    if index > 0 {
        json.push(b',');
    }
}

/// Writes a value by `serde_json`, which reads JSON text in it again.
pub(crate) fn write_leaf(value: &(impl Serialize + ?Sized), json: &mut Vec<u8>) {
    serde_json::to_writer(json, value).expect("GraphQL values are JSON values");
}
