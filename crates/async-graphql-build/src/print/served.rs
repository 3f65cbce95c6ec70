//! What is served of the file beyond the types of fields, and the directives that resolvers can read.

use super::{
    docs::is_published,
    objects::structure,
    registered::{argument_info, default, table},
    source::Source,
};
use crate::{
    model::{Contract, Definition, Directive, Header, Implementation, InputObject, Object},
    name,
};

/// The arguments of a directive that a guard or resolvers read.
pub(super) fn directive(source: &mut Source, directive: &Directive) {
    let header = &directive.header;
    let arguments = directive.arguments.iter();
    structure(source, header, arguments.map(|argument| (&argument.header, &*argument.ty.rust)));
    if !directive.is_executable {
        return;
    }
    source.line(&format!("impl {} {{", header.ident));
    source.doc("Those on the field that is resolved, then those on its operation.");
    source.lines(&format!(
        "pub fn of(ctx: &async_graphql::Context<'_>) -> Result<Vec<Self>, async_graphql::Error> {{
            support::applied(ctx, {:?}).map(|of| Ok(Self {{",
        header.name
    ));
    for argument in &directive.arguments {
        let Header { ident, name, .. } = &argument.header;
        let default = default(argument);
        source.line(&format!("{ident}: of.param_value({name:?}, {default})?.1,"));
    }
    source.lines("})).collect()\n}\n}");
}

/// What `build` registers.
pub(super) fn served(source: &mut Source, contract: &Contract) {
    source.line("static SERVED: support::Served = support::Served {");
    let is_root = |object: &Object| matches!(object.implementation, Implementation::Root);
    let types = contract.definitions.iter();
    let types = types.filter(|definition| !matches!(definition, Definition::Object(object) if is_root(object)));
    let mut types: Vec<_> = types.collect();
    types.sort_by_key(|definition| !matches!(definition, Definition::Object(_)));
    table(source, "types", &types, |source, definition| {
        let Header { ident, name, .. } = definition.header();
        source.line(&match definition {
            Definition::Object(Object { implementation: Implementation::Subscription, .. }) => {
                format!("|registry| support::register_fields(registry, &{}),", name::info_ident(name))
            }
            Definition::Object(_) | Definition::Abstract(_) => {
                format!("<{ident} as async_graphql::OutputType>::create_type_info,")
            }
            _ => format!("<{ident} as async_graphql::InputType>::create_type_info,"),
        });
    });
    table(source, "directives", &contract.directives, directive_info);
    source.line("texts: &[");
    for definition in &contract.definitions {
        texts(source, definition);
    }
    source.lines("],\n};");
}

fn directive_info(source: &mut Source, directive: &Directive) {
    let Header { name, description, .. } = &directive.header;
    let locations = directive.locations.iter();
    let locations: Vec<_> =
        locations.map(|location| format!("async_graphql::registry::__DirectiveLocation::{location}")).collect();
    source.lines(&format!(
        "support::DirectiveInfo {{
            name: {name:?},
            description: {description:?},
            locations: &[{}],
            is_repeatable: {},",
        locations.join(", "),
        directive.is_repeatable
    ));
    table(source, "arguments", &directive.arguments, argument_info);
    source.line("},");
}

/// The texts of a type that async-graphql's macros change.
fn texts(source: &mut Source, definition: &Definition) {
    let header = definition.header();
    let ty = &*header.name;
    match definition {
        Definition::Scalar(scalar) => {
            text(source, [ty, ""], header, scalar.specified_by.as_deref());
        }
        Definition::Enum(definition) => {
            changed(source, [ty, ""], header, None);
            for value in &definition.values {
                changed(source, [ty, &value.name], value, None);
            }
        }
        Definition::InputObject(InputObject { fields, .. }) => {
            changed(source, [ty, ""], header, None);
            for field in fields {
                let default = field.default.as_ref().map(|default| &*default.sdl);
                changed(source, [ty, &field.header.name], &field.header, default);
            }
        }
        Definition::Object(_) | Definition::Abstract(_) => {}
    }
}

/// A text, unless it is published as it is.
fn changed(source: &mut Source, of: [&str; 2], header: &Header, value: Option<&str>) {
    let description = header.description.as_deref();
    if value.is_some() || !description.is_none_or(is_published) {
        text(source, of, header, value);
    }
}

fn text(source: &mut Source, of: [&str; 2], header: &Header, value: Option<&str>) {
    let description = &header.description;
    source.line(&format!("support::Described {{ of: {of:?}, description: {description:?}, value: {value:?} }},"));
}
