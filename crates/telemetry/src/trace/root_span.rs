//! The root span of a request, in a new trace or in that of the client.

use std::{borrow::Cow, sync::Arc, time::Instant};

use uuid::Uuid;

use super::{
    export::Tracer,
    recording::{CURRENT, Kind, Recording, Span, SpanContext, Value, new_id},
};

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

/// The root span of a recorded request. Dropping it ends the span and exports the trace.
#[derive(Debug)]
pub struct RootSpan {
    tracer: Arc<Tracer>,
    context: SpanContext,
    parent: Option<u64>,
    start: Instant,
    name: Cow<'static, str>,
    attributes: Vec<(&'static str, Value)>,
    failed: bool,
}

impl Tracer {
    /// Begins the root span of a request if it is sampled: never if the client does not record the trace,
    /// always if the client does and is trusted, else at the sample rate.
    pub fn start_request(
        self: &Arc<Self>,
        parent: Option<TraceParent>,
        is_trusted: impl FnOnce() -> bool,
    ) -> Option<RootSpan> {
        let is_sampled = match parent {
            Some(parent) if !parent.is_sampled => false,
            Some(_) => is_trusted() || self.is_next_sampled(),
            None => self.is_next_sampled(),
        };
        is_sampled.then(|| RootSpan::new(Arc::clone(self), parent))
    }
}

impl RootSpan {
    pub(super) fn new(tracer: Arc<Tracer>, parent: Option<TraceParent>) -> Self {
        let trace_id = parent.map_or_else(|| Uuid::new_v4().as_u128(), |parent| parent.trace_id);
        let recording = Arc::new(Recording::new(trace_id));
        let span = new_id();
        Self {
            tracer,
            context: SpanContext { recording, span },
            parent: parent.map(|parent| parent.span_id),
            start: Instant::now(),
            name: Cow::Borrowed("request"),
            attributes: Vec::new(),
            failed: true,
        }
    }

    /// Runs a future whose spans are children of this one.
    pub fn record<F: Future>(&self, future: F) -> impl Future<Output = F::Output> + use<F> {
        CURRENT.scope(self.context.clone(), future)
    }

    /// Sets the name (by OpenTelemetry's semantic conventions) and status once the request is complete.
    /// Without this call the span has failed.
    pub fn record_response(&mut self, name: impl Into<Cow<'static, str>>, failed: bool) {
        self.name = name.into();
        self.failed = failed;
    }

    /// Adds a text attribute.
    pub fn set_text(&mut self, name: &'static str, text: impl Into<String>) {
        self.attributes.push((name, Value::Text(text.into())));
    }

    /// Adds a numeric attribute.
    pub fn set_number(&mut self, name: &'static str, number: i64) {
        self.attributes.push((name, Value::Number(number)));
    }
}

impl Drop for RootSpan {
    fn drop(&mut self) {
        let recording = &self.context.recording;
        let mut recorded = recording.take();
        // The limit of spans does not apply to the root span.
        recorded.spans.push(Span {
            id: self.context.span,
            parent: self.parent,
            name: std::mem::take(&mut self.name),
            kind: Kind::Server,
            start_ns: recording.time_ns(self.start),
            end_ns: recording.time_ns(Instant::now()),
            attributes: std::mem::take(&mut self.attributes),
            failed: self.failed,
        });
        self.tracer.export(recording.trace_id, recorded);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trace::TraceSettings;

    fn sampled(parent: Option<TraceParent>, is_trusted: bool) -> usize {
        let (tracer, _exporter) = Tracer::new(TraceSettings::test()).unwrap();
        let spans = (0..100).filter_map(|_| tracer.start_request(parent, || is_trusted));
        spans.count()
    }

    #[test]
    fn only_trusted_clients_override_the_sample_rate() {
        let parent = |is_sampled| {
            Some(TraceParent {
                trace_id: 1,
                span_id: 1,
                is_sampled,
            })
        };
        assert_eq!(sampled(None, false), 25);
        assert_eq!(sampled(parent(true), false), 25);
        assert_eq!(sampled(parent(true), true), 100);
        assert_eq!(sampled(parent(false), true), 0);
    }
}
