//! `Connection: close`. HTTP/1 has no GOAWAY frame: a client could send its next request on a connection that is then
//! closed, and it would be lost (RFC 9112, section 9.6).

use poem::{
    Endpoint, EndpointExt, Request, Response,
    http::{HeaderValue, Version, header},
};

/// Tells the client of a request with this version that its connection will be closed.
pub(crate) fn announce_close(response: &mut Response, version: Version) {
    if version < Version::HTTP_2 {
        response.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
    }
}

/// Tells all clients so while this returns true.
pub fn close_connections_while<E: Endpoint<Output = Response> + 'static>(
    is_draining: impl Fn() -> bool + Clone + Send + Sync + 'static,
    endpoint: E,
) -> impl Endpoint<Output = Response> + 'static {
    endpoint.around(move |endpoint, request: Request| {
        let is_draining = is_draining.clone();
        async move {
            let version = request.version();
            let mut response = endpoint.get_response(request).await;
            if is_draining() {
                announce_close(&mut response, version);
            }
            Ok(response)
        }
    })
}
