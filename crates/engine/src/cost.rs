//! Estimates the cost of an operation: one for each field, multiplied by the maximum length of the lists
//! that contain it. A page costs at least its size, because all of it is read.

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

/// The estimates of an operation or of a part of it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Estimates {
    /// The cost without introspection, whose cost is counted during execution.
    pub(super) cost: u64,
    /// An upper bound of the size of the response in bytes.
    pub(super) bytes: u64,
}

impl Estimates {
    fn zip(self, other: Self, combine: impl Fn(u64, u64) -> u64) -> Self {
        Self {
            cost: combine(self.cost, other.cost),
            bytes: combine(self.bytes, other.bytes),
        }
    }

    fn plus(self, other: Self) -> Self {
        self.zip(other, u64::saturating_add)
    }

    fn times(self, count: u64) -> Self {
        self.zip(self, |estimate, _| estimate.saturating_mul(count))
    }
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

    /// The estimates of an operation.
    pub(super) fn estimates(&self, operation: &'a Operation) -> Estimates {
        let list_limit = self.model.list_limit.into();
        self.selections(&operation.selection_set, list_limit, &mut HashMap::new())
    }

    /// Whether an estimate depended on a variable.
    pub(super) fn reads_variables(&self) -> bool {
        self.reads_variables.get()
    }

    /// The estimates of one value of a field, without its selections.
    fn value(&self, field: &Field) -> Estimates {
        let key_bytes = field.response_key().len() as u64;
        if is_meta(field) {
            return Estimates {
                bytes: TYPE_NAME_BYTES + key_bytes,
                ..Estimates::default()
            };
        }
        let items = self.model.items.filter(|_| self.items(field).is_some());
        Estimates {
            cost: 1 + items.map_or(0, |items| items.item_cost.into()),
            bytes: self.model.value_bytes() + key_bytes,
        }
    }

    /// The sum of a selection set, in which a list without a size has at most `list_limit` items. Each fragment is
    /// estimated once for each limit, because expanding nested fragments takes exponential time.
    fn selections(
        &self,
        set: &'a SelectionSet,
        list_limit: u64,
        fragments: &mut HashMap<(&'a str, u64), Estimates>,
    ) -> Estimates {
        let estimates = set.selections.iter().map(|selection| match selection {
            Selection::Field(field) if is_meta(field) => self.value(field),
            Selection::Field(field) => {
                let page_size = self.page_size(field);
                let below = page_size.unwrap_or(self.model.list_limit.into());
                let mut nested = self.selections(&field.selection_set, below, fragments);
                // A resolver reads the whole page, whatever is selected of it.
                nested.cost = nested.cost.max(page_size.unwrap_or(0));
                let value = nested.plus(self.value(field));
                value.times(self.max_length(field, list_limit))
            }
            Selection::InlineFragment(fragment) => {
                self.selections(&fragment.selection_set, list_limit, fragments)
            }
            Selection::FragmentSpread(spread) => {
                let name = spread.fragment_name.as_str();
                if let Some(estimates) = fragments.get(&(name, list_limit)) {
                    return *estimates;
                }
                let fragment = self.document.fragments.get(name);
                let estimates = fragment.map_or_else(Estimates::default, |fragment| {
                    self.selections(&fragment.selection_set, list_limit, fragments)
                });
                fragments.insert((name, list_limit), estimates);
                estimates
            }
        });
        estimates.fold(Estimates::default(), Estimates::plus)
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

    /// The maximum length of the lists of a page: its size, or its default size, or the list limit. `None` for
    /// other fields.
    fn page_size(&self, field: &Field) -> Option<u64> {
        let list_limit = u64::from(self.model.list_limit);
        let argument = self.model.page_size_argument;
        let definition = field.definition.argument_by_name(argument)?;
        if field.ty().is_list() {
            return None;
        }
        let default = match definition.default_value.as_deref() {
            Some(Value::Int(size)) => size.try_to_i32().ok().map(i64::from),
            _ => None,
        };
        Some(match self.size(field, argument) {
            // A resolver refuses it, and its error is more precise than one about the cost.
            Some(size)
                if Some(size) != default && !(0..=list_limit.cast_signed()).contains(&size) =>
            {
                0
            }
            size => size
                .or(default)
                .map_or(list_limit, |size| size.unsigned_abs().min(list_limit)),
        })
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
