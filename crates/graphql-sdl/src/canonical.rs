//! Writes the canonical form of a schema, which [`crate::Schema::canonical`] specifies, and its hash.

use std::fmt;

use apollo_compiler::{
    Name, Node, Schema,
    ast::{Directive, Value},
    collections::IndexSet,
    schema::{ComponentName, ExtendedType},
};
use sha2::{Digest, Sha256};

use crate::{Element, built_in, element::definitions};

/// The canonical form of a schema, as SDL.
pub(crate) fn canonical(schema: &Schema) -> String {
    sorted(definitions(schema))
}

/// The elements in the order of their names; the schema and the directives are before the types.
fn sorted(mut elements: Vec<Element<'_>>) -> String {
    elements.sort_by_key(|element| (matches!(element, Element::Type(_)), element.name()));
    elements.into_iter().map(write).collect()
}

fn write(element: Element<'_>) -> String {
    let description = element.description().map_or_else(String::new, |text| string(text) + "\n");
    let name = element.name().map_or("", Name::as_str);
    let applied = applied(element.directives().into_iter());
    let parts = sorted(element.parts());
    let arguments = if parts.is_empty() { String::new() } else { format!("(\n{parts})") };
    let definition = match element {
        Element::Schema(definition) => {
            let roots = definition.iter_root_operations();
            let roots = roots.map(|(operation, root)| format!("{operation}: {}\n", root.name));
            format!("schema{applied} {{\n{}}}", roots.collect::<String>())
        }
        Element::Type(definition) => {
            let (none, block) = (IndexSet::default(), format!(" {{\n{parts}}}"));
            let (keyword, interfaces, contents) = match definition {
                ExtendedType::Scalar(_) => ("scalar", &none, String::new()),
                ExtendedType::Object(object) => ("type", &object.implements_interfaces, block),
                ExtendedType::Interface(interface) => ("interface", &interface.implements_interfaces, block),
                ExtendedType::Union(union) => ("union", &none, names(" = ", &union.members, " | ")),
                ExtendedType::Enum(_) => ("enum", &none, block),
                ExtendedType::InputObject(_) => ("input", &none, block),
            };
            let implements = names(" implements ", interfaces, " & ");
            format!("{keyword} {name}{implements}{applied}{contents}")
        }
        Element::Field(_, field) => format!("{name}{arguments}: {}{applied}", field.ty),
        Element::Argument(_, _, input) | Element::InputField(_, input) | Element::DirectiveArgument(_, input) => {
            let default = input.default_value.as_ref();
            let default = default.map(|default| format!(" = {}", value(default)));
            format!("{name}: {}{}{applied}", input.ty, default.unwrap_or_default())
        }
        Element::EnumValue(..) => format!("{name}{applied}"),
        Element::Directive(directive) => {
            let mut locations: Vec<_> = directive.locations.iter().map(|at| at.name()).collect();
            locations.sort_unstable();
            locations.dedup();
            let repeatable = if directive.repeatable { " repeatable" } else { "" };
            let locations = locations.join(" | ");
            format!("directive @{name}{arguments}{repeatable} on {locations}")
        }
    };
    format!("{description}{definition}\n")
}

/// The names in order, or nothing if there are none.
fn names(before: &str, names: &IndexSet<ComponentName>, between: &str) -> String {
    let mut names: Vec<_> = names.iter().map(|name| name.as_str()).collect();
    names.sort_unstable();
    if names.is_empty() {
        return String::new();
    }
    before.to_owned() + &names.join(between)
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
    let members = members.into_iter().map(|(name, member)| format!("{name}: {}", value(member)));
    members.collect::<Vec<_>>().join(", ")
}

fn value(node: &Value) -> String {
    match node {
        Value::String(characters) => string(characters),
        Value::List(items) => {
            let items: Vec<_> = items.iter().map(|item| value(item)).collect();
            format!("[{}]", items.join(", "))
        }
        Value::Object(fields) => {
            let mut fields: Vec<_> = fields.iter().map(|(name, value)| (name, value)).collect();
            fields.sort_by_key(|(name, _)| *name);
            format!("{{{}}}", members(fields))
        }
        leaf => leaf.to_string(),
    }
}

/// JSON escapes the same characters as GraphQL in the same ways.
fn string(characters: &str) -> String {
    serde_json::to_string(characters).expect("every text is a JSON string")
}

/// A SHA-256, written as 64 hexadecimal digits in lower case; that of its canonical form identifies a schema.
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub struct Hash([u8; 32]);

impl Hash {
    /// The hash of a text.
    pub fn of(text: &str) -> Self {
        Self(Sha256::digest(text).into())
    }
}

impl fmt::Display for Hash {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(formatter, "{byte:02x}"))
    }
}

#[cfg(test)]
mod tests;
