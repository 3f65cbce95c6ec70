//! Records the use of the contract, by coordinate and caller.
//!
//! A cached document has the facts that each of its requests has in common. Facts that depend on the values of
//! variables are collected before the values are coerced, since coercion adds default values.

mod fact;
mod facts;

use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    sync::{Mutex, MutexGuard, PoisonError},
    time::Instant,
};

use async_graphql::{Name, Value, Variables};
use chrono::{DateTime, TimeDelta, Utc};
use schema::{Element, MAX_CALLER_BYTES, MAX_CALLERS, Schema, UsageSnapshot, Use, UseFact};

use self::fact::fact;
pub(crate) use self::fact::{FactSet, VariableUse};

/// The name of callers that do not identify themselves.
const ANONYMOUS: &str = "(anonymous)";

/// The name of the callers beyond the maximum number, and of those with invalid names.
const OTHERS: &str = "(others)";

/// The use of a contract.
pub(crate) struct UsageRecorder {
    /// Sorted.
    coordinates: Vec<String>,
    /// The fields of input object types and the values of enums, by the name of the type.
    inputs: HashMap<String, BTreeMap<Name, InputMember>>,
    recorded: Mutex<Recorded>,
}

struct Recorded {
    snapshot: UsageSnapshot,
    /// When the snapshot was taken by the clock that is never set.
    taken: Instant,
    /// The requests since then, for each fact: of the callers with a name of their own, the anonymous and the other ones.
    counts: BTreeMap<String, Box<[u64]>>,
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
        let uses = snapshot.coordinates.values();
        let names =
            uses.flat_map(|recorded| UseFact::ALL.map(|fact| recorded.callers(fact).keys()));
        let names: BTreeSet<_> = names.flatten().filter(|name| is_valid(name)).collect();
        let names = names.into_iter().take(MAX_CALLERS).map(String::as_str);
        let names = names.chain([ANONYMOUS, OTHERS]);
        let mut recorder = Self {
            coordinates: snapshot.coordinates.keys().cloned().collect(),
            inputs: HashMap::new(),
            recorded: Mutex::new(Recorded {
                counts: names
                    .map(|name| (name.to_owned(), Box::default()))
                    .collect(),
                snapshot,
                taken: Instant::now(),
            }),
        };
        recorder.add_inputs(contract);
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

    fn recorded(&self) -> MutexGuard<'_, Recorded> {
        let recorded = self.recorded.lock();
        recorded.unwrap_or_else(PoisonError::into_inner)
    }

    /// Counts a request of the caller with this name, to which facts of its document and of its variables apply.
    pub(crate) fn record(&self, caller: Option<&str>, document: &FactSet, variables: &FactSet) {
        let mut recorded = self.recorded();
        let counts = recorded.of(caller);
        if counts.is_empty() {
            *counts = vec![0; self.coordinates.len() * UseFact::ALL.len()].into();
        }
        for fact in document.union(variables) {
            counts[*fact as usize] += 1;
        }
    }

    /// The use up to now. `taken` is the same time by the clock that is never set, which tells how long the use was
    /// recorded.
    pub(crate) fn snapshot(&self, now: DateTime<Utc>, taken: Instant) -> UsageSnapshot {
        let mut recorded = self.recorded();
        let Recorded {
            snapshot,
            taken: before,
            counts,
        } = &mut *recorded;
        let since = std::mem::replace(before, taken);
        let duration = TimeDelta::from_std(taken.saturating_duration_since(since));
        let duration = duration.expect("a process does not run for millions of years");
        let today = now.date_naive();
        for (caller, counts) in counts {
            let counts = counts.chunks_mut(UseFact::ALL.len());
            for (coordinate, counts) in self.coordinates.iter().zip(counts) {
                for (fact, count) in UseFact::ALL.into_iter().zip(counts) {
                    let count = std::mem::take(count);
                    if count > 0 {
                        let recorded = snapshot.coordinates.entry(coordinate.clone());
                        let recorded = recorded.or_default();
                        recorded.record(fact, caller, &Use::on(today, count));
                    }
                }
            }
        }
        snapshot.extend(duration, now);
        snapshot.clone()
    }

    /// The facts that depend on the values of the variables of a request, before coercion.
    pub(crate) fn variable_facts(&self, variables: &[VariableUse], values: &Variables) -> FactSet {
        let mut found = FactSet::default();
        for variable in variables {
            match values.get(variable.name.as_str()) {
                None => found.extend(&variable.omitted),
                Some(Value::Null) => found.extend(&variable.null),
                Some(value) => self.add_value(&variable.ty, value, &mut found),
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
                    found.insert(fact(member.coordinate, UseFact::Used));
                }
            }
            Value::Object(given) => {
                for (name, InputMember { coordinate, ty }) in members {
                    let of = |kind| fact(*coordinate, kind);
                    let value = given.get(name);
                    found.insert(of(value.map_or(UseFact::Omitted, |_| UseFact::Used)));
                    match (value, ty) {
                        (Some(Value::Null), _) => drop(found.insert(of(UseFact::Null))),
                        (Some(value), Some(ty)) => self.add_value(ty, value, found),
                        _ => {}
                    }
                }
            }
            _ => {}
        }
    }
}

impl Recorded {
    /// The counts of the caller with this name. Only a recorded request gives a caller a name of its own.
    fn of(&mut self, caller: Option<&str>) -> &mut Box<[u64]> {
        let has_name =
            |name: &str| self.counts.contains_key(name) || self.counts.len() < MAX_CALLERS + 2;
        let name = match caller {
            None => ANONYMOUS,
            Some(name) if is_valid(name) && has_name(name) => name,
            Some(_) => OTHERS,
        };
        self.counts.entry(name.to_owned()).or_default()
    }
}

fn is_valid(name: &str) -> bool {
    (1..=MAX_CALLER_BYTES).contains(&name.len())
        && !name.starts_with('(')
        && !name.contains(char::is_control)
}

#[cfg(test)]
mod tests;
