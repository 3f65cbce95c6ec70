//! The introspection schema of the September 2025 edition of the GraphQL specification (section 4.2).
//! apollo-compiler 1.33 has that of October 2021: `__Type.isOneOf` is missing, and `includeDeprecated`
//! and the reason of `@deprecated` may be null.

use apollo_compiler::{
    Schema,
    ast::{DirectiveList, FieldDefinition, InputValueDefinition},
    name,
    schema::{Component, ExtendedType},
    ty,
    validation::Valid,
};

/// The contract with the introspection schema.
pub(crate) fn schema(contract: &::schema::Schema) -> Valid<Schema> {
    let mut schema = contract.tree().clone().into_inner();
    for (name, definition) in &mut schema.types {
        let ExtendedType::Object(object) = definition else {
            continue;
        };
        if !name.starts_with("__") {
            continue;
        }
        let fields = &mut object.make_mut().fields;
        for field in fields.values_mut() {
            for argument in &mut field.make_mut().arguments {
                make_required(argument.make_mut(), "includeDeprecated");
            }
        }
        if name == "__Type" {
            fields.insert(name!("isOneOf"), is_one_of_field());
        }
    }
    if let Some(deprecated) = schema.directive_definitions.get_mut("deprecated") {
        for argument in &mut deprecated.make_mut().arguments {
            make_required(argument.make_mut(), "reason");
        }
    }
    Valid::assume_valid(schema)
}

fn make_required(argument: &mut InputValueDefinition, name: &str) {
    if argument.name == name {
        let required = argument.ty.as_ref().clone().non_null();
        argument.ty = required.into();
    }
}

fn is_one_of_field() -> Component<FieldDefinition> {
    Component::new(FieldDefinition {
        description: None,
        name: name!("isOneOf"),
        arguments: Vec::new(),
        ty: ty!(Boolean),
        directives: DirectiveList::new(),
    })
}
