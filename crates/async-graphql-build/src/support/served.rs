//! What async-graphql serves of the file beyond the types of fields: other types, directives, and the texts that its macros
//! change.

use std::borrow::Cow;

use async_graphql::{
    ContextSelectionSet, CustomDirective, CustomDirectiveFactory, Directive, ObjectType,
    OutputType, Positioned, Schema, SchemaBuilder, ServerResult, SubscriptionType, Value,
    parser::types::Field,
    registry::{__DirectiveLocation, MetaDirective, MetaType, Registry},
};

use super::{
    omitted::OmittedVariables,
    registered::{InputInfo, Register, registered_arguments},
};

/// What the file defines.
pub struct Served {
    /// All types except the root types, objects first.
    pub types: &'static [Register],
    pub directives: &'static [DirectiveInfo],
    pub texts: &'static [Described],
}

/// A directive of the file.
pub struct DirectiveInfo {
    pub name: &'static str,
    pub description: Option<&'static str>,
    pub locations: &'static [__DirectiveLocation],
    pub arguments: &'static [InputInfo],
    pub is_repeatable: bool,
}

/// A type, a part of it or an argument of a part, of which async-graphql's macros change the texts.
pub struct Described {
    /// The names, which are empty for what it is not a part of.
    pub of: [&'static str; 3],
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
    Schema::build(query, mutation, subscription)
        .register_output_type::<Everything>()
        .extension(OmittedVariables)
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
            if let Some(MetaType::Object {
                keys, resolvable, ..
            }) = added
            {
                *keys = Some(vec!["__typename".to_owned()]);
                *resolvable = false;
            }
        }
        for directive in served.directives {
            let mut registered = template();
            directive.name.clone_into(&mut registered.name);
            registered.description = directive.description.map(str::to_owned);
            registered.locations = directive.locations.to_vec();
            registered.is_repeatable = directive.is_repeatable;
            registered.args = registered_arguments(registry, directive.arguments);
            registry.add_directive(registered);
        }
        for text in served.texts {
            restore(registry, text);
        }
        Self::type_name().into_owned()
    }

    async fn resolve(
        &self,
        _: &ContextSelectionSet<'_>,
        _: &Positioned<Field>,
    ) -> ServerResult<Value> {
        Ok(Value::Null)
    }
}

struct Template;

impl CustomDirective for Template {}

#[Directive(name = "template", location = "Field")]
fn template_directive() -> impl CustomDirective {
    Template
}

/// What async-graphql's macro registers of a directive, as the types of `registered`.
fn template() -> MetaDirective {
    let mut registry = Registry::default();
    template_directive.register(&mut registry);
    let template = registry.directives.remove("template");
    template.expect("it is registered")
}

/// Replaces what a macro has registered by the text of the file.
fn restore(registry: &mut Registry, text: &Described) -> Option<()> {
    let [of, part, argument] = text.of;
    let value = text.value.map(str::to_owned);
    let ty = registry.types.get_mut(of)?;
    let description = match ty {
        MetaType::Scalar {
            description,
            specified_by_url,
            ..
        } => {
            *specified_by_url = value;
            description
        }
        MetaType::Enum { description, .. } | MetaType::InputObject { description, .. }
            if part.is_empty() =>
        {
            description
        }
        MetaType::Enum { enum_values, .. } => &mut enum_values.get_mut(part)?.description,
        MetaType::InputObject { input_fields, .. } => {
            let field = input_fields.get_mut(part)?;
            field.default_value = value;
            &mut field.description
        }
        MetaType::Object { description, .. } if part.is_empty() => description,
        MetaType::Object { fields, .. } if argument.is_empty() => {
            &mut fields.get_mut(part)?.description
        }
        MetaType::Object { fields, .. } => {
            let argument = fields.get_mut(part)?.args.get_mut(argument)?;
            argument.default_value = value;
            &mut argument.description
        }
        _ => return None,
    };
    *description = text.description.map(str::to_owned);
    Some(())
}
