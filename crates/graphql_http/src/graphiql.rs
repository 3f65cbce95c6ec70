//! The GraphiQL page and its assets, built from `graphiql/` and embedded in the binary.

use std::{io::Read, sync::OnceLock};

use flate2::read::GzDecoder;
use hyper::body::Bytes;
use poem::{
    Endpoint, EndpointExt, IntoResponse, Request, Response, Route,
    endpoint::make_sync,
    error::NotFoundError,
    get, handler,
    http::{Method, header},
    middleware::SetHeader,
    web::{Path, Redirect},
};
use serde::Serialize;

use super::{
    client::header_text,
    compression, documents,
    media_type::{HTML, lists},
    middleware::{EarlyResponse, Hooks, hooks},
    request,
};

/// The page, built from `graphiql/`.
const PAGE: &str = include_str!("../graphiql/dist/index.html");

/// The part of the page that the settings of a service replace.
const DEFAULT_SETTINGS: &str = r#"{"name":"graphiql","title":"GraphiQL","tabs":[]}"#;

/// The assets of the page: names, which contain a hash of the content, and bytes compressed with gzip.
const ASSETS: &[(&str, &[u8])] = &include!(concat!(env!("OUT_DIR"), "/graphiql.rs"));

/// The decompressed assets, for clients that do not accept gzip: decompressed once and shared by all
/// responses.
static INFLATED: [OnceLock<Bytes>; ASSETS.len()] = [const { OnceLock::new() }; ASSETS.len()];

/// Permits no other host, so that displayed content cannot send requests to one.
/// The Monaco editor needs inline style sheets and `data:` images.
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

#[derive(Serialize)]
struct Settings<'a> {
    name: &'a str,
    title: &'a str,
    tabs: &'a [GraphiqlTab],
}

/// The page at `/graphiql`, its assets, and a redirect to it at `/`. The name of the service is the namespace of the storage
/// in browsers.
pub fn graphiql(route: Route, name: &str, title: &str, tabs: &[GraphiqlTab]) -> Route {
    route
        .at("/", get(make_sync(|_| redirect())))
        .at("/graphiql", get(page(name, title, tabs)))
        .at("/graphiql/assets/:name", get(asset))
}

/// Redirects to the page: 303 See Other, since the page is another resource; relative, since a proxy may add a path prefix.
fn redirect() -> Redirect {
    Redirect::see_other("graphiql")
}

/// A middleware for the GraphQL endpoint: redirects a browser that opens it as a page, without a request.
#[derive(Clone, Copy, Debug)]
pub struct RedirectBrowsers;

hooks!(RedirectBrowsers);

impl Hooks for RedirectBrowsers {
    type Context = ();

    fn before(&self, request: &mut Request) -> Result<(), EarlyResponse<'_>> {
        if is_wanted(request) {
            let page = redirect().with_header(header::VARY, "Accept");
            return Err(page.into());
        }
        Ok(())
    }
}

fn is_wanted(request: &Request) -> bool {
    *request.method() == Method::GET
        && lists(&header_text(request.headers(), header::ACCEPT), HTML)
        && !request::has_graphql_parameters(request)
}

/// The page. Browsers revalidate it each time, so that they never mix assets of two versions.
fn page(
    name: &str,
    title: &str,
    tabs: &[GraphiqlTab],
) -> impl Endpoint<Output = Response> + 'static {
    let settings = serde_json::to_string(&Settings { name, title, tabs });
    let settings = settings.expect("strings are JSON");
    // The end tag of the element cannot occur in its content.
    let page = PAGE.replace(DEFAULT_SETTINGS, &settings.replace('<', r"\u003c"));
    let policy =
        SetHeader::new().overriding(header::CONTENT_SECURITY_POLICY, CONTENT_SECURITY_POLICY);
    documents::document(page, "text/html; charset=utf-8").with(policy)
}

/// An asset of the page. Its name changes with its content, so browsers may cache it for ever.
#[handler]
fn asset(request: &Request, Path(name): Path<String>) -> poem::Result<Response> {
    let index = ASSETS
        .iter()
        .position(|(candidate, _)| *candidate == name)
        .ok_or(NotFoundError)?;
    let (_, compressed) = ASSETS[index];
    let response = Response::builder()
        .content_type(content_type(&name))
        .header(header::CONTENT_SECURITY_POLICY, CONTENT_SECURITY_POLICY)
        .header(header::CACHE_CONTROL, "public, max-age=31536000, immutable")
        .header(header::VARY, "Accept-Encoding");
    let accepted = header_text(request.headers(), header::ACCEPT_ENCODING);
    Ok(if compression::accepts(&accepted, "gzip") {
        response
            .header(header::CONTENT_ENCODING, "gzip")
            .body(compressed)
    } else {
        let inflated = INFLATED[index].get_or_init(|| decompress(compressed).into());
        response.body(inflated.clone())
    }
    .into_response())
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
        .expect("the build compressed the embedded assets");
    bytes
}

#[cfg(test)]
mod tests {
    use super::{ASSETS, DEFAULT_SETTINGS, PAGE, content_type};

    #[test]
    fn the_page_loads_existing_assets_of_known_types() {
        assert_eq!(PAGE.matches(DEFAULT_SETTINGS).count(), 1);
        let loaded: Vec<_> = PAGE.split("\"./graphiql/assets/").skip(1).collect();
        assert!(!loaded.is_empty());
        for url in loaded {
            let (name, _) = url.split_once('"').unwrap();
            assert!(ASSETS.iter().any(|(asset, _)| *asset == name), "{name}");
            assert_ne!(content_type(name), "application/octet-stream", "{name}");
        }
    }
}
