//! The response of an endpoint that may have failed.
//!
//! The middleware of this crate combines futures instead of awaiting them in an `async fn`, which would store the request,
//! too: every request in flight would take some hundred bytes more for each middleware.

use poem::{
    IntoResponse, Response,
    http::{HeaderValue, header},
};

/// The response, or that of the error.
pub(super) fn into_response<T: IntoResponse>(result: poem::Result<T>) -> Response {
    result.map_or_else(poem::Error::into_response, T::into_response)
}

/// The response, or that of the error, after which a connection of HTTP/1 is closed. HTTP/1 has no GOAWAY frame: the header
/// makes the client open a new connection.
pub(super) fn into_last_response<T: IntoResponse>(result: poem::Result<T>) -> Response {
    let mut response = into_response(result);
    let close = HeaderValue::from_static("close");
    response.headers_mut().insert(header::CONNECTION, close);
    response
}
