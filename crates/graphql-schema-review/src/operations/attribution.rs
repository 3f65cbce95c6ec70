//! Finds the changes because of which an operation is not valid any more.

use std::collections::{BTreeSet, HashMap, HashSet};

use apollo_compiler::{Schema, ast::OperationType};
use graphql_sdl::{Element, contains};

use super::{invalidity::Invalidity, walk::Use};
use crate::{Change, ChangeKind as Kind, Level, Rule, rule};

/// The changes that can make an operation invalid, by coordinate.
pub(super) struct Causes<'a> {
    new: &'a Schema,
    changes: &'a [Change],
    by_coordinate: HashMap<&'a str, Vec<usize>>,
    /// The coordinates of the inputs that the new schema requires.
    required: HashSet<String>,
}

impl<'a> Causes<'a> {
    pub(super) fn new(new: &'a graphql_sdl::Schema, changes: &'a [Change]) -> Self {
        let mut by_coordinate: HashMap<&str, Vec<usize>> = HashMap::new();
        for (index, change) in changes.iter().enumerate() {
            if can_invalidate(change) {
                let coordinate = coordinate_in_use(change);
                by_coordinate.entry(coordinate).or_default().push(index);
            }
        }
        let elements = new.elements().into_iter();
        let required = elements.filter(|element| element.input().is_some_and(|input| input.is_required()));
        Self { new: new.tree(), changes, by_coordinate, required: required.map(Element::coordinate).collect() }
    }

    /// The coordinates of the changes.
    pub(super) fn coordinates(&self) -> impl Iterator<Item = &'a str> {
        self.by_coordinate.keys().copied()
    }

    /// The changes that explain why an operation is invalid. `uses` are those under the old schema.
    pub(super) fn find(&self, operation: OperationType, uses: &[Use], invalid: &[Invalidity]) -> Vec<usize> {
        let candidates: Vec<(usize, &Use)> =
            uses.iter().flat_map(|at| self.changes_of(operation, at).map(move |change| (change, at))).collect();
        let mut found = BTreeSet::new();
        for reason in invalid {
            let Some(span) = reason.span else { continue };
            // Two fields with the same response key cannot be merged.
            if reason.error.starts_with("ConflictingField") {
                let is_field = |at: &&Use| matches!(at.used, Element::Field(..)) && at.span == span;
                let key = uses.iter().find(is_field).and_then(|at| at.key);
                let conflicting = candidates.iter().filter(|(_, at)| key.is_some() && at.key == key);
                found.extend(conflicting.map(|(change, _)| change));
                continue;
            }
            // The nearest: a removed field rather than the changed type of the field around it.
            let around = || {
                candidates.iter().filter(|(change, at)| {
                    contains(at.span, span)
                        && can_cause(self.changes[*change].kind, reason.error)
                        && !self.is_same_named_type(*change, at.used)
                })
            };
            let nearest = around().map(|(_, at)| at.span.node_len()).min();
            let nearest = around().filter(|(_, at)| Some(at.span.node_len()) == nearest);
            found.extend(nearest.map(|(change, _)| change));
        }
        if found.is_empty() {
            found.extend(candidates.iter().map(|(change, _)| change));
        }
        found.into_iter().collect()
    }

    /// The changes that concern a use.
    fn changes_of(&self, operation: OperationType, at: &Use) -> impl Iterator<Item = usize> {
        let coordinate = at.used.coordinate();
        let changes = self.by_coordinate.get(&*coordinate);
        let changes = changes.filter(|_| !at.is_omitted || self.required.contains(&coordinate));
        let is_root = matches!(at.used, Element::Schema(_));
        let is_affected = move |index: &usize| !is_root || self.changes[*index].kind == Kind::of_root(operation);
        changes.into_iter().flatten().copied().filter(is_affected)
    }

    /// Whether the type of a field changed only in its lists and in where it is null, which can only
    /// prevent that fields with the same response key are merged.
    fn is_same_named_type(&self, change: usize, used: Element) -> bool {
        let Element::Field(ty, old) = used else {
            return false;
        };
        let new = self.new.type_field(ty, &old.name);
        self.changes[change].kind == Kind::FieldTypeChanged
            && new.is_ok_and(|new| new.ty.inner_named_type() == old.ty.inner_named_type())
    }
}

/// The reasons of changes of what no valid operation can use.
const UNUSABLE: [&str; 4] = [
    rule::UNREACHABLE.reason,
    rule::IN_SCHEMA.reason,
    rule::LOCATION_REMOVED_IN_SCHEMA.reason,
    rule::ENUM_VALUE_REMOVED_FROM_OUTPUT.reason,
];

/// Whether a change of this kind can cause an error: some changes of a directive have an error of their own.
fn can_cause(kind: Kind, error: &str) -> bool {
    match kind {
        Kind::DirectiveLocationRemoved => error == "UnsupportedLocation",
        Kind::DirectiveRepeatableRemoved => error == "UniqueDirective",
        _ => true,
    }
}

/// Whether a change can make an operation invalid. A constraint is not validated. A field whose type
/// is narrowed can conflict with another field of the same response key. An operation that is not valid
/// under the old schema can use what no valid operation can.
fn can_invalidate(change: &Change) -> bool {
    match change.kind {
        Kind::FieldTypeChanged => true,
        kind if kind.name().starts_with("DIRECTIVE_USAGE_") => change.reason == rule::ONE_OF_ADDED.reason,
        // By the rules, since a policy can set another level.
        _ => {
            let breaks = |rule: &Rule| rule.level == Level::Breaking && rule.reason == change.reason;
            Rule::ALL.iter().any(breaks) || UNUSABLE.contains(&change.reason)
        }
    }
}

/// The coordinate that an operation uses if the change concerns it: a new required input concerns
/// every use of its owner.
fn coordinate_in_use(change: &Change) -> &str {
    let coordinate = change.coordinate.as_str();
    let owner_end = match change.kind {
        Kind::FieldArgumentAdded | Kind::DirectiveArgumentAdded => coordinate.find('('),
        Kind::InputFieldAdded => coordinate.find('.'),
        _ => None,
    };
    &coordinate[..owner_end.unwrap_or(coordinate.len())]
}
