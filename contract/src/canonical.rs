//! The one form of a contract: what of it a client can see, without layout and in one order.
//!
//! Two contracts have the same canonical form, and so the same [`crate::Hash`], exactly if no client can
//! tell them apart by reading them. Descriptions, deprecations and applied directives belong to it;
//! comments, white space, the order of definitions, of fields, of arguments and of values, and
//! whether something is said in a definition or in an extension of it do not. What GraphQL itself
//! defines is left out, and what it implies (`schema { query: Query }`, the reason that
//! `@deprecated` has of its own) is written out. The form is SDL again.

use std::{fmt, fmt::Write};

use apollo_compiler::{
    Name, Node,
    ast::{Directive, DirectiveDefinition, FieldDefinition, InputValueDefinition, Value},
    schema::{Component, ExtendedType},
};

use crate::Schema;

/// The directives that GraphQL defines.
const BUILT_IN_DIRECTIVES: [&str; 5] = ["deprecated", "include", "oneOf", "skip", "specifiedBy"];

/// The scalars that GraphQL defines.
const BUILT_IN_SCALARS: [&str; 5] = ["Boolean", "Float", "ID", "Int", "String"];

/// The reason of a `@deprecated` without one.
const NO_REASON: &str = "No longer supported";

/// The canonical form of a contract, as SDL.
pub fn canonical(schema: &Schema) -> String {
    let schema = schema.tree();
    let mut text = String::new();
    head(&mut text, schema);
    let mut directives: Vec<_> = schema.directive_definitions.values().collect();
    directives.retain(|directive| !BUILT_IN_DIRECTIVES.contains(&directive.name.as_str()));
    directives.sort_by_key(|directive| &directive.name);
    for directive in directives {
        directive_definition(&mut text, directive);
    }
    let mut types: Vec<_> = schema.types.values().collect();
    types.retain(|definition| !is_built_in(definition.name()));
    types.sort_by_key(|definition| definition.name());
    for definition in types {
        type_definition(&mut text, definition);
    }
    text
}

fn is_built_in(name: &Name) -> bool {
    name.starts_with("__") || BUILT_IN_SCALARS.contains(&name.as_str())
}

fn head(text: &mut String, schema: &apollo_compiler::Schema) {
    let definition = &schema.schema_definition;
    description(text, definition.description.as_ref());
    text.push_str("schema");
    applied(
        text,
        definition
            .directives
            .iter()
            .map(|directive| &directive.node),
    );
    text.push_str(" {\n");
    for (operation, root) in schema.schema_definition.iter_root_operations() {
        line(text, format_args!("{operation}: {}", root.name));
    }
    text.push_str("}\n");
}

fn directive_definition(text: &mut String, directive: &DirectiveDefinition) {
    description(text, directive.description.as_ref());
    push(text, format_args!("directive @{}", directive.name));
    arguments(text, &directive.arguments);
    if directive.repeatable {
        text.push_str(" repeatable");
    }
    let mut locations: Vec<_> = directive.locations.iter().map(|at| at.name()).collect();
    locations.sort_unstable();
    locations.dedup();
    line(text, format_args!(" on {}", locations.join(" | ")));
}

fn type_definition(text: &mut String, definition: &ExtendedType) {
    description(text, definition.description());
    let keyword = match definition {
        ExtendedType::Scalar(_) => "scalar",
        ExtendedType::Object(_) => "type",
        ExtendedType::Interface(_) => "interface",
        ExtendedType::Union(_) => "union",
        ExtendedType::Enum(_) => "enum",
        ExtendedType::InputObject(_) => "input",
    };
    push(text, format_args!("{keyword} {}", definition.name()));
    let interfaces = match definition {
        ExtendedType::Object(object) => sorted_names(object.implements_interfaces.iter()),
        ExtendedType::Interface(interface) => sorted_names(interface.implements_interfaces.iter()),
        _ => Vec::new(),
    };
    if !interfaces.is_empty() {
        push(text, format_args!(" implements {}", interfaces.join(" & ")));
    }
    applied(
        text,
        definition
            .directives()
            .iter()
            .map(|directive| &directive.node),
    );
    match definition {
        ExtendedType::Scalar(_) => text.push('\n'),
        ExtendedType::Object(object) => fields(text, object.fields.values()),
        ExtendedType::Interface(interface) => fields(text, interface.fields.values()),
        ExtendedType::Union(union) => {
            let members = sorted_names(union.members.iter());
            line(text, format_args!(" = {}", members.join(" | ")));
        }
        ExtendedType::Enum(of) => {
            let mut values: Vec<_> = of.values.values().collect();
            values.sort_by_key(|value| &value.value);
            text.push_str(" {\n");
            for value in values {
                description(text, value.description.as_ref());
                text.push_str(&value.value);
                applied(text, value.directives.iter());
                text.push('\n');
            }
            text.push_str("}\n");
        }
        ExtendedType::InputObject(input) => {
            let mut fields: Vec<_> = input.fields.values().collect();
            fields.sort_by_key(|field| &field.name);
            text.push_str(" {\n");
            for field in fields {
                input_value(text, field);
            }
            text.push_str("}\n");
        }
    }
}

fn sorted_names<'a>(
    names: impl Iterator<Item = &'a apollo_compiler::schema::ComponentName>,
) -> Vec<&'a str> {
    let mut names: Vec<_> = names.map(|name| name.name.as_str()).collect();
    names.sort_unstable();
    names
}

fn fields<'a>(text: &mut String, fields: impl Iterator<Item = &'a Component<FieldDefinition>>) {
    let mut fields: Vec<_> = fields.collect();
    fields.sort_by_key(|field| &field.name);
    text.push_str(" {\n");
    for field in fields {
        description(text, field.description.as_ref());
        text.push_str(&field.name);
        arguments(text, &field.arguments);
        push(text, format_args!(": {}", field.ty));
        applied(text, field.directives.iter());
        text.push('\n');
    }
    text.push_str("}\n");
}

fn arguments(text: &mut String, arguments: &[Node<InputValueDefinition>]) {
    if arguments.is_empty() {
        return;
    }
    let mut arguments: Vec<_> = arguments.iter().collect();
    arguments.sort_by_key(|argument| &argument.name);
    text.push_str("(\n");
    for argument in arguments {
        input_value(text, argument);
    }
    text.push(')');
}

fn input_value(text: &mut String, input: &InputValueDefinition) {
    description(text, input.description.as_ref());
    push(text, format_args!("{}: {}", input.name, input.ty));
    if let Some(default) = &input.default_value {
        text.push_str(" = ");
        value(text, default);
    }
    applied(text, input.directives.iter());
    text.push('\n');
}

/// The order of directives may matter to whoever reads them, so it is kept.
fn applied<'a>(text: &mut String, directives: impl Iterator<Item = &'a Node<Directive>>) {
    for directive in directives {
        push(text, format_args!(" @{}", directive.name));
        let mut given: Vec<_> = directive.arguments.iter().collect();
        given.sort_by_key(|argument| &argument.name);
        if directive.name == "deprecated" && given.is_empty() {
            push(text, format_args!("(reason: {NO_REASON:?})"));
        }
        for (position, argument) in given.iter().enumerate() {
            text.push_str(if position == 0 { "(" } else { ", " });
            push(text, format_args!("{}: ", argument.name));
            value(text, &argument.value);
        }
        if !given.is_empty() {
            text.push(')');
        }
    }
}

fn value(text: &mut String, of: &Value) {
    match of {
        Value::Null => text.push_str("null"),
        Value::Enum(name) => text.push_str(name),
        Value::Variable(name) => push(text, format_args!("${name}")),
        Value::String(characters) => string(text, characters),
        Value::Float(number) => push(text, format_args!("{number}")),
        Value::Int(number) => push(text, format_args!("{number}")),
        Value::Boolean(yes) => push(text, format_args!("{yes}")),
        Value::List(items) => {
            text.push('[');
            for (position, item) in items.iter().enumerate() {
                text.push_str(if position == 0 { "" } else { ", " });
                value(text, item);
            }
            text.push(']');
        }
        Value::Object(members) => {
            let mut members: Vec<_> = members.iter().collect();
            members.sort_by_key(|(name, _)| name);
            text.push('{');
            for (position, (name, member)) in members.into_iter().enumerate() {
                text.push_str(if position == 0 { "" } else { ", " });
                push(text, format_args!("{name}: "));
                value(text, member);
            }
            text.push('}');
        }
    }
}

fn description(text: &mut String, of: Option<&Node<str>>) {
    if let Some(words) = of {
        string(text, words);
        text.push('\n');
    }
}

/// JSON escapes the same characters as GraphQL in the same ways.
fn string(text: &mut String, characters: &str) {
    let quoted = serde_json::to_string(characters).expect("every text is a JSON string");
    text.push_str(&quoted);
}

fn line(text: &mut String, words: fmt::Arguments<'_>) {
    push(text, words);
    text.push('\n');
}

fn push(text: &mut String, words: fmt::Arguments<'_>) {
    text.write_fmt(words).expect("a text can grow");
}

#[cfg(test)]
mod tests;
