//! Finds the changes because of which an operation is not valid any more.

use std::collections::{BTreeSet, HashMap};

use apollo_compiler::{Schema, ast::OperationType, parser::SourceSpan};

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

/// A change of what the operation uses at a span.
struct Candidate<'a> {
    change: usize,
    span: SourceSpan,
    key: Option<&'a str>,
    /// Whether it can only prevent that fields with the same response key are merged.
    only_conflicts: bool,
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
        let candidates: Vec<Candidate> =
            uses.iter().flat_map(|used| self.candidates(used)).collect();
        let mut found = BTreeSet::new();
        for reason in invalid {
            let Some(span) = reason.span else { continue };
            if reason.is_conflict {
                let is_field =
                    |used: &&Use| matches!(used.used, Used::Field(..)) && used.span == span;
                let key = uses.iter().find(is_field).and_then(|used| used.key);
                let conflicting = candidates
                    .iter()
                    .filter(|candidate| key.is_some() && candidate.key == key);
                found.extend(conflicting.map(|candidate| candidate.change));
                continue;
            }
            // The nearest: a removed field rather than the changed type of the field around it.
            let around = || {
                let candidates = candidates.iter();
                candidates.filter(|one| !one.only_conflicts && contains(one.span, span))
            };
            let nearest = around().map(|candidate| candidate.span.node_len()).min();
            let nearest = around().filter(|one| Some(one.span.node_len()) == nearest);
            found.extend(nearest.map(|candidate| candidate.change));
        }
        if found.is_empty() {
            found.extend(candidates.iter().map(|candidate| candidate.change));
        }
        found.into_iter().collect()
    }

    fn candidates<'u>(&self, at: &Use<'u>) -> impl Iterator<Item = Candidate<'u>> {
        let changes = self.by_coordinate.get(&*at.used.coordinate());
        let Use {
            used,
            span,
            key,
            is_omitted,
        } = *at;
        let is_affected = move |index: &usize| {
            let kind = self.changes[*index].kind;
            match used {
                Used::Root(operation) => kind == root_kind(operation),
                _ if is_omitted => {
                    let input = used.input(self.new);
                    input.is_some_and(|input| input.is_required())
                }
                _ => true,
            }
        };
        let indices = changes.into_iter().flatten().copied();
        indices.filter(is_affected).map(move |change| Candidate {
            change,
            span,
            key,
            only_conflicts: self.is_same_named_type(&self.changes[change], used),
        })
    }

    /// Whether the type of a field changed only in its lists and in where it is null.
    fn is_same_named_type(&self, change: &Change, used: Used) -> bool {
        let Used::Field(ty, field, named) = used else {
            return false;
        };
        let new = self.new.type_field(ty, field);
        change.kind == Kind::FieldTypeChanged
            && new.is_ok_and(|new| new.ty.inner_named_type() == named)
    }
}

/// Whether a span is inside of another one.
pub(super) fn contains(outer: SourceSpan, inner: SourceSpan) -> bool {
    outer.file_id() == inner.file_id()
        && outer.offset() <= inner.offset()
        && inner.end_offset() <= outer.end_offset()
}

fn root_kind(operation: OperationType) -> Kind {
    match operation {
        OperationType::Query => Kind::SchemaQueryTypeChanged,
        OperationType::Mutation => Kind::SchemaMutationTypeChanged,
        OperationType::Subscription => Kind::SchemaSubscriptionTypeChanged,
    }
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
