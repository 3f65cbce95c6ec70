//! A merged operation.

use async_graphql::{
    Name, ServerError, Value as ConstValue, Variables,
    parser::types::{ExecutableDocument, Field, Selection},
};
use async_graphql_value::Value;

use crate::cost::ItemsArgument;

/// An operation for async-graphql's executor.
#[derive(Debug)]
pub(crate) struct MergedOperation {
    /// The document, with this operation only.
    pub(crate) document: ExecutableDocument,
    /// The root fields, in the order of the response.
    pub(crate) root_fields: Vec<RootField>,
    /// The response keys of the root fields that create something, in the order of the response.
    pub(crate) creations: Vec<Name>,
    /// The error of a condition of a root field that is null.
    pub(crate) invalid: Option<ServerError>,
}

impl MergedOperation {
    /// Whether the executor has something to execute.
    pub(crate) fn has_fields(&self) -> bool {
        self.root_selections().next().is_some()
    }

    /// The position of a root field in the response.
    pub(crate) fn position(&self, key: &str) -> Option<usize> {
        self.root_fields.iter().position(|field| *field.key == *key)
    }

    fn root_selections(&self) -> impl Iterator<Item = &Selection> {
        let operations = self.document.operations.iter();
        let selections =
            operations.flat_map(|(_, operation)| &operation.node.selection_set.node.items);
        selections.map(|selection| &selection.node)
    }

    /// The number of items that the root fields of a mutation process: those of a list, at most its limit, because a
    /// resolver refuses more, and one for each other field.
    pub(crate) fn items(&self, items: Option<ItemsArgument>, variables: &Variables) -> u64 {
        let fields = self
            .root_selections()
            .filter_map(|selection| match selection {
                Selection::Field(field) if field.node.name.node != "__typename" => {
                    Some(&field.node)
                }
                _ => None,
            });
        let items = fields.map(|field| {
            let of_field = items.and_then(|ItemsArgument { name, limit, .. }| {
                let value = &field.get_argument(name)?.node;
                Some(length(value, variables).clamp(1, limit.into()))
            });
            of_field.unwrap_or(1)
        });
        items.sum()
    }
}

/// The length of a list; a value that is not a list is a list of it.
fn length(value: &Value, variables: &Variables) -> u64 {
    let items = match value {
        Value::List(items) => items.len(),
        Value::Variable(name) => match variables.get(name) {
            Some(ConstValue::List(items)) => items.len(),
            _ => 1,
        },
        _ => 1,
    };
    items as u64
}

/// A root field of an operation.
#[derive(Debug)]
pub(crate) struct RootField {
    /// Its response key.
    pub(crate) key: Name,
    /// Whether its type is nullable.
    pub(crate) is_nullable: bool,
    /// The error of a condition below it that is null; such a field is not executed.
    pub(crate) invalid: Option<Box<ServerError>>,
    /// Its selections, if it is `__schema` or `__type`.
    pub(crate) introspection: Option<Box<Field>>,
}
