//! What async-graphql executes of a valid document: one operation, reduced to its root fields.
//!
//! They are collected as the specification says (`CollectFields`, section 6.3.2), and what is selected
//! below them is planned: both once for all requests, unless it depends on variables.

use std::{
    cell::Cell,
    collections::{HashMap, HashSet},
    sync::Arc,
};

use apollo_compiler::{
    Node, Schema,
    executable::{ExecutableDocument, Field, Operation, Selection, SelectionSet},
};
use async_graphql::{
    Name, Positioned, ServerResult, Value, Variables, indexmap::IndexMap, parser::types,
};

use super::to_engine::Lowering;
use crate::graphql::{
    contract::{
        Mutation, Query,
        support::{Fragments, Plans},
    },
    resolvers::Resolvers,
};

/// What is executed of a document.
pub(in crate::graphql) struct Executable {
    /// Its root fields have different response keys, and no selection sets where there are plans.
    /// Those that ask about the schema are not among them.
    pub(in crate::graphql) operation: Positioned<types::OperationDefinition>,
    pub(in crate::graphql) fragments: Fragments,
    pub(in crate::graphql) plans: Arc<Plans>,
    /// The response keys of the root fields, in the order of the document.
    pub(in crate::graphql) keys: Box<[Name]>,
    /// What is answered when nothing but `__typename` is asked: clients do so to see whether
    /// somebody is there.
    pub(in crate::graphql) constant: Option<Value>,
}

impl Executable {
    /// Reduces an operation, and says whether the same would be executed with other variables.
    pub(super) fn of(
        contract: &Schema,
        document: &ExecutableDocument,
        operation: &Node<Operation>,
        variables: &Variables,
    ) -> ServerResult<(Self, Lasting)> {
        let lowering = Lowering {
            contract,
            document,
            variables,
            depends_on_variables: Cell::new(false),
        };
        let mut collected = Collected::default();
        collected.add(&lowering, &operation.selection_set);
        let fields = collected.fields.values();
        let mut fields: Vec<_> = fields
            .filter(|(field, _)| !introspects(field))
            .map(|(field, selected)| lowering.field(field, selected))
            .collect();
        let mut fragments = lowering.fragments();
        let plans = if operation.is_mutation() {
            Plans::take::<Mutation<Resolvers>>(&mut fields, &fragments)
        } else {
            Plans::take::<Query<Resolvers>>(&mut fields, &fragments)
        };
        if !fields.iter().any(selects) {
            fragments = HashMap::new();
        }
        let executable = Self {
            plans: Arc::new(plans?),
            keys: collected.fields.keys().map(Name::new).collect(),
            constant: collected.constant(operation),
            operation: lowering.operation(operation, fields),
            fragments,
        };
        let lasting = if lowering.depends_on_variables.get() {
            Lasting::ThisRequest
        } else {
            Lasting::EveryRequest
        };
        Ok((executable, lasting))
    }
}

/// For which requests an operation is reduced to the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Lasting {
    /// Variables decide about parts of it.
    ThisRequest,
    /// All that bring the same document.
    EveryRequest,
}

/// Root fields by their response keys, each with everything that is selected of it.
#[derive(Default)]
struct Collected<'a> {
    fields: IndexMap<&'a str, (&'a Node<Field>, Vec<&'a SelectionSet>)>,
    visited: HashSet<&'a str>,
}

impl<'a> Collected<'a> {
    /// Type conditions hold: a root type is an object type, and the document is valid.
    fn add(&mut self, lowering: &Lowering<'a>, set: &'a SelectionSet) {
        for selection in &set.selections {
            if !lowering.includes(selection.directives()) {
                continue;
            }
            match selection {
                Selection::Field(field) => {
                    let key = field.response_key().as_str();
                    let (_, selected) = self.fields.entry(key).or_insert((field, Vec::new()));
                    selected.push(&field.selection_set);
                }
                Selection::InlineFragment(fragment) => self.add(lowering, &fragment.selection_set),
                Selection::FragmentSpread(spread) => {
                    let fragment = lowering.document.fragments.get(&spread.fragment_name);
                    if let Some(fragment) = fragment
                        && self.visited.insert(spread.fragment_name.as_str())
                    {
                        self.add(lowering, &fragment.selection_set);
                    }
                }
            }
        }
    }

    fn constant(&self, operation: &Operation) -> Option<Value> {
        let members = self.fields.iter().map(|(key, (field, _))| {
            let name = operation.object_type().as_str();
            (field.name == "__typename").then(|| (Name::new(key), Value::from(name)))
        });
        members.collect::<Option<_>>().map(Value::Object)
    }
}

/// Whether a root field asks about the schema.
pub(super) fn introspects(field: &Field) -> bool {
    matches!(field.name.as_str(), "__schema" | "__type")
}

fn selects(selection: &Positioned<types::Selection>) -> bool {
    match &selection.node {
        types::Selection::Field(field) => !field.node.selection_set.node.items.is_empty(),
        _ => true,
    }
}
