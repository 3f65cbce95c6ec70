//! The root span of a request, in a new trace or in that of the client.

use std::borrow::Cow;

use opentelemetry::{
    Context, KeyValue, Value,
    context::FutureExt,
    trace::{
        SpanBuilder, SpanContext, SpanKind, Status, TraceContextExt, TraceFlags, TraceState,
        Tracer as _,
    },
};
use opentelemetry_sdk::trace::SdkTracer;

use super::recording::Recording;

/// The parent span of a request, from its `traceparent` (W3C Trace Context).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TraceParent {
    /// The trace id, 128 bits.
    pub trace_id: u128,
    /// The id of the parent span, 64 bits.
    pub span_id: u64,
    /// Whether the client records the trace; if not, neither does this service.
    pub is_sampled: bool,
}

/// The root span of a recorded request. Dropping it ends the span.
#[derive(Debug)]
pub struct RootSpan {
    context: Context,
    failed: bool,
}

impl RootSpan {
    pub(super) fn new(
        tracer: &SdkTracer,
        recording: Recording,
        parent: Option<TraceParent>,
    ) -> Self {
        let remote = parent.map(|parent| {
            let (trace, span) = (parent.trace_id.into(), parent.span_id.into());
            SpanContext::new(trace, span, TraceFlags::SAMPLED, true, TraceState::NONE)
        });
        let parent = remote.map_or_else(Context::new, |remote| {
            Context::new().with_remote_span_context(remote)
        });
        let span = SpanBuilder::from_name("request").with_kind(SpanKind::Server);
        let span = tracer.build_with_context(span, &parent);
        Self {
            context: Context::new().with_value(recording).with_span(span),
            failed: true,
        }
    }

    /// Runs a future whose spans are children of this one.
    pub fn record<F: Future>(&self, future: F) -> impl Future<Output = F::Output> + use<F> {
        future.with_context(self.context.clone())
    }

    /// Sets the name (by OpenTelemetry's semantic conventions) and status once the request is complete.
    /// Without this call the span has failed.
    pub fn record_response(&mut self, name: impl Into<Cow<'static, str>>, failed: bool) {
        self.context.span().update_name(name);
        self.failed = failed;
    }

    /// Sets an attribute.
    pub fn set_attribute(&mut self, name: &'static str, value: impl Into<Value>) {
        let attribute = KeyValue::new(name, value);
        self.context.span().set_attribute(attribute);
    }
}

impl Drop for RootSpan {
    /// Ends the span, also when the request is cancelled.
    fn drop(&mut self) {
        let span = self.context.span();
        if self.failed {
            span.set_status(Status::error(""));
        }
        span.end();
    }
}
