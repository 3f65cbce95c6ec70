//! What the headers of a request tell about the client that sent it.

use std::{
    borrow::Cow,
    net::{IpAddr, Ipv4Addr},
};

use poem::{
    Addr, Request,
    http::{HeaderMap, HeaderName, HeaderValue},
};
use telemetry::metrics::CallSource;

const CALL_SOURCE: HeaderName = HeaderName::from_static("call-source");
const APP_VERSION: HeaderName = HeaderName::from_static("app-version");

/// The headers with the name of a client, in the order of precedence.
static CLIENT_NAMES: [HeaderName; 2] = [
    HeaderName::from_static("graphql-client-name"),
    HeaderName::from_static("apollographql-client-name"),
];

/// Maximum length of an application version that is logged.
const MAX_VERSION_CHARACTERS: usize = 64;

/// The kind of client. A value that is not text is an unknown kind.
pub(super) fn call_source(headers: &HeaderMap) -> CallSource {
    let source = headers.get(CALL_SOURCE);
    CallSource::parse(source.map(|source| source.to_str().unwrap_or_default()))
}

/// The kind of client for the log; `None` if it is unknown.
pub(super) fn known_source(source: CallSource) -> Option<&'static str> {
    (source != CallSource::Unknown).then(|| source.as_str())
}

/// The name of the client that its headers state.
pub(super) fn client_name(headers: &HeaderMap) -> Option<HeaderValue> {
    CLIENT_NAMES
        .iter()
        .find_map(|name| headers.get(name))
        .cloned()
}

/// The version of the client, if it is text within the maximum length.
pub(super) fn app_version(headers: &HeaderMap) -> Option<HeaderValue> {
    let version = headers.get(APP_VERSION)?;
    let characters = version.to_str().ok()?.len();
    (1..=MAX_VERSION_CHARACTERS)
        .contains(&characters)
        .then(|| version.clone())
}

/// The address of the connection, which may be that of a proxy.
pub(super) fn peer(request: &Request) -> IpAddr {
    match request.remote_addr().0 {
        Addr::SocketAddr(peer) => peer.ip(),
        _ => IpAddr::V4(Ipv4Addr::UNSPECIFIED),
    }
}

/// All lines of a header, joined by commas. A line that is not text becomes `?`.
pub(super) fn header_text(headers: &HeaderMap, name: HeaderName) -> Cow<'_, str> {
    let lines = headers.get_all(name).into_iter();
    let mut lines = lines.map(|line| line.to_str().unwrap_or("?"));
    let first = lines.next().unwrap_or_default();
    match lines.next() {
        None => Cow::Borrowed(first),
        Some(second) => [first, second]
            .into_iter()
            .chain(lines)
            .collect::<Vec<_>>()
            .join(",")
            .into(),
    }
}
