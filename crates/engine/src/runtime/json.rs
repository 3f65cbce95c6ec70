//! Renders values as JSON (RFC 8259), without an intermediate tree.

use async_graphql::Value;

/// Writes a value.
pub fn write_value(value: &Value, json: &mut Vec<u8>) {
    serde_json::to_writer(json, value).expect("GraphQL values are JSON values");
}

/// Writes a list. It stops, incomplete, after the item with which `json` exceeds `max_bytes`.
pub(crate) fn write_list<T>(
    items: &[T],
    max_bytes: usize,
    json: &mut Vec<u8>,
    write: impl Fn(&T, &mut Vec<u8>),
) {
    json.push(b'[');
    for (index, item) in items.iter().enumerate() {
        if index > 0 {
            json.push(b',');
        }
        write(item, json);
        if json.len() > max_bytes {
            return;
        }
    }
    json.push(b']');
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
pub fn write_text(text: &str, json: &mut Vec<u8>) {
    json.reserve(text.len() + 2);
    if has_escapes(text.as_bytes()) {
        serde_json::to_writer(json, text).expect("a text is JSON");
        return;
    }
    json.push(b'"');
    json.extend_from_slice(text.as_bytes());
    json.push(b'"');
}

fn must_be_escaped(byte: u8) -> bool {
    byte < b' ' || byte == b'"' || byte == b'\\'
}

/// Whether any byte must be escaped: of eight bytes at a time, since most texts are short.
fn has_escapes(text: &[u8]) -> bool {
    let Some(&last) = text.last_chunk() else {
        return text.iter().any(|byte| must_be_escaped(*byte));
    };
    // The last chunk overlaps the one before.
    let (chunks, _) = text.as_chunks();
    chunks.iter().copied().any(has_escapes_in_chunk) || has_escapes_in_chunk(last)
}

fn has_escapes_in_chunk(chunk: [u8; 8]) -> bool {
    const ONES: u64 = u64::from_ne_bytes([1; 8]);
    const HIGH_BITS: u64 = ONES << 7;
    let bytes = u64::from_ne_bytes(chunk);
    // The high bit of a byte is set where it is less than `bound`, which is at most 128.
    let less = |bytes: u64, bound: u8| bytes.wrapping_sub(ONES * u64::from(bound)) & !bytes;
    let equal = |byte: u8| less(bytes ^ (ONES * u64::from(byte)), 1);
    (less(bytes, b' ') | equal(b'"') | equal(b'\\')) & HIGH_BITS != 0
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
    fn a_list_stops_after_the_item_that_exceeds_the_maximum_size() {
        let bytes = |max_bytes: usize| {
            let mut json = Vec::new();
            write_list(&["abc"; 3], max_bytes, &mut json, |item, json| {
                write_text(item, json);
            });
            json.len()
        };
        let whole = bytes(usize::MAX);
        assert_eq!(bytes(whole), whole);
        assert_eq!(bytes(0), r#"["abc""#.len());
        assert_eq!(bytes(6), r#"["abc","abc""#.len());
    }
}
