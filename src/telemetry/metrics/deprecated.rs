//! Which kinds of clients still use what is deprecated: whether it can be removed.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use super::Sample;
use crate::telemetry::Caller;

/// The uses of each deprecated element by each kind of client.
#[derive(Debug)]
pub(super) struct DeprecatedUses(Box<[(String, [AtomicU64; Caller::ALL.len()])]>);

impl DeprecatedUses {
    pub(super) fn new(elements: &[String]) -> Self {
        let elements = elements.iter().cloned();
        Self(
            elements
                .map(|element| (element, Default::default()))
                .collect(),
        )
    }

    pub(super) fn record(&self, places: &[usize], caller: Caller) {
        for place in places {
            let (_, uses) = &self.0[*place];
            uses[caller as usize].fetch_add(1, Relaxed);
        }
    }

    /// Elements that nobody uses are there with 0: that is what an operator waits for.
    pub(super) fn samples(&self) -> Vec<Sample> {
        let elements = self.0.iter();
        elements
            .flat_map(|(element, uses)| {
                Caller::ALL
                    .into_iter()
                    .zip(uses)
                    .map(move |(caller, uses)| {
                        Sample::of(uses.load(Relaxed))
                            .with("element", element)
                            .with("caller", caller.as_str())
                    })
            })
            .collect()
    }
}
