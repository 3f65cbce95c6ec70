//! Records the use of the contract, by coordinate and caller.
//!
//! A cached document has the facts that each of its requests has in common, and a counter for each of its first
//! callers, so that a request adds 1 to one counter. Counters are added to those of the facts when a snapshot is
//! made and when a document leaves the cache. Facts that depend on the values of variables are collected before
//! the values are coerced, since coercion adds default values.

mod fact;
mod facts;

use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    sync::{
        Arc, Mutex, OnceLock, PoisonError,
        atomic::{AtomicU8, AtomicU64, Ordering::Relaxed},
    },
    time::Instant,
};

use async_graphql::{Name, Value, Variables};
use chrono::{DateTime, TimeDelta, Utc};
use schema::{Element, MAX_CALLER_BYTES, MAX_CALLERS, Schema, UsageSnapshot, Use, UseFact};

use self::fact::{Fact, fact};
pub(crate) use self::fact::{FactSet, VariableUse};

/// The name of callers that do not identify themselves.
const ANONYMOUS: &str = "(anonymous)";

/// The name of the callers beyond the maximum number, and of those with invalid names.
const OTHERS: &str = "(others)";

/// The number of callers that a document counts; those of others are added to the facts at once.
const DOCUMENT_CALLERS: usize = 4;

/// The callers with a name of their own, the anonymous and the other ones.
const SLOTS: usize = MAX_CALLERS + 2;

const ANONYMOUS_SLOT: CallerIndex = CallerIndex(0);

const OTHERS_SLOT: CallerIndex = CallerIndex(1);

/// A caller whose use is recorded. A new name takes a slot only when a request is recorded, so that refused requests
/// take none.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Caller {
    /// It has a slot, or shares that of the others.
    Known(CallerIndex),
    /// It has a valid name and no slot yet.
    New(Box<str>),
}

/// The index of the slot of a caller.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct CallerIndex(u8);

/// The use of a contract.
pub(crate) struct UsageRecorder {
    /// Sorted.
    coordinates: Vec<String>,
    /// The fields of input object types and the values of enums, by the name of the type.
    inputs: HashMap<String, BTreeMap<Name, InputMember>>,
    callers: [OnceLock<Box<str>>; SLOTS],
    /// The counters of the facts, by caller.
    counts: [OnceLock<Box<[AtomicU64]>>; SLOTS],
    snapshot: Mutex<Timed>,
}

/// A snapshot, and when it was taken by the clock that is never set.
struct Timed {
    snapshot: UsageSnapshot,
    taken: Instant,
}

/// A field of an input object type, or a value of an enum.
struct InputMember {
    coordinate: u32,
    /// The named type of the field.
    ty: Option<String>,
}

impl UsageRecorder {
    /// Continues a snapshot, which has the coordinates of the contract.
    pub(crate) fn new(contract: &Schema, snapshot: UsageSnapshot) -> Self {
        let callers = [const { OnceLock::new() }; SLOTS];
        for (caller, name) in callers.iter().zip([ANONYMOUS, OTHERS]) {
            caller.get_or_init(|| name.into());
        }
        let uses = snapshot.coordinates.values();
        let names: BTreeSet<_> = uses
            .flat_map(|recorded| UseFact::ALL.map(|fact| recorded.callers(fact).keys()))
            .flatten()
            .cloned()
            .collect();
        let mut recorder = Self {
            coordinates: snapshot.coordinates.keys().cloned().collect(),
            inputs: HashMap::new(),
            callers,
            counts: [const { OnceLock::new() }; SLOTS],
            snapshot: Mutex::new(Timed {
                snapshot,
                taken: Instant::now(),
            }),
        };
        recorder.add_inputs(contract);
        for name in names.iter().filter(|name| is_valid(name)) {
            recorder.add_caller(name);
        }
        recorder
    }

    fn add_inputs(&mut self, contract: &Schema) {
        for element in contract.elements() {
            if let Element::InputField(owner, _) | Element::EnumValue(owner, _) = element
                && let Some(name) = element.name()
                && let Some(coordinate) = self.coordinate(&element.coordinate())
            {
                let ty = element.ty().map(|ty| ty.inner_named_type().to_string());
                let member = InputMember { coordinate, ty };
                let members = self.inputs.entry(owner.to_string()).or_default();
                members.insert(Name::new(name), member);
            }
        }
    }

    fn coordinate(&self, coordinate: &str) -> Option<u32> {
        let found = self
            .coordinates
            .binary_search_by(|candidate| candidate.as_str().cmp(coordinate));
        u32::try_from(found.ok()?).ok()
    }

    /// The caller with this name.
    pub(crate) fn caller(&self, name: Option<&str>) -> Caller {
        let Some(name) = name else {
            return Caller::Known(ANONYMOUS_SLOT);
        };
        // Only a name without a slot is checked, so a known one costs a comparison for each slot before it.
        for (index, slot) in self.named_slots() {
            match slot.get() {
                Some(known) if **known == *name => return Caller::Known(index),
                Some(_) => {}
                None if is_valid(name) => return Caller::New(name.into()),
                None => break,
            }
        }
        Caller::Known(OTHERS_SLOT)
    }

    /// The slot of a caller, which takes the next free one if it is new.
    pub(crate) fn slot(&self, caller: &Caller) -> CallerIndex {
        match caller {
            Caller::Known(index) => *index,
            Caller::New(name) => self.add_caller(name),
        }
    }

    fn add_caller(&self, name: &str) -> CallerIndex {
        let is_of = |slot: &OnceLock<Box<str>>| **slot.get_or_init(|| name.into()) == *name;
        let found = self.named_slots().find(|(_, slot)| is_of(slot));
        found.map_or(OTHERS_SLOT, |(index, _)| index)
    }

    fn named_slots(&self) -> impl Iterator<Item = (CallerIndex, &OnceLock<Box<str>>)> {
        let slots = (0..).map(CallerIndex).zip(&self.callers);
        slots.skip(2)
    }

    /// Adds requests of a caller to the counters of facts.
    fn add(&self, caller: CallerIndex, facts: impl IntoIterator<Item = Fact>, requests: u64) {
        let counts = self.counts[usize::from(caller.0)].get_or_init(|| {
            let facts = self.coordinates.len() * UseFact::ALL.len();
            (0..facts).map(|_| AtomicU64::new(0)).collect()
        });
        for fact in facts {
            counts[fact as usize].fetch_add(requests, Relaxed);
        }
    }

    /// The use up to now, without the requests that documents have not added. `taken` is the same time by the clock
    /// that is never set, which tells how long the use was recorded.
    pub(crate) fn snapshot(&self, now: DateTime<Utc>, taken: Instant) -> UsageSnapshot {
        let timed = self.snapshot.lock();
        let mut timed = timed.unwrap_or_else(PoisonError::into_inner);
        let since = std::mem::replace(&mut timed.taken, taken);
        let recorded = TimeDelta::from_std(taken.saturating_duration_since(since));
        let recorded = recorded.expect("a process does not run for millions of years");
        let snapshot = &mut timed.snapshot;
        let today = now.date_naive();
        for (counts, caller) in self.counts.iter().zip(&self.callers) {
            let (Some(counts), Some(caller)) = (counts.get(), caller.get()) else {
                continue;
            };
            let facts = self
                .coordinates
                .iter()
                .zip(counts.chunks(UseFact::ALL.len()));
            for (coordinate, counts) in facts {
                for (fact, count) in UseFact::ALL.into_iter().zip(counts) {
                    let count = count.swap(0, Relaxed);
                    if count > 0 {
                        let recorded = snapshot.coordinates.entry(coordinate.clone());
                        let recorded = recorded.or_default();
                        recorded.record(fact, caller, &Use::on(today, count));
                    }
                }
            }
        }
        snapshot.extend(recorded, now);
        snapshot.clone()
    }

    /// The facts that depend on the values of the variables of a request, before coercion.
    pub(crate) fn variable_facts(&self, variables: &[VariableUse], values: &Variables) -> FactSet {
        let mut found = FactSet::default();
        for variable in variables {
            match values.get(variable.name.as_str()) {
                None => self.insert(&mut found, &variable.omitted),
                Some(Value::Null) => self.insert(&mut found, &variable.null),
                Some(value) => {
                    self.add_value(&variable.ty, value, &mut found);
                }
            }
        }
        found
    }

    /// Adds the facts of a value of this named type.
    fn add_value(&self, ty: &str, value: &Value, found: &mut FactSet) {
        if let Some(members) = self.inputs.get(ty) {
            self.add_input(members, value, found);
        }
    }

    /// A list stands for its items: other lists, and other values than those of the type, are refused by coercion.
    fn add_input(&self, members: &BTreeMap<Name, InputMember>, value: &Value, found: &mut FactSet) {
        match value {
            Value::List(items) => {
                for item in items {
                    self.add_input(members, item, found);
                }
            }
            Value::String(name) => {
                if let Some(member) = members.get(name.as_str()) {
                    self.insert(found, &[fact(member.coordinate, UseFact::Used)]);
                }
            }
            Value::Object(given) => {
                for (name, InputMember { coordinate, ty }) in members {
                    let of = |kind| fact(*coordinate, kind);
                    match given.get(name) {
                        None => self.insert(found, &[of(UseFact::Omitted)]),
                        Some(Value::Null) => {
                            self.insert(found, &[of(UseFact::Used), of(UseFact::Null)]);
                        }
                        Some(value) => {
                            self.insert(found, &[of(UseFact::Used)]);
                            if let Some(ty) = ty {
                                self.add_value(ty, value, found);
                            }
                        }
                    }
                }
            }
            _ => {}
        }
    }

    fn insert(&self, found: &mut FactSet, facts: &[Fact]) {
        found.insert(facts, self.coordinates.len());
    }
}

fn is_valid(name: &str) -> bool {
    (1..=MAX_CALLER_BYTES).contains(&name.len())
        && !name.starts_with('(')
        && !name.contains(char::is_control)
}

/// The use of a document.
pub(crate) struct DocumentUsage {
    recorder: Arc<UsageRecorder>,
    /// The facts of each request.
    facts: Box<[Fact]>,
    callers: [CallerCount; DOCUMENT_CALLERS],
}

/// The requests of a caller that are not yet added to the facts.
#[derive(Default)]
struct CallerCount {
    /// 1 more than the index of the caller, or 0.
    caller: AtomicU8,
    count: AtomicU64,
}

impl DocumentUsage {
    fn new(recorder: Arc<UsageRecorder>, facts: Box<[Fact]>) -> Self {
        Self {
            recorder,
            facts,
            callers: Default::default(),
        }
    }

    /// Counts a request, which has these facts besides those of the document.
    pub(crate) fn record(&self, caller: CallerIndex, facts: &FactSet) {
        let id = caller.0 + 1;
        let is_mine = |count: &&CallerCount| match count.caller.load(Relaxed) {
            0 => match count.caller.compare_exchange(0, id, Relaxed, Relaxed) {
                Ok(_) => true,
                Err(other) => other == id,
            },
            other => other == id,
        };
        match self.callers.iter().find(is_mine) {
            Some(count) => drop(count.count.fetch_add(1, Relaxed)),
            None => self.recorder.add(caller, self.facts.iter().copied(), 1),
        }
        if !facts.is_empty() {
            self.recorder.add(caller, facts.iter(), 1);
        }
    }

    /// Adds the counted requests to the facts.
    pub(crate) fn flush(&self) {
        for CallerCount { caller, count } in &self.callers {
            let requests = count.swap(0, Relaxed);
            if requests > 0 {
                let caller = CallerIndex(caller.load(Relaxed) - 1);
                self.recorder
                    .add(caller, self.facts.iter().copied(), requests);
            }
        }
    }
}

impl Drop for DocumentUsage {
    fn drop(&mut self) {
        self.flush();
    }
}

#[cfg(test)]
mod tests;
