//! A middleware for cross-origin resource sharing: which web pages may read responses (Fetch standard, section 3.2); and a
//! check of origins for WebSocket.
//!
//! `poem::middleware::Cors` answers 403 to the pages of the service itself unless their origin is listed, although they
//! need no permission, and replaces the `Vary` of a response, so that caches mix the media types of responses.

use std::future::ready;

use async_graphql_strict::ErrorCode;
use futures_util::{FutureExt, future::Either};
use poem::{
    Endpoint, Middleware, Request, Response,
    http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header},
};

use crate::{hosts::quoted, refusal::Refusal, response::response};

/// How long a browser may cache a preflight response: two hours, the maximum of Chromium.
const MAX_AGE_SECONDS: &str = "7200";

/// The allowed request headers if the preflight request lists none.
const DEFAULT_ALLOWED_HEADERS: &str = "content-type, authorization, idempotency-key";

/// The response headers that a page may read besides the safelisted ones.
const EXPOSED_HEADERS: &str = "idempotent-replayed, retry-after, schema-hash, www-authenticate, x-request-id";

/// The origins whose web pages may read responses, besides the origin of the service itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Origins {
    /// No origin.
    None,
    /// Any origin, without credentials.
    Any,
    /// These origins, such as `https://a.example`, with credentials.
    These(Vec<String>),
}

impl Origins {
    /// Parses `none`, `*`, or origins separated by commas.
    pub fn parse(text: &str) -> Option<Self> {
        match text {
            "none" => Some(Self::None),
            "*" => Some(Self::Any),
            list => {
                let origins = list.split(',').map(as_sent);
                origins.collect::<Option<_>>().map(Self::These)
            }
        }
    }

    fn permits(&self, origin: &HeaderValue) -> bool {
        match self {
            Self::None => false,
            Self::Any => true,
            Self::These(origins) => origins.iter().any(|known| known == origin),
        }
    }

    /// The response to a preflight request of a permitted origin. Another one is logged, since the browser hides the reason.
    fn preflight(&self, request: &Request) -> Option<Response> {
        let headers = request.headers();
        if request.method() != Method::OPTIONS || !headers.contains_key(header::ACCESS_CONTROL_REQUEST_METHOD) {
            return None;
        }
        let origin = headers.get(header::ORIGIN)?;
        if !self.permits(origin) {
            let origin = quoted(&String::from_utf8_lossy(origin.as_bytes()));
            tracing::info!(%origin, "refused a preflight request: cors-origins does not name this origin");
            return None;
        }
        // No request header grants a page additional rights, so all are allowed.
        let requested = headers.get(header::ACCESS_CONTROL_REQUEST_HEADERS).cloned();
        let allowed = requested.unwrap_or(HeaderValue::from_static(DEFAULT_ALLOWED_HEADERS));
        let response = Response::builder()
            .status(StatusCode::NO_CONTENT)
            .header(header::ACCESS_CONTROL_ALLOW_METHODS, "GET, POST")
            .header(header::ACCESS_CONTROL_MAX_AGE, MAX_AGE_SECONDS)
            .header(header::ACCESS_CONTROL_ALLOW_HEADERS, allowed)
            .header(header::VARY, "Access-Control-Request-Headers");
        Some(response.finish())
    }

    /// Adds the CORS headers of a response to a request from this origin.
    fn add_headers(&self, origin: Option<HeaderValue>, headers: &mut HeaderMap) {
        let value = HeaderValue::from_static;
        if let Self::These(_) = self {
            headers.append(header::VARY, value("Origin"));
        }
        let Some(origin) = origin.filter(|origin| self.permits(origin)) else {
            return;
        };
        let mut insert = |name: HeaderName, value| headers.insert(name, value);
        insert(header::ACCESS_CONTROL_EXPOSE_HEADERS, value(EXPOSED_HEADERS));
        if *self == Self::Any {
            insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, value("*"));
        } else {
            insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, origin);
            insert(header::ACCESS_CONTROL_ALLOW_CREDENTIALS, value("true"));
        }
    }
}

impl<E: Endpoint> Middleware<E> for Origins {
    type Output = OriginsEndpoint<E>;

    fn transform(&self, endpoint: E) -> Self::Output {
        OriginsEndpoint(self.clone(), endpoint)
    }
}

/// The endpoint of [`Origins`].
pub struct OriginsEndpoint<E>(Origins, E);

impl<E: Endpoint> Endpoint for OriginsEndpoint<E> {
    type Output = Response;

    fn call(&self, request: Request) -> impl Future<Output = poem::Result<Response>> + Send {
        let origin = request.headers().get(header::ORIGIN).cloned();
        let response = match self.0.preflight(&request) {
            Some(response) => Either::Left(ready(response)),
            None => Either::Right(response(&self.1, request)),
        };
        response.map(|mut response| {
            self.0.add_headers(origin, response.headers_mut());
            Ok(response)
        })
    }
}

/// Refuses web pages of other origins, for endpoints of WebSocket. It permits pages of the host that the request names, pages
/// of these origins, and clients that are no browsers.
///
/// A browser opens a WebSocket of any page without a preflight request, and lets the page read what it receives: CORS does
/// not apply to it (RFC 6455, section 10.2).
pub fn check_origin(request: &Request, origins: &Origins) -> poem::Result<()> {
    let Some(origin) = request.headers().get(header::ORIGIN) else {
        return Ok(());
    };
    if is_of_host(origin, request.headers().get(header::HOST)) || origins.permits(origin) {
        return Ok(());
    }
    let text = quoted(&String::from_utf8_lossy(origin.as_bytes()));
    let message = format!("the origin {text:?} is not allowed; add it to cors-origins");
    Err(Refusal::new(StatusCode::FORBIDDEN, ErrorCode::Forbidden, message).into())
}

/// Whether an origin is the host, with any scheme, since a proxy can have terminated TLS.
fn is_of_host(origin: &HeaderValue, host: Option<&HeaderValue>) -> bool {
    let authority = origin.to_str().ok().and_then(|origin| origin.split_once("://"));
    let host = host.and_then(|host| host.to_str().ok());
    let pair = authority.zip(host);
    pair.is_some_and(|((_, authority), host)| authority.eq_ignore_ascii_case(host))
}

/// An origin as browsers send it: in lower case, without a path and the default port of its scheme.
fn as_sent(origin: &str) -> Option<String> {
    let origin = origin.trim();
    let (scheme, host) = origin.split_once("://")?;
    let is_valid = |text: &str, marks: &[u8]| {
        let is_plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
        !text.is_empty() && text.bytes().all(|byte| is_plain(byte) || marks.contains(&byte))
    };
    if !is_valid(scheme, b"+-.") || !is_valid(host, b"-._:[]") {
        return None;
    }
    let port = match scheme {
        "https" => ":443",
        "http" => ":80",
        _ => return Some(origin.to_owned()),
    };
    Some(origin.strip_suffix(port).unwrap_or(origin).to_owned())
}
