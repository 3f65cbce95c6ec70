//! A middleware that adds the security headers for browsers.

use poem::{
    Request, Response,
    http::{HeaderName, HeaderValue, Method, header, uri::Scheme},
};

use super::middleware::{Changed, EarlyResponse, Hooks, hooks};

const PAGE_HEADERS: [(HeaderName, &str); 5] = [
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (CROSS_ORIGIN_RESOURCE_POLICY, "same-origin"),
    (header::X_FRAME_OPTIONS, "DENY"),
    (header::REFERRER_POLICY, "no-referrer"),
    (
        header::CONTENT_SECURITY_POLICY,
        "default-src 'none'; frame-ancestors 'none'",
    ),
];

const CROSS_ORIGIN_RESOURCE_POLICY: HeaderName =
    HeaderName::from_static("cross-origin-resource-policy");

/// HTTP Strict Transport Security for a year.
const HSTS: &str = "max-age=31536000";

/// Adds headers that restrict what a browser does with a response it displays: `Content-Security-Policy` and others. A
/// response that has one keeps it. With TLS it adds `Strict-Transport-Security`.
#[derive(Clone, Copy, Debug, Default)]
pub struct SecurityHeaders;

hooks!(SecurityHeaders);

impl Hooks for SecurityHeaders {
    /// Whether the method is POST, and whether the connection has TLS.
    type Context = (bool, bool);

    fn before(&self, request: &mut Request) -> Result<(bool, bool), EarlyResponse<'_>> {
        let is_post = request.method() == Method::POST;
        Ok((is_post, *request.scheme() == Scheme::HTTPS))
    }

    fn after(&self, (is_post, is_https): (bool, bool), mut response: Response) -> Changed<'_> {
        // Browsers display responses to GET, and to POST requests that a form can send. No form can send a valid GraphQL
        // request.
        let may_be_displayed = !is_post || !response.is_success();
        let headers = response.headers_mut();
        if may_be_displayed {
            for (name, value) in PAGE_HEADERS {
                let entry = headers.entry(name);
                entry.or_insert(HeaderValue::from_static(value));
            }
        }
        if is_https {
            let hsts = HeaderValue::from_static(HSTS);
            headers.insert(header::STRICT_TRANSPORT_SECURITY, hsts);
        }
        response.into()
    }
}
