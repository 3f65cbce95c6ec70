//! Finds the changes because of which an operation is not valid any more.

use std::collections::{BTreeSet, HashMap};

use apollo_compiler::{Schema, parser::SourceSpan};

use super::{
    Invalidity,
    walk::{Use, Used},
};
use crate::{Change, ChangeKind as Kind, Level, rule};

/// The changes that can make an operation invalid, by coordinate.
pub(super) struct Causes<'a> {
    new: &'a Schema,
    changes: &'a [Change],
    by_coordinate: HashMap<&'a str, Vec<usize>>,
}

impl<'a> Causes<'a> {
    pub(super) fn new(new: &'a Schema, changes: &'a [Change]) -> Self {
        let mut by_coordinate: HashMap<&str, Vec<usize>> = HashMap::new();
        for (index, change) in changes.iter().enumerate() {
            if can_invalidate(change) {
                let coordinate = coordinate_in_use(change);
                by_coordinate.entry(coordinate).or_default().push(index);
            }
        }
        Self {
            new,
            changes,
            by_coordinate,
        }
    }

    /// The coordinates of the changes.
    pub(super) fn coordinates(&self) -> impl Iterator<Item = &'a str> {
        self.by_coordinate.keys().copied()
    }

    /// The changes that explain why an operation is invalid. `uses` are those under the old schema.
    pub(super) fn find(&self, uses: &[Use], invalid: &[Invalidity]) -> Vec<usize> {
        let candidates: Vec<(usize, &Use)> = uses
            .iter()
            .flat_map(|at| self.changes_of(at).map(move |change| (change, at)))
            .collect();
        let mut found = BTreeSet::new();
        for reason in invalid {
            let Some(span) = reason.span else { continue };
            if reason.is_conflict {
                let is_field = |at: &&Use| matches!(at.used, Used::Field(..)) && at.span == span;
                let key = uses.iter().find(is_field).and_then(|at| at.key);
                let conflicting = candidates.iter();
                let conflicting = conflicting.filter(|(_, at)| key.is_some() && at.key == key);
                found.extend(conflicting.map(|(change, _)| change));
                continue;
            }
            // The nearest: a removed field rather than the changed type of the field around it.
            let around = || {
                candidates.iter().filter(|(change, at)| {
                    contains(at.span, span) && !self.is_same_named_type(*change, at.used)
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
    fn changes_of(&self, at: &Use) -> impl Iterator<Item = usize> {
        let changes = self.by_coordinate.get(&*at.used.coordinate());
        let Use {
            used, is_omitted, ..
        } = *at;
        let is_affected = move |index: &usize| match used {
            Used::Root(operation) => self.changes[*index].kind == Kind::of_root(operation),
            _ if is_omitted => {
                let input = used.input(self.new);
                input.is_some_and(|input| input.is_required())
            }
            _ => true,
        };
        changes.into_iter().flatten().copied().filter(is_affected)
    }

    /// Whether the type of a field changed only in its lists and in where it is null, which can only
    /// prevent that fields with the same response key are merged.
    fn is_same_named_type(&self, change: usize, used: Used) -> bool {
        let Used::Field(ty, field, named) = used else {
            return false;
        };
        let new = self.new.type_field(ty, field);
        self.changes[change].kind == Kind::FieldTypeChanged
            && new.is_ok_and(|new| new.ty.inner_named_type() == named)
    }
}

/// Whether a span is inside of another one.
pub(super) fn contains(outer: SourceSpan, inner: SourceSpan) -> bool {
    outer.file_id() == inner.file_id()
        && outer.offset() <= inner.offset()
        && inner.end_offset() <= outer.end_offset()
}

/// Whether a change can make an operation invalid. A constraint is not validated. A field whose type
/// is narrowed can conflict with another field of the same response key.
fn can_invalidate(change: &Change) -> bool {
    match change.kind {
        Kind::FieldTypeChanged => true,
        kind if kind.name().starts_with("DIRECTIVE_USAGE_") => {
            change.reason == rule::ONE_OF_ADDED.reason
        }
        _ => change.level == Level::Breaking,
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
