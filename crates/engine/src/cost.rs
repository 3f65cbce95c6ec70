//! Estimates the cost of an operation: one for each field, multiplied by the maximum length of the lists
//! that contain it.

use std::{cell::Cell, collections::HashMap};

use apollo_compiler::{
    ast::Value,
    executable::{ExecutableDocument, Field, Operation, Selection, SelectionSet},
};
use async_graphql::Variables;

/// What a service knows of the size of its lists and values.
#[derive(Clone, Copy, Debug)]
pub struct CostModel {
    /// The argument that limits the length of a list.
    pub list_size_argument: &'static str,
    /// The argument that limits the length of the lists in the fields of a page.
    pub page_size_argument: &'static str,
    /// The maximum length of a list.
    pub list_limit: u32,
    /// The maximum length of a text in characters.
    pub text_characters: usize,
    /// The argument whose items a field processes one by one, if there is one.
    pub items: Option<ItemsArgument>,
}

/// An argument with a list whose items a field processes one by one. A field that returns a list returns
/// one value for each item.
#[derive(Clone, Copy, Debug)]
pub struct ItemsArgument {
    /// Its name.
    pub name: &'static str,
    /// The maximum number of items; a resolver refuses more.
    pub limit: u32,
    /// The cost of an item, in addition to that of its field.
    pub item_cost: u32,
}

impl Default for CostModel {
    fn default() -> Self {
        Self {
            list_size_argument: "count",
            page_size_argument: "first",
            list_limit: 1000,
            text_characters: 1000,
            items: None,
        }
    }
}

impl CostModel {
    /// An upper bound of the JSON of a leaf value and its separators: a character takes up to six bytes
    /// (`\u0001`).
    fn value_bytes(self) -> u64 {
        6 * self.text_characters as u64 + 16
    }
}

/// More than the name of a type and its separators take in a response.
const TYPE_NAME_BYTES: u64 = 256;

/// The estimates of an operation.
#[derive(Clone, Copy, Debug)]
pub(super) struct Estimates {
    /// Its cost without introspection.
    pub(super) cost: u64,
    /// The number of items that a mutation processes one by one.
    pub(super) items: u64,
    /// An upper bound of the response of a mutation, which must not lose its response after it was executed.
    pub(super) mutation_bytes: Option<u64>,
}

/// Estimates the cost of operations.
pub(super) struct CostEstimator<'a> {
    document: &'a ExecutableDocument,
    variables: &'a Variables,
    model: CostModel,
    reads_variables: Cell<bool>,
}

impl<'a> CostEstimator<'a> {
    pub(super) fn new(
        document: &'a ExecutableDocument,
        variables: &'a Variables,
        model: CostModel,
    ) -> Self {
        let reads_variables = Cell::new(false);
        Self {
            document,
            variables,
            model,
            reads_variables,
        }
    }

    /// All estimates of an operation.
    pub(super) fn estimates(&self, operation: &'a Operation) -> Estimates {
        let is_mutation = operation.is_mutation();
        Estimates {
            cost: self.cost(operation),
            items: if is_mutation {
                self.total_items(operation)
            } else {
                0
            },
            mutation_bytes: is_mutation.then(|| self.max_bytes(operation)),
        }
    }

    /// Whether an estimate depended on a variable.
    pub(super) fn reads_variables(&self) -> bool {
        self.reads_variables.get()
    }

    /// The cost of an operation without introspection, whose cost is counted during execution.
    fn cost(&self, operation: &'a Operation) -> u64 {
        self.sum(operation, |field| {
            match (self.model.items, self.items(field)) {
                _ if is_meta(field) => 0,
                (Some(items), Some(_)) => 1 + u64::from(items.item_cost),
                _ => 1,
            }
        })
    }

    /// The number of items that the fields of an operation process one by one.
    fn total_items(&self, operation: &'a Operation) -> u64 {
        self.sum(operation, |field| self.items(field).is_some().into())
    }

    /// An upper bound of the size of the response in bytes.
    fn max_bytes(&self, operation: &'a Operation) -> u64 {
        self.sum(operation, |field| {
            let value_bytes = if is_meta(field) {
                TYPE_NAME_BYTES
            } else {
                self.model.value_bytes()
            };
            value_bytes + field.response_key().len() as u64
        })
    }

    fn sum(&self, operation: &'a Operation, field_cost: impl Fn(&Field) -> u64 + Copy) -> u64 {
        let list_limit = self.model.list_limit.into();
        self.selections(
            &operation.selection_set,
            list_limit,
            field_cost,
            &mut HashMap::new(),
        )
    }

    /// The sum of a selection set, in which a list without a size has at most `list_limit` items. Each fragment is
    /// estimated once for each limit, because expanding nested fragments takes exponential time.
    fn selections(
        &self,
        set: &'a SelectionSet,
        list_limit: u64,
        field_cost: impl Fn(&Field) -> u64 + Copy,
        fragment_costs: &mut HashMap<(&'a str, u64), u64>,
    ) -> u64 {
        let costs = set.selections.iter().map(|selection| match selection {
            Selection::Field(field) if is_meta(field) => field_cost(field),
            Selection::Field(field) => {
                let nested = self.selections(
                    &field.selection_set,
                    self.page_size(field),
                    field_cost,
                    fragment_costs,
                );
                self.max_length(field, list_limit)
                    .saturating_mul(nested.saturating_add(field_cost(field)))
            }
            Selection::InlineFragment(fragment) => {
                let set = &fragment.selection_set;
                self.selections(set, list_limit, field_cost, fragment_costs)
            }
            Selection::FragmentSpread(spread) => {
                let name = spread.fragment_name.as_str();
                if let Some(cost) = fragment_costs.get(&(name, list_limit)) {
                    return *cost;
                }
                let fragment = self.document.fragments.get(name);
                let cost = fragment.map_or(0, |fragment| {
                    let set = &fragment.selection_set;
                    self.selections(set, list_limit, field_cost, fragment_costs)
                });
                fragment_costs.insert((name, list_limit), cost);
                cost
            }
        });
        costs.fold(0, u64::saturating_add)
    }

    /// The number of items that a field processes one by one: at most the limit, because a resolver refuses more.
    fn items(&self, field: &Field) -> Option<u64> {
        let ItemsArgument { name, limit, .. } = self.model.items?;
        field.definition.argument_by_name(name)?;
        let count = match field.specified_argument_by_name(name).map(|value| &**value) {
            None | Some(Value::Null) => 0,
            Some(Value::List(items)) => items.len(),
            Some(Value::Variable(variable)) => match self.variable(variable) {
                None | Some(async_graphql::Value::Null) => 0,
                Some(async_graphql::Value::List(items)) => items.len(),
                Some(_) => 1,
            },
            // A value that is not a list is a list of it.
            Some(_) => 1,
        };
        Some((count as u64).min(limit.into()))
    }

    /// The maximum number of values of a field: 1, or the number of its items, or the size argument of a list, or the
    /// list limit.
    fn max_length(&self, field: &Field, list_limit: u64) -> u64 {
        if let Some(items) = self.items(field) {
            return items;
        }
        if !field.ty().is_list() {
            return 1;
        }
        // A resolver refuses a size that is negative or above the list limit.
        let size = self.size(field, self.model.list_size_argument);
        size.map_or(list_limit, |size| {
            u64::try_from(size).unwrap_or(0).min(list_limit)
        })
    }

    /// The maximum length of the lists below a field: the size or default size of a page, or the list limit.
    fn page_size(&self, field: &Field) -> u64 {
        let list_limit = self.model.list_limit.into();
        let argument = self.model.page_size_argument;
        let definition = match field.definition.argument_by_name(argument) {
            Some(definition) if !field.ty().is_list() => definition,
            _ => return list_limit,
        };
        let default = match definition.default_value.as_deref() {
            Some(Value::Int(size)) => size.try_to_i32().ok().map(i64::from),
            _ => None,
        };
        match self.size(field, argument) {
            // A resolver refuses it, and its error is more precise than one about the cost.
            Some(size)
                if Some(size) != default && !(0..=list_limit.cast_signed()).contains(&size) =>
            {
                0
            }
            size => size
                .or(default)
                .map_or(list_limit, |size| size.unsigned_abs().min(list_limit)),
        }
    }

    fn variable(&self, name: &str) -> Option<&async_graphql::Value> {
        self.reads_variables.set(true);
        self.variables.get(name)
    }

    /// The value of an argument that is a size, if it is given and not null.
    fn size(&self, field: &Field, argument: &str) -> Option<i64> {
        match &**field.specified_argument_by_name(argument)? {
            Value::Int(size) => size.try_to_i32().ok().map(i64::from),
            Value::Variable(name) => match self.variable(name) {
                Some(async_graphql::Value::Number(size)) => size.as_i64(),
                _ => None,
            },
            _ => None,
        }
    }
}

/// Whether a field is `__typename`, or of introspection, which has limits of its own.
fn is_meta(field: &Field) -> bool {
    field.name.starts_with("__")
}

#[cfg(test)]
mod tests;
