//! A middleware that adds the security headers for browsers.

use futures_util::FutureExt;
use poem::{
    Endpoint, Request, Response,
    http::{HeaderName, HeaderValue, Method, header, uri::Scheme},
};

use super::{handled::Around, into_response::into_response};

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

impl Around for SecurityHeaders {
    fn around<E: Endpoint>(
        &self,
        endpoint: &E,
        request: Request,
    ) -> impl Future<Output = poem::Result<Response>> + Send {
        let is_post = request.method() == Method::POST;
        let is_https = *request.scheme() == Scheme::HTTPS;
        endpoint.call(request).map(move |result| {
            let mut response = into_response(result);
            add_headers(&mut response, is_post, is_https);
            Ok(response)
        })
    }
}

fn add_headers(response: &mut Response, is_post: bool, is_https: bool) {
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
}
