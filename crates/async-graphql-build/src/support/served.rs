//! What async-graphql serves of the file beyond the types of fields: other types, directives, and the texts that its macros
//! change.

use std::borrow::Cow;

use async_graphql::{
    ContextSelectionSet, ObjectType, OutputType, Positioned, Schema, SchemaBuilder, ServerResult, SubscriptionType,
    Value,
    parser::types::Field,
    registry::{__DirectiveLocation, MetaDirective, MetaType, Registry},
};

use super::{
    omitted::OmittedVariables,
    registered::{FieldInfo, Register, registered_arguments},
};

/// What the file defines.
pub struct Served {
    /// All types except the root types of queries and mutations, objects first.
    pub types: &'static [Register],
    pub directives: &'static [DirectiveInfo],
    pub texts: &'static [Described],
}

/// A directive of the file.
pub struct DirectiveInfo {
    pub name: &'static str,
    pub description: Option<&'static str>,
    pub locations: &'static [__DirectiveLocation],
    pub arguments: &'static [FieldInfo],
    pub is_repeatable: bool,
}

/// A type or a part of it, of which async-graphql's macros change the texts.
pub struct Described {
    /// Its name, and that of the part, which is empty for the type.
    pub of: [&'static str; 2],
    pub description: Option<&'static str>,
    /// The default value, or what specifies a scalar.
    pub value: Option<&'static str>,
}

/// Begins a schema that has everything that the file defines. Else like `async_graphql::Schema::build`.
pub fn build<Q, M, S>(query: Q, mutation: M, subscription: S) -> SchemaBuilder<Q, M, S>
where
    Q: ObjectType + 'static,
    M: ObjectType + 'static,
    S: SubscriptionType + 'static,
{
    Schema::build(query, mutation, subscription).register_output_type::<Everything>().extension(OmittedVariables)
}

/// Registers what the file defines. It is no type of its own.
struct Everything;

impl OutputType for Everything {
    fn type_name() -> Cow<'static, str> {
        Cow::Borrowed("Everything")
    }

    fn create_type_info(registry: &mut Registry) -> String {
        let served = &super::super::SERVED;
        for register in served.types {
            let known = registry.types.len();
            let name = register(registry);
            let is_new = registry.types.len() > known;
            let added = registry.types.get_mut(name.trim_end_matches('!'));
            let added = added.filter(|_| is_new);
            // Introspection leaves out an object that no field returns, unless it has a key of federation.
            if let Some(MetaType::Object { keys, resolvable, .. }) = added {
                *keys = Some(vec!["__typename".to_owned()]);
                *resolvable = false;
            }
        }
        for directive in served.directives {
            let args = registered_arguments(registry, directive.arguments);
            registry.add_directive(MetaDirective {
                name: directive.name.to_owned(),
                description: directive.description.map(str::to_owned),
                locations: directive.locations.to_vec(),
                args,
                is_repeatable: directive.is_repeatable,
                visible: None,
                composable: None,
            });
        }
        for text in served.texts {
            restore(registry, text);
        }
        Self::type_name().into_owned()
    }

    async fn resolve(&self, _: &ContextSelectionSet<'_>, _: &Positioned<Field>) -> ServerResult<Value> {
        Ok(Value::Null)
    }
}

/// Replaces what a macro has registered by the text of the file.
fn restore(registry: &mut Registry, text: &Described) -> Option<()> {
    let [of, part] = text.of;
    let value = text.value.map(str::to_owned);
    let ty = registry.types.get_mut(of)?;
    let description = match ty {
        MetaType::Scalar { description, specified_by_url, .. } => {
            *specified_by_url = value;
            description
        }
        MetaType::Enum { description, .. } | MetaType::InputObject { description, .. } if part.is_empty() => {
            description
        }
        MetaType::Enum { enum_values, .. } => &mut enum_values.get_mut(part)?.description,
        MetaType::InputObject { input_fields, .. } => {
            let field = input_fields.get_mut(part)?;
            field.default_value = value;
            &mut field.description
        }
        _ => return None,
    };
    *description = text.description.map(str::to_owned);
    Some(())
}
