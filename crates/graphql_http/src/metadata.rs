//! The facts of a request that several steps need, parsed once when its head has been received.

use std::{
    borrow::Cow,
    net::{IpAddr, Ipv4Addr},
    sync::{
        LazyLock,
        atomic::{AtomicU64, Ordering::Relaxed},
    },
};

use hyper::body::Bytes;
use poem::{
    Addr, Request,
    http::{HeaderMap, HeaderName, HeaderValue, Method, uri::Scheme},
};
use telemetry::{metrics::CallSource, trace};
use uuid::{Uuid, fmt::Simple};

use super::{
    idempotency_key::HeaderKey,
    media_type::{self, ResponseType},
};

/// The path of the GraphQL endpoint.
pub(super) const GRAPHQL: &str = "/graphql";

/// The header of the request id, in requests and responses.
pub(super) const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// Maximum length of a request id from a client.
const MAX_REQUEST_ID_CHARACTERS: usize = 128;

/// Maximum length of an application version that is logged.
const MAX_APP_VERSION_CHARACTERS: usize = 64;

/// The facts of a request that several steps need. It fits into 256 bytes: of sizes between powers of two, the
/// allocator aligns each block anew.
#[derive(Debug)]
pub(super) struct RequestMetadata {
    /// The request id of the client, else its trace id, else a new id.
    pub(super) request_id: HeaderValue,
    pub(super) trace_context: Option<TraceContext>,
    /// The kind of client.
    pub(super) call_source: CallSource,
    /// The application version, if it is text within the maximum length.
    pub(super) app_version: Option<Box<str>>,
    /// The address of the connection, which may be that of a proxy. `X-Forwarded-For` is parsed only
    /// where it is used, for rate limits.
    pub(super) peer: IpAddr,
    /// The method that the client sent: HEAD is handled as GET.
    pub(super) method: Method,
    pub(super) is_https: bool,
    pub(super) is_graphql: bool,
    /// Negotiated with `Accept`; `None` if the client accepts no supported type.
    pub(super) accepted: Option<ResponseType>,
    pub(super) accept_encoding: Box<str>,
    pub(super) if_none_match: Box<str>,
    pub(super) origin: Option<HeaderValue>,
    pub(super) content: ContentHeaders,
    pub(super) idempotency_key: HeaderKey,
}

const _: () = assert!(size_of::<RequestMetadata>() <= 256);

/// What the headers of a body state.
#[derive(Debug)]
pub(super) struct ContentHeaders {
    pub(super) is_json: bool,
    pub(super) is_encoded: bool,
    /// 0 if it is not stated.
    pub(super) length: usize,
}

/// The headers that matter to every request: one pass costs less than to look up each of them.
#[derive(Default)]
struct Headers<'r> {
    accept: Text<'r>,
    accept_encoding: Text<'r>,
    app_version: Option<&'r HeaderValue>,
    call_source: Option<&'r HeaderValue>,
    content_encoding: Text<'r>,
    content_length: Text<'r>,
    content_type: Text<'r>,
    idempotency_key: HeaderKey,
    if_none_match: Text<'r>,
    origin: Option<&'r HeaderValue>,
    request_id: Option<&'r HeaderValue>,
    traceparent: Option<&'r HeaderValue>,
    traceparents: usize,
}

impl<'r> Headers<'r> {
    fn read(map: &'r HeaderMap) -> Self {
        let mut headers = Self::default();
        for (name, line) in map {
            match name.as_str() {
                "accept" => headers.accept.add(line),
                "accept-encoding" => headers.accept_encoding.add(line),
                "app-version" => set_first(&mut headers.app_version, line),
                "call-source" => set_first(&mut headers.call_source, line),
                "content-encoding" => headers.content_encoding.add(line),
                "content-length" => headers.content_length.add(line),
                "content-type" => headers.content_type.add(line),
                "idempotency-key" => headers.idempotency_key.add(line),
                "if-none-match" => headers.if_none_match.add(line),
                "origin" => set_first(&mut headers.origin, line),
                "traceparent" => {
                    headers.traceparent = Some(line);
                    headers.traceparents += 1;
                }
                "x-request-id" => set_first(&mut headers.request_id, line),
                _ => {}
            }
        }
        headers
    }
}

/// The first line of a header counts.
fn set_first<'r>(value: &mut Option<&'r HeaderValue>, line: &'r HeaderValue) {
    value.get_or_insert(line);
}

/// All lines of a header, joined by commas. A line that is not text becomes `?`.
#[derive(Default)]
struct Text<'r>(Option<Cow<'r, str>>);

impl<'r> Text<'r> {
    fn add(&mut self, line: &'r HeaderValue) {
        let line = line.to_str().unwrap_or("?");
        match &mut self.0 {
            None => self.0 = Some(Cow::Borrowed(line)),
            Some(text) => {
                let text = text.to_mut();
                text.push(',');
                text.push_str(line);
            }
        }
    }

    fn get(&self) -> &str {
        self.0.as_deref().unwrap_or_default()
    }
}

impl RequestMetadata {
    pub(super) fn parse(request: &Request) -> Self {
        let headers = Headers::read(request.headers());
        // Of several, none counts (W3C Trace Context).
        let traceparent = headers.traceparent.filter(|_| headers.traceparents == 1);
        let trace_context = traceparent.and_then(TraceContext::parse);
        let call_source = headers.call_source;
        // A value that is not text is an unknown source.
        let call_source = call_source.map(|source| source.to_str().unwrap_or_default());
        let content_encoding = headers.content_encoding.get().trim();
        Self {
            request_id: request_id(headers.request_id, trace_context.as_ref()),
            trace_context,
            call_source: CallSource::parse(call_source),
            app_version: headers.app_version.and_then(app_version),
            peer: peer(request),
            method: request.method().clone(),
            is_https: *request.scheme() == Scheme::HTTPS,
            is_graphql: request.uri().path() == GRAPHQL,
            accepted: ResponseType::negotiate(headers.accept.get()),
            accept_encoding: headers.accept_encoding.get().into(),
            if_none_match: headers.if_none_match.get().into(),
            origin: headers.origin.cloned(),
            content: ContentHeaders {
                is_json: media_type::is_json(headers.content_type.get()),
                is_encoded: !matches!(content_encoding, "" | "identity"),
                length: headers.content_length.get().parse().unwrap_or(0),
            },
            idempotency_key: headers.idempotency_key,
        }
    }

    /// The media type of the response; that of legacy clients if the client accepts none.
    pub(super) fn response_type(&self) -> ResponseType {
        self.accepted.unwrap_or(ResponseType::Json)
    }

    /// The request id as text.
    pub(super) fn request_id(&self) -> &str {
        self.request_id.to_str().unwrap_or_default()
    }

    pub(super) fn trace_id(&self) -> Option<&str> {
        self.trace_context.as_ref().map(TraceContext::trace_id)
    }

    /// The kind of client for the log; `None` if it is unknown.
    pub(super) fn logged_caller(&self) -> Option<&'static str> {
        (self.call_source != CallSource::Unknown).then(|| self.call_source.as_str())
    }
}

/// A valid `traceparent` (W3C Trace Context, section 3.2).
#[derive(Debug)]
pub(super) struct TraceContext(HeaderValue);

impl TraceContext {
    /// Later versions may add parts.
    fn parse(value: &HeaderValue) -> Option<Self> {
        let mut parts = value.to_str().ok()?.split('-');
        let (version, trace, parent) = (parts.next()?, parts.next()?, parts.next()?);
        let (flags, more) = (parts.next()?, parts.next());
        let is = |part: &str, digits: usize| {
            let is_digit = |byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
            part.len() == digits && part.bytes().all(is_digit)
        };
        let well_formed = is(version, 2) && is(trace, 32) && is(parent, 16) && is(flags, 2);
        let supported = version != "ff" && (version != "00" || more.is_none());
        let is_nonzero = |part: &str| part.bytes().any(|byte| byte != b'0');
        (well_formed && supported && is_nonzero(trace) && is_nonzero(parent))
            .then(|| Self(value.clone()))
    }

    /// The part of a valid value: version, trace id, span id and flags.
    fn part(&self, index: usize) -> &str {
        let text = self.0.to_str().unwrap_or_default();
        text.split('-').nth(index).unwrap_or_default()
    }

    fn trace_id(&self) -> &str {
        self.part(1)
    }

    /// The parent span.
    pub(super) fn parent(&self) -> Option<trace::TraceParent> {
        Some(trace::TraceParent {
            trace_id: u128::from_str_radix(self.trace_id(), 16).ok()?,
            span_id: u64::from_str_radix(self.part(2), 16).ok()?,
            is_sampled: u8::from_str_radix(self.part(3), 16).ok()? & 1 == 1,
        })
    }
}

fn app_version(given: &HeaderValue) -> Option<Box<str>> {
    let version = given.to_str().ok()?;
    (1..=MAX_APP_VERSION_CHARACTERS)
        .contains(&version.len())
        .then(|| version.into())
}

fn request_id(given: Option<&HeaderValue>, trace_context: Option<&TraceContext>) -> HeaderValue {
    let given = given.filter(|id| is_valid_id(id)).cloned();
    let from_trace = || HeaderValue::from_str(trace_context?.trace_id()).ok();
    given.or_else(from_trace).unwrap_or_else(new_request_id)
}

/// Whether an id is safe in headers and log lines.
fn is_valid_id(id: &HeaderValue) -> bool {
    let id = id.as_bytes();
    (1..=MAX_REQUEST_ID_CHARACTERS).contains(&id.len()) && id.iter().all(u8::is_ascii_graphic)
}

/// A unique id. It is not secret, so one random number per process is enough.
fn new_request_id() -> HeaderValue {
    static PROCESS: LazyLock<u64> = LazyLock::new(|| Uuid::new_v4().as_u64_pair().1);
    static REQUESTS: AtomicU64 = AtomicU64::new(0);
    let request = REQUESTS.fetch_add(1, Relaxed);
    let mut digits = [0; Simple::LENGTH];
    Uuid::from_u64_pair(*PROCESS, request)
        .as_simple()
        .encode_lower(&mut digits);
    // Copies of an owned value need no allocation.
    let digits = Bytes::from_owner(digits);
    HeaderValue::from_maybe_shared(digits).expect("digits are valid in a header")
}

fn peer(request: &Request) -> IpAddr {
    match request.remote_addr().0 {
        Addr::SocketAddr(peer) => peer.ip(),
        // All listeners are TCP listeners.
        _ => IpAddr::V4(Ipv4Addr::UNSPECIFIED),
    }
}

/// All lines of a header, joined by commas. A line that is not text becomes `?`.
pub(super) fn header_text<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Cow<'a, str> {
    let mut text = Text::default();
    for line in headers.get_all(name) {
        text.add(line);
    }
    text.0.unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TRACE: &str = "4bf92f3577b34da6a3ce929d0e0e4736";

    fn metadata(name: &str, value: &str) -> RequestMetadata {
        let value = HeaderValue::from_bytes(value.as_bytes()).unwrap();
        RequestMetadata::parse(&Request::builder().header(name, value).finish())
    }

    #[test]
    fn parses_the_trace_id_of_a_traceparent() {
        let parent = "00f067aa0ba902b7";
        for (traceparent, expected) in [
            (format!("00-{TRACE}-{parent}-01"), true),
            (format!("01-{TRACE}-{parent}-01-more"), true),
            (format!("00-{TRACE}-{parent}-01-more"), false),
            (format!("ff-{TRACE}-{parent}-01"), false),
            (format!("00-{}-{parent}-01", TRACE.to_uppercase()), false),
            (format!("00-{}-{parent}-01", "0".repeat(32)), false),
            (format!("00-{TRACE}-{}-01", "0".repeat(16)), false),
            (format!("00-{TRACE}-{parent}"), false),
            (String::new(), false),
        ] {
            let metadata = metadata("traceparent", &traceparent);
            let trace = expected.then_some(TRACE);
            assert_eq!(metadata.trace_id(), trace, "{traceparent}");
            assert_eq!(metadata.request_id() == TRACE, expected, "{traceparent}");
        }
    }

    #[test]
    fn replaces_an_invalid_request_id() {
        let (longest, too_long) = ("x".repeat(128), "x".repeat(129));
        for (id, expected) in [
            ("abc", true),
            ("{\"odd\"}", true),
            (longest.as_str(), true),
            (too_long.as_str(), false),
            ("two words", false),
            ("tab\tbed", false),
            ("ümlaut", false),
            ("", false),
        ] {
            let metadata = metadata("x-request-id", id);
            assert_eq!(metadata.request_id() == id, expected, "{id:?}");
            assert!(!metadata.request_id().is_empty());
        }
    }

    #[test]
    fn generates_unique_ids() {
        let (one, other) = (new_request_id(), new_request_id());
        assert_ne!(one, other);
        assert_eq!(one.len(), 32);
    }

    #[test]
    fn ignores_an_app_version_that_is_too_long() {
        let too_long = "1".repeat(65);
        for (version, expected) in [("1.2 (3)", Some("1.2 (3)")), (&too_long, None), ("", None)] {
            assert_eq!(
                metadata("app-version", version).app_version.as_deref(),
                expected
            );
        }
    }
}
