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
pub(crate) struct JsonKey {
    length: usize,
    /// Padded, because chunks of a constant length are copied without a call of `memcpy`.
    chunks: Box<[[u8; 16]]>,
}

impl JsonKey {
    pub(crate) fn new(key: &str, first: bool) -> Self {
        let mut json = Vec::with_capacity(key.len() + 4);
        if !first {
            json.push(b',');
        }
        write_text(key, &mut json);
        json.push(b':');
        let length = json.len();
        json.resize(length.next_multiple_of(16), 0);
        Self {
            length,
            chunks: json.as_chunks().0.into(),
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.length
    }

    pub(crate) fn as_bytes(&self) -> &[u8] {
        &self.chunks.as_flattened()[..self.length]
    }

    pub(crate) fn write(&self, json: &mut Vec<u8>) {
        let end = json.len() + self.length;
        for chunk in &self.chunks {
            json.extend_from_slice(chunk);
        }
        json.truncate(end);
    }
}

/// Writes a string. Only characters that must be escaped are escaped (section 7). Most texts have none, and are
/// copied.
pub(crate) fn write_text(text: &str, json: &mut Vec<u8>) {
    let (start, bytes) = (json.len(), text.as_bytes());
    json.reserve(bytes.len() + size_of::<u64>() + 2);
    json.push(b'"');
    let escapes = append::<8>(bytes, json)
        .or_else(|| append::<4>(bytes, json))
        .or_else(|| append::<1>(bytes, json));
    if escapes == Some(true) {
        json.truncate(start);
        serde_json::to_writer(json, text).expect("a text is JSON");
    } else {
        json.push(b'"');
    }
}

/// Appends a text of at least `N` bytes, `N` at once, of which the last overlap those before, and returns whether any
/// must be escaped.
fn append<const N: usize>(text: &[u8], json: &mut Vec<u8>) -> Option<bool> {
    let last = text.last_chunk::<N>()?;
    let end = json.len() + text.len();
    let mut escapes = any_escape(last);
    for chunk in text.as_chunks::<N>().0 {
        escapes |= any_escape(chunk);
        json.extend_from_slice(chunk);
    }
    json.truncate(end - N);
    json.extend_from_slice(last);
    Some(escapes)
}

/// Whether any of at most eight bytes is a control character, `"` or `\`.
fn any_escape<const N: usize>(bytes: &[u8; N]) -> bool {
    const fn repeat(byte: u8) -> u64 {
        u64::from_ne_bytes([byte; 8])
    }
    let mut padded = [b' '; 8];
    padded[..N].copy_from_slice(bytes);
    let bytes = u64::from_ne_bytes(padded);
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
