//! Judges breaking changes by recorded use.

use std::{
    collections::{BTreeSet, HashMap},
    fmt,
};

use apollo_compiler::ast::InputValueDefinition;
use graphql_sdl::Schema;
use serde::Serialize;

use super::{ClientUse, Usage, owner};
use crate::{Change, ChangeKind as Kind, Level, report::first};

/// What recorded use says about a breaking change.
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
#[serde(tag = "verdict", rename_all = "lowercase")]
pub enum Evidence {
    /// Nobody is affected, so the change is dangerous instead of breaking.
    Unused {
        /// What was read: `41 samples of 3 clients`.
        seen: String,
    },
    /// Clients are affected.
    Used {
        /// The clients, that with the most requests first.
        clients: Vec<ClientUse>,
    },
    /// Recorded use does not decide it.
    Unknown {
        /// Why, in a sentence.
        reason: String,
    },
}

/// The arguments and input fields of a schema by coordinate.
type Inputs<'a> = HashMap<String, &'a InputValueDefinition>;

/// Judges the changes between two schemas.
pub(crate) struct Judge<'a> {
    usage: &'a Usage,
    old_coordinates: BTreeSet<String>,
    old_inputs: Inputs<'a>,
    new_inputs: Inputs<'a>,
    /// The types that values of variables use.
    in_variables: HashMap<String, String>,
}

impl<'a> Judge<'a> {
    pub(crate) fn new(usage: &'a Usage, old: &'a Schema, new: &'a Schema) -> Self {
        Self {
            usage,
            old_coordinates: old.coordinates(),
            old_inputs: inputs(old),
            new_inputs: inputs(new),
            in_variables: usage.in_variables(old),
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
        let clients = self.usage.clients_of(&affected);
        if !clients.is_empty() {
            return Some(Evidence::Used { clients });
        }
        let mut types = affected.iter().map(|coordinate| owner(coordinate));
        if let Some(ty) = types.find_map(|ty| self.in_variables.get(ty)) {
            let reason = format!("clients give '{ty}' in variables, whose values are not counted");
            return Some(Evidence::Unknown { reason });
        }
        let seen = self.usage.to_string();
        Some(Evidence::Unused { seen })
    }

    /// The coordinates without which a change affects no request; `None` if recorded use does not decide it.
    fn affected(&self, change: &Change) -> Option<Vec<String>> {
        let coordinate = change.coordinate.as_str();
        if coordinate.starts_with('@') || coordinate == "schema" {
            return None;
        }
        let is_argument = coordinate.contains('(');
        Some(match change.kind {
            Kind::FieldArgumentAdded
            | Kind::InputFieldAdded
            | Kind::FieldArgumentDefaultChanged
            | Kind::InputFieldDefaultValueChanged => self.without(coordinate),
            Kind::FieldArgumentTypeChanged | Kind::InputFieldTypeChanged if self.becomes_required(coordinate) => {
                self.without(coordinate)
            }
            _ if is_argument || coordinate.contains('.') => vec![coordinate.to_owned()],
            Kind::TypeRemoved | Kind::DirectiveUsageInputObjectAdded | Kind::DirectiveUsageInputObjectRemoved => {
                self.members(coordinate)
            }
            _ => return None,
        })
    }

    /// What is used by requests that can omit an argument or input field: the field or the input object.
    fn without(&self, coordinate: &str) -> Vec<String> {
        match coordinate.split_once('(') {
            Some((field, _)) => vec![field.to_owned()],
            None => self.members(owner(coordinate)),
        }
    }

    /// A type and its members.
    fn members(&self, ty: &str) -> Vec<String> {
        let prefix = format!("{ty}.");
        let members = self.old_coordinates.range(prefix.clone()..);
        let members = members.take_while(|coordinate| coordinate.starts_with(&prefix));
        members.cloned().chain([ty.to_owned()]).collect()
    }

    fn becomes_required(&self, coordinate: &str) -> bool {
        let is_required = |inputs: &Inputs| inputs.get(coordinate).is_some_and(|one| one.is_required());
        is_required(&self.new_inputs) && !is_required(&self.old_inputs)
    }
}

fn inputs(schema: &Schema) -> Inputs<'_> {
    schema.elements().into_iter().filter_map(|element| Some((element.coordinate(), &**element.input()?))).collect()
}

/// `no use seen in 41 samples of 3 clients`.
impl fmt::Display for Evidence {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unused { seen } => write!(formatter, "no use seen in {seen}"),
            Self::Used { clients } => {
                write!(formatter, "used by {}", first(clients.iter()).join(", "))
            }
            Self::Unknown { reason } => write!(formatter, "recorded use is no evidence: {reason}"),
        }
    }
}
