//! Counters and histograms of operations by kind, name and error code.
//!
//! Clients choose the names, so the number of distinct names is limited. At the limit a name that was idle
//! for an hour is evicted: its series end, and those of the new name begin at zero. Its counts are not
//! added to `(other)`, whose counters would rise without a request, and no counter ever decreases. The
//! idle timeout limits how many series a client with invented names can create.
//!
//! An [`Operation`] caches the slot of its counters, so that only the first request of an operation looks
//! up the name.

use std::{
    collections::HashMap,
    fmt,
    sync::{
        OnceLock,
        atomic::{
            AtomicBool, AtomicUsize,
            Ordering::{Acquire, Relaxed, Release},
        },
    },
    time::{Duration, Instant},
};

use parking_lot::Mutex;
use prometheus_client::{
    collector::Collector,
    encoding::{DescriptorEncoder, NoLabelSet},
    metrics::{MetricType, exemplar::Exemplar},
};

use super::histogram::{Histogram, HistogramSnapshot};

/// Placeholders for a name. No GraphQL name contains parentheses.
const NONE: &str = "(none)";
const ANONYMOUS: &str = "(anonymous)";
const OTHER: &str = "(other)";

/// The label of a success.
const OK: &str = "OK";

/// The slots that do not belong to a name: one for requests without an operation, and for each kind
/// one for anonymous operations and one for names beyond the limit.
const FIXED_SLOTS: usize = 1 + 2 * OperationKind::ALL.len();

/// How long a name must be unused before it can be evicted.
const IDLE_TIMEOUT: Duration = Duration::from_hours(1);

/// An executed operation.
#[derive(Clone, Copy, Debug)]
pub struct Operation<'a> {
    /// Its kind.
    pub kind: OperationKind,
    /// Its name, if any.
    pub name: Option<&'a str>,
    /// The coordinates of the contract that its document names, as indices of
    /// [`MetricsSettings::coordinates`](super::MetricsSettings::coordinates).
    pub coordinates: &'a [u32],
    /// The slot of the operation's counters, which saves a lookup by name; initially 0. Equal operations
    /// may share it.
    pub slot: &'a AtomicUsize,
}

/// The kind of an operation.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub enum OperationKind {
    /// A query.
    Query,
    /// A mutation.
    Mutation,
    /// A subscription.
    Subscription,
}

impl OperationKind {
    const ALL: [Self; 3] = [Self::Query, Self::Mutation, Self::Subscription];

    const fn as_str(self) -> &'static str {
        match self {
            Self::Query => "query",
            Self::Mutation => "mutation",
            Self::Subscription => "subscription",
        }
    }
}

/// The metrics of operations.
#[derive(Debug)]
pub(super) struct Operations {
    /// `OK`, the error codes, and `(other)` for unknown codes.
    outcomes: Box<[&'static str]>,
    slots: Box<[Slot]>,
    names: Mutex<Names>,
    started: Instant,
}

/// The histograms of one name.
#[derive(Debug)]
struct Slot {
    /// By outcome; boxed, since most are never used.
    histograms: Box<[OnceLock<Box<Histogram>>]>,
    /// The generational index of the slot: its index plus a generation times the number of slots. A
    /// new generation invalidates the cached slots of operations.
    id: AtomicUsize,
    /// Whether anything was counted since the last scan.
    used: AtomicBool,
}

/// The assignment of slots to names.
#[derive(Debug)]
struct Names {
    slots: HashMap<Key, usize>,
    /// By slot index, for the slots in use.
    owners: Vec<Owner>,
    /// No name is idle before this time since the start.
    none_idle_before: Duration,
}

#[derive(Debug)]
struct Owner {
    key: Key,
    /// The time of the last scan that found it used, since the start.
    used_at: Duration,
}

/// The kind and the name of an operation; no kind for requests without an operation.
type Key = (Option<OperationKind>, String);

/// One series: its labels and its histogram.
type Series = ([(&'static str, String); 3], HistogramSnapshot);

impl Operations {
    pub(super) fn new(names: usize, codes: Vec<&'static str>) -> Self {
        let outcomes: Box<[_]> = [OK].into_iter().chain(codes).chain([OTHER]).collect();
        let fixed = |kind, name: &str| Owner {
            key: (kind, name.to_owned()),
            used_at: Duration::ZERO,
        };
        let mut owners = vec![fixed(None, NONE)];
        for kind in OperationKind::ALL {
            owners.push(fixed(Some(kind), ANONYMOUS));
            owners.push(fixed(Some(kind), OTHER));
        }
        let count = FIXED_SLOTS + names;
        let slots = (0..count).map(|index| Slot {
            histograms: outcomes.iter().map(|_| OnceLock::new()).collect(),
            // No id is 0, the initial value of a cached slot.
            id: AtomicUsize::new(index + count),
            used: AtomicBool::new(false),
        });
        Self {
            slots: slots.collect(),
            outcomes,
            names: Mutex::new(Names {
                slots: HashMap::new(),
                owners,
                none_idle_before: IDLE_TIMEOUT,
            }),
            started: Instant::now(),
        }
    }

    pub(super) fn record(
        &self,
        operation: Option<Operation<'_>>,
        code: Option<&str>,
        elapsed: Duration,
    ) {
        self.record_at(operation, code, elapsed, || self.started.elapsed());
    }

    fn record_at(
        &self,
        operation: Option<Operation<'_>>,
        code: Option<&str>,
        elapsed: Duration,
        now: impl FnOnce() -> Duration,
    ) {
        let slot = match operation {
            None => &self.slots[0],
            Some(operation) => self.slot(operation, now),
        };
        // If the name is evicted here after an idle hour, a single operation is counted under the new
        // owner of the slot.
        if !slot.used.load(Relaxed) {
            slot.used.store(true, Relaxed);
        }
        let code = code.unwrap_or(OK);
        let outcome = self.outcomes.iter().position(|outcome| *outcome == code);
        slot.histograms[outcome.unwrap_or(self.outcomes.len() - 1)]
            .get_or_init(Box::default)
            .record(elapsed);
    }

    fn slot(&self, operation: Operation<'_>, now: impl FnOnce() -> Duration) -> &Slot {
        let id = operation.slot.load(Relaxed);
        let slot = &self.slots[id % self.slots.len()];
        if slot.id.load(Acquire) == id {
            return slot;
        }
        let slot = &self.slots[self.look_up(operation, now())];
        let id = slot.id.load(Relaxed);
        operation.slot.store(id, Relaxed);
        slot
    }

    /// Finds or assigns the slot of an operation whose cached slot is invalid.
    fn look_up(&self, operation: Operation<'_>, now: Duration) -> usize {
        let anonymous = 1 + 2 * operation.kind as usize;
        let Some(name) = operation.name else {
            return anonymous;
        };
        let key = (Some(operation.kind), name.to_owned());
        let mut names = self.names.lock();
        if let Some(index) = names.slots.get(&key) {
            return *index;
        }
        let owner = Owner {
            key: key.clone(),
            used_at: now,
        };
        let index = if names.owners.len() < self.slots.len() {
            names.owners.push(owner);
            names.owners.len() - 1
        } else if let Some(index) = self.idle_slot(&mut names, now) {
            let evicted = std::mem::replace(&mut names.owners[index], owner);
            names.slots.remove(&evicted.key);
            let slot = &self.slots[index];
            let histograms = slot.histograms.iter().filter_map(OnceLock::get);
            histograms.for_each(|histogram| histogram.reset());
            slot.used.store(false, Relaxed);
            slot.id.fetch_add(self.slots.len(), Release);
            index
        } else {
            return anonymous + 1;
        };
        names.slots.insert(key, index);
        index
    }

    /// The slot of the least recently used name, if that name is idle.
    fn idle_slot(&self, names: &mut Names, now: Duration) -> Option<usize> {
        if now < names.none_idle_before {
            return None;
        }
        self.scan(names, now);
        let owners = names.owners.iter().enumerate().skip(FIXED_SLOTS);
        let oldest = owners.min_by_key(|(_, owner)| owner.used_at);
        let (index, used_at) = oldest.map(|(index, owner)| (index, owner.used_at))?;
        names.none_idle_before = used_at + IDLE_TIMEOUT;
        (now >= names.none_idle_before).then_some(index)
    }

    /// Updates which names were used since the last scan, and invalidates the slots of names beyond the
    /// limit so that they are looked up again.
    fn scan(&self, names: &mut Names, now: Duration) {
        for (owner, slot) in names.owners.iter_mut().zip(&self.slots) {
            if slot.used.swap(false, Relaxed) {
                owner.used_at = now;
            }
        }
        for kind in OperationKind::ALL {
            let other = &self.slots[2 + 2 * kind as usize];
            other.id.fetch_add(self.slots.len(), Relaxed);
        }
    }

    /// All series with a count.
    fn series(&self, now: Duration) -> Vec<Series> {
        let mut names = self.names.lock();
        self.scan(&mut names, now);
        let mut series = Vec::new();
        for (owner, slot) in names.owners.iter().zip(&self.slots) {
            let (kind, name) = &owner.key;
            let kind = kind.map_or(NONE, OperationKind::as_str);
            for (code, histogram) in self.outcomes.iter().zip(&slot.histograms) {
                let snapshot = histogram.get().map(|histogram| histogram.snapshot());
                // Histograms that only an evicted name used were reset to zero.
                if let Some(snapshot) = snapshot.filter(|snapshot| snapshot.count > 0) {
                    let labels = [
                        ("operation_type", kind.to_owned()),
                        ("operation_name", name.clone()),
                        ("code", (*code).to_owned()),
                    ];
                    series.push((labels, snapshot));
                }
            }
        }
        series
    }
}

impl Collector for Operations {
    fn encode(&self, mut encoder: DescriptorEncoder) -> fmt::Result {
        let help = "Completed GraphQL requests by operation kind, operation name and error code";
        let mut requests =
            encoder.encode_descriptor("requests", help, None, MetricType::Counter)?;
        let series = self.series(self.started.elapsed());
        for (labels, snapshot) in &series {
            let mut family = requests.encode_family(labels)?;
            family.encode_counter(&snapshot.count, None::<&Exemplar<NoLabelSet, f64>>)?;
        }
        let help = "Duration of GraphQL requests, from the received body to the response";
        let name = "request_duration_seconds";
        let mut durations = encoder.encode_descriptor(name, help, None, MetricType::Histogram)?;
        for (labels, snapshot) in &series {
            let mut histogram = durations.encode_family(labels)?;
            histogram.encode_histogram::<NoLabelSet>(
                snapshot.sum_seconds,
                snapshot.count,
                &snapshot.buckets,
                None,
            )?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
