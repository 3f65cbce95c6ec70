//! The metrics, in the format of `OpenMetrics`, which Prometheus reads.

use std::{
    collections::{BTreeMap, HashMap},
    fmt, fs,
    sync::{
        Arc, LazyLock,
        atomic::{AtomicU64, Ordering::Relaxed},
    },
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use parking_lot::RwLock;
use prometheus_client::{
    collector::Collector,
    encoding::{
        DescriptorEncoder, EncodeCounterValue, EncodeGaugeValue, EncodeLabelSet, EncodeMetric, MetricEncoder, text,
    },
    metrics::{
        MetricType,
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
/// The label of further names; no GraphQL name has parentheses.
const OTHER: &str = "(other)";
const BUCKETS: [f64; 14] = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0];
/// `USER_HZ` of Linux, the same on every architecture that Rust supports.
const TICKS_PER_SECOND: f64 = 100.0;

/// When the metrics were made, shortly after the start of the process.
static STARTED: LazyLock<SystemTime> = LazyLock::new(SystemTime::now);

/// A set of one label.
pub(crate) type Label = [(&'static str, &'static str); 1];

/// The metrics that are counted as they happen, and a registry of these and all others.
#[derive(Debug)]
pub(crate) struct Metrics {
    pub registry: Registry,
    process: Registry,
    requests: Family<Request, Counter>,
    durations: Family<Request, Histogram, fn() -> Histogram>,
    operations: Names<Arc<str>>,
    fields: FieldRequests,
    pub limits: Family<Label, Counter>,
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

impl Metrics {
    /// Counts the use of these coordinates of the contract.
    pub(crate) fn new(coordinates: impl IntoIterator<Item = String>) -> Self {
        LazyLock::force(&STARTED);
        let durations: fn() -> Histogram = || Histogram::new(BUCKETS);
        let mut metrics = Self {
            registry: Registry::with_prefix(PREFIX),
            process: Registry::default(),
            requests: Family::default(),
            durations: Family::new_with_constructor(durations),
            operations: Names::default(),
            fields: FieldRequests {
                coordinates: Arc::new(coordinates.into_iter().zip(0..).collect()),
                clients: Names::default(),
            },
            limits: Family::default(),
            in_flight: Gauge::default(),
            abandoned: Counter::default(),
            slow: Counter::default(),
        };
        metrics.process.register_collector(Box::new(Scraped(process)));
        let registry = &mut metrics.registry;
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
        let help = "Executed operations that use an element of the contract, by its coordinate and by client";
        registry.register("field_requests", help, metrics.fields.clone());
        metrics
    }

    /// Counts the response to an operation, or to a request without one, with its error code or `OK`.
    pub(crate) fn record(&self, kind: Option<&'static str>, name: Option<&str>, code: &'static str, elapsed: Duration) {
        let name = match kind {
            None => "(none)",
            Some(_) => name.unwrap_or("(anonymous)"),
        };
        let request = Request {
            operation_type: kind.unwrap_or("(none)"),
            operation_name: of_name(&self.operations, name, MAX_OPERATIONS, |name| Arc::from(name)),
            code,
        };
        let seconds = elapsed.as_secs_f64();
        self.durations.get_or_create(&request).observe(seconds);
        self.requests.get_or_create(&request).inc();
    }

    /// Counts the coordinates that an executed operation uses, once each.
    pub(crate) fn record_fields<'a>(&self, client: Option<&str>, coordinates: impl Iterator<Item = &'a str>) {
        let client = match client {
            None => "(anonymous)",
            Some(name) if is_client_name(name) => name,
            Some(_) => OTHER,
        };
        let indices = &self.fields.coordinates;
        let zeros = |_: &str| indices.values().map(|_| AtomicU64::new(0)).collect();
        let counts = of_name(&self.fields.clients, client, MAX_CLIENTS, zeros);
        for index in coordinates.filter_map(|coordinate| indices.get(coordinate)) {
            counts[*index].fetch_add(1, Relaxed);
        }
    }

    pub(crate) fn render(&self) -> String {
        let mut text = String::with_capacity(16 * 1024);
        text::encode_registry(&mut text, &self.registry)
            .and_then(|()| text::encode(&mut text, &self.process))
            .expect("a string accepts all text");
        text
    }
}

fn is_client_name(name: &str) -> bool {
    (1..=MAX_CLIENT_BYTES).contains(&name.len()) && !name.starts_with('(') && !name.chars().any(char::is_control)
}

/// What belongs to each name in a label.
type Names<T> = Arc<RwLock<HashMap<Box<str>, T>>>;

/// What belongs to this name, or to [`OTHER`] if clients have chosen as many names as may be.
fn of_name<T: Clone>(names: &Names<T>, name: &str, most: usize, new: impl Fn(&str) -> T) -> T {
    if let Some(known) = names.read().get(name) {
        return known.clone();
    }
    let mut names = names.write();
    // Those in parentheses are not chosen by clients.
    let chosen = names.keys().filter(|name| !name.starts_with('(')).count();
    let is_free = name.starts_with('(') || chosen < most;
    let name = if is_free { name } else { OTHER };
    let entry = names.entry(name.into());
    entry.or_insert_with(|| new(name)).clone()
}

/// How often the coordinates of the contract were requested, by client.
#[derive(Clone, Debug)]
struct FieldRequests {
    /// With the index of their count.
    coordinates: Arc<BTreeMap<String, usize>>,
    clients: Names<Arc<[AtomicU64]>>,
}

impl EncodeMetric for FieldRequests {
    fn encode(&self, mut encoder: MetricEncoder) -> fmt::Result {
        for (client, counts) in &*self.clients.read() {
            for (coordinate, index) in &*self.coordinates {
                let count = counts[*index].load(Relaxed);
                if count > 0 {
                    let labels = [("coordinate", &**coordinate), ("client", client)];
                    ConstCounter::new(count).encode(encoder.encode_family(&labels)?)?;
                }
            }
        }
        Ok(())
    }

    fn metric_type(&self) -> MetricType {
        MetricType::Counter
    }
}

/// A metric that is read at each scrape: its type, its name, its help and its value. A counter's name is without `_total`.
pub(crate) type Sample<N> = (MetricType, &'static str, &'static str, N);

/// A function that reads metrics at each scrape.
pub(crate) struct Scraped<F>(pub F);

impl<N, F> Collector for Scraped<F>
where
    N: EncodeCounterValue + EncodeGaugeValue,
    F: Fn() -> Vec<Sample<N>> + Send + Sync + 'static,
{
    fn encode(&self, mut encoder: DescriptorEncoder<'_>) -> fmt::Result {
        for (kind, name, help, value) in (self.0)() {
            let encoder = encoder.encode_descriptor(name, &format!("{help}."), None, kind)?;
            match kind {
                MetricType::Counter => ConstCounter::new(value).encode(encoder)?,
                _ => ConstGauge::new(value).encode(encoder)?,
            }
        }
        Ok(())
    }
}

impl<F> fmt::Debug for Scraped<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Scraped")
    }
}

/// The metrics of the process by the standard names of Prometheus clients, from `/proc`; what cannot be read is no number.
fn process() -> Vec<Sample<f64>> {
    use MetricType::{Counter, Gauge};
    let started = STARTED.duration_since(UNIX_EPOCH).map_or(f64::NAN, |since| since.as_secs_f64());
    let resident = number("/proc/self/status", "VmRSS:") * 1024.0;
    let threads = number("/proc/self/status", "Threads:");
    // Reading the directory opens one itself.
    let open = fs::read_dir("/proc/self/fd").map(|files| files.count().saturating_sub(1));
    let open = open.ok().and_then(|count| u32::try_from(count).ok());
    let open = open.map_or(f64::NAN, f64::from);
    let limit = number("/proc/self/limits", "Max open files");
    let cpu = cpu_seconds().unwrap_or(f64::NAN);
    vec![
        (Gauge, "process_start_time_seconds", "Start time of the process in seconds since the Unix epoch", started),
        (Gauge, "process_resident_memory_bytes", "Resident memory of the process", resident),
        (Gauge, "process_threads", "Threads of the process", threads),
        (Gauge, "process_open_fds", "Open file descriptors", open),
        (Gauge, "process_max_fds", "Maximum number of open file descriptors", limit),
        (Counter, "process_cpu_seconds", "CPU time of the process", cpu),
    ]
}

fn cpu_seconds() -> Option<f64> {
    let stat = fs::read_to_string("/proc/self/stat").ok()?;
    // The program name is in parentheses and may contain spaces.
    let (_, fields) = stat.rsplit_once(')')?;
    let times = fields.split_ascii_whitespace().skip(11).take(2);
    let ticks: Result<Vec<f64>, _> = times.map(str::parse).collect();
    Some(ticks.ok()?.iter().sum::<f64>() / TICKS_PER_SECOND)
}

/// The first number after the name of a field.
fn number(file: &str, field: &str) -> f64 {
    let text = fs::read_to_string(file).unwrap_or_default();
    let mut values = text.lines().filter_map(|line| line.strip_prefix(field));
    let value = values.next().and_then(|line| line.split_ascii_whitespace().next());
    value.and_then(|value| value.parse().ok()).unwrap_or(f64::NAN)
}
