//! The headers of GraphQL responses, the security headers of all responses, and the responses to HEAD.

use http_body_util::combinators::BoxBody;
use hyper::body::Body;
use poem::{
    Response,
    http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header},
};

use super::{
    media_type::ResponseType,
    metadata::{REQUEST_ID, RequestMetadata},
};

/// The hash of the schema, in every response of the GraphQL endpoint. Others at its path have none: panics, refusals
/// of a host or a URL, and responses while the service starts or aborts requests.
pub(super) const SCHEMA_HASH: HeaderName = HeaderName::from_static("schema-hash");

const PAGE_HEADERS: [(HeaderName, &str); 5] = [
    (header::X_CONTENT_TYPE_OPTIONS, NO_SNIFF),
    (CROSS_ORIGIN_RESOURCE_POLICY, "same-origin"),
    (header::X_FRAME_OPTIONS, "DENY"),
    (header::REFERRER_POLICY, "no-referrer"),
    (
        header::CONTENT_SECURITY_POLICY,
        "default-src 'none'; frame-ancestors 'none'",
    ),
];

const NO_SNIFF: &str = "nosniff";

const CROSS_ORIGIN_RESOURCE_POLICY: HeaderName =
    HeaderName::from_static("cross-origin-resource-policy");

/// HTTP Strict Transport Security for a year.
const HSTS: &str = "max-age=31536000";

/// The headers of the responses of the engine, for each media type. A copy costs less than inserting each header.
pub(super) struct EngineHeaders {
    json: HeaderMap,
    graphql_response: HeaderMap,
}

impl EngineHeaders {
    pub(super) fn new(schema_hash: &HeaderValue) -> Self {
        let headers = |response_type| {
            let mut headers = of_graphql(response_type);
            headers.insert(SCHEMA_HASH, schema_hash.clone());
            // A copy has no room for more headers, so that inserting the id would move all of them.
            headers.insert(REQUEST_ID, HeaderValue::from_static(""));
            headers
        };
        Self {
            json: headers(ResponseType::Json),
            graphql_response: headers(ResponseType::GraphqlResponse),
        }
    }

    pub(super) fn of(&self, response_type: ResponseType) -> HeaderMap {
        match response_type {
            ResponseType::Json => self.json.clone(),
            ResponseType::GraphqlResponse => self.graphql_response.clone(),
        }
    }
}

/// The headers of a GraphQL response that no cache may store, and which therefore has no `Vary`.
pub(super) fn of_graphql(response_type: ResponseType) -> HeaderMap {
    let content_type = HeaderValue::from_static(response_type.content_type());
    HeaderMap::from_iter([
        (header::CONTENT_TYPE, content_type),
        (header::CACHE_CONTROL, HeaderValue::from_static("no-store")),
        (
            header::X_CONTENT_TYPE_OPTIONS,
            HeaderValue::from_static(NO_SNIFF),
        ),
    ])
}

/// Adds the security headers for browsers.
pub(super) fn add_security_headers(response: &mut Response, metadata: &RequestMetadata) {
    // Browsers display responses to GET, and to POST requests that a form can send. No form can send a
    // valid GraphQL request.
    let may_be_displayed = metadata.method != Method::POST || !response.is_success();
    let headers = response.headers_mut();
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
