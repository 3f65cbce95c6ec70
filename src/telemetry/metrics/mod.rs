//! What can be counted of a running service, in the words of Prometheus.
//!
//! Counting is a few atomic additions. Names, labels and texts are made when somebody reads them.

mod by_operation;
mod deprecated;
mod exposition;
mod histogram;
mod process;
mod sampled;

use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering::Relaxed},
    },
    time::Duration,
};

use prometheus_client::{encoding::text, registry::Registry};

use self::{by_operation::ByOperation, deprecated::DeprecatedUses, sampled::Sampled};
pub use self::{
    exposition::Exposition,
    sampled::{Kind, Sample},
};
use super::{Caller, logs};
use crate::graphql::{ErrorCode, Profile};

/// The beginning of every name that is not one of `process_…`.
const PREFIX: &str = "catalogue";

/// What is counted.
#[derive(Debug)]
pub struct Metrics {
    registry: Registry,
    by_operation: Arc<ByOperation>,
    deprecated: Arc<DeprecatedUses>,
    in_flight: Arc<AtomicU64>,
    abandoned: Arc<AtomicU64>,
    slow: Arc<AtomicU64>,
    connections: Arc<AtomicU64>,
    ready: Arc<AtomicU64>,
    limits: Arc<[(&'static str, AtomicU64)]>,
}

impl Metrics {
    /// Counts nothing yet. At most `operation_limit` names of operations are told apart; `deprecated`
    /// are the elements that [`Profile::deprecated`] has places of; `limits` can refuse requests.
    pub fn new(
        operation_limit: usize,
        deprecated: &[String],
        limits: impl Iterator<Item = &'static str>,
    ) -> Self {
        let mut metrics = Self {
            registry: Registry::default(),
            by_operation: Arc::new(ByOperation::new(operation_limit)),
            deprecated: Arc::new(DeprecatedUses::new(deprecated)),
            in_flight: Arc::default(),
            abandoned: Arc::default(),
            slow: Arc::default(),
            connections: Arc::default(),
            ready: Arc::default(),
            limits: limits.map(|name| (name, AtomicU64::new(0))).collect(),
        };
        let by_operation = Arc::clone(&metrics.by_operation);
        metrics.registry.register_collector(Box::new(by_operation));
        metrics.register_own();
        metrics.register_process();
        metrics
    }

    /// Has something read whenever the metrics are. The name comes without prefix, and that of a
    /// counter without `_total`.
    pub fn sample(
        &mut self,
        kind: Kind,
        name: &str,
        meaning: &'static str,
        read: impl Fn() -> Vec<Sample> + Send + Sync + 'static,
    ) {
        let name = format!("{PREFIX}_{name}");
        let sampled = Sampled::new(kind, name, meaning, read);
        self.registry.register_collector(Box::new(sampled));
    }

    /// Notes whether the service can do its work: nobody else asks for that before a reading.
    pub fn note_readiness(&self, is_ready: bool) {
        self.ready.store(is_ready.into(), Relaxed);
    }

    /// Everything as text.
    pub fn text(&self, exposition: Exposition) -> String {
        let mut text = String::with_capacity(16 * 1024);
        text::encode(&mut text, &self.registry).expect("a string takes any text");
        exposition.of(text)
    }

    /// A request is being answered until what this answers is dropped.
    pub fn request(self: &Arc<Self>) -> RequestInFlight {
        self.in_flight.fetch_add(1, Relaxed);
        RequestInFlight(Arc::clone(&self.in_flight))
    }

    /// A connection is open until what this answers is dropped.
    pub fn connection(&self) -> OpenConnection {
        self.connections.fetch_add(1, Relaxed);
        OpenConnection(Arc::clone(&self.connections))
    }

    /// An operation, or a request that names none, was answered: with no error, or with this one.
    pub fn answered(
        &self,
        operation: Option<&Profile>,
        caller: Caller,
        code: Option<ErrorCode>,
        elapsed: Duration,
    ) {
        self.by_operation.record(operation, code, elapsed);
        if let Some(operation) = operation {
            self.deprecated.record(&operation.deprecated, caller);
        }
    }

    /// A request was refused because of this limit.
    pub fn limit_refused(&self, name: &str) {
        let limit = self.limits.iter().find(|(known, _)| *known == name);
        debug_assert!(limit.is_some(), "the limit {name} is not told at /limits");
        if let Some((_, refused)) = limit {
            refused.fetch_add(1, Relaxed);
        }
    }

    /// A client did not wait for its answer.
    pub fn abandoned(&self) {
        self.abandoned.fetch_add(1, Relaxed);
    }

    /// An operation took longer than the operator thinks right.
    pub fn slow(&self) {
        self.slow.fetch_add(1, Relaxed);
    }

    fn register_own(&mut self) {
        let in_flight = Arc::clone(&self.in_flight);
        self.sample(
            Kind::Gauge,
            "requests_in_flight",
            "GraphQL requests that are being answered",
            move || vec![Sample::of(in_flight.load(Relaxed))],
        );
        let abandoned = Arc::clone(&self.abandoned);
        self.sample(
            Kind::Counter,
            "requests_abandoned",
            "GraphQL requests whose client went away before the answer",
            move || vec![Sample::of(abandoned.load(Relaxed))],
        );
        let slow = Arc::clone(&self.slow);
        self.sample(
            Kind::Counter,
            "slow_operations",
            "Operations that took longer than slow-operation-threshold-ms",
            move || vec![Sample::of(slow.load(Relaxed))],
        );
        let limits = Arc::clone(&self.limits);
        self.sample(
            Kind::Counter,
            "limits_refused",
            "GraphQL requests refused because of a limit",
            move || {
                let limits = limits.iter();
                limits
                    .map(|(name, refused)| Sample::of(refused.load(Relaxed)).with("limit", name))
                    .collect()
            },
        );
        let connections = Arc::clone(&self.connections);
        self.sample(
            Kind::Gauge,
            "connections_open",
            "Connections of HTTP clients",
            move || vec![Sample::of(connections.load(Relaxed))],
        );
        let ready = Arc::clone(&self.ready);
        self.sample(
            Kind::Gauge,
            "ready",
            "1 while the service can do its work, else 0",
            move || vec![Sample::of(ready.load(Relaxed))],
        );
        let deprecated = Arc::clone(&self.deprecated);
        self.sample(
            Kind::Counter,
            "deprecated_uses",
            "Executed operations that use a deprecated field or argument, by kind of client",
            move || deprecated.samples(),
        );
        self.sample(
            Kind::Counter,
            "log_lines_dropped",
            "Log lines lost because the log was not read fast enough",
            || vec![Sample::of(logs::dropped_lines())],
        );
    }

    /// The names are those of every Prometheus client, so that ready-made dashboards find them.
    fn register_process(&mut self) {
        for (kind, name, meaning, read) in process::figures() {
            let read = move || read().map(Sample::of_float).into_iter().collect();
            let sampled = Sampled::new(kind, name.to_owned(), meaning, read);
            self.registry.register_collector(Box::new(sampled));
        }
    }
}

/// A request that is being answered.
#[derive(Debug)]
pub struct RequestInFlight(Arc<AtomicU64>);

impl Drop for RequestInFlight {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Relaxed);
    }
}

/// A connection that is open.
#[derive(Debug)]
pub struct OpenConnection(Arc<AtomicU64>);

impl Drop for OpenConnection {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Relaxed);
    }
}

#[cfg(test)]
mod tests;
