//! The recorded use of a schema: who uses what is deprecated, and which breaking changes affect nobody.

mod evidence;
pub mod report;

use std::{
    cmp::Reverse,
    collections::{BTreeMap, HashMap},
    fmt,
};

use chrono::{DateTime, NaiveDate, TimeDelta, Utc};
use schema::{CoordinateUse, Location, Schema, UsageSnapshot, Use, UseFact};
use serde::Serialize;

pub(crate) use self::evidence::Judge;
pub use self::evidence::{Evidence, FactEvidence};
use crate::text::one_line;

/// The maximum age of the newest snapshot, and of that of an instance that did not stop, before the newest one.
const MAX_AGE: TimeDelta = TimeDelta::days(1);

/// How far a snapshot can end in the future: the clocks of two machines differ.
const MAX_CLOCK_DIFFERENCE: TimeDelta = TimeDelta::minutes(5);

/// The recorded use of a schema by the clients of several servers.
#[derive(Clone, Debug)]
pub struct Usage {
    /// At least one; one for each instance.
    snapshots: Vec<UsageSnapshot>,
    /// The sums of the instances.
    coordinates: BTreeMap<String, CoordinateUse>,
}

/// The time in which a coordinate must be unused to be considered unused.
#[derive(Clone, Debug)]
pub struct Window {
    /// The number of days.
    pub days: u32,
    /// Its begin.
    pub from: DateTime<Utc>,
    /// Its end, which is that of the newest snapshot that does not end in the future.
    pub to: DateTime<Utc>,
    /// Why it is not covered by the snapshots, in a sentence; `None` if it is covered.
    pub uncovered: Option<String>,
}

/// The use by a caller.
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
pub struct CallerUse {
    /// Its name.
    pub caller: String,
    /// When and how often.
    #[serde(flatten)]
    pub used: Use,
}

/// A deprecated element and its use.
#[derive(Clone, Debug, Serialize)]
pub struct DeprecatedUse {
    /// Its coordinate.
    pub coordinate: String,
    /// What it is: `enum value`.
    pub kind: &'static str,
    /// The reason of its deprecation; `None` if there is none.
    pub reason: Option<String>,
    /// Its location.
    pub location: Option<Location>,
    /// Whether each of the servers recorded its use.
    pub recorded: bool,
    /// Its callers, that with the most requests first.
    pub callers: Vec<CallerUse>,
}

impl DeprecatedUse {
    fn requests(&self) -> u64 {
        let counts = self.callers.iter().map(|caller| caller.used.count);
        counts.fold(0, u64::saturating_add)
    }
}

impl Usage {
    /// Adds up the snapshots. Of several snapshots of an instance, which continue each other, the newest counts.
    pub fn new(snapshots: impl IntoIterator<Item = UsageSnapshot>) -> Self {
        let mut by_instance: HashMap<String, UsageSnapshot> = HashMap::new();
        for snapshot in snapshots {
            match by_instance.get(&snapshot.instance) {
                Some(known) if known.until >= snapshot.until => {}
                _ => drop(by_instance.insert(snapshot.instance.clone(), snapshot)),
            }
        }
        let mut snapshots: Vec<_> = by_instance.into_values().collect();
        snapshots.sort_by(|one, other| one.instance.cmp(&other.instance));
        let mut coordinates: BTreeMap<String, CoordinateUse> = BTreeMap::new();
        for snapshot in &snapshots {
            for (coordinate, recorded) in &snapshot.coordinates {
                let sum = coordinates.entry(coordinate.clone()).or_default();
                sum.add(recorded);
            }
        }
        Self {
            snapshots,
            coordinates,
        }
    }

    /// The days before the end of the newest snapshot. They are covered if at every moment at least one instance
    /// recorded, no instance has a gap, each instance recorded up to its stop or to the end, and no snapshot ends in
    /// the future.
    pub fn window(&self, days: u32, now: DateTime<Utc>) -> Window {
        let ends = self.snapshots.iter().map(|snapshot| snapshot.until);
        let ends = ends.filter(|end| !is_future(*end, now));
        let to = ends.max().unwrap_or(now);
        let from = to - TimeDelta::days(days.into());
        Window {
            days,
            from,
            to,
            uncovered: self.uncovered(from, to, now),
        }
    }

    fn uncovered(
        &self,
        from: DateTime<Utc>,
        to: DateTime<Utc>,
        now: DateTime<Utc>,
    ) -> Option<String> {
        let mut snapshots = self.snapshots.iter();
        if let Some(snapshot) = snapshots.find(|snapshot| is_future(snapshot.until, now)) {
            return Some(format!(
                "the snapshot of the instance {} ends in the future, on {}, so a clock is wrong",
                one_line(&snapshot.instance),
                minute(snapshot.until)
            ));
        }
        if now - to > MAX_AGE {
            return Some(format!("the newest snapshot ends on {}", minute(to)));
        }
        for snapshot in &self.snapshots {
            let until = snapshot.until;
            if !snapshot.stopped && to - until > MAX_AGE {
                return Some(format!(
                    "the instance {} did not stop, and its snapshot ends on {}",
                    one_line(&snapshot.instance),
                    minute(until)
                ));
            }
            let mut gaps = snapshot.gaps.iter();
            if let Some(gap) = gaps.find(|gap| gap.until > from && gap.from < to) {
                return Some(format!(
                    "the instance {} did not record from {} to {}",
                    one_line(&snapshot.instance),
                    minute(gap.from),
                    minute(gap.until)
                ));
            }
        }
        let mut spans: Vec<_> = self.snapshots.iter().collect();
        spans.sort_by_key(|snapshot| snapshot.since);
        let mut reached = from;
        for snapshot in spans {
            if snapshot.since > reached {
                return Some(format!(
                    "no instance recorded from {} to {}",
                    minute(reached),
                    minute(snapshot.since)
                ));
            }
            reached = reached.max(snapshot.until);
        }
        None
    }

    /// The instance that did not record a coordinate, since it is not in its schema.
    fn instance_without(&self, coordinate: &str) -> Option<&str> {
        let mut snapshots = self.snapshots.iter();
        let without = snapshots.find(|snapshot| !snapshot.coordinates.contains_key(coordinate))?;
        Some(&without.instance)
    }

    /// The callers to which one of the facts applied for one of the coordinates, on this day or later, that with the
    /// most requests first.
    fn callers<'c>(
        &self,
        coordinates: impl IntoIterator<Item = &'c String>,
        facts: &[UseFact],
        since: NaiveDate,
    ) -> Vec<CallerUse> {
        let mut by_caller: BTreeMap<&String, Use> = BTreeMap::new();
        let recorded = coordinates
            .into_iter()
            .filter_map(|one| self.coordinates.get(one));
        let callers =
            recorded.flat_map(|recorded| facts.iter().flat_map(|fact| recorded.callers(*fact)));
        for (caller, used) in callers.filter(|(_, used)| used.last >= since) {
            let known = by_caller.entry(caller).or_insert(*used);
            // A request can use several coordinates, so the sum would be too large.
            let count = known.count.max(used.count);
            known.add(used);
            known.count = count;
        }
        let callers = by_caller.into_iter().map(|(caller, used)| CallerUse {
            caller: caller.clone(),
            used,
        });
        let mut callers: Vec<_> = callers.collect();
        callers.sort_by_key(|one| Reverse(one.used.count));
        callers
    }

    /// The deprecated elements of a schema, that with the most requests first.
    pub fn deprecated(&self, schema: &Schema) -> Vec<DeprecatedUse> {
        let elements = schema.elements().into_iter();
        let deprecated = elements.filter_map(|element| {
            let reason = element.deprecation()?;
            let coordinate = element.coordinate();
            // Directives are not recorded.
            if coordinate.starts_with('@') {
                return None;
            }
            Some(DeprecatedUse {
                kind: element.kind(),
                reason: (!reason.is_empty()).then(|| reason.to_owned()),
                location: schema.location(element.name_span()),
                recorded: self.instance_without(&coordinate).is_none(),
                callers: self.callers([&coordinate], &[UseFact::Used], NaiveDate::MIN),
                coordinate,
            })
        });
        let mut deprecated: Vec<_> = deprecated.collect();
        deprecated.sort_by_cached_key(|one| (Reverse(one.requests()), one.coordinate.clone()));
        deprecated
    }
}

fn is_future(end: DateTime<Utc>, now: DateTime<Utc>) -> bool {
    end - now > MAX_CLOCK_DIFFERENCE
}

fn minute(time: DateTime<Utc>) -> impl fmt::Display {
    time.format("%Y-%m-%d %H:%M UTC")
}

/// `web (12 requests from 2026-08-01 to 2026-11-20)`.
impl fmt::Display for CallerUse {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Use { first, last, count } = self.used;
        let requests = if count == 1 { "request" } else { "requests" };
        let caller = one_line(&self.caller);
        write!(formatter, "{caller} ({count} {requests} ")?;
        if first == last {
            write!(formatter, "on {last})")
        } else {
            write!(formatter, "from {first} to {last})")
        }
    }
}
