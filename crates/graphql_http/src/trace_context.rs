//! The trace of a request (W3C Trace Context, section 3.2).

use poem::http::{HeaderMap, HeaderName, HeaderValue};
use telemetry::trace::TraceParent;

const TRACEPARENT: HeaderName = HeaderName::from_static("traceparent");

/// A valid `traceparent` (W3C Trace Context, section 3.2).
#[derive(Clone, Debug)]
pub(super) struct TraceContext {
    /// The id of the trace, as it is sent.
    pub(super) trace_id: String,
    /// The span of the client.
    pub(super) parent: TraceParent,
}

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
        let (version, trace, span) = (parts.next()?, parts.next()?, parts.next()?);
        let (flags, more) = (parts.next()?, parts.next());
        let is = |part: &str, digits: usize| {
            let is_digit = |byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
            part.len() == digits && part.bytes().all(is_digit)
        };
        let well_formed = is(version, 2) && is(trace, 32) && is(span, 16) && is(flags, 2);
        let supported = version != "ff" && (version != "00" || more.is_none());
        if !well_formed || !supported {
            return None;
        }
        let parent = TraceParent {
            trace_id: u128::from_str_radix(trace, 16).ok()?,
            span_id: u64::from_str_radix(span, 16).ok()?,
            is_sampled: u8::from_str_radix(flags, 16).ok()? & 1 == 1,
        };
        let trace_id = trace.to_owned();
        (parent.trace_id != 0 && parent.span_id != 0).then_some(Self { trace_id, parent })
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
            let found = context.as_ref().map(|context| &*context.trace_id);
            assert_eq!(found, trace, "{traceparent}");
            headers.append(TRACEPARENT, value);
            assert!(TraceContext::of(&headers).is_none(), "{traceparent}, twice");
        }
    }
}
