//! Where a request spends its time: spans, for a collector of OpenTelemetry.
//!
//! Every room may record a span; without a collector nothing is recorded, and finding that out is all
//! that it costs. Knows no other room.

mod export;
mod otlp;
mod recording;
mod root;
mod statement;

pub use self::{
    export::{Exporter, TraceFigures, TraceSettings, Traces},
    recording::{Entered, Within, enter, within},
    root::{Parent, Root},
    statement::{Queued, Statement},
};
