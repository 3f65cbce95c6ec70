//! The GraphiQL page and its assets, built from `graphiql/` and embedded in the binary.

use hyper::body::Bytes;
use poem::{
    EndpointExt, IntoResponse, Request, Response, Route,
    endpoint::make_sync,
    error::NotFoundError,
    get, handler,
    http::{Method, header},
    middleware::SetHeader,
    web::{Path, Redirect},
};
use serde::Serialize;

use crate::{request::has_graphql_parameters, routes::document};

/// The page, built from `graphiql/`.
const PAGE: &str = include_str!("../graphiql/dist/index.html");

/// The part of the page that the settings of a service replace.
const DEFAULT_SETTINGS: &str = r#"{"name":"graphiql","title":"GraphiQL","tabs":[]}"#;

/// The assets of the page: names, which contain a hash of the content, and bytes compressed with gzip.
const ASSETS: &[(&str, &[u8])] = &include!(concat!(env!("OUT_DIR"), "/graphiql.rs"));

/// Permits no other host, so that displayed content cannot send requests to one. The Monaco editor needs inline style
/// sheets and `data:` images.
const CONTENT_SECURITY_POLICY: &str = "default-src 'none'; connect-src 'self'; font-src 'self'; \
     img-src 'self' data:; script-src 'self'; style-src 'self' 'unsafe-inline'; worker-src 'self'; \
     base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// A default tab of GraphiQL.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct GraphiqlTab {
    /// The document.
    pub query: &'static str,
    /// The variables as a JSON object, or nothing.
    pub variables: &'static str,
}

/// Adds the page at `/graphiql`, its assets, and a redirect to it at `/`. The name of the service is the namespace of the
/// storage in browsers.
pub fn graphiql(route: Route, name: &str, title: &str, tabs: &[GraphiqlTab]) -> Route {
    #[derive(Serialize)]
    struct Settings<'a> {
        name: &'a str,
        title: &'a str,
        tabs: &'a [GraphiqlTab],
    }
    let settings = serde_json::to_string(&Settings { name, title, tabs });
    let settings = settings.expect("strings are JSON");
    // The end tag of the element cannot occur in its content.
    let page = PAGE.replace(DEFAULT_SETTINGS, &settings.replace('<', r"\u003c"));
    let policy = SetHeader::new().overriding(header::CONTENT_SECURITY_POLICY, CONTENT_SECURITY_POLICY);
    route
        .at("/", get(make_sync(|_| redirect())))
        .at("/graphiql", get(document(page, "text/html; charset=utf-8").with(policy)))
        .at("/graphiql/assets/:name", get(asset))
}

/// Redirects to the page: 303 See Other, since the page is another resource; relative, since a proxy may add a path prefix.
fn redirect() -> Redirect {
    Redirect::see_other("graphiql")
}

/// An asset of the page. Its name changes with its content, so browsers may cache it for ever. All of them accept gzip.
#[handler]
fn asset(Path(name): Path<String>) -> poem::Result<Response> {
    let asset = ASSETS.iter().find(|(known, _)| *known == name);
    let (_, compressed) = asset.ok_or(NotFoundError)?;
    let response = Bytes::from_static(compressed)
        .with_content_type(content_type(&name))
        .with_header(header::CONTENT_ENCODING, "gzip")
        .with_header(header::CONTENT_SECURITY_POLICY, CONTENT_SECURITY_POLICY)
        .with_header(header::CACHE_CONTROL, "public, max-age=31536000, immutable");
    Ok(response.into_response())
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

/// Redirects a browser that opens the GraphQL endpoint as a page, without a request.
pub fn redirect_browsers(request: &Request) -> poem::Result<()> {
    let accept = request.header(header::ACCEPT).unwrap_or_default();
    let is_browser = accept.split(',').any(|range| range.trim().starts_with("text/html"));
    let is_read = matches!(*request.method(), Method::GET | Method::HEAD);
    if is_read && is_browser && !has_graphql_parameters(request) {
        let page = redirect().with_header(header::VARY, "Accept");
        return Err(poem::Error::from_response(page.into_response()));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::io::{copy, sink};

    use flate2::read::GzDecoder;

    use super::{ASSETS, DEFAULT_SETTINGS, PAGE, content_type};

    #[test]
    fn assets_have_hashed_lower_case_names_and_known_types() {
        for (name, compressed) in ASSETS {
            let (stem, _) = name.rsplit_once('.').unwrap();
            let (_, hash) = stem.rsplit_once('-').unwrap();
            assert!(hash.len() == 8 && hash.bytes().all(|byte| byte.is_ascii_hexdigit()));
            assert_eq!(*name, name.to_lowercase());
            assert_ne!(content_type(name), "application/octet-stream", "{name}");
            assert!(copy(&mut GzDecoder::new(*compressed), &mut sink()).unwrap() > 0);
        }
    }

    #[test]
    fn the_page_loads_existing_assets_and_has_settings_that_can_be_replaced() {
        assert_eq!(PAGE.matches(DEFAULT_SETTINGS).count(), 1);
        let loaded: Vec<_> = PAGE.split("\"./graphiql/assets/").skip(1).collect();
        assert!(!loaded.is_empty());
        for url in loaded {
            let (name, _) = url.split_once('"').unwrap();
            assert!(ASSETS.iter().any(|(asset, _)| *asset == name), "{name}");
        }
    }
}
