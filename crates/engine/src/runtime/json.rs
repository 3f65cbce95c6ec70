//! Renders values as JSON (RFC 8259), without an intermediate tree.

use async_graphql::Value;
use serde::Serialize;

/// Writes a value.
pub(crate) fn write_value(value: &Value, json: &mut Vec<u8>) {
    serde_json::to_writer(json, value).expect("GraphQL values are JSON values");
}

/// Writes a number.
pub(crate) fn write_number(number: impl Serialize, json: &mut Vec<u8>) {
    serde_json::to_writer(json, &number).expect("numbers are JSON values");
}

/// An object key followed by a colon, and preceded by a comma unless it is the first.
pub(crate) fn write_key(key: &str, first: bool) -> Box<[u8]> {
    let mut json = Vec::with_capacity(key.len() + 4);
    if !first {
        json.push(b',');
    }
    write_text(key, &mut json);
    json.push(b':');
    json.into_boxed_slice()
}

/// Writes a string. Only characters that must be escaped are escaped (section 7). Most texts have none, and are
/// copied.
pub(crate) fn write_text(text: &str, json: &mut Vec<u8>) {
    json.reserve(text.len() + 2);
    if has_escapes(text.as_bytes()) {
        serde_json::to_writer(json, text).expect("a text is JSON");
        return;
    }
    json.push(b'"');
    json.extend_from_slice(text.as_bytes());
    json.push(b'"');
}

/// Whether any byte must be escaped. Eight bytes are compared at once; the last eight overlap those before.
fn has_escapes(text: &[u8]) -> bool {
    if let Some(last) = text.last_chunk() {
        let mut chunks = text.as_chunks().0.iter();
        return chunks.any(|chunk| any_escape(*chunk)) || any_escape(*last);
    }
    if let (Some([a, b, c, d]), Some([e, f, g, h])) = (text.first_chunk(), text.last_chunk()) {
        return any_escape([*a, *b, *c, *d, *e, *f, *g, *h]);
    }
    text.iter().any(|byte| any_escape([*byte; 8]))
}

/// Whether any byte is a control character, `"` or `\`.
fn any_escape(bytes: [u8; 8]) -> bool {
    const fn repeat(byte: u8) -> u64 {
        u64::from_ne_bytes([byte; 8])
    }
    let bytes = u64::from_ne_bytes(bytes);
    // Subtracting sets the high bit of a byte that is less and has none. The borrow reaches other bytes only if one is
    // less.
    let any_less = |bytes: u64, than: u8| bytes.wrapping_sub(repeat(than)) & !bytes;
    let control = any_less(bytes, b' ');
    let quote = any_less(bytes ^ repeat(b'"'), 1);
    let backslash = any_less(bytes ^ repeat(b'\\'), 1);
    (control | quote | backslash) & repeat(0x80) != 0
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn written(text: &str) -> String {
        let mut json = Vec::new();
        write_text(text, &mut json);
        String::from_utf8(json).expect("JSON is UTF-8")
    }

    proptest! {
        #[test]
        fn writes_a_string_like_serde(text in any::<String>()) {
            prop_assert_eq!(written(&text), serde_json::to_string(&text).expect("a text is JSON"));
        }
    }

    #[test]
    fn escapes_a_string_like_serde() {
        let text: String = (0..=0x9f_u8).map(char::from).collect();
        assert_eq!(
            written(&text),
            serde_json::to_string(&text).expect("a text is JSON")
        );
    }

    #[test]
    fn escapes_a_character_at_every_position_of_texts_of_every_length() {
        for (length, escaped) in (1..40).flat_map(|length| ["\"", "\\", "\n"].map(|c| (length, c)))
        {
            for position in 0..length {
                let mut text = "a".repeat(length);
                text.replace_range(position..=position, escaped);
                let escaped = serde_json::to_string(&text).expect("a text is JSON");
                assert_eq!(written(&text), escaped);
            }
        }
    }
}
