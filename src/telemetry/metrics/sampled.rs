//! Figures that others keep, read when the metrics are.

use std::fmt;

use prometheus_client::{
    collector::Collector,
    encoding::{DescriptorEncoder, MetricEncoder, NoLabelSet},
    metrics::{MetricType, exemplar::Exemplar},
};

/// What a figure does in the course of time.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Kind {
    /// It grows.
    Counter,
    /// It goes up and down.
    Gauge,
}

/// A figure with its labels.
#[derive(Clone, Debug, PartialEq)]
pub struct Sample {
    labels: Vec<(&'static str, String)>,
    value: f64,
}

impl Sample {
    /// A count.
    #[expect(
        clippy::cast_precision_loss,
        reason = "Prometheus keeps every figure so, exact up to 2^53"
    )]
    pub fn of(value: u64) -> Self {
        Self::of_float(value as f64)
    }

    /// A measure.
    pub fn of_float(value: f64) -> Self {
        Self {
            labels: Vec::new(),
            value,
        }
    }

    /// The same with a label.
    #[must_use]
    pub fn with(mut self, label: &'static str, value: &str) -> Self {
        self.labels.push((label, value.to_owned()));
        self
    }
}

/// A metric whose samples are read when it is.
pub(super) struct Sampled {
    kind: Kind,
    name: String,
    meaning: &'static str,
    read: Box<dyn Fn() -> Vec<Sample> + Send + Sync>,
}

impl Sampled {
    pub(super) fn new(
        kind: Kind,
        name: String,
        meaning: &'static str,
        read: impl Fn() -> Vec<Sample> + Send + Sync + 'static,
    ) -> Self {
        Self {
            kind,
            name,
            meaning,
            read: Box::new(read),
        }
    }
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
        let mut metric = encoder.encode_descriptor(&self.name, self.meaning, None, kind)?;
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
