//! NDJSON: one JSON object per line, with the field names of the contract.

use serde_json::{Map, Value};

use super::csv::{CONVERT, unknown};
use super::row::{Cells, NAMES};

/// The values of a line, or every reason why it has none.
pub(super) fn cells(line: &[u8]) -> Result<Cells<String>, Vec<String>> {
    let text = str::from_utf8(line).map_err(|error| {
        let byte = error.valid_up_to() + 1;
        vec![format!("the line must be UTF-8, byte {byte} is not{CONVERT}")]
    })?;
    match text.trim_ascii_start().as_bytes().first() {
        Some(b'{') => {}
        Some(b'[') => {
            let array = "the line must be a JSON object, not an array (convert the file with jq -c '.[]')";
            return Err(vec![array.to_owned()]);
        }
        _ => return Err(vec!["the line must be a JSON object".to_owned()]),
    }
    let object: Map<String, Value> =
        serde_json::from_str(text.trim_ascii_end()).map_err(|error| vec![message(&error)])?;
    let (mut cells, mut reasons) = (Cells::default(), Vec::new());
    for (name, value) in object {
        let Some(column) = NAMES.iter().position(|known| *known == name) else {
            reasons.push(unknown(&name));
            continue;
        };
        cells[column] = match value {
            Value::Null => None,
            Value::String(text) => Some(text),
            // The text of a number is checked as that of CSV is.
            other if matches!(NAMES[column], "id" | "version") => Some(other.to_string()),
            _ => {
                reasons.push(format!("{name} must be a string"));
                None
            }
        };
    }
    if reasons.is_empty() { Ok(cells) } else { Err(reasons) }
}

/// The message of a JSON error, with the position in the line.
fn message(error: &serde_json::Error) -> String {
    let message = error.to_string();
    match message.rsplit_once(" at line ") {
        Some((text, _)) => format!("{text}, at byte {} of the line", error.column()),
        None => message,
    }
}
