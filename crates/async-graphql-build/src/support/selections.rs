//! The fields that are selected of an object.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use async_graphql::{
    ContextSelectionSet, Name, Positioned,
    parser::types::{Field, FragmentDefinition, Selection, SelectionSet},
};

/// Selection sets that are merged.
pub struct Selections<'a> {
    pub(super) fragments: &'a HashMap<Name, Positioned<FragmentDefinition>>,
    pub(super) sets: Vec<&'a SelectionSet>,
}

/// A field with the selection sets of all fields that have its response key.
pub(super) struct Selected<'a> {
    pub(super) field: &'a Positioned<Field>,
    pub(super) sets: Vec<&'a SelectionSet>,
}

impl<'a> Selections<'a> {
    pub(super) fn of(ctx: &ContextSelectionSet<'a>) -> Self {
        Self { fragments: &ctx.query_env.fragments, sets: vec![&ctx.item.node] }
    }

    /// Collects the fields that apply to an object type (GraphQL specification, sections 6.3.2 and 6.3.3,
    /// `CollectFields` and `CollectSubfields`). async-graphql has evaluated `@skip` and `@include`.
    pub(super) fn collect(&self, conditions: &[&str]) -> Vec<Selected<'a>> {
        let mut collection = Collection {
            fragments: self.fragments,
            conditions,
            positions: BTreeMap::new(),
            visited: BTreeSet::new(),
            fields: Vec::new(),
        };
        for set in &self.sets {
            collection.add(set);
        }
        collection.fields
    }
}

struct Collection<'a, 'c> {
    fragments: &'a HashMap<Name, Positioned<FragmentDefinition>>,
    conditions: &'c [&'c str],
    /// The positions of the fields by their response keys.
    positions: BTreeMap<&'a Name, usize>,
    visited: BTreeSet<&'a Name>,
    fields: Vec<Selected<'a>>,
}

impl<'a> Collection<'a, '_> {
    fn add(&mut self, set: &'a SelectionSet) {
        for selection in &set.items {
            match &selection.node {
                Selection::Field(field) => self.add_field(field),
                Selection::InlineFragment(inline) => {
                    let condition = inline.node.type_condition.as_ref();
                    if condition.is_none_or(|condition| self.applies(&condition.node.on.node)) {
                        self.add(&inline.node.selection_set.node);
                    }
                }
                Selection::FragmentSpread(spread) => {
                    let name = &spread.node.fragment_name.node;
                    let fragment = self.fragments.get(name).map(|fragment| &fragment.node);
                    let applies = |fragment: &&FragmentDefinition| self.applies(&fragment.type_condition.node.on.node);
                    let fragment = fragment.filter(applies);
                    if let Some(fragment) = fragment.filter(|_| self.visited.insert(name)) {
                        self.add(&fragment.selection_set.node);
                    }
                }
            }
        }
    }

    fn add_field(&mut self, field: &'a Positioned<Field>) {
        let (next, set) = (self.fields.len(), &field.node.selection_set.node);
        let position = self.positions.entry(&field.node.response_key().node);
        let position = *position.or_insert(next);
        if position == next {
            let sets = Vec::new();
            self.fields.push(Selected { field, sets });
        }
        if !set.items.is_empty() {
            self.fields[position].sets.push(set);
        }
    }

    fn applies(&self, condition: &str) -> bool {
        self.conditions.contains(&condition)
    }
}
