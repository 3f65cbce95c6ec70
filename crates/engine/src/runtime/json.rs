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

/// The longest text that is copied at once.
const SHORT_BYTES: usize = 32;

/// An object key followed by a colon, and preceded by a comma unless it is the first.
pub(crate) struct JsonKey {
    json: Box<[u8]>,
    /// Its beginning, padded, because a constant length is copied without a call of `memcpy`.
    padded: [u8; SHORT_BYTES],
}

impl JsonKey {
    pub(crate) fn new(key: &str, first: bool) -> Self {
        let mut json = Vec::new();
        if !first {
            json.push(b',');
        }
        write_text(key, &mut json);
        json.push(b':');
        let mut padded = [0; SHORT_BYTES];
        for (padded, byte) in padded.iter_mut().zip(&json) {
            *padded = *byte;
        }
        let json = json.into_boxed_slice();
        Self { json, padded }
    }

    pub(crate) fn as_bytes(&self) -> &[u8] {
        &self.json
    }

    pub(crate) fn write(&self, json: &mut Vec<u8>) {
        if self.json.len() > SHORT_BYTES {
            return json.extend_from_slice(&self.json);
        }
        let end = json.len() + self.json.len();
        json.extend_from_slice(&self.padded);
        json.truncate(end);
    }
}

/// Writes a string. Only characters that must be escaped are escaped (section 7). Most texts have none, and are
/// copied.
pub(crate) fn write_text(text: &str, json: &mut Vec<u8>) {
    let (start, bytes) = (json.len(), text.as_bytes());
    let escapes = if bytes.len() <= SHORT_BYTES {
        append_short(bytes, json)
    } else {
        append_long(bytes, json)
    };
    if escapes {
        json.truncate(start);
        serde_json::to_writer(json, text).expect("a text is JSON");
    }
}

/// Appends a text in quotation marks, and returns whether any character must be escaped. The length of the buffer
/// changes only twice, since each change waits for the one before.
fn append_short(text: &[u8], json: &mut Vec<u8>) -> bool {
    let end = json.len() + text.len() + 2;
    json.extend_from_slice(&[b'"'; SHORT_BYTES + 2]);
    let escapes = json.last_chunk_mut().is_some_and(|quoted| {
        overwrite::<16>(text, quoted)
            .or_else(|| overwrite::<8>(text, quoted))
            .or_else(|| overwrite::<4>(text, quoted))
            .or_else(|| overwrite::<2>(text, quoted))
            .or_else(|| overwrite::<1>(text, quoted))
            .unwrap_or_default()
    });
    json.truncate(end);
    escapes
}

/// Writes a text of `N` to `2 * N` bytes behind the opening quotation mark: its first `N` bytes and its last ones, which
/// may overlap. Returns whether any must be escaped.
fn overwrite<const N: usize>(text: &[u8], quoted: &mut [u8; SHORT_BYTES + 2]) -> Option<bool> {
    let (first, last) = (text.first_chunk::<N>()?, text.last_chunk::<N>()?);
    let end = text.len() + 1;
    quoted[1..=N].copy_from_slice(first);
    quoted[end - N..end].copy_from_slice(last);
    Some(any_escape(first) | any_escape(last))
}

/// The same for a longer text.
fn append_long(text: &[u8], json: &mut Vec<u8>) -> bool {
    json.reserve(text.len() + 2);
    json.push(b'"');
    json.extend_from_slice(text);
    json.push(b'"');
    let (chunks, remainder) = text.as_chunks::<16>();
    let mut escapes = remainder.iter().any(|byte| any_escape(&[*byte]));
    for chunk in chunks {
        escapes |= any_escape(chunk);
    }
    escapes
}

/// Whether any byte is a control character, `"` or `\`.
fn any_escape<const N: usize>(bytes: &[u8; N]) -> bool {
    let (words, rest) = bytes.as_chunks();
    let mut padded = [b' '; 8];
    padded[..rest.len()].copy_from_slice(rest);
    // Without an early end, which would cost more.
    let any = |escapes, word: &[u8; 8]| escapes | escape_in_word(*word);
    words.iter().fold(escape_in_word(padded), any)
}

fn escape_in_word(bytes: [u8; 8]) -> bool {
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
    fn writes_keys_of_every_length() {
        for (length, first) in (1..70).flat_map(|length| [(length, true), (length, false)]) {
            let name = "k".repeat(length);
            let mut json = b"{".to_vec();
            JsonKey::new(&name, first).write(&mut json);
            let comma = if first { "" } else { "," };
            let expected = format!("{{{comma}\"{name}\":");
            assert_eq!(String::from_utf8(json), Ok(expected));
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
