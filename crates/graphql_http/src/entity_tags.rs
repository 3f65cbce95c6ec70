//! A middleware for entity tags and `If-None-Match` (RFC 9110, sections 8.8.3 and 13.1.2).

use poem::{
    Body, Request, Response,
    http::{HeaderValue, Method, StatusCode, header},
};
use sha2::{Digest, Sha256};

use super::{
    client::header_text,
    compression::CODINGS,
    content::{content_size, take_content},
    middleware::{Changed, EarlyResponse, Hooks, hooks},
    response::REVALIDATE,
};

/// Adds an entity tag to responses of a known size that caches must revalidate (`Cache-Control: no-cache`), and answers 304 Not Modified
/// if the client has the response. It works inside [`Compression`](crate::Compression), which marks the tags of what it
/// encodes.
#[derive(Clone, Copy, Debug, Default)]
pub struct EntityTags;

hooks!(EntityTags);

impl Hooks for EntityTags {
    type Context = Option<String>;

    fn before(&self, request: &mut Request) -> Result<Option<String>, EarlyResponse<'_>> {
        let is_get = request.method() == Method::GET;
        let tags = || header_text(request.headers(), header::IF_NONE_MATCH).into_owned();
        Ok(is_get.then(tags))
    }

    fn after(&self, if_none_match: Option<String>, response: Response) -> Changed<'_> {
        match if_none_match {
            Some(if_none_match) if response.status() == StatusCode::OK => {
                Changed::later(tagged(response, if_none_match))
            }
            _ => response.into(),
        }
    }
}

/// The response with an entity tag, without its content if the client has it.
async fn tagged(mut response: Response, if_none_match: String) -> poem::Result<Response> {
    if response.header(header::ETAG).is_none()
        && response.header(header::CACHE_CONTROL) == Some(REVALIDATE)
        && content_size(&mut response).is_some()
    {
        add_tag(&mut response).await?;
    }
    let tag = response.header(header::ETAG).unwrap_or_default();
    if let Some(known) = find(&if_none_match, tag)
        && let Ok(known) = HeaderValue::try_from(known)
    {
        set_not_modified(&mut response, known);
    }
    Ok(response)
}

async fn add_tag(response: &mut Response) -> poem::Result<()> {
    let content = take_content(response).await?;
    let content_type = response.content_type().unwrap_or_default();
    let tag = strong(content_type.as_bytes(), &content);
    response.set_body(content);
    let tag = HeaderValue::try_from(tag).expect("the tag is ASCII");
    response.headers_mut().insert(header::ETAG, tag);
    Ok(())
}

/// The strong entity tag of a body in this media type: 128 bits, which make collisions negligible.
fn strong(content_type: &[u8], body: &[u8]) -> String {
    let hash = Sha256::new()
        .chain_update(content_type)
        .chain_update([0])
        .chain_update(body)
        .finalize();
    let hash = hash.first_chunk().expect("a hash of SHA-256 is longer");
    format!("\"{:032x}\"", u128::from_be_bytes(*hash))
}

/// Removes the content of a response that the client has with this tag.
fn set_not_modified(response: &mut Response, known: HeaderValue) {
    response.set_body(Body::empty());
    response.set_status(StatusCode::NOT_MODIFIED);
    let headers = response.headers_mut();
    headers.insert(header::ETAG, known);
    for name in [header::CONTENT_TYPE, header::CONTENT_LENGTH] {
        headers.remove(name);
    }
}

/// The listed tag that is the tag of a response, encoded or not: weak comparison, as RFC 9110 requires, because a proxy
/// may have weakened the tag.
fn find(if_none_match: &str, tag: &str) -> Option<String> {
    let weak = if tag.starts_with("W/") { "W/" } else { "" };
    let tag = tag.trim_start_matches("W/");
    let tag_opaque = tag.strip_suffix('"')?;
    let listed = if_none_match.split(',').map(str::trim);
    let mut listed = listed.map(|listed| listed.trim_start_matches("W/"));
    let is_same = |listed: &str| {
        let coding = listed
            .strip_suffix('"')
            .and_then(|listed| listed.strip_prefix(tag_opaque));
        coding.is_some_and(|coding| match coding.strip_prefix('-') {
            Some(coding) => CODINGS.contains(&coding),
            None => coding.is_empty(),
        })
    };
    let known = listed.find(|listed| *listed == "*" || is_same(listed))?;
    Some(format!("{weak}{}", if known == "*" { tag } else { known }))
}

#[cfg(test)]
mod tests {
    use std::io;

    use futures_util::stream;
    use poem::{Body, Endpoint, EndpointExt, Request, Response, endpoint::make_sync, http::header};

    use super::{EntityTags, REVALIDATE, find, strong};

    #[tokio::test]
    async fn a_response_without_a_known_end_gets_no_tag() {
        let endless = make_sync(|_| {
            let bytes = stream::repeat_with(|| Ok::<_, io::Error>("x"));
            let response = Response::builder().header(header::CACHE_CONTROL, REVALIDATE);
            response.body(Body::from_bytes_stream(bytes))
        });
        let response = endless.with(EntityTags).call(Request::default()).await;
        assert_eq!(response.unwrap().header(header::ETAG), None);
    }

    #[test]
    fn depends_on_the_body_and_the_media_type() {
        let tag = strong(b"application/json", b"{}");
        assert_eq!(tag, strong(b"application/json", b"{}"));
        assert_eq!(tag.len(), 34);
        assert_ne!(tag, strong(b"application/json", b"[]"));
        assert_ne!(tag, strong(b"text/plain", b"{}"));
    }

    #[test]
    fn finds_strong_weak_and_encoded_tags_in_a_list() {
        for list in ["\"a\"", "\"b\", \"a\"", "W/\"a\"", " \"x\" ,W/\"a\" "] {
            assert!(find(list, "\"a\"").is_some(), "{list}");
            assert!(find(list, "W/\"a\"").is_some(), "{list}");
        }
        assert_eq!(find("*", "\"a\"").as_deref(), Some("\"a\""));
        let known = find("\"b\", W/\"a-gzip\"", "\"a\"");
        assert_eq!(known.as_deref(), Some("\"a-gzip\""));
        for other in [
            "",
            "a",
            "\"A\"",
            "\"b\"",
            "W/\"b\"",
            "\"a-other\"",
            "\"a\"-gzip",
        ] {
            assert_eq!(find(other, "\"a\""), None, "{other}");
        }
    }
}
