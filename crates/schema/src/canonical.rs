//! Writes the canonical form of a schema; [`crate::Schema::canonical`] specifies it.

use apollo_compiler::{
    Name, Node, Schema,
    ast::{Directive, DirectiveDefinition, FieldDefinition, InputValueDefinition, Value},
    collections::{IndexMap, IndexSet},
    schema::{ComponentName, EnumValueDefinition, ExtendedType, SchemaDefinition},
};

use crate::built_in;

/// The canonical form of a schema, as SDL.
pub(crate) fn canonical(schema: &Schema) -> String {
    let directives = schema.directive_definitions.iter();
    let directives = directives.filter(|(name, _)| !built_in::is_directive(name));
    let types = schema.types.iter();
    let types = types.filter(|(name, _)| !built_in::is_type(name));
    schema_definition(&schema.schema_definition)
        + &sorted(directives, |directive| directive_definition(directive))
        + &sorted(types, type_definition)
}

/// The parts in the order of their names.
fn sorted<'a, T: 'a>(
    parts: impl IntoIterator<Item = (&'a Name, &'a T)>,
    write: impl Fn(&'a T) -> String,
) -> String {
    let mut parts: Vec<_> = parts.into_iter().collect();
    parts.sort_by_key(|(name, _)| *name);
    parts.into_iter().map(|(_, part)| write(part)).collect()
}

fn schema_definition(definition: &SchemaDefinition) -> String {
    let description = description(definition.description.as_ref());
    let directives = applied(
        definition
            .directives
            .iter()
            .map(|directive| &directive.node),
    );
    let roots = definition.iter_root_operations();
    let roots = roots.map(|(operation, root)| format!("{operation}: {}\n", root.name));
    let roots: String = roots.collect();
    format!("{description}schema{directives} {{\n{roots}}}\n")
}

fn directive_definition(directive: &DirectiveDefinition) -> String {
    let description = description(directive.description.as_ref());
    let (name, arguments) = (&directive.name, arguments(&directive.arguments));
    let repeatable = if directive.repeatable {
        " repeatable"
    } else {
        ""
    };
    let mut locations: Vec<_> = directive.locations.iter().map(|at| at.name()).collect();
    locations.sort_unstable();
    locations.dedup();
    let locations = locations.join(" | ");
    format!("{description}directive @{name}{arguments}{repeatable} on {locations}\n")
}

fn type_definition(definition: &ExtendedType) -> String {
    let (keyword, interfaces, contents) = match definition {
        ExtendedType::Scalar(_) => ("scalar", None, "\n".to_owned()),
        ExtendedType::Object(object) => {
            let fields = block(&object.fields, |part| field(part));
            ("type", Some(&object.implements_interfaces), fields)
        }
        ExtendedType::Interface(interface) => {
            let fields = block(&interface.fields, |part| field(part));
            ("interface", Some(&interface.implements_interfaces), fields)
        }
        ExtendedType::Union(union) => {
            let members = names(&union.members).join(" | ");
            ("union", None, format!(" = {members}\n"))
        }
        ExtendedType::Enum(definition) => {
            let values = block(&definition.values, |part| enum_value(part));
            ("enum", None, values)
        }
        ExtendedType::InputObject(input) => {
            let fields = block(&input.fields, |part| input_value(part));
            ("input", None, fields)
        }
    };
    let interfaces = interfaces.filter(|interfaces| !interfaces.is_empty());
    let implements =
        interfaces.map(|interfaces| format!(" implements {}", names(interfaces).join(" & ")));
    format!(
        "{}{keyword} {}{}{}{contents}",
        description(definition.description()),
        definition.name(),
        implements.unwrap_or_default(),
        applied(
            definition
                .directives()
                .iter()
                .map(|directive| &directive.node)
        ),
    )
}

fn names(names: &IndexSet<ComponentName>) -> Vec<&str> {
    let mut names: Vec<_> = names.iter().map(|name| name.name.as_str()).collect();
    names.sort_unstable();
    names
}

fn block<'a, T: 'a>(parts: &'a IndexMap<Name, T>, write: impl Fn(&'a T) -> String) -> String {
    format!(" {{\n{}}}\n", sorted(parts, write))
}

fn field(field: &FieldDefinition) -> String {
    format!(
        "{}{}{}: {}{}\n",
        description(field.description.as_ref()),
        field.name,
        arguments(&field.arguments),
        field.ty,
        applied(field.directives.iter())
    )
}

fn enum_value(value: &EnumValueDefinition) -> String {
    format!(
        "{}{}{}\n",
        description(value.description.as_ref()),
        value.value,
        applied(value.directives.iter())
    )
}

fn arguments(arguments: &[Node<InputValueDefinition>]) -> String {
    if arguments.is_empty() {
        return String::new();
    }
    let arguments = arguments.iter().map(|argument| (&argument.name, argument));
    format!(
        "(\n{})",
        sorted(arguments, |argument| input_value(argument))
    )
}

fn input_value(input: &InputValueDefinition) -> String {
    let default = input.default_value.as_ref();
    let default = default.map(|default| format!(" = {}", value(default)));
    format!(
        "{}{}: {}{}{}\n",
        description(input.description.as_ref()),
        input.name,
        input.ty,
        default.unwrap_or_default(),
        applied(input.directives.iter())
    )
}

/// The order of directives can be significant, so it is kept.
fn applied<'a>(directives: impl Iterator<Item = &'a Node<Directive>>) -> String {
    let directives = directives.map(|directive| {
        let name = &directive.name;
        let given = directive.arguments.iter();
        let mut given: Vec<_> = given.map(|given| (&given.name, &given.value)).collect();
        given.sort_by_key(|(name, _)| *name);
        if given.is_empty() && name == "deprecated" {
            format!(" @{name}(reason: {:?})", built_in::DEPRECATION_REASON)
        } else if given.is_empty() {
            format!(" @{name}")
        } else {
            format!(" @{name}({})", members(given))
        }
    });
    directives.collect()
}

fn members(members: Vec<(&Name, &Node<Value>)>) -> String {
    let members = members.into_iter();
    let members = members.map(|(name, member)| format!("{name}: {}", value(member)));
    members.collect::<Vec<_>>().join(", ")
}

fn value(node: &Value) -> String {
    match node {
        Value::Null => "null".to_owned(),
        Value::Enum(name) => name.to_string(),
        Value::Variable(name) => format!("${name}"),
        Value::String(characters) => string(characters),
        Value::Float(number) => number.to_string(),
        Value::Int(number) => number.to_string(),
        Value::Boolean(yes) => yes.to_string(),
        Value::List(items) => {
            let items: Vec<_> = items.iter().map(|item| value(item)).collect();
            format!("[{}]", items.join(", "))
        }
        Value::Object(fields) => {
            let mut fields: Vec<_> = fields.iter().map(|(name, value)| (name, value)).collect();
            fields.sort_by_key(|(name, _)| *name);
            format!("{{{}}}", members(fields))
        }
    }
}

fn description(node: Option<&Node<str>>) -> String {
    node.map_or_else(String::new, |characters| string(characters) + "\n")
}

/// JSON escapes the same characters as GraphQL in the same ways.
fn string(characters: &str) -> String {
    serde_json::to_string(characters).expect("every text is a JSON string")
}

#[cfg(test)]
mod tests;
