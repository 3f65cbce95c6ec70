//! Tracing: records spans of requests and exports them to an OpenTelemetry collector.
//!
//! Every module may record spans; without a collector that costs one check.

mod export;
mod otlp;
mod recording;
mod root_span;
mod settings;
mod statement;

pub use self::{
    export::{Exporter, Tracer},
    recording::{ActiveSpan, InSpan, in_span, span},
    root_span::{RootSpan, TraceParent},
    settings::TraceSettings,
    statement::{Queued, Statement},
};
