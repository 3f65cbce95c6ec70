//! Judges breaking changes by recorded use.

use std::{
    collections::{BTreeSet, HashMap},
    fmt,
};

use apollo_compiler::ast::InputValueDefinition;
use chrono::NaiveDate;
use schema::{Schema, UseFact};
use serde::Serialize;

use super::{CallerUse, Usage, Window};
use crate::{
    Change, ChangeKind as Kind, Level,
    text::{counted, first, one_line},
};

/// What recorded use says about a breaking change.
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
#[serde(tag = "verdict", rename_all = "lowercase")]
pub enum Evidence {
    /// Nobody is affected, so the change is dangerous instead of breaking.
    Unused {
        /// The number of days without use.
        days: u32,
        /// The number of instances that recorded.
        instances: usize,
        /// The first day.
        from: NaiveDate,
        /// The last day.
        to: NaiveDate,
    },
    /// Clients are affected.
    Used {
        /// The facts that apply to a caller.
        facts: Vec<FactEvidence>,
    },
    /// Recorded use does not decide it.
    Unknown {
        /// Why, in a sentence.
        reason: String,
    },
}

/// The callers to which a fact applies.
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
pub struct FactEvidence {
    /// The fact.
    pub fact: UseFact,
    /// The callers, that with the most requests first.
    pub callers: Vec<CallerUse>,
}

/// The facts that a change affects, each with those that count as it.
struct Affected {
    coordinates: Vec<String>,
    facts: Vec<(UseFact, &'static [UseFact])>,
}

const USED: (UseFact, &[UseFact]) = (UseFact::Used, &[UseFact::Used]);
const OMITTED: (UseFact, &[UseFact]) = (UseFact::Omitted, &[UseFact::Omitted]);
const NULL: (UseFact, &[UseFact]) = (UseFact::Null, &[UseFact::Null]);

/// A value that omits all fields is a use of the type.
const OF_MEMBERS: (UseFact, &[UseFact]) = (UseFact::Used, &[UseFact::Used, UseFact::Omitted]);

/// The arguments and input fields of a schema by coordinate.
type Inputs<'a> = HashMap<String, &'a InputValueDefinition>;

/// Judges the changes between two schemas.
pub(crate) struct Judge<'a> {
    usage: &'a Usage,
    window: &'a Window,
    old_coordinates: BTreeSet<String>,
    old_inputs: Inputs<'a>,
    new_inputs: Inputs<'a>,
}

impl<'a> Judge<'a> {
    pub(crate) fn new(
        usage: &'a Usage,
        window: &'a Window,
        old: &'a Schema,
        new: &'a Schema,
    ) -> Self {
        Self {
            usage,
            window,
            old_coordinates: old.coordinates(),
            old_inputs: inputs(old),
            new_inputs: inputs(new),
        }
    }

    /// What recorded use says about a change; `None` if it is not breaking.
    pub(crate) fn evidence(&self, change: &Change) -> Option<Evidence> {
        if change.level != Level::Breaking {
            return None;
        }
        let Some(affected) = self.affected(change) else {
            let reason = format!("it does not decide changes of the kind {}", change.kind);
            return Some(Evidence::Unknown { reason });
        };
        let used = self.used(&affected);
        if !used.is_empty() {
            return Some(Evidence::Used { facts: used });
        }
        for coordinate in &affected.coordinates {
            if let Some(instance) = self.usage.instance_without(coordinate) {
                let instance = one_line(instance);
                let reason =
                    format!("'{coordinate}' is not in the schema of the instance {instance}");
                return Some(Evidence::Unknown { reason });
            }
        }
        let Window {
            days,
            from,
            to,
            uncovered,
        } = self.window;
        Some(match uncovered {
            Some(reason) => Evidence::Unknown {
                reason: format!("no use was seen, but {reason}"),
            },
            None => Evidence::Unused {
                days: *days,
                instances: self.usage.snapshots.len(),
                from: from.date_naive(),
                to: to.date_naive(),
            },
        })
    }

    fn used(&self, affected: &Affected) -> Vec<FactEvidence> {
        let since = self.window.from.date_naive();
        let facts = affected.facts.iter().map(|(fact, counted)| FactEvidence {
            fact: *fact,
            callers: self.usage.callers(&affected.coordinates, counted, since),
        });
        facts.filter(|fact| !fact.callers.is_empty()).collect()
    }

    /// The facts without which a change affects no request; `None` if recorded use does not decide it.
    fn affected(&self, change: &Change) -> Option<Affected> {
        let coordinate = change.coordinate.as_str();
        if coordinate.starts_with('@') || coordinate == "schema" {
            return None;
        }
        let one = |facts| Affected {
            coordinates: vec![coordinate.to_owned()],
            facts,
        };
        let is_member = coordinate.contains('.');
        Some(match change.kind {
            Kind::FieldArgumentAdded => {
                let (field, _) = coordinate.split_once('(')?;
                Affected {
                    coordinates: vec![field.to_owned()],
                    facts: vec![USED],
                }
            }
            // Every value of the type omits it.
            Kind::InputFieldAdded => self.members(coordinate.split_once('.')?.0),
            Kind::FieldArgumentTypeChanged | Kind::InputFieldTypeChanged => {
                one(self.input_facts(coordinate)?)
            }
            Kind::FieldArgumentDefaultChanged | Kind::InputFieldDefaultValueChanged => {
                one(vec![OMITTED, NULL])
            }
            Kind::TypeRemoved => {
                let mut affected = self.members(coordinate);
                affected.coordinates.push(coordinate.to_owned());
                affected
            }
            _ if is_member => one(vec![USED]),
            Kind::DirectiveUsageInputObjectAdded | Kind::DirectiveUsageInputObjectRemoved => {
                self.members(coordinate)
            }
            _ => return None,
        })
    }

    /// Any use of the members of a type.
    fn members(&self, ty: &str) -> Affected {
        let prefix = format!("{ty}.");
        let members = self.old_coordinates.range(prefix.clone()..);
        let members = members.take_while(|coordinate| coordinate.starts_with(&prefix));
        Affected {
            coordinates: members.cloned().collect(),
            facts: vec![OF_MEMBERS],
        }
    }

    /// The uses that a changed type can make invalid.
    fn input_facts(&self, coordinate: &str) -> Option<Vec<(UseFact, &'static [UseFact])>> {
        let (old, new) = (
            self.old_inputs.get(coordinate)?,
            self.new_inputs.get(coordinate)?,
        );
        let is_only_non_null = *new.ty == old.ty.as_ref().clone().non_null();
        let mut facts = vec![if is_only_non_null { NULL } else { USED }];
        if new.is_required() && !old.is_required() {
            facts.push(OMITTED);
        }
        Some(facts)
    }
}

fn inputs(schema: &Schema) -> Inputs<'_> {
    let elements = schema.elements().into_iter();
    elements
        .filter_map(|element| Some((element.coordinate(), &**element.input()?)))
        .collect()
}

/// `no use seen in 90 days by 3 instances, from 2026-08-24 to 2026-11-22`.
impl fmt::Display for Evidence {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unused {
                days,
                instances,
                from,
                to,
            } => {
                let days = counted(*days as usize, "day");
                let instances = counted(*instances, "instance");
                write!(
                    formatter,
                    "no use seen in {days} by {instances}, from {from} to {to}"
                )
            }
            Self::Used { facts } => {
                for (index, fact) in facts.iter().enumerate() {
                    let separator = if index == 0 { "" } else { "; " };
                    let callers = first(fact.callers.iter()).join(", ");
                    write!(formatter, "{separator}{} by {callers}", fact.fact)?;
                }
                Ok(())
            }
            Self::Unknown { reason } => write!(formatter, "recorded use is no evidence: {reason}"),
        }
    }
}
