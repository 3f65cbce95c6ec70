//! Entity tags: how a client that has an answer asks whether it still holds (RFC 9110, sections 8.8.3 and 13.1.2).

use std::fmt::Write;

use poem::{
    Response,
    http::{HeaderValue, StatusCode, header},
};
use sha2::{Digest, Sha256};

/// How many bytes of the hash distinguish answers: as many as nobody meets twice.
const HASH_BYTES: usize = 16;

/// The strong tag of an answer of this media type.
pub(super) fn of(content_type: &str, body: &[u8]) -> String {
    let hash = Sha256::new()
        .chain_update(content_type)
        .chain_update([0])
        .chain_update(body)
        .finalize();
    let mut tag = String::with_capacity(2 * HASH_BYTES + 2);
    tag.push('"');
    for byte in &hash[..HASH_BYTES] {
        write!(tag, "{byte:02x}").expect("a string takes any text");
    }
    tag.push('"');
    tag
}

/// Gives an answer that is going to be encoded the tag of its encoded form. A weak tag is that of
/// every form.
pub(super) fn mark_encoded(response: &mut Response, coding: &str) {
    let tag = response.header(header::ETAG).unwrap_or_default();
    if !tag.starts_with("W/")
        && let Some(opening) = tag.strip_suffix('"')
        && let Ok(tag) = HeaderValue::try_from(format!("{opening}-{coding}\""))
    {
        response.headers_mut().insert(header::ETAG, tag);
    }
}

/// Whether the client has this answer already.
pub(super) fn is_known(response: &Response, if_none_match: &str) -> bool {
    response.status() == StatusCode::OK
        && response
            .header(header::ETAG)
            .is_some_and(|tag| names(if_none_match, tag))
}

/// The answer without its content.
pub(super) fn not_modified(mut response: Response) -> Response {
    response.take_body();
    response.set_status(StatusCode::NOT_MODIFIED);
    for name in [header::CONTENT_TYPE, header::CONTENT_LENGTH] {
        response.headers_mut().remove(name);
    }
    response
}

/// The weak comparison, as the specification asks for: a proxy may have weakened the tag.
fn names(if_none_match: &str, tag: &str) -> bool {
    let strong = |tag| str::strip_prefix(tag, "W/").unwrap_or(tag);
    if_none_match
        .split(',')
        .map(str::trim)
        .any(|named| named == "*" || strong(named) == strong(tag))
}

#[cfg(test)]
mod tests {
    use super::{names, of};

    #[test]
    fn a_tag_is_that_of_one_body_in_one_media_type() {
        let tag = of("application/json", b"{}");
        assert_eq!(tag, of("application/json", b"{}"));
        assert_eq!(tag.len(), 34);
        assert_ne!(tag, of("application/json", b"[]"));
        assert_ne!(tag, of("text/plain", b"{}"));
    }

    #[test]
    fn a_tag_is_found_in_a_list_also_weakened() {
        for naming in ["*", "\"a\"", "\"b\", \"a\"", "W/\"a\"", " \"x\" ,W/\"a\" "] {
            assert!(names(naming, "\"a\""), "{naming}");
            assert!(names(naming, "W/\"a\""), "{naming}");
        }
        for other in ["", "a", "\"A\"", "\"b\"", "W/\"b\""] {
            assert!(!names(other, "\"a\""), "{other}");
        }
    }
}
