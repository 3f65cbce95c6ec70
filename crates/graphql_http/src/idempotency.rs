//! The idempotency key of a mutation, in the header `Idempotency-Key`
//! (draft-ietf-httpapi-idempotency-key-header), and the response header `Idempotent-Replayed`.

use std::sync::Arc;

use engine::{IdempotencyKey, PreparedRequest};
use poem::{
    Response,
    http::{HeaderMap, HeaderName, HeaderValue},
};

use super::refusal::Refusal;

const IDEMPOTENCY_KEY: HeaderName = HeaderName::from_static("idempotency-key");
const REPLAYED: HeaderName = HeaderName::from_static("idempotent-replayed");

/// The maximum length of a key.
const MAX_LENGTH: usize = 255;

/// The key of a request, or why there is none: it is refused only if it is used.
#[derive(Debug)]
pub(super) enum HeaderKey {
    Absent,
    Invalid,
    Key(Box<str>),
}

impl HeaderKey {
    /// The key in the header, which has one line: a bare key, or a string of structured fields (RFC 9651, section 3.3.3)
    /// with the same meaning.
    pub(super) fn of(headers: &HeaderMap) -> Self {
        let mut lines = headers.get_all(IDEMPOTENCY_KEY).iter();
        let Some(line) = lines.next() else {
            return Self::Absent;
        };
        match line.to_str().ok().and_then(content) {
            Some(key) if lines.next().is_none() => Self::Key(key),
            _ => Self::Invalid,
        }
    }

    /// Gives the key to a mutation; other operations ignore it.
    pub(super) fn attach(
        &self,
        subject: Option<&str>,
        prepared: &mut PreparedRequest,
    ) -> Result<Option<Arc<IdempotencyKey>>, Refusal> {
        match self {
            Self::Key(key) if prepared.is_mutation() => {
                let key = Arc::new(IdempotencyKey::new(subject, key));
                prepared.set_idempotency_key(Arc::clone(&key));
                Ok(Some(key))
            }
            Self::Invalid if prepared.is_mutation() => Err(Refusal::IdempotencyKey),
            _ => Ok(None),
        }
    }
}

/// Adds the header `Idempotent-Replayed` if every field that used the key had no effect again.
pub(super) fn mark(key: &IdempotencyKey, response: &mut Response) {
    let (fields, replayed) = key.uses();
    if fields > 0 && fields == replayed {
        let value = HeaderValue::from_static("true");
        response.headers_mut().insert(REPLAYED, value);
    }
}

/// The content of a key: 1 to 255 printable ASCII characters, of which a space has to be quoted.
fn content(value: &str) -> Option<Box<str>> {
    let value = value.trim_matches([' ', '\t']);
    let key = match value.strip_prefix('"') {
        Some(quoted) => unquoted(quoted.strip_suffix('"')?)?,
        None if value.bytes().all(|byte| byte.is_ascii_graphic()) => value.to_owned(),
        None => return None,
    };
    (1..=MAX_LENGTH).contains(&key.len()).then(|| key.into())
}

fn unquoted(quoted: &str) -> Option<String> {
    let mut key = String::with_capacity(quoted.len());
    let mut characters = quoted.chars();
    while let Some(character) = characters.next() {
        key.push(match character {
            '\\' => characters
                .next()
                .filter(|next| matches!(next, '"' | '\\'))?,
            '"' => return None,
            ' '..='~' => character,
            _ => return None,
        });
    }
    Some(key)
}
