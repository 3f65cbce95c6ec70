//! The idempotency key of a mutation, in the header `Idempotency-Key` (draft-ietf-httpapi-idempotency-key-header).

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use async_graphql_strict::ErrorCode;
use poem::http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use sha2::{Digest, Sha256};

use crate::refusal::Refusal;

const IDEMPOTENCY_KEY: HeaderName = HeaderName::from_static("idempotency-key");

/// The header of a response all of whose mutations had no effect again.
pub(crate) const REPLAYED: (HeaderName, HeaderValue) =
    (HeaderName::from_static("idempotent-replayed"), HeaderValue::from_static("true"));

/// The maximum length of a key.
const MAX_LENGTH: usize = 255;

/// The idempotency key of a mutation, which resolvers find as `Option<Arc<IdempotencyKey>>` in their context.
#[derive(Debug)]
pub struct IdempotencyKey {
    hash: [u8; 32],
    uses: AtomicUsize,
    replays: AtomicUsize,
}

impl IdempotencyKey {
    /// The key that a client gave. Callers with different subjects have different keys.
    pub fn new(subject: Option<&str>, key: &str) -> Self {
        let mut hash = Sha256::new();
        hash.update([u8::from(subject.is_some())]);
        for text in [subject.unwrap_or_default(), key] {
            hash.update((text.len() as u64).to_be_bytes());
            hash.update(text);
        }
        // The index of the operation, from when a request could have several: stored keys depend on it.
        hash.update(0_u64.to_be_bytes());
        let (uses, replays) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let hash = hash.finalize().into();
        Self { hash, uses, replays }
    }

    /// The key in the header, which has one line: a bare key, or a string of structured fields (RFC 9651, section 3.3.3)
    /// with the same meaning.
    pub(crate) fn of(headers: &HeaderMap, subject: Option<&str>) -> poem::Result<Option<Self>> {
        let mut lines = headers.get_all(IDEMPOTENCY_KEY).iter();
        let Some(line) = lines.next() else {
            return Ok(None);
        };
        match line.to_str().ok().and_then(content) {
            Some(key) if lines.next().is_none() => Ok(Some(Self::new(subject, &key))),
            _ => {
                let message = "Idempotency-Key must be one header with 1 to 255 printable ASCII \
                               characters, in quotation marks if there are spaces";
                let (status, code) = (StatusCode::BAD_REQUEST, ErrorCode::BadUserInput);
                Err(Refusal::new(status, code, message).into())
            }
        }
    }

    /// The key of an item of the root field at this position: the first 16 bytes of SHA-256.
    pub fn item(&self, field: usize, index: usize) -> [u8; 16] {
        let mut hash = Sha256::new();
        hash.update(self.hash);
        for index in [field, index] {
            hash.update((index as u64).to_be_bytes());
        }
        let hash: [u8; 32] = hash.finalize().into();
        std::array::from_fn(|byte| hash[byte])
    }

    /// Records that a field has used the key, and whether it had no effect again.
    pub fn record(&self, is_replay: bool) {
        self.uses.fetch_add(1, Relaxed);
        self.replays.fetch_add(is_replay.into(), Relaxed);
    }

    /// Whether every field that used the key had no effect again.
    pub(crate) fn is_replayed(&self) -> bool {
        let uses = self.uses.load(Relaxed);
        uses > 0 && uses == self.replays.load(Relaxed)
    }
}

/// The content of a key: 1 to 255 printable ASCII characters, of which a space has to be quoted.
fn content(value: &str) -> Option<String> {
    let value = value.trim_matches([' ', '\t']);
    let key = match value.strip_prefix('"') {
        Some(quoted) => unquoted(quoted.strip_suffix('"')?)?,
        None if value.bytes().all(|byte| byte.is_ascii_graphic()) => value.to_owned(),
        None => return None,
    };
    (1..=MAX_LENGTH).contains(&key.len()).then_some(key)
}

fn unquoted(quoted: &str) -> Option<String> {
    let mut key = String::with_capacity(quoted.len());
    let mut characters = quoted.chars();
    while let Some(character) = characters.next() {
        key.push(match character {
            '\\' => characters.next().filter(|next| matches!(next, '"' | '\\'))?,
            '"' => return None,
            ' '..='~' => character,
            _ => return None,
        });
    }
    Some(key)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn a_bare_and_a_quoted_key_are_the_same() {
        let long = "x".repeat(255);
        for (value, key) in [
            ("a", "a"),
            (" 8e03978e-40d5 ", "8e03978e-40d5"),
            ("\"a\"", "a"),
            ("\"a b\"", "a b"),
            (r#""a\"b\\c""#, r#"a"b\c"#),
            (r"a\b", r"a\b"),
            (&long, &long),
            (&format!("\"{long}\""), &long),
        ] {
            assert_eq!(content(value).as_deref(), Some(key), "{value}");
        }
        let long = "x".repeat(256);
        for value in ["", "\"\"", "\"", "a b", "\"a", "\"a\"b\"", r#""\a""#, r#""a\""#, "é", &long] {
            assert_eq!(content(value), None, "{value}");
        }
    }

    #[test]
    fn every_part_of_a_key_changes_it() {
        let keys = [
            (None, "a", 0, 0),
            (Some(""), "a", 0, 0),
            (Some("a"), "", 0, 0),
            (Some("a"), "a", 0, 0),
            (None, "b", 0, 0),
            (None, "a", 1, 0),
            (None, "a", 0, 1),
        ];
        let item = |(subject, key, field, index)| IdempotencyKey::new(subject, key).item(field, index);
        let distinct: HashSet<_> = keys.map(item).into_iter().collect();
        assert_eq!(distinct.len(), keys.len());
    }
}
