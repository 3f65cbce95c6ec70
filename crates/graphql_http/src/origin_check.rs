//! A middleware for endpoints of WebSocket, which refuses web pages of other origins.
//!
//! A browser opens a WebSocket of any page without a preflight request, and lets the page read what it receives: CORS does
//! not apply to it (RFC 6455, section 10.2).

use poem::{
    Request,
    http::{HeaderValue, header},
};

use super::{
    cors::Origins,
    hosts::quoted,
    middleware::{EarlyResponse, Hooks, hooks},
    refusal::Refusal,
};

/// Permits pages of the host that the request names, pages of these origins, and clients that are no browsers.
#[derive(Clone)]
pub struct OriginCheck(pub Origins);

hooks!(OriginCheck);

impl Hooks for OriginCheck {
    type Context = ();

    fn before(&self, request: &mut Request) -> Result<(), EarlyResponse<'_>> {
        let Some(origin) = request.headers().get(header::ORIGIN) else {
            return Ok(());
        };
        if is_of_host(origin, request.headers().get(header::HOST)) || self.0.permits(origin) {
            return Ok(());
        }
        let text = String::from_utf8_lossy(origin.as_bytes());
        Err(Refusal::Origin(quoted(&text)).into())
    }
}

/// Whether an origin is the host, with any scheme, since a proxy can have terminated TLS.
fn is_of_host(origin: &HeaderValue, host: Option<&HeaderValue>) -> bool {
    let (origin, host) = (origin.to_str(), host.map(HeaderValue::to_str));
    let (Ok(origin), Some(Ok(host))) = (origin, host) else {
        return false;
    };
    origin
        .split_once("://")
        .is_some_and(|(_, authority)| authority.eq_ignore_ascii_case(host))
}
