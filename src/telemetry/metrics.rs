//! The metrics, in the format of `OpenMetrics`, which Prometheus reads.

use std::{
    collections::HashMap,
    fmt, fs,
    sync::{
        Arc, LazyLock, RwLock,
        atomic::{AtomicU64, Ordering::Relaxed},
    },
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use prometheus_client::{
    collector::Collector,
    encoding::{DescriptorEncoder, EncodeLabelSet, EncodeMetric, MetricEncoder, text},
    metrics::{
        counter::{ConstCounter, Counter},
        family::Family,
        gauge::{ConstGauge, Gauge},
        histogram::Histogram,
    },
    registry::Registry,
};

/// The prefix of all names but those of the process.
const PREFIX: &str = "catalogue";
/// Maximum number of operation names in labels, since clients choose them.
const MAX_OPERATIONS: usize = 100;
/// Maximum number of clients in labels, each of which has a count of every coordinate.
const MAX_CLIENTS: usize = 31;
const MAX_CLIENT_BYTES: usize = 64;
/// What stands for further names; no GraphQL name has parentheses.
const OTHER: &str = "(other)";
const BUCKETS: [f64; 14] = [
    0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0,
];
/// `USER_HZ` of Linux, the same on every architecture that Rust supports.
const TICKS_PER_SECOND: f64 = 100.0;

/// When the metrics were made, shortly after the start of the process.
static STARTED: LazyLock<SystemTime> = LazyLock::new(SystemTime::now);

/// The metrics that are counted as they happen. Others are read from their sources at each scrape.
#[derive(Debug)]
pub(crate) struct Metrics {
    registry: RwLock<Registry>,
    process: Registry,
    requests: Family<Request, Counter>,
    durations: Family<Request, Histogram, fn() -> Histogram>,
    names: Names,
    fields: Arc<FieldRequests>,
    limits: Family<Limit, Counter>,
    pub in_flight: Gauge,
    pub abandoned: Counter,
    pub slow: Counter,
}

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct Request {
    operation_type: &'static str,
    operation_name: Arc<str>,
    code: &'static str,
}

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct Limit {
    limit: &'static str,
}

impl Metrics {
    /// Counts the use of these coordinates of the contract.
    pub(crate) fn new(coordinates: Vec<String>) -> Self {
        LazyLock::force(&STARTED);
        let mut registry = Registry::with_prefix(PREFIX);
        let durations: fn() -> Histogram = || Histogram::new(BUCKETS);
        let metrics = Self {
            requests: Family::default(),
            durations: Family::new_with_constructor(durations),
            names: Names::default(),
            fields: Arc::new(FieldRequests::new(coordinates)),
            limits: Family::default(),
            in_flight: Gauge::default(),
            abandoned: Counter::default(),
            slow: Counter::default(),
            registry: RwLock::default(),
            process: Registry::default(),
        };
        let help = "Completed GraphQL requests by operation kind, operation name and error code";
        registry.register("requests", help, metrics.requests.clone());
        let help = "Duration of GraphQL requests, from the received body to the response";
        registry.register("request_duration_seconds", help, metrics.durations.clone());
        let help = "GraphQL requests in flight";
        registry.register("requests_in_flight", help, metrics.in_flight.clone());
        let help = "GraphQL requests whose client disconnected before the response";
        registry.register("requests_abandoned", help, metrics.abandoned.clone());
        let help = "Operations that took longer than a second";
        registry.register("slow_operations", help, metrics.slow.clone());
        let help = "GraphQL requests refused because of a limit";
        registry.register("limits_refused", help, metrics.limits.clone());
        registry.register_collector(Box::new(Arc::clone(&metrics.fields)));
        let mut process = Registry::default();
        process.register_collector(Box::new(Sampled(Box::new(process_samples))));
        Self {
            registry: RwLock::new(registry),
            process,
            ..metrics
        }
    }

    /// Reads these values at each scrape. Equal names follow one another.
    pub(crate) fn register(&self, read: impl Fn() -> Vec<Sample> + Send + Sync + 'static) {
        if let Ok(mut registry) = self.registry.write() {
            registry.register_collector(Box::new(Sampled(Box::new(read))));
        }
    }

    /// Counts the response to an operation, or to a request without one, with its error code or `OK`.
    pub(crate) fn record(
        &self,
        kind: Option<&'static str>,
        name: Option<&str>,
        code: &'static str,
        elapsed: Duration,
    ) {
        let operation_name = match (kind, name) {
            (None, _) => self.names.get("(none)", MAX_OPERATIONS),
            (Some(_), None) => self.names.get("(anonymous)", MAX_OPERATIONS),
            (Some(_), Some(name)) => self.names.get(name, MAX_OPERATIONS),
        };
        let request = Request {
            operation_type: kind.unwrap_or("(none)"),
            operation_name,
            code,
        };
        self.durations
            .get_or_create(&request)
            .observe(elapsed.as_secs_f64());
        self.requests.get_or_create(&request).inc();
    }

    /// Counts the coordinates that an executed operation uses, once each.
    pub(crate) fn record_fields<'a>(
        &self,
        client: Option<&str>,
        coordinates: impl Iterator<Item = &'a str>,
    ) {
        self.fields.record(client, coordinates);
    }

    pub(crate) fn record_limit(&self, limit: &'static str) {
        self.limits.get_or_create(&Limit { limit }).inc();
    }

    pub(crate) fn render(&self) -> String {
        let mut text = String::with_capacity(16 * 1024);
        if let Ok(registry) = self.registry.read() {
            let written = text::encode_registry(&mut text, &registry);
            written
                .and_then(|()| text::encode(&mut text, &self.process))
                .expect("a string accepts all text");
        }
        text
    }
}

/// Names in labels, as many as may be.
#[derive(Debug, Default)]
struct Names(RwLock<HashMap<Box<str>, Arc<str>>>);

impl Names {
    fn get(&self, name: &str, most: usize) -> Arc<str> {
        if let Some(known) = self
            .0
            .read()
            .ok()
            .and_then(|names| names.get(name).cloned())
        {
            return known;
        }
        let other = || Arc::from(OTHER);
        let Ok(mut names) = self.0.write() else {
            return other();
        };
        // Those in parentheses are not chosen by clients.
        let chosen = names.keys().filter(|name| !name.starts_with('(')).count();
        if chosen >= most && !name.starts_with('(') {
            return other();
        }
        Arc::clone(names.entry(name.into()).or_insert_with(|| name.into()))
    }
}

/// How often the coordinates of the contract were requested, by client.
#[derive(Debug)]
struct FieldRequests {
    coordinates: Vec<String>,
    indices: HashMap<String, usize>,
    names: Names,
    clients: RwLock<HashMap<Arc<str>, Arc<[AtomicU64]>>>,
}

impl FieldRequests {
    fn new(coordinates: Vec<String>) -> Self {
        let indices = coordinates.iter().cloned().zip(0..).collect();
        Self {
            coordinates,
            indices,
            names: Names::default(),
            clients: RwLock::default(),
        }
    }

    fn record<'a>(&self, client: Option<&str>, coordinates: impl Iterator<Item = &'a str>) {
        let client = match client {
            None => self.names.get("(anonymous)", MAX_CLIENTS),
            Some(name) if is_client_name(name) => self.names.get(name, MAX_CLIENTS),
            Some(_) => Arc::from(OTHER),
        };
        let known = self
            .clients
            .read()
            .ok()
            .and_then(|clients| clients.get(&client).cloned());
        let counts = known.or_else(|| {
            let zeros = || self.coordinates.iter().map(|_| AtomicU64::new(0)).collect();
            Some(Arc::clone(
                self.clients
                    .write()
                    .ok()?
                    .entry(client)
                    .or_insert_with(zeros),
            ))
        });
        for index in coordinates.filter_map(|coordinate| self.indices.get(coordinate)) {
            if let Some(count) = counts.as_ref().and_then(|counts| counts.get(*index)) {
                count.fetch_add(1, Relaxed);
            }
        }
    }
}

fn is_client_name(name: &str) -> bool {
    (1..=MAX_CLIENT_BYTES).contains(&name.len())
        && !name.starts_with('(')
        && !name.chars().any(char::is_control)
}

impl Collector for FieldRequests {
    fn encode(&self, encoder: DescriptorEncoder) -> fmt::Result {
        let help = "Executed operations that use an element of the contract, by its coordinate and by client";
        let clients = self.clients.read().map_err(|_| fmt::Error)?;
        let samples = clients.iter().flat_map(|(client, counts)| {
            let used = self.coordinates.iter().zip(&**counts);
            let used = used.map(|(coordinate, count)| (coordinate, count.load(Relaxed)));
            used.filter(|(_, count)| *count > 0)
                .map(|(coordinate, count)| {
                    Sample::counter("field_requests", help, count)
                        .with("coordinate", coordinate)
                        .with("client", client)
                })
        });
        Sampled::encode(encoder, &samples.collect::<Vec<_>>())
    }
}

/// A value that is read at a scrape.
#[derive(Clone, Debug)]
pub(crate) struct Sample {
    name: &'static str,
    help: &'static str,
    is_counter: bool,
    labels: Vec<(&'static str, String)>,
    value: f64,
}

impl Sample {
    /// A value that only increases; the name is without `_total`.
    pub(crate) fn counter(name: &'static str, help: &'static str, value: u64) -> Self {
        Self {
            is_counter: true,
            ..Self::gauge(name, help, exact(value))
        }
    }

    pub(crate) fn gauge(name: &'static str, help: &'static str, value: impl Into<f64>) -> Self {
        Self {
            name,
            help,
            is_counter: false,
            labels: Vec::new(),
            value: value.into(),
        }
    }

    #[must_use]
    pub(crate) fn with(mut self, label: &'static str, value: &str) -> Self {
        self.labels.push((label, value.to_owned()));
        self
    }
}

#[expect(
    clippy::cast_precision_loss,
    reason = "Prometheus stores every value as f64, exact up to 2^53"
)]
fn exact(value: u64) -> f64 {
    value as f64
}

struct Sampled(Box<dyn Fn() -> Vec<Sample> + Send + Sync>);

impl fmt::Debug for Sampled {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Sampled")
    }
}

impl Collector for Sampled {
    fn encode(&self, encoder: DescriptorEncoder) -> fmt::Result {
        Self::encode(encoder, &(self.0)())
    }
}

impl Sampled {
    fn encode(mut encoder: DescriptorEncoder, samples: &[Sample]) -> fmt::Result {
        for samples in samples.chunk_by(|one, next| one.name == next.name) {
            let Sample {
                name,
                help,
                is_counter,
                ..
            } = samples[0];
            let kind = if is_counter {
                ConstCounter::new(0.0).metric_type()
            } else {
                ConstGauge::new(0.0).metric_type()
            };
            let mut metric = encoder.encode_descriptor(name, help, None, kind)?;
            let encode = |value: f64, encoder: MetricEncoder<'_>| {
                if is_counter {
                    ConstCounter::new(value).encode(encoder)
                } else {
                    ConstGauge::new(value).encode(encoder)
                }
            };
            // An empty set of labels would be written as braces.
            if samples[0].labels.is_empty() {
                encode(samples[0].value, metric)?;
                continue;
            }
            for Sample { labels, value, .. } in samples {
                encode(*value, metric.encode_family(labels)?)?;
            }
        }
        Ok(())
    }
}

/// The metrics of the process by the standard names of Prometheus clients, from `/proc`.
fn process_samples() -> Vec<Sample> {
    let status = |field| number("/proc/self/status", field);
    let cpu = cpu_seconds().map(|value| Sample {
        is_counter: true,
        ..Sample::gauge("process_cpu_seconds", "CPU time of the process", value)
    });
    let started = STARTED
        .duration_since(UNIX_EPOCH)
        .ok()
        .map(|since| since.as_secs_f64());
    let gauges = [
        (
            "process_start_time_seconds",
            "Start time of the process in seconds since the Unix epoch",
            started,
        ),
        (
            "process_resident_memory_bytes",
            "Resident memory of the process",
            status("VmRSS:").map(|kib| kib * 1024.0),
        ),
        (
            "process_threads",
            "Threads of the process",
            status("Threads:"),
        ),
        ("process_open_fds", "Open file descriptors", open_files()),
        (
            "process_max_fds",
            "Maximum number of open file descriptors",
            number("/proc/self/limits", "Max open files"),
        ),
    ];
    let gauges = gauges
        .into_iter()
        .filter_map(|(name, help, value)| Some(Sample::gauge(name, help, value?)));
    cpu.into_iter().chain(gauges).collect()
}

fn cpu_seconds() -> Option<f64> {
    let stat = fs::read_to_string("/proc/self/stat").ok()?;
    // The program name is in parentheses and may contain spaces.
    let (_, fields) = stat.rsplit_once(')')?;
    let mut times = fields
        .split_ascii_whitespace()
        .skip(11)
        .map(str::parse::<f64>);
    Some((times.next()?.ok()? + times.next()?.ok()?) / TICKS_PER_SECOND)
}

/// The first number after the name of a field.
fn number(file: &str, field: &str) -> Option<f64> {
    let text = fs::read_to_string(file).ok()?;
    let value = text.lines().find_map(|line| line.strip_prefix(field))?;
    value.split_ascii_whitespace().next()?.parse().ok()
}

fn open_files() -> Option<f64> {
    let count = fs::read_dir("/proc/self/fd").ok()?.count();
    // Reading the directory opens one itself.
    u32::try_from(count.saturating_sub(1)).ok().map(f64::from)
}
