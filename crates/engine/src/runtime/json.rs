//! Texts as JSON.

/// Writes a string.
pub(crate) fn write_text(text: &str, json: &mut Vec<u8>) {
    serde_json::to_writer(json, text).expect("a text is JSON");
}
