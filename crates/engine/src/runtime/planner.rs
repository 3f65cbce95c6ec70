//! Collects the fields of introspection.

use std::{cell::Cell, collections::HashSet};

use apollo_compiler::{
    Node, Schema, ast,
    executable::{ExecutableDocument, Field, Selection, SelectionSet},
    parser::SourceSpan,
};
use async_graphql::{ServerError, Variables};
use indexmap::IndexMap;
use schema::LineIndex;

use crate::{
    conditions::{includes, null_argument},
    position::position,
};

pub(crate) struct Planner<'a> {
    pub(crate) contract: &'a Schema,
    pub(crate) document: &'a ExecutableDocument,
    pub(crate) lines: &'a LineIndex,
    pub(crate) variables: &'a Variables,
    invalid: Cell<Option<ServerError>>,
    selections: Cell<u64>,
}

impl<'a> Planner<'a> {
    pub(crate) fn new(
        contract: &'a Schema,
        document: &'a ExecutableDocument,
        lines: &'a LineIndex,
        variables: &'a Variables,
    ) -> Self {
        Self {
            contract,
            document,
            lines,
            variables,
            invalid: Cell::new(None),
            selections: Cell::new(0),
        }
    }

    pub(crate) fn selections(&self) -> u64 {
        self.selections.get()
    }

    pub(crate) fn take_invalid(&self) -> Option<ServerError> {
        self.invalid.take()
    }

    pub(crate) fn collect(
        &self,
        sets: &[&'a SelectionSet],
        conditions: Option<&[&str]>,
    ) -> CollectedFields<'a> {
        let mut collected = CollectedFields::default();
        for set in sets {
            collected.add(self, conditions, set);
        }
        collected
    }

    fn count(&self, _: &Selection) {
        self.selections.set(self.selections.get() + 1);
    }

    /// Sets the error of a non-null argument whose variable is null, unless there is an error.
    pub(crate) fn null_argument(
        &self,
        (argument, of): (&str, &str),
        variable: &str,
        location: Option<SourceSpan>,
    ) {
        let pos = location.map(|span| position(self.lines, span));
        let error = || null_argument((argument, of), variable, pos.unwrap_or_default());
        let first = self.take_invalid().unwrap_or_else(error);
        self.invalid.set(Some(first));
    }

    fn includes(&self, directives: &ast::DirectiveList) -> bool {
        includes(directives, |directive, name, location| {
            let value = self.variables.get(name);
            if let Some(async_graphql::Value::Boolean(value)) = value {
                return *value;
            }
            let of = format!("@{}", directive.name);
            self.null_argument(("if", &of), name, location);
            false
        })
    }
}

/// The fields of an object by their response keys, each with its selection sets to merge.
#[derive(Default)]
pub(crate) struct CollectedFields<'a> {
    pub(crate) fields: IndexMap<&'a str, (&'a Node<Field>, Vec<&'a SelectionSet>)>,
    /// Each fragment is visited once, because expanding nested fragments takes exponential time.
    visited: HashSet<&'a str>,
}

impl<'a> CollectedFields<'a> {
    fn add(&mut self, planner: &Planner<'a>, conditions: Option<&[&str]>, set: &'a SelectionSet) {
        let applies = |ty: &str| conditions.is_none_or(|conditions| conditions.contains(&ty));
        for selection in &set.selections {
            planner.count(selection);
            if !planner.includes(selection.directives()) {
                continue;
            }
            match selection {
                Selection::Field(field) => {
                    let key = field.response_key().as_str();
                    let (_, selected) = self.fields.entry(key).or_insert((field, Vec::new()));
                    selected.push(&field.selection_set);
                }
                Selection::InlineFragment(fragment) => {
                    if fragment
                        .type_condition
                        .as_ref()
                        .is_none_or(|ty| applies(ty))
                    {
                        self.add(planner, conditions, &fragment.selection_set);
                    }
                }
                Selection::FragmentSpread(spread) => {
                    let fragment = planner.document.fragments.get(&spread.fragment_name);
                    if let Some(fragment) = fragment
                        && self.visited.insert(spread.fragment_name.as_str())
                        && applies(fragment.type_condition())
                    {
                        self.add(planner, conditions, &fragment.selection_set);
                    }
                }
            }
        }
    }
}
