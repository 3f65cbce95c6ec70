//! Tracing: records spans of requests and exports them to an OpenTelemetry collector.
//!
//! Every module may record spans; without a collector that costs one check.

mod export;
mod recording;
mod root_span;
mod settings;
mod statement;
mod tracer;

pub use opentelemetry_otlp::ExporterBuildError;

pub use self::{
    recording::{in_span, span},
    root_span::{RootSpan, TraceParent},
    settings::{TraceSettings, TracedDatabase},
    statement::{Queued, Statement},
    tracer::Tracer,
};
