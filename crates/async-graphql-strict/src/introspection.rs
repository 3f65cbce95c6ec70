//! Introspection, `__schema` and `__type`, selected from the description of the contract, with limits of cost and response
//! size: introspection types refer to each other, so a short query can select a response of any size.

use std::collections::HashMap;

use apollo_compiler::{
    ExecutableDocument, executable,
    introspection::partial_execute,
    response::{JsonMap, JsonValue},
    schema::ExtendedType,
    validation::Valid,
};
use async_graphql::{
    Name,
    parser::types::{Field, Selection, SelectionSet},
};
use async_graphql_value::Value;
use graphql_sdl::MAX_NESTING;
use indexmap::IndexMap;

use crate::{
    contract::Contract,
    json::{separate, write_leaf},
};

/// The introspection of a contract, by apollo-compiler.
pub(crate) struct Description {
    /// The value of `__schema`.
    root: JsonValue,
    /// The types by name.
    types: HashMap<String, JsonValue>,
}

impl Description {
    /// Describes a contract.
    pub(crate) fn new(contract: &Contract) -> Self {
        let schema = &contract.schema;
        // Every list and its items can be non-null.
        let depth = 2 * MAX_NESTING + 1;
        let reference = "ofType { kind name ".repeat(depth) + &"}".repeat(depth);
        let query = graphql_sdl::INTROSPECTION.replace("ofType { kind name }", &reference);
        // Not validated, because validation limits the nesting.
        let document = ExecutableDocument::parse(schema, query, "introspection.graphql");
        let document = Valid::assume_valid(document.expect("the query fits every schema"));
        let response = partial_execute(
            schema,
            &contract.implementers,
            &document,
            document.operations.get(None).expect("there is one"),
            &Valid::assume_valid(JsonMap::new()),
        );
        let data = response.ok().and_then(|response| response.data);
        let root = data.and_then(|mut data| data.remove("__schema"));
        let root = root.expect("every schema can be introspected");
        let described = root["types"].as_array().into_iter().flatten();
        let types = described.cloned().map(|mut described| {
            let name = described["name"].as_str().unwrap_or_default().to_owned();
            // apollo-compiler 1.33 has the introspection of October 2021.
            if let Some(ExtendedType::InputObject(input)) = schema.types.get(&*name) {
                described["isOneOf"] = input.directives.has("oneOf").into();
            }
            (name, described)
        });
        let types = types.collect();
        Self { root, types }
    }

    /// The type that a reference to a type names; wrapping types as they are.
    fn described<'a>(&'a self, ty: &'a JsonMap) -> &'a JsonMap {
        let name = ty.get("name").and_then(JsonValue::as_str);
        let described = name.and_then(|name| self.types.get(name)?.as_object());
        described.unwrap_or(ty)
    }
}

/// Whether a root field is `__schema` or `__type`.
pub(crate) fn is_introspection(field: &executable::Field) -> bool {
    matches!(field.name.as_str(), "__schema" | "__type")
}

/// The introspection fields of an operation as JSON, by response key.
pub(crate) type Introspected = IndexMap<Name, Vec<u8>>;

/// Why an introspection is incomplete: it reaches a maximum.
pub(crate) enum Exceeded {
    Cost,
    Bytes,
}

/// Selects the introspection fields of an operation up to a cost, which is the number of fields of all objects, and a size of
/// the JSON.
pub(crate) fn introspect(
    description: &Description,
    root_fields: &[(Name, Option<Field>)],
    max_cost: u64,
    max_bytes: usize,
) -> Result<Introspected, Exceeded> {
    let mut selecting = Selecting { description, cost: max_cost, bytes: max_bytes, json: Vec::new() };
    let mut introspected = Introspected::new();
    for (key, field) in root_fields {
        if let Some(field) = field {
            selecting.root(field)?;
            let json = std::mem::take(&mut selecting.json);
            selecting.bytes -= json.len();
            introspected.insert(key.clone(), json);
        }
    }
    Ok(introspected)
}

struct Selecting<'a> {
    description: &'a Description,
    /// The remaining cost and size.
    cost: u64,
    bytes: usize,
    json: Vec<u8>,
}

impl Selecting<'_> {
    fn root(&mut self, field: &Field) -> Result<(), Exceeded> {
        let (description, set) = (self.description, &field.selection_set.node);
        if field.name.node == "__schema" {
            return self.value(&description.root, "__Schema", set);
        }
        let found = match argument(field, "name") {
            Some(Value::String(name)) => description.types.get(name),
            _ => None,
        };
        self.value(found.unwrap_or(&JsonValue::Null), "__Type", set)
    }

    /// Writes the selected fields of a value of this type. Lowered selections of introspection types, which are objects, have
    /// no fragments.
    fn value(&mut self, value: &JsonValue, ty: &str, set: &SelectionSet) -> Result<(), Exceeded> {
        match value {
            JsonValue::Array(items) => self.list(items.iter(), ty, set)?,
            JsonValue::Object(object) => {
                let description = self.description;
                let object = match ty {
                    "__Type" => description.described(object),
                    _ => object,
                };
                self.json.push(b'{');
                for (index, selection) in set.items.iter().enumerate() {
                    if let Selection::Field(field) = &selection.node {
                        separate(index, &mut self.json);
                        self.field(object, ty, &field.node)?;
                    }
                }
                self.json.push(b'}');
            }
            leaf => write_leaf(leaf, &mut self.json),
        }
        if self.json.len() > self.bytes {
            return Err(Exceeded::Bytes);
        }
        Ok(())
    }

    fn list<'i>(
        &mut self,
        items: impl Iterator<Item = &'i JsonValue>,
        ty: &str,
        set: &SelectionSet,
    ) -> Result<(), Exceeded> {
        self.json.push(b'[');
        for (index, item) in items.enumerate() {
            separate(index, &mut self.json);
            self.value(item, ty, set)?;
        }
        self.json.push(b']');
        Ok(())
    }

    fn field(&mut self, object: &JsonMap, ty: &str, field: &Field) -> Result<(), Exceeded> {
        self.cost = self.cost.checked_sub(1).ok_or(Exceeded::Cost)?;
        write_leaf(field.response_key().node.as_str(), &mut self.json);
        self.json.push(b':');
        let (name, set) = (field.name.node.as_str(), &field.selection_set.node);
        if name == "__typename" {
            write_leaf(ty, &mut self.json);
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
            && argument(field, "includeDeprecated") != Some(&Value::Boolean(true))
            && let JsonValue::Array(items) = value
        {
            let current = items.iter().filter(|item| item["isDeprecated"] != true);
            return self.list(current, ty, set);
        }
        self.value(value, ty, set)
    }
}

fn argument<'f>(field: &'f Field, name: &str) -> Option<&'f Value> {
    Some(&field.get_argument(name)?.node)
}
