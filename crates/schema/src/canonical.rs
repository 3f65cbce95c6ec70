//! Writes the canonical form of a schema; [`crate::Schema::canonical`] specifies it.

use std::{fmt, fmt::Write};

use apollo_compiler::{
    Node, Schema,
    ast::{Directive, DirectiveDefinition, FieldDefinition, InputValueDefinition, Value},
    schema::{Component, ExtendedType},
};

use crate::built_in;

/// The canonical form of a schema, as SDL.
pub(crate) fn canonical(schema: &Schema) -> String {
    let mut text = String::new();
    schema_definition(&mut text, schema);
    let mut directives: Vec<_> = schema.directive_definitions.values().collect();
    directives.retain(|directive| !built_in::is_directive(&directive.name));
    directives.sort_by_key(|directive| &directive.name);
    for directive in directives {
        directive_definition(&mut text, directive);
    }
    let mut types: Vec<_> = schema.types.values().collect();
    types.retain(|definition| !built_in::is_type(definition.name()));
    types.sort_by_key(|definition| definition.name());
    for definition in types {
        type_definition(&mut text, definition);
    }
    text
}

fn schema_definition(text: &mut String, schema: &Schema) {
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
        ExtendedType::Enum(enumeration) => {
            let mut values: Vec<_> = enumeration.values.values().collect();
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

/// The order of directives can be significant, so it is kept.
fn applied<'a>(text: &mut String, directives: impl Iterator<Item = &'a Node<Directive>>) {
    for directive in directives {
        push(text, format_args!(" @{}", directive.name));
        let mut given: Vec<_> = directive.arguments.iter().collect();
        given.sort_by_key(|argument| &argument.name);
        if directive.name == "deprecated" && given.is_empty() {
            push(
                text,
                format_args!("(reason: {:?})", built_in::DEPRECATION_REASON),
            );
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

fn value(text: &mut String, node: &Value) {
    match node {
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

fn description(text: &mut String, node: Option<&Node<str>>) {
    if let Some(characters) = node {
        string(text, characters);
        text.push('\n');
    }
}

/// JSON escapes the same characters as GraphQL in the same ways.
fn string(text: &mut String, characters: &str) {
    let quoted = serde_json::to_string(characters).expect("every text is a JSON string");
    text.push_str(&quoted);
}

fn line(text: &mut String, content: fmt::Arguments<'_>) {
    push(text, content);
    text.push('\n');
}

fn push(text: &mut String, content: fmt::Arguments<'_>) {
    text.write_fmt(content).expect("a text can grow");
}

#[cfg(test)]
mod tests;
