//! Estimates the cost of an operation: one for each field, multiplied by the maximum length of the lists
//! that contain it. A page costs at least its size, because all of it is read.

use apollo_compiler::{ast, executable::Field};
use async_graphql::{Name, Positioned};
use async_graphql_value::Value;

/// What is known of the size of the lists and values of a schema. The argument `count` limits the length of a list, and
/// `first` that of the lists in the fields of a page.
#[derive(Clone, Copy, Debug)]
pub struct CostModel {
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
        Self { list_limit: 1000, text_characters: 1000, items: None }
    }
}

/// The arguments that are the size of a list, and of the lists in the fields of a page.
const LIST_SIZE: &str = "count";
const PAGE_SIZE: &str = "first";

/// More than the name of a type and its separators take in a response.
const TYPE_NAME_BYTES: u64 = 256;

/// The arguments of a field, without variables.
pub(super) type Arguments = Vec<(Positioned<Name>, Positioned<Value>)>;

/// The estimates of an operation or of a part of it.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Estimate {
    /// The cost without introspection, whose cost is counted while it is answered.
    pub(crate) cost: u64,
    /// An upper bound of the size of the response in bytes.
    pub(crate) bytes: u64,
    /// The items that its fields process one by one.
    pub(crate) items: u64,
}

impl Estimate {
    pub(super) fn plus(self, other: Self) -> Self {
        Self {
            cost: self.cost.saturating_add(other.cost),
            bytes: self.bytes.saturating_add(other.bytes),
            items: self.items.saturating_add(other.items),
        }
    }

    pub(super) fn max(self, other: Self) -> Self {
        Self { cost: self.cost.max(other.cost), bytes: self.bytes.max(other.bytes), items: self.items.max(other.items) }
    }
}

/// A field whose cost is estimated.
pub(super) struct SizedField<'a> {
    model: &'a CostModel,
    field: &'a Field,
    arguments: &'a Arguments,
    /// The maximum length of the lists of the page that the field is, if it is one.
    page_size: Option<u64>,
}

impl<'a> SizedField<'a> {
    pub(super) fn new(model: &'a CostModel, field: &'a Field, arguments: &'a Arguments) -> Self {
        let mut sized = Self { model, field, arguments, page_size: None };
        sized.page_size = sized.page_size();
        sized
    }

    /// The maximum length of the lists in the value of the field that have no size of their own.
    pub(super) fn list_limit(&self) -> u64 {
        self.page_size.unwrap_or(self.model.list_limit.into())
    }

    /// The estimate with that of the selections. The field, if it is a list without a size, has at most `list_limit` items.
    pub(super) fn estimate(&self, selections: Estimate, list_limit: u64) -> Estimate {
        let key_bytes = self.field.response_key().len() as u64;
        if self.field.name.starts_with("__") {
            return Estimate { bytes: TYPE_NAME_BYTES + key_bytes, cost: 0, items: 0 };
        }
        let (items, item_cost) = self.items().map_or((None, 0), |(items, cost)| (Some(items), cost));
        let count = items.unwrap_or_else(|| self.max_length(list_limit));
        // A resolver reads the whole page, whatever is selected of it.
        let nested = selections.cost.max(self.page_size.unwrap_or(0));
        // A character takes up to six bytes (`\u0001`), separators the rest.
        let value_bytes = 6 * self.model.text_characters as u64 + 16 + key_bytes;
        Estimate {
            cost: nested.saturating_add(1 + item_cost).saturating_mul(count),
            bytes: selections.bytes.saturating_add(value_bytes).saturating_mul(count),
            items: selections.items.saturating_add(items.unwrap_or(0)),
        }
    }

    /// The number of items that the field processes one by one, at most the limit, because a resolver refuses more; and the
    /// cost of each.
    fn items(&self) -> Option<(u64, u64)> {
        let items = self.model.items?;
        self.field.definition.argument_by_name(items.name)?;
        let count = match self.argument(items.name) {
            None | Some(Value::Null) => 0,
            Some(Value::List(items)) => items.len() as u64,
            // A value that is not a list is a list of it.
            Some(_) => 1,
        };
        Some((count.min(items.limit.into()), items.item_cost.into()))
    }

    /// The maximum number of values of the field: 1, or the size argument of a list, or the list limit.
    fn max_length(&self, list_limit: u64) -> u64 {
        if !self.field.ty().is_list() {
            return 1;
        }
        // A resolver refuses a size that is negative or above the list limit.
        let size = self.size(LIST_SIZE);
        size.map_or(list_limit, |size| u64::try_from(size).unwrap_or(0).min(list_limit))
    }

    /// The size of a page, or its default size, or the list limit. `None` for other fields.
    fn page_size(&self) -> Option<u64> {
        let list_limit = u64::from(self.model.list_limit);
        let definition = self.field.definition.argument_by_name(PAGE_SIZE)?;
        if self.field.ty().is_list() {
            return None;
        }
        let default = match definition.default_value.as_deref() {
            Some(ast::Value::Int(size)) => size.try_to_i32().ok().map(i64::from),
            _ => None,
        };
        let size = self.size(PAGE_SIZE);
        let is_in_bounds = |size: i64| (0..=list_limit.cast_signed()).contains(&size);
        // A resolver refuses it, and its error is more precise than one about the cost.
        if size.is_some_and(|given| size != default && !is_in_bounds(given)) {
            return Some(0);
        }
        let size = size.or(default).map(i64::unsigned_abs);
        Some(size.map_or(list_limit, |size| size.min(list_limit)))
    }

    /// The value of an argument that is a size, if it is given and not null.
    fn size(&self, argument: &str) -> Option<i64> {
        match self.argument(argument)? {
            Value::Number(size) => size.as_i64(),
            _ => None,
        }
    }

    fn argument(&self, name: &str) -> Option<&Value> {
        let mut arguments = self.arguments.iter();
        let found = arguments.find(|(argument, _)| argument.node == name);
        found.map(|(_, value)| &value.node)
    }
}
