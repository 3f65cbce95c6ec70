//! The headers of GraphQL responses, the security headers of all responses, and the responses to HEAD.

use std::sync::LazyLock;

use http_body_util::combinators::BoxBody;
use hyper::body::Body;
use poem::{
    Response,
    http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header},
};

use super::{encoding, media_type::ResponseType, metadata::RequestMetadata};

const PAGE_HEADERS: [(HeaderName, &str); 3] = [
    (header::X_FRAME_OPTIONS, "DENY"),
    (header::REFERRER_POLICY, "no-referrer"),
    (
        header::CONTENT_SECURITY_POLICY,
        "default-src 'none'; frame-ancestors 'none'",
    ),
];

const ALL_HEADERS: [(HeaderName, &str); 2] = [
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (CROSS_ORIGIN_RESOURCE_POLICY, "same-origin"),
];

const CROSS_ORIGIN_RESOURCE_POLICY: HeaderName =
    HeaderName::from_static("cross-origin-resource-policy");

/// HTTP Strict Transport Security for a year.
const HSTS: &str = "max-age=31536000";

/// The headers of a GraphQL response, as of a successful one that no cache may store.
pub(super) fn of_graphql(response_type: ResponseType) -> HeaderMap {
    static JSON: LazyLock<HeaderMap> = LazyLock::new(|| new_headers(ResponseType::Json));
    static GRAPHQL_RESPONSE: LazyLock<HeaderMap> =
        LazyLock::new(|| new_headers(ResponseType::GraphqlResponse));
    // A copy costs less than inserting each header.
    match response_type {
        ResponseType::Json => JSON.clone(),
        ResponseType::GraphqlResponse => GRAPHQL_RESPONSE.clone(),
    }
}

fn new_headers(response_type: ResponseType) -> HeaderMap {
    // Copies have this capacity.
    let mut headers = HeaderMap::with_capacity(12);
    for (name, value) in [
        (header::CONTENT_TYPE, response_type.content_type()),
        (header::VARY, encoding::ACCEPT_AND_ENCODING),
        (header::CACHE_CONTROL, "no-store"),
    ]
    .into_iter()
    .chain(ALL_HEADERS)
    {
        headers.insert(name, HeaderValue::from_static(value));
    }
    headers
}

/// Adds the security headers for browsers.
pub(super) fn add_security_headers(response: &mut Response, metadata: &RequestMetadata) {
    // Browsers display responses to GET, and to POST requests that a form can send. No form can send a
    // valid GraphQL request.
    let may_be_displayed = metadata.method != Method::POST || !response.is_success();
    let headers = response.headers_mut();
    if !headers.contains_key(header::X_CONTENT_TYPE_OPTIONS) {
        for (name, value) in ALL_HEADERS {
            headers.insert(name, HeaderValue::from_static(value));
        }
    }
    if may_be_displayed {
        for (name, value) in PAGE_HEADERS {
            // A page may set its own policy.
            let entry = headers.entry(name);
            entry.or_insert(HeaderValue::from_static(value));
        }
    }
    if metadata.is_https {
        let hsts = HeaderValue::from_static(HSTS);
        headers.insert(header::STRICT_TRANSPORT_SECURITY, hsts);
    }
}

/// The response to HEAD: the headers of the response to GET, including `Content-Length` (RFC 9110,
/// section 9.3.2).
pub(super) fn without_content(mut response: Response) -> Response {
    let content = BoxBody::from(response.take_body());
    let never_has_content =
        [StatusCode::NO_CONTENT, StatusCode::NOT_MODIFIED].contains(&response.status());
    if let Some(length) = content.size_hint().exact()
        && !never_has_content
    {
        let length = HeaderValue::from(length);
        response
            .headers_mut()
            .insert(header::CONTENT_LENGTH, length);
    }
    response
}
