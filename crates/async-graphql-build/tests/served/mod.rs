//! What async-graphql serves, in a form that can be compared with a contract.

use std::collections::BTreeSet;

use apollo_compiler::schema::ExtendedType;
use graphql_sdl::{Element, Schema};

/// The types of a schema with their interfaces and members, and every field, argument and value with its type, default and
/// deprecation. Descriptions and custom directives, which async-graphql does not know, are left out.
pub(crate) fn structure(sdl: &str) -> BTreeSet<String> {
    let schema = Schema::parse("sdl", sdl).expect("it is valid");
    let elements = schema.elements().into_iter();
    elements.filter_map(line).collect()
}

fn line(element: Element<'_>) -> Option<String> {
    let directives = element.directives().into_iter();
    let directives = directives.filter(|directive| {
        ["deprecated", "oneOf", "specifiedBy"].contains(&directive.name.as_str())
    });
    let directives: Vec<_> = directives.map(ToString::to_string).collect();
    let contents = match element {
        Element::Schema(_) | Element::Directive(_) | Element::DirectiveArgument(..) => return None,
        Element::Type(definition) => {
            let names: BTreeSet<_> = match definition {
                ExtendedType::Object(object) => object
                    .implements_interfaces
                    .iter()
                    .map(|name| &name.name)
                    .collect(),
                ExtendedType::Interface(interface) => interface
                    .implements_interfaces
                    .iter()
                    .map(|name| &name.name)
                    .collect(),
                ExtendedType::Union(union) => union.members.iter().map(|name| &name.name).collect(),
                _ => BTreeSet::new(),
            };
            let names: Vec<_> = names.into_iter().map(ToString::to_string).collect();
            names.join(", ")
        }
        element => element.ty().map(ToString::to_string).unwrap_or_default(),
    };
    let default = element
        .input()
        .and_then(|input| input.default_value.as_ref());
    let default = default.map(|value| format!(" = {}", value.serialize().no_indent()));
    Some(format!(
        "{} {}: {contents}{} {}",
        element.kind(),
        element.coordinate(),
        default.unwrap_or_default(),
        directives.join(" ")
    ))
}
