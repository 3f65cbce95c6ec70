//! Endpoints beside that of GraphQL, and the responses to requests that no route accepts.

use std::{
    collections::BTreeMap,
    future::{Ready, ready as at_once},
};

use hyper::body::Bytes;
use poem::{
    Endpoint, IntoResponse, Response,
    endpoint::{make, make_sync},
    error::{MethodNotAllowedError, NotFoundError},
    http::{StatusCode, header},
};
use serde::Serialize;

/// The readiness of a part of the service, such as its database.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Part {
    /// The name of the part.
    #[serde(skip)]
    pub name: &'static str,
    /// Whether the part is ready.
    pub ready: bool,
    /// A hint for operators. It is public, so it must not contain internals.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
}

/// `/health/live`: 200 while the process handles requests.
pub fn live() -> impl Endpoint<Output = Response> + 'static {
    make_sync(|_| report(StatusCode::OK, "live", &[]))
}

/// `/health/ready`: 200 if every part is ready, else 503.
pub fn ready<Parts, Checked>(parts: Parts) -> impl Endpoint<Output = Response> + 'static
where
    Parts: Fn() -> Checked + Send + Sync + 'static,
    Checked: Future<Output = Vec<Part>> + Send + 'static,
{
    make(move |_| {
        let parts = parts();
        async move {
            let parts = parts.await;
            if parts.iter().all(|part| part.ready) {
                report(StatusCode::OK, "ready", &parts)
            } else {
                report(StatusCode::SERVICE_UNAVAILABLE, "not ready", &parts)
            }
        }
    })
}

/// `/metrics`: a text of this media type.
pub fn metrics(
    content_type: &'static str,
    render: impl Fn() -> String + Send + Sync + 'static,
) -> impl Endpoint<Output = Response> + 'static {
    make_sync(move |_| uncached(render(), content_type))
}

fn report(code: StatusCode, status: &'static str, parts: &[Part]) -> Response {
    #[derive(Serialize)]
    struct Report<'a> {
        status: &'static str,
        #[serde(skip_serializing_if = "BTreeMap::is_empty")]
        parts: BTreeMap<&'a str, &'a Part>,
    }
    let parts = parts.iter().map(|part| (part.name, part)).collect();
    let json = serde_json::to_string(&Report { status, parts });
    let json = json.expect("strings are JSON") + "\n";
    uncached(json, "application/json; charset=utf-8").with_status(code).into_response()
}

fn uncached(text: String, content_type: &'static str) -> Response {
    let response = text.with_content_type(content_type);
    response.with_header(header::CACHE_CONTROL, "no-store").into_response()
}

/// The text of `schema.graphql`, for which no media type is registered.
pub fn schema_document(sdl: &str) -> impl Endpoint<Output = Response> + 'static {
    document(sdl.to_owned(), "text/plain; charset=utf-8")
}

/// A text that does not change while the service runs.
pub(crate) fn document(text: String, content_type: &'static str) -> impl Endpoint<Output = Response> + 'static {
    let text = Bytes::from(text);
    make_sync(move |_| {
        // All responses share it.
        let response = text.clone().with_content_type(content_type);
        response.with_header(header::CACHE_CONTROL, "no-cache").into_response()
    })
}

/// The responses to requests that no route accepts, for `catch_all_error`: to an unknown path this text, which lists the
/// known ones, to another method than GET the methods.
pub fn fallback(not_found: impl Into<String>) -> impl Fn(poem::Error) -> Ready<Response> + 'static {
    let not_found = not_found.into();
    move |error| {
        at_once(if error.is::<NotFoundError>() {
            let not_found = not_found.clone().with_status(StatusCode::NOT_FOUND);
            not_found.into_response()
        } else if error.is::<MethodNotAllowedError>() {
            let refused = "Method not allowed; use GET.\n";
            let refused = refused.with_status(StatusCode::METHOD_NOT_ALLOWED);
            refused.with_header(header::ALLOW, "GET, HEAD").into_response()
        } else {
            error.into_response()
        })
    }
}
