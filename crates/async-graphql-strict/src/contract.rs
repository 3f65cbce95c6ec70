//! The contract, with the introspection of September 2025 (GraphQL specification, section 4.2): apollo-compiler 1.33 has
//! that of October 2021.

use apollo_compiler::{
    Name, Node, Schema,
    ast::{DirectiveList, FieldDefinition, InputValueDefinition},
    collections::HashMap,
    name,
    schema::{Component, ExtendedType, Implementers},
    ty,
    validation::Valid,
};

/// The contract of the schema.
pub(crate) struct Contract {
    pub(crate) schema: Valid<Schema>,
    pub(crate) implementers: HashMap<Name, Implementers>,
    /// Whether clients may see its names, by introspection and in suggestions of errors.
    pub(crate) is_public: bool,
}

/// Makes the type of an argument with this name non-null.
fn non_null(argument: &mut Node<InputValueDefinition>, name: &str) {
    if argument.name == name {
        let argument = argument.make_mut();
        argument.ty = Node::new(argument.ty.as_ref().clone().non_null());
    }
}

impl Contract {
    pub(crate) fn new(contract: &graphql_sdl::Schema, is_public: bool) -> Self {
        let mut schema = contract.tree().clone().into_inner();
        if let Some(ExtendedType::Object(object)) = schema.types.get_mut("__Type") {
            let field = FieldDefinition {
                description: None,
                name: name!("isOneOf"),
                arguments: Vec::new(),
                ty: ty!(Boolean),
                directives: DirectiveList::new(),
            };
            let fields = &mut object.make_mut().fields;
            fields.insert(name!("isOneOf"), Component::new(field));
        }
        for ty in schema.types.values_mut() {
            if let ExtendedType::Object(object) = ty
                && object.name.starts_with("__")
            {
                for field in object.make_mut().fields.values_mut() {
                    for argument in &mut field.make_mut().arguments {
                        non_null(argument, "includeDeprecated");
                    }
                }
            }
        }
        if let Some(directive) = schema.directive_definitions.get_mut("deprecated") {
            for argument in &mut directive.make_mut().arguments {
                non_null(argument, "reason");
            }
        }
        Self { implementers: schema.implementers_map(), schema: Valid::assume_valid(schema), is_public }
    }
}
