//! Metrics whose samples are read from elsewhere at each scrape.

use std::{
    fmt,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering::Relaxed},
    },
};

use prometheus_client::{
    collector::Collector,
    encoding::{DescriptorEncoder, MetricEncoder, NoLabelSet},
    metrics::{MetricType, exemplar::Exemplar},
    registry::Registry,
};

/// The type of a metric.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Kind {
    /// A value that only increases.
    Counter,
    /// A value that can increase and decrease.
    Gauge,
}

/// A value with its labels.
#[derive(Clone, Debug, PartialEq)]
pub struct Sample {
    labels: Vec<(&'static str, String)>,
    value: f64,
}

impl Sample {
    /// A sample with an integer value.
    #[expect(
        clippy::cast_precision_loss,
        reason = "Prometheus stores every value as f64, exact up to 2^53"
    )]
    pub fn new(value: u64) -> Self {
        Self::from_f64(value as f64)
    }

    /// A sample with a float value.
    pub fn from_f64(value: f64) -> Self {
        Self {
            labels: Vec::new(),
            value,
        }
    }

    /// Adds a label.
    #[must_use]
    pub fn with(mut self, label: &'static str, value: &str) -> Self {
        self.labels.push((label, value.to_owned()));
        self
    }
}

/// A metric whose samples are read at each scrape.
struct Sampled {
    kind: Kind,
    name: &'static str,
    help: &'static str,
    read: Box<dyn Fn() -> Vec<Sample> + Send + Sync>,
}

impl fmt::Debug for Sampled {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Sampled({})", self.name)
    }
}

impl Collector for Sampled {
    fn encode(&self, mut encoder: DescriptorEncoder) -> fmt::Result {
        let kind = match self.kind {
            Kind::Counter => MetricType::Counter,
            Kind::Gauge => MetricType::Gauge,
        };
        let mut metric = encoder.encode_descriptor(self.name, self.help, None, kind)?;
        for Sample { labels, value } in (self.read)() {
            if labels.is_empty() {
                self.write(&mut metric, value)?;
            } else {
                self.write(&mut metric.encode_family(&labels)?, value)?;
            }
        }
        Ok(())
    }
}

impl Sampled {
    fn write(&self, metric: &mut MetricEncoder, value: f64) -> fmt::Result {
        match self.kind {
            Kind::Counter => metric.encode_counter(&value, None::<&Exemplar<NoLabelSet, f64>>),
            Kind::Gauge => metric.encode_gauge(&value),
        }
    }
}

/// Registers a metric that is read at each scrape.
pub(super) fn register(
    registry: &mut Registry,
    kind: Kind,
    name: &'static str,
    help: &'static str,
    read: impl Fn() -> Vec<Sample> + Send + Sync + 'static,
) {
    registry.register_collector(Box::new(Sampled {
        kind,
        name,
        help,
        read: Box::new(read),
    }));
}

/// Registers a metric with a single value.
pub(super) fn value(
    registry: &mut Registry,
    kind: Kind,
    name: &'static str,
    help: &'static str,
) -> Arc<AtomicU64> {
    let value = Arc::<AtomicU64>::default();
    let read = Arc::clone(&value);
    register(registry, kind, name, help, move || {
        vec![Sample::new(read.load(Relaxed))]
    });
    value
}
