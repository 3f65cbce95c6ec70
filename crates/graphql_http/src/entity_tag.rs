//! Entity tags and `If-None-Match` (RFC 9110, sections 8.8.3 and 13.1.2).

use std::fmt::Write;

use poem::{
    Response,
    http::{HeaderValue, StatusCode, header},
};
use sha2::{Digest, Sha256};

/// Bytes of the hash in a tag: enough to make collisions negligible.
const HASH_BYTES: usize = 16;

/// The strong entity tag of a body in this media type.
pub(super) fn strong(content_type: &[u8], body: &[u8]) -> String {
    let hash = Sha256::new()
        .chain_update(content_type)
        .chain_update([0])
        .chain_update(body)
        .finalize();
    let mut tag = String::with_capacity(2 * HASH_BYTES + 2);
    tag.push('"');
    for byte in &hash[..HASH_BYTES] {
        write!(tag, "{byte:02x}").expect("writing to a string cannot fail");
    }
    tag.push('"');
    tag
}

/// Adds the content coding to a strong tag, which identifies one representation. A weak tag stays.
pub(super) fn mark_encoded(response: &mut Response, coding: &str) {
    let tag = response.header(header::ETAG).unwrap_or_default();
    if !tag.starts_with("W/")
        && let Some(opening) = tag.strip_suffix('"')
        && let Ok(tag) = HeaderValue::try_from(format!("{opening}-{coding}\""))
    {
        response.headers_mut().insert(header::ETAG, tag);
    }
}

/// Whether the client has cached this response.
pub(super) fn is_not_modified(response: &Response, if_none_match: &str) -> bool {
    response.status() == StatusCode::OK
        && response
            .header(header::ETAG)
            .is_some_and(|tag| contains(if_none_match, tag))
}

/// Removes the content of a response that the client has cached.
pub(super) fn set_not_modified(response: &mut Response) {
    response.take_body();
    response.set_status(StatusCode::NOT_MODIFIED);
    for name in [header::CONTENT_TYPE, header::CONTENT_LENGTH] {
        response.headers_mut().remove(name);
    }
}

/// Weak comparison, as RFC 9110 requires: a proxy may have weakened the tag.
fn contains(if_none_match: &str, tag: &str) -> bool {
    let opaque = |tag| str::strip_prefix(tag, "W/").unwrap_or(tag);
    if_none_match
        .split(',')
        .map(str::trim)
        .any(|listed| listed == "*" || opaque(listed) == opaque(tag))
}

#[cfg(test)]
mod tests {
    use super::{contains, strong};

    #[test]
    fn depends_on_the_body_and_the_media_type() {
        let tag = strong(b"application/json", b"{}");
        assert_eq!(tag, strong(b"application/json", b"{}"));
        assert_eq!(tag.len(), 34);
        assert_ne!(tag, strong(b"application/json", b"[]"));
        assert_ne!(tag, strong(b"text/plain", b"{}"));
    }

    #[test]
    fn finds_strong_and_weak_tags_in_a_list() {
        for list in ["*", "\"a\"", "\"b\", \"a\"", "W/\"a\"", " \"x\" ,W/\"a\" "] {
            assert!(contains(list, "\"a\""), "{list}");
            assert!(contains(list, "W/\"a\""), "{list}");
        }
        for other in ["", "a", "\"A\"", "\"b\"", "W/\"b\""] {
            assert!(!contains(other, "\"a\""), "{other}");
        }
    }
}
