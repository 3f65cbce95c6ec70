//! The span of a whole request, in a trace of its own or that of whoever asks.

use std::{borrow::Cow, sync::Arc, time::Instant};

use uuid::Uuid;

use super::{
    export::Traces,
    recording::{Kind, Place, Recording, Span, Value, inside, new_id},
};

/// The span of a caller that a request belongs to: what a `traceparent` says (W3C Trace Context).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parent {
    /// The trace, 128 bits.
    pub trace_id: u128,
    /// The span of the caller, 64 bits.
    pub span_id: u64,
    /// Whether the caller records the trace; if not, nobody below does.
    pub is_sampled: bool,
}

/// A request that is recorded. It is told to the collector when this is dropped.
#[derive(Debug)]
pub struct Root {
    traces: Arc<Traces>,
    place: Place,
    parent: Option<u64>,
    start: Instant,
    name: Cow<'static, str>,
    attributes: Vec<(&'static str, Value)>,
    failed: bool,
}

impl Root {
    pub(super) fn new(traces: Arc<Traces>, parent: Option<Parent>) -> Self {
        let trace_id = parent.map_or_else(|| Uuid::new_v4().as_u128(), |parent| parent.trace_id);
        let recording = Arc::new(Recording::new(trace_id));
        let span = new_id();
        Self {
            traces,
            place: Place { recording, span },
            parent: parent.map(|parent| parent.span_id),
            start: Instant::now(),
            name: Cow::Borrowed("request"),
            attributes: Vec::new(),
            failed: true,
        }
    }

    /// Does the work of the request: what is recorded meanwhile belongs to it.
    pub fn record<F: Future>(&self, work: F) -> impl Future<Output = F::Output> + use<F> {
        inside(self.place.clone(), work)
    }

    /// What is known of the request once it is answered, in the words of OpenTelemetry's semantic
    /// conventions. A request that this is never said of has failed.
    pub fn answered(&mut self, name: impl Into<Cow<'static, str>>, failed: bool) {
        self.name = name.into();
        self.failed = failed;
    }

    /// Something else that is known of it.
    pub fn tell_text(&mut self, name: &'static str, text: impl Into<String>) {
        self.attributes.push((name, Value::Text(text.into())));
    }

    /// Something else that is known of it, in figures.
    pub fn tell_number(&mut self, name: &'static str, number: i64) {
        self.attributes.push((name, Value::Number(number)));
    }
}

impl Drop for Root {
    fn drop(&mut self) {
        let recording = &self.place.recording;
        let mut recorded = recording.take();
        // Always there, however many others were dropped.
        recorded.spans.push(Span {
            id: self.place.span,
            parent: self.parent,
            name: std::mem::take(&mut self.name),
            kind: Kind::Server,
            start_ns: recording.time_ns(self.start),
            end_ns: recording.time_ns(Instant::now()),
            attributes: std::mem::take(&mut self.attributes),
            failed: self.failed,
        });
        self.traces.hand_over(recording.trace_id, recorded);
    }
}
