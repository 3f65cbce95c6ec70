//! Values as JSON (RFC 8259).

use async_graphql::{Name, Value};
use serde::Serialize;

/// The key by which async-graphql's feature `raw_value` and `serde_json` recognize JSON text in a value.
pub(crate) const RAW_VALUE: &str = "$serde_json::private::RawValue";

/// The JSON text in a value, if the value is one.
pub(crate) fn raw(value: &Value) -> Option<&str> {
    match value {
        Value::Object(members) if members.len() == 1 => match members.get(RAW_VALUE)? {
            Value::String(json) => Some(json),
            _ => None,
        },
        _ => None,
    }
}

/// Takes the JSON text of the only member of an object, if it has this size or a larger one.
pub(crate) fn take_only_field(value: &mut Value, min_bytes: usize) -> Option<(Name, String)> {
    let Value::Object(members) = value else {
        return None;
    };
    let (1, Some((_, Value::Object(raw)))) = (members.len(), members.first_mut()) else {
        return None;
    };
    match raw.get_mut(RAW_VALUE) {
        Some(Value::String(json)) if json.len() >= min_bytes => {
            let json = std::mem::take(json);
            members.pop().map(|(key, _)| (key, json))
        }
        _ => None,
    }
}

/// The size of the JSON of a value, apart from escapes.
pub(crate) fn size(value: &Value) -> usize {
    if let Some(json) = raw(value) {
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

/// Writes a value. JSON text is written as it is.
pub(crate) fn write(value: &Value, json: &mut Vec<u8>) {
    if let Some(text) = raw(value) {
        return json.extend_from_slice(text.as_bytes());
    }
    match value {
        Value::Object(members) => {
            json.push(b'{');
            for (index, (key, value)) in members.iter().enumerate() {
                if index > 0 {
                    json.push(b',');
                }
                write_leaf(&**key, json);
                json.push(b':');
                write(value, json);
            }
            json.push(b'}');
        }
        Value::List(items) => {
            json.push(b'[');
            for (index, item) in items.iter().enumerate() {
                if index > 0 {
                    json.push(b',');
                }
                write(item, json);
            }
            json.push(b']');
        }
        leaf => write_leaf(leaf, json),
    }
}

/// Writes a value by `serde_json`, which reads JSON text in it again.
pub(crate) fn write_leaf(value: &(impl Serialize + ?Sized), json: &mut Vec<u8>) {
    serde_json::to_writer(json, value).expect("GraphQL values are JSON values");
}
