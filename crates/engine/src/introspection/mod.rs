//! Introspection, `__schema` and `__type`, selected from the description of the contract, with limits of cost and response
//! size: introspection types refer to each other, so a short query can select a response of any size.

mod definitions;
mod description;

use apollo_compiler::{
    executable::Field as ValidField,
    response::{JsonMap, JsonValue},
};
use async_graphql::{
    Name, PathSegment, ServerError, Value as ConstValue, Variables,
    parser::types::{Field, Selection, SelectionSet},
};
use async_graphql_value::Value;
use indexmap::IndexMap;

pub(super) use self::{definitions::schema, description::Description};
use crate::{conditions::null_argument, json, merged_operation::MergedOperation};

/// Whether clients may query `__schema` and `__type`.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Introspection {
    /// Introspection is enabled.
    On,
    /// Introspection is refused.
    Off,
}

/// Whether a root field is `__schema` or `__type`.
pub(crate) fn is_introspection(field: &ValidField) -> bool {
    matches!(field.name.as_str(), "__schema" | "__type")
}

/// The result of `__schema` and `__type`.
#[derive(Default)]
pub(super) struct Introspected {
    /// The fields as JSON.
    pub(super) members: IndexMap<Name, Vec<u8>>,
    pub(super) errors: Vec<ServerError>,
}

impl Introspected {
    pub(super) fn bytes(&self) -> usize {
        self.members.values().map(Vec::len).sum()
    }
}

/// The limits of the introspection of a request.
#[derive(Clone, Copy)]
pub(super) struct Limits {
    /// The maximum cost: the number of fields of all objects.
    pub(super) cost: u64,
    /// The maximum size of the JSON in bytes.
    pub(super) bytes: usize,
}

/// Why a field cannot be selected.
enum Failure {
    LimitExceeded,
    /// An argument whose type is non-null is null.
    Null(ServerError),
}

/// Selects the introspection fields of an operation. Returns the result, unless it exceeds a limit, and its cost; the cost
/// is at most one more than the limit.
pub(super) fn introspect(
    description: &Description,
    operation: &MergedOperation,
    variables: &Variables,
    limits: Limits,
) -> (Option<Introspected>, u64) {
    let (mut selected, mut cost) = (Introspected::default(), 0);
    for root in &operation.root_fields {
        let Some(field) = &root.introspection else {
            continue;
        };
        let mut selecting = Selecting {
            description,
            variables,
            limits: Limits {
                cost: limits.cost - cost,
                bytes: limits.bytes.saturating_sub(selected.bytes()),
            },
            cost: 0,
            json: Vec::new(),
        };
        let found = selecting.root(field);
        cost += selecting.cost;
        match found {
            Ok(()) => drop(selected.members.insert(root.key.clone(), selecting.json)),
            Err(Failure::LimitExceeded) => return (None, cost),
            Err(Failure::Null(mut error)) => {
                error.path = vec![PathSegment::Field(root.key.to_string())];
                selected.errors.push(error);
            }
        }
    }
    (Some(selected), cost)
}

struct Selecting<'a> {
    description: &'a Description,
    variables: &'a Variables,
    limits: Limits,
    cost: u64,
    json: Vec<u8>,
}

impl Selecting<'_> {
    fn root(&mut self, field: &Field) -> Result<(), Failure> {
        let description = self.description;
        let set = &field.selection_set.node;
        if field.name.node == "__schema" {
            return self.value(&description.root, "__Schema", set);
        }
        let name = match self.argument(field, "name", "String!")? {
            Some(ConstValue::String(name)) => description.types.get(&name),
            _ => None,
        };
        self.value(name.unwrap_or(&JsonValue::Null), "__Type", set)
    }

    /// Writes the selected fields of a value of this type. Merged selections of introspection types, which are objects, have
    /// no fragments.
    fn value(&mut self, value: &JsonValue, ty: &str, set: &SelectionSet) -> Result<(), Failure> {
        match value {
            JsonValue::Array(items) => self.list(items.iter(), ty, set)?,
            JsonValue::Object(object) => {
                let description = self.description;
                let is_type = ty == "__Type";
                let object = if is_type {
                    description.described(object)
                } else {
                    object
                };
                self.json.push(b'{');
                for (index, selection) in set.items.iter().enumerate() {
                    if let Selection::Field(field) = &selection.node {
                        self.separate(index);
                        self.field(object, ty, &field.node)?;
                    }
                }
                self.json.push(b'}');
            }
            leaf => json::write_leaf(leaf, &mut self.json),
        }
        if self.json.len() > self.limits.bytes {
            return Err(Failure::LimitExceeded);
        }
        Ok(())
    }

    fn list<'i>(
        &mut self,
        items: impl Iterator<Item = &'i JsonValue>,
        ty: &str,
        set: &SelectionSet,
    ) -> Result<(), Failure> {
        self.json.push(b'[');
        for (index, item) in items.enumerate() {
            self.separate(index);
            self.value(item, ty, set)?;
        }
        self.json.push(b']');
        Ok(())
    }

    fn field(&mut self, object: &JsonMap, ty: &str, field: &Field) -> Result<(), Failure> {
        self.cost += 1;
        if self.cost > self.limits.cost {
            return Err(Failure::LimitExceeded);
        }
        json::write_leaf(field.response_key().node.as_str(), &mut self.json);
        self.json.push(b':');
        let (name, set) = (field.name.node.as_str(), &field.selection_set.node);
        if name == "__typename" {
            json::write_leaf(ty, &mut self.json);
            return Ok(());
        }
        let value = object.get(name).unwrap_or(&JsonValue::Null);
        let ty = match name {
            "directives" => "__Directive",
            "fields" => "__Field",
            "args" | "inputFields" => "__InputValue",
            "enumValues" => "__EnumValue",
            _ => "__Type",
        };
        if matches!(name, "fields" | "args" | "inputFields" | "enumValues")
            && self.argument(field, "includeDeprecated", "Boolean!")? != Some(true.into())
            && let JsonValue::Array(items) = value
        {
            let current = items.iter().filter(|item| item["isDeprecated"] != true);
            return self.list(current, ty, set);
        }
        self.value(value, ty, set)
    }

    fn argument(&self, field: &Field, name: &str, ty: &str) -> Result<Option<ConstValue>, Failure> {
        let Some(argument) = field.get_argument(name) else {
            return Ok(None);
        };
        match &argument.node {
            Value::Variable(variable) => match self.variables.get(variable) {
                Some(ConstValue::Null) => {
                    let of = (name, &*field.name.node, ty);
                    Err(Failure::Null(null_argument(of, variable, argument.pos)))
                }
                value => Ok(value.cloned()),
            },
            literal => Ok(literal.clone().into_const()),
        }
    }

    fn separate(&mut self, index: usize) {
        if index > 0 {
            self.json.push(b',');
        }
    }
}

#[cfg(test)]
mod tests;
