//! What an operator sees of a running service: its log and its metrics.
//!
//! Knows what the engine tells of operations; knows nothing of HTTP and of databases.

mod caller;
mod logs;
mod metrics;
mod outlet;

pub use self::{
    caller::Caller,
    logs::{LogFormat, LogLevel, Logging, flush, start},
    metrics::{Exposition, Kind, Metrics, OpenConnection, RequestInFlight, Sample},
};
