//! A middleware that adds the security headers for browsers.

use futures_util::FutureExt;
use poem::{
    Endpoint, Middleware, Request, Response,
    http::{HeaderName, HeaderValue, Method, header, uri::Scheme},
};

use crate::response::response;

/// The headers of what a browser displays.
const PAGE_HEADERS: [(HeaderName, &str); 5] = [
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    (header::X_FRAME_OPTIONS, "DENY"),
    (header::REFERRER_POLICY, "no-referrer"),
    (header::CONTENT_SECURITY_POLICY, "default-src 'none'; frame-ancestors 'none'"),
];

/// HTTP Strict Transport Security for a year.
const HSTS: &str = "max-age=31536000";

/// Adds headers that restrict what a browser does with a response it displays: `Content-Security-Policy` and others. A
/// response that has one keeps it. With TLS it adds `Strict-Transport-Security`.
#[derive(Clone, Copy, Debug, Default)]
pub struct SecurityHeaders;

impl<E: Endpoint> Middleware<E> for SecurityHeaders {
    type Output = SecurityHeadersEndpoint<E>;

    fn transform(&self, endpoint: E) -> Self::Output {
        SecurityHeadersEndpoint(endpoint)
    }
}

/// The endpoint of [`SecurityHeaders`].
pub struct SecurityHeadersEndpoint<E>(E);

impl<E: Endpoint> Endpoint for SecurityHeadersEndpoint<E> {
    type Output = Response;

    fn call(&self, request: Request) -> impl Future<Output = poem::Result<Response>> + Send {
        let is_post = request.method() == Method::POST;
        let is_https = *request.scheme() == Scheme::HTTPS;
        response(&self.0, request).map(move |mut response| {
            // Browsers display responses to GET, and to POST requests that a form can send. No form can send a valid GraphQL
            // request.
            let may_be_displayed = !is_post || !response.is_success();
            let headers = response.headers_mut();
            if may_be_displayed {
                for (name, value) in PAGE_HEADERS {
                    headers.entry(name).or_insert(HeaderValue::from_static(value));
                }
            }
            if is_https {
                let hsts = HeaderValue::from_static(HSTS);
                headers.insert(header::STRICT_TRANSPORT_SECURITY, hsts);
            }
            Ok(response)
        })
    }
}
