//! Prometheus metrics of a GraphQL service and of its process.
//!
//! Recording is a few atomic additions. Names, labels and text are rendered at each scrape.

mod call_source;
mod exposition;
mod field_requests;
mod histogram;
mod operations;
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

pub use self::{
    call_source::CallSource,
    exposition::Exposition,
    operations::{Operation, OperationKind},
    sampled::{Kind, Sample},
};
use self::{
    field_requests::FieldRequests,
    operations::Operations,
    sampled::{register, value},
};
use crate::log;

/// The names and labels of the metrics.
#[derive(Clone, Debug, Default)]
pub struct MetricsSettings {
    /// The prefix of every metric name except `process_…`, without the underscore.
    pub prefix: &'static str,
    /// The maximum number of operation names in labels.
    pub operation_limit: usize,
    /// The error codes of responses.
    pub codes: Vec<&'static str>,
    /// The coordinates of the contract that [`Operation::coordinates`] indexes.
    pub coordinates: Vec<String>,
    /// The names of the limits that refuse requests.
    pub limits: Vec<&'static str>,
}

/// The metrics of a service.
#[derive(Debug)]
pub struct Metrics {
    registry: Registry,
    process: Registry,
    operations: Arc<Operations>,
    field_requests: Arc<FieldRequests>,
    in_flight: Arc<AtomicU64>,
    abandoned: Arc<AtomicU64>,
    slow: Arc<AtomicU64>,
    connections: Arc<AtomicU64>,
    ready: Arc<AtomicU64>,
    limits: Arc<[(&'static str, AtomicU64)]>,
}

impl Metrics {
    /// Creates the metrics of requests and of the process.
    pub fn new(settings: MetricsSettings) -> Self {
        let mut registry = Registry::with_prefix(settings.prefix);
        let operations = Operations::new(settings.operation_limit, settings.codes);
        let operations = Arc::new(operations);
        registry.register_collector(Box::new(Arc::clone(&operations)));
        let mut value = |kind, name, help| value(&mut registry, kind, name, help);
        let help = "GraphQL requests in flight";
        let in_flight = value(Kind::Gauge, "requests_in_flight", help);
        let help = "GraphQL requests whose client disconnected before the response";
        let abandoned = value(Kind::Counter, "requests_abandoned", help);
        let help = "Operations that took longer than slow-operation-threshold-ms";
        let slow = value(Kind::Counter, "slow_operations", help);
        let connections = value(Kind::Gauge, "connections_open", "Open HTTP connections");
        let ready = value(Kind::Gauge, "ready", "1 while the service is ready, else 0");
        let limits = settings.limits.into_iter();
        let mut metrics = Self {
            registry,
            process: process::registry(),
            operations,
            field_requests: Arc::new(FieldRequests::new(settings.coordinates)),
            in_flight,
            abandoned,
            slow,
            connections,
            ready,
            limits: limits.map(|name| (name, AtomicU64::new(0))).collect(),
        };
        let limits = Arc::clone(&metrics.limits);
        let help = "GraphQL requests refused because of a limit";
        metrics.register(Kind::Counter, "limits_refused", help, move || {
            let limits = limits.iter();
            limits
                .map(|(name, refused)| Sample::new(refused.load(Relaxed)).with("limit", name))
                .collect()
        });
        let field_requests = Arc::clone(&metrics.field_requests);
        let help = "Requests by what their documents name in the contract, and by client";
        let read = move || field_requests.samples();
        metrics.register(Kind::Counter, "field_requests", help, read);
        let help = "Log lines dropped because stderr was not read fast enough";
        let read = || vec![Sample::new(log::dropped_lines())];
        metrics.register(Kind::Counter, "log_lines_dropped", help, read);
        metrics
    }

    /// Registers a metric that is read at each scrape. The name has no prefix, and that of a counter no
    /// `_total`.
    pub fn register(
        &mut self,
        kind: Kind,
        name: &'static str,
        help: &'static str,
        read: impl Fn() -> Vec<Sample> + Send + Sync + 'static,
    ) {
        register(&mut self.registry, kind, name, help, read);
    }

    /// Renders all metrics.
    pub fn render(&self, exposition: Exposition) -> String {
        let mut text = String::with_capacity(16 * 1024);
        text::encode_registry(&mut text, &self.registry)
            .and_then(|()| text::encode(&mut text, &self.process))
            .expect("writing to a string cannot fail");
        exposition.convert(text)
    }

    /// Sets whether the service is ready, which is determined before each scrape.
    pub fn set_ready(&self, is_ready: bool) {
        self.ready.store(is_ready.into(), Relaxed);
    }

    /// Counts a request as in flight until the return value is dropped.
    pub fn request_in_flight(&self) -> GaugeGuard {
        GaugeGuard::new(&self.in_flight)
    }

    /// Counts a connection as open until the return value is dropped.
    pub fn open_connection(&self) -> GaugeGuard {
        GaugeGuard::new(&self.connections)
    }

    /// Records the response to an operation, or to a request without one, with its error code if it
    /// failed. `client` is the name of the client, and `elapsed` the duration of the whole request.
    pub fn record_response(
        &self,
        operation: Option<Operation<'_>>,
        client: Option<&str>,
        code: Option<&str>,
        elapsed: Duration,
    ) {
        self.operations.record(operation, code, elapsed);
        if let Some(operation) = operation {
            self.field_requests.record(operation.coordinates, client);
        }
    }

    /// Records a request that was refused because of this limit.
    pub fn record_limit_refused(&self, name: &str) {
        let limit = self.limits.iter().find(|(limit, _)| *limit == name);
        debug_assert!(limit.is_some(), "the limit {name} is not registered");
        if let Some((_, refused)) = limit {
            refused.fetch_add(1, Relaxed);
        }
    }

    /// Records a request whose client disconnected before the response.
    pub fn record_abandoned(&self) {
        self.abandoned.fetch_add(1, Relaxed);
    }

    /// Records an operation slower than the threshold.
    pub fn record_slow(&self) {
        self.slow.fetch_add(1, Relaxed);
    }
}

/// Counts as one in a gauge until it is dropped.
#[derive(Debug)]
pub struct GaugeGuard(Arc<AtomicU64>);

impl GaugeGuard {
    fn new(gauge: &Arc<AtomicU64>) -> Self {
        gauge.fetch_add(1, Relaxed);
        Self(Arc::clone(gauge))
    }
}

impl Drop for GaugeGuard {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Relaxed);
    }
}
