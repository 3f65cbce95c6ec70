//! Counts the uses of deprecated schema elements by kind of client, to show when one can be removed.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use super::{CallSource, Sample};

/// The number of uses of each deprecated element by each kind of client.
#[derive(Debug)]
pub(super) struct DeprecatedUses(Box<[(String, [AtomicU64; CallSource::ALL.len()])]>);

impl DeprecatedUses {
    pub(super) fn new(elements: Vec<String>) -> Self {
        let elements = elements.into_iter();
        let unused = elements.map(|element| (element, Default::default()));
        Self(unused.collect())
    }

    pub(super) fn record(&self, indices: &[usize], source: CallSource) {
        for index in indices {
            let (_, uses) = &self.0[*index];
            uses[source as usize].fetch_add(1, Relaxed);
        }
    }

    /// Includes unused elements with 0, which shows that they can be removed.
    pub(super) fn samples(&self) -> Vec<Sample> {
        let mut samples = Vec::new();
        for (element, uses) in &self.0 {
            for (source, uses) in CallSource::ALL.into_iter().zip(uses) {
                let sample = Sample::new(uses.load(Relaxed)).with("element", element);
                samples.push(sample.with("caller", source.as_str()));
            }
        }
        samples
    }
}
