//! GraphiQL, the page on which GraphQL can be tried: built from `graphiql/`, embedded in the binary.

use std::{io::Read, sync::LazyLock};

use flate2::read::GzDecoder;
use poem::{
    IntoResponse, Request, Response, ResponseBuilder, error::NotFoundError, handler, http::header,
    web::Path,
};

use super::{
    encoding::{self, Coding},
    entity_tag,
    envelope::header_text,
};

const HTML: &str = "text/html; charset=utf-8";

const PAGE: &str = include_str!("../../graphiql/dist/index.html");

/// What the page loads: names, which contain a hash of the content, and bytes compressed with gzip.
const ASSETS: &[(&str, &[u8])] = &include!(concat!(env!("OUT_DIR"), "/graphiql.rs"));

/// The page works without any other host, and nothing that it shows can make it ask one.
/// Monaco, the editor, makes style sheets while it runs and has images in its styles.
const CONTENT_SECURITY_POLICY: &str = "default-src 'none'; connect-src 'self'; font-src 'self'; \
     img-src 'self' data:; script-src 'self'; style-src 'self' 'unsafe-inline'; worker-src 'self'; \
     base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

static PAGE_TAG: LazyLock<String> = LazyLock::new(|| entity_tag::of(HTML, PAGE.as_bytes()));

/// The page. A browser asks each time whether it has changed, and so never mixes two versions.
#[handler]
pub(super) fn page() -> Response {
    protected()
        .content_type(HTML)
        .header(header::CACHE_CONTROL, "no-cache")
        .header(header::ETAG, PAGE_TAG.as_str())
        .body(PAGE)
}

/// What the page loads. Another content has another name, so that a browser asks only once.
#[handler]
pub(super) fn asset(request: &Request, Path(name): Path<String>) -> poem::Result<Response> {
    let (_, compressed) = ASSETS
        .iter()
        .find(|(candidate, _)| *candidate == name)
        .ok_or(NotFoundError)?;
    let response = protected()
        .content_type(content_type(&name))
        .header(header::CACHE_CONTROL, "public, max-age=31536000, immutable")
        .header(header::VARY, "Accept-Encoding");
    let accepted = header_text(request.headers(), &header::ACCEPT_ENCODING);
    Ok(if encoding::accepts(&accepted, Coding::Gzip) {
        response
            .header(header::CONTENT_ENCODING, "gzip")
            .body(*compressed)
    } else {
        response.body(decompress(compressed))
    }
    .into_response())
}

fn protected() -> ResponseBuilder {
    Response::builder().header(header::CONTENT_SECURITY_POLICY, CONTENT_SECURITY_POLICY)
}

fn content_type(name: &str) -> &'static str {
    match name.rsplit_once('.').map(|(_, extension)| extension) {
        Some("js") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("ttf") => "font/ttf",
        Some("txt") => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}

fn decompress(compressed: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::new();
    GzDecoder::new(compressed)
        .read_to_end(&mut bytes)
        .expect("what is embedded is as the build of the page wrote it");
    bytes
}

#[cfg(test)]
mod tests {
    use super::{ASSETS, PAGE, content_type, decompress};

    #[test]
    fn every_asset_has_a_hashed_lower_case_name_and_a_known_type() {
        for (name, _) in ASSETS {
            let (stem, _) = name.rsplit_once('.').unwrap();
            let (_, hash) = stem.rsplit_once('-').unwrap();
            assert!(hash.len() == 8 && hash.bytes().all(|byte| byte.is_ascii_hexdigit()));
            assert_eq!(*name, name.to_lowercase());
            assert_ne!(content_type(name), "application/octet-stream", "{name}");
        }
    }

    #[test]
    fn every_asset_can_be_decompressed() {
        for (name, compressed) in ASSETS {
            assert!(!decompress(compressed).is_empty(), "{name}");
        }
    }

    #[test]
    fn the_page_loads_assets_that_there_are() {
        let loaded: Vec<_> = PAGE.split("\"./graphiql/assets/").skip(1).collect();
        assert!(!loaded.is_empty());
        for rest in loaded {
            let (name, _) = rest.split_once('"').unwrap();
            assert!(ASSETS.iter().any(|(asset, _)| *asset == name), "{name}");
        }
    }
}
