//! What async-graphql registers: tables of what the file says, and implementations of its trait `OutputType`.

use super::source::Source;
use crate::{
    model::{Abstract, Default, Field, Header, Input, Object, Reference, TypeRef},
    name,
};

pub(super) fn object_info(source: &mut Source, object: &Object) {
    let (header, fields) = (&object.header, &object.fields);
    info(source, header, "Object", &object.interfaces, &[], &object.conditions, fields);
}

/// An interface or union.
pub(super) fn abstract_type(source: &mut Source, definition: &Abstract) {
    let Abstract { header, kind, interfaces, fields, members, is_resolved } = definition;
    info(source, header, kind, interfaces, members, &[], fields);
    output_type(source, header, "", &header.ident, *is_resolved);
}

/// What is registered of a type.
fn info(
    source: &mut Source,
    header: &Header,
    kind: &str,
    interfaces: &[Reference],
    members: &[Reference],
    conditions: &[String],
    fields: &[Field],
) {
    let (name, description) = (&header.name, &header.description);
    source.lines(&format!(
        "static {}: support::TypeInfo = support::TypeInfo {{
            kind: async_graphql::registry::MetaTypeId::{kind},
            name: {name:?},
            description: {description:?},",
        name::info_ident(name)
    ));
    table(source, "interfaces", interfaces, reference);
    table(source, "possible_types", members, reference);
    source.line(&format!("conditions: &{conditions:?},"));
    table(source, "fields", fields, field_info);
    source.line("};");
}

/// A member that is a slice, with lines for each item.
pub(super) fn table<T>(source: &mut Source, member: &str, items: &[T], item: fn(&mut Source, &T)) {
    if items.is_empty() {
        source.line(&format!("{member}: &[],"));
        return;
    }
    source.line(&format!("{member}: &["));
    for each in items {
        item(source, each);
    }
    source.line("],");
}

fn reference(source: &mut Source, Reference { name, rust, .. }: &Reference) {
    source.line(&format!("({name:?}, <{rust} as async_graphql::OutputType>::create_type_info),"));
}

fn field_info(source: &mut Source, field: &Field) {
    described(source, &field.header, &field.ty, "Output");
    if !field.arguments.is_empty() {
        source.line(".arguments(&[");
        for argument in &field.arguments {
            argument_info(source, argument);
        }
        source.line("])");
    }
    if let Some(expression) = &field.complexity {
        // No argument and no static has these names.
        source.line(".complexity(|__0, __1, __2, child_complexity| {");
        for argument in &field.arguments {
            source.line(&format!(
                "let {}: {} = __0.param_value(__1, __2, {:?}, {})?;",
                argument.header.ident,
                argument.ty.rust,
                argument.header.name,
                default(argument)
            ));
        }
        source.line(&format!("Ok({expression})"));
        source.line("})");
    }
    source.comma();
}

pub(super) fn argument_info(source: &mut Source, argument: &Input) {
    described(source, &argument.header, &argument.ty, "Input");
    if let Some(Default { sdl, rust }) = &argument.default {
        source.line(&format!(".default({sdl:?}, || {{ let _: {} = {rust}; }})", argument.ty.rust));
    }
    source.comma();
}

/// What fields and arguments have in common.
fn described(source: &mut Source, header: &Header, TypeRef { sdl, named, .. }: &TypeRef, kind: &str) {
    source.line(&format!(
        "support::FieldInfo::new({:?}, {sdl:?}, <{named} as async_graphql::{kind}Type>::create_type_info)",
        header.name
    ));
    if let Some(description) = &header.description {
        source.line(&format!(".description({description:?})"));
    }
    if let Some(reason) = &header.deprecated {
        source.line(&format!(".deprecated({reason:?})"));
    }
}

/// The default value as a function.
pub(super) fn default(argument: &Input) -> String {
    let default = argument.default.as_ref();
    default.map_or_else(|| "None".to_owned(), |default| format!("Some(|| {})", default.rust))
}

/// Implements `OutputType` for a Rust type. Its interfaces are registered with it.
pub(super) fn output_type(source: &mut Source, header: &Header, generics: &str, rust: &str, is_resolved: bool) {
    let (name, info) = (&header.name, name::info_ident(&header.name));
    let (field, resolve) = if is_resolved {
        ("field", "support::Complete::complete(self, ctx, field)")
    } else {
        ("_", "::std::future::ready(support::written(self, ctx))")
    };
    source.lines(&format!(
        "impl{generics} async_graphql::OutputType for {rust} {{
            fn type_name() -> ::std::borrow::Cow<'static, str> {{
                ::std::borrow::Cow::Borrowed({name:?})
            }}
            fn create_type_info(registry: &mut async_graphql::registry::Registry) -> String {{
                support::register::<Self>(registry, &{info})
            }}
            fn resolve(
                &self,
                ctx: &async_graphql::ContextSelectionSet<'_>,
                {field}: &async_graphql::Positioned<async_graphql::parser::types::Field>,
            ) -> impl ::std::future::Future<Output = async_graphql::ServerResult<async_graphql::Value>> + Send {{
                {resolve}
            }}
        }}"
    ));
}
