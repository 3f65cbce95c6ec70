//! The trace of a request (W3C Trace Context, section 3.2).

use poem::http::{HeaderMap, HeaderName, HeaderValue};
use telemetry::trace;

const TRACEPARENT: HeaderName = HeaderName::from_static("traceparent");

/// A valid `traceparent` (W3C Trace Context, section 3.2).
#[derive(Clone, Debug)]
pub(super) struct TraceContext(HeaderValue);

impl TraceContext {
    /// The trace that a client sends; of several, none counts.
    pub(super) fn of(headers: &HeaderMap) -> Option<Self> {
        let mut lines = headers.get_all(TRACEPARENT).iter();
        let line = lines.next()?;
        lines.next().is_none().then(|| Self::parse(line))?
    }

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

    pub(super) fn trace_id(&self) -> &str {
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

#[cfg(test)]
mod tests {
    use super::*;

    const TRACE: &str = "4bf92f3577b34da6a3ce929d0e0e4736";

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
            let value = HeaderValue::try_from(&traceparent).unwrap();
            let mut headers = HeaderMap::from_iter([(TRACEPARENT, value.clone())]);
            let context = TraceContext::of(&headers);
            let trace = expected.then_some(TRACE);
            let found = context.as_ref().map(TraceContext::trace_id);
            assert_eq!(found, trace, "{traceparent}");
            headers.append(TRACEPARENT, value);
            assert!(TraceContext::of(&headers).is_none(), "{traceparent}, twice");
        }
    }
}
