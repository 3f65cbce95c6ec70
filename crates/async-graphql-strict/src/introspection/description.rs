//! The introspection of a contract as JSON, from which every request selects.

use std::collections::HashMap;

use apollo_compiler::{
    ExecutableDocument,
    introspection::partial_execute,
    response::{JsonMap, JsonValue},
    schema::ExtendedType,
    validation::Valid,
};
use graphql_sdl::MAX_NESTING;

use crate::contract::Contract;

/// The introspection of a contract, by apollo-compiler.
pub(crate) struct Description {
    /// The value of `__schema`.
    pub(super) root: JsonValue,
    /// The types by name.
    pub(super) types: HashMap<String, JsonValue>,
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
    pub(super) fn described<'a>(&'a self, ty: &'a JsonMap) -> &'a JsonMap {
        let name = ty.get("name").and_then(JsonValue::as_str);
        let described = name.and_then(|name| self.types.get(name)?.as_object());
        described.unwrap_or(ty)
    }
}
