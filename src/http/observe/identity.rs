//! Who asks, and how the request is called: what its headers say, as far as it can be believed.

use poem::http::{HeaderMap, HeaderName, HeaderValue};

use super::request_id;
use crate::telemetry::Caller;

/// The header that carries the name of a request, there and back.
pub(in crate::http) const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");
const TRACEPARENT: HeaderName = HeaderName::from_static("traceparent");
const CALL_SOURCE: HeaderName = HeaderName::from_static("call-source");
const APP_VERSION: HeaderName = HeaderName::from_static("app-version");

/// The most characters of a request id that is taken from a client.
const REQUEST_ID_CHARACTERS: usize = 128;

/// The most characters of the version of an application that are logged.
const APP_VERSION_CHARACTERS: usize = 64;

/// Who asks, and how the request is called.
#[derive(Debug)]
pub(super) struct Identity {
    request_id: HeaderValue,
    traceparent: Option<HeaderValue>,
    app_version: Option<HeaderValue>,
    pub(super) caller: Caller,
}

impl Identity {
    pub(super) fn of(headers: &HeaderMap) -> Self {
        let traceparent = headers.get(TRACEPARENT).cloned();
        let traceparent = traceparent.filter(|value| trace_id(value).is_some());
        let call_source = headers.get(CALL_SOURCE);
        // What is no text is none of the sources that are known.
        let call_source = call_source.map(|source| source.to_str().unwrap_or_default());
        Self {
            request_id: request_id(headers),
            traceparent,
            app_version: headers.get(APP_VERSION).cloned(),
            caller: Caller::parse(call_source),
        }
    }

    /// For the answer.
    pub(super) fn header(&self) -> HeaderValue {
        self.request_id.clone()
    }

    pub(super) fn request_id(&self) -> &str {
        self.request_id.to_str().unwrap_or_default()
    }

    pub(super) fn trace_id(&self) -> Option<&str> {
        self.traceparent.as_ref().and_then(trace_id)
    }

    /// The whole `traceparent`, well formed.
    pub(super) fn traceparent(&self) -> Option<&str> {
        self.traceparent.as_ref()?.to_str().ok()
    }

    /// What the application says of itself, if it is text of a bearable length.
    pub(super) fn app_version(&self) -> Option<&str> {
        let version = self.app_version.as_ref()?.to_str().ok()?;
        (1..=APP_VERSION_CHARACTERS)
            .contains(&version.len())
            .then_some(version)
    }

    /// Who asks, in the words of the log; nothing when nothing was said.
    pub(super) fn told_caller(&self) -> Option<&'static str> {
        (self.caller != Caller::Unknown).then(|| self.caller.as_str())
    }
}

/// What the client calls the request, itself or by its trace; else a new name.
fn request_id(headers: &HeaderMap) -> HeaderValue {
    let given = headers.get(REQUEST_ID).filter(|id| is_sane(id)).cloned();
    let traced = || HeaderValue::from_str(trace_id(headers.get(TRACEPARENT)?)?).ok();
    given.or_else(traced).unwrap_or_else(request_id::new)
}

/// Gives a request its name for all who tell of it, also those who do not see its answer.
pub(in crate::http) fn name(headers: &mut HeaderMap) -> HeaderValue {
    let name = request_id(headers);
    headers.insert(REQUEST_ID, name.clone());
    name
}

/// Whether an id can stand in a header and in a log without doing harm there.
fn is_sane(id: &HeaderValue) -> bool {
    let id = id.as_bytes();
    (1..=REQUEST_ID_CHARACTERS).contains(&id.len()) && id.iter().all(u8::is_ascii_graphic)
}

/// The trace id of a `traceparent` (W3C Trace Context, section 3.2). Later versions may add parts.
fn trace_id(traceparent: &HeaderValue) -> Option<&str> {
    let mut parts = traceparent.to_str().ok()?.split('-');
    let (version, trace, parent) = (parts.next()?, parts.next()?, parts.next()?);
    let (flags, more) = (parts.next()?, parts.next());
    let is = |part: &str, digits: usize| {
        let is_digit = |byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
        part.len() == digits && part.bytes().all(is_digit)
    };
    let well_formed = is(version, 2) && is(trace, 32) && is(parent, 16) && is(flags, 2);
    let known = version != "ff" && (version != "00" || more.is_none());
    let says_something = |part: &str| part.bytes().any(|byte| byte != b'0');
    (well_formed && known && says_something(trace) && says_something(parent)).then_some(trace)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TRACE: &str = "4bf92f3577b34da6a3ce929d0e0e4736";

    fn identity(headers: &[(&'static str, &str)]) -> Identity {
        let headers = headers.iter().map(|(name, value)| {
            let value = HeaderValue::from_bytes(value.as_bytes()).unwrap();
            (HeaderName::from_static(name), value)
        });
        Identity::of(&headers.collect())
    }

    #[test]
    fn the_trace_is_what_the_specification_says() {
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
            let identity = identity(&[("traceparent", &traceparent)]);
            let trace = expected.then_some(TRACE);
            assert_eq!(identity.trace_id(), trace, "{traceparent}");
            assert_eq!(identity.request_id() == TRACE, expected, "{traceparent}");
        }
    }

    #[test]
    fn an_id_that_could_do_harm_is_replaced() {
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
            let identity = identity(&[("x-request-id", id)]);
            assert_eq!(identity.request_id() == id, expected, "{id:?}");
            assert!(!identity.request_id().is_empty());
        }
    }

    #[test]
    fn the_version_of_an_application_is_bounded() {
        let too_long = "1".repeat(65);
        for (version, expected) in [("1.2 (3)", Some("1.2 (3)")), (&too_long, None), ("", None)] {
            let identity = identity(&[("app-version", version)]);
            assert_eq!(identity.app_version(), expected);
        }
    }
}
