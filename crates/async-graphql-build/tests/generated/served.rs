//! What a schema serves, compared with its file.

use std::collections::BTreeSet;

use apollo_compiler::schema::ExtendedType;
use async_graphql::Executor;
use graphql_sdl::{Element, INTROSPECTION, Schema};
use serde_json::json;

/// The elements of the file that introspection serves otherwise (`- `), and what it serves (`+ `). Applied directives that are
/// not built in are no part of introspection, and async-graphql has a description of its own for each schema.
pub(crate) async fn differences(file: &str, executor: &impl Executor) -> Vec<String> {
    let response = executor.execute(INTROSPECTION.into()).await;
    let response = json!({ "data": response.data });
    let served = Schema::from_introspection("served", &response).expect("it is complete");
    let (file, served) = (lines(&Schema::parse("file", file).expect("it is valid")), lines(&served));
    let missing = file.difference(&served).map(|line| format!("- {line}"));
    let others = served.difference(&file).map(|line| format!("+ {line}"));
    missing.chain(others).collect()
}

fn lines(schema: &Schema) -> BTreeSet<String> {
    schema.elements().into_iter().map(line).collect()
}

fn line(element: Element<'_>) -> String {
    let directives = element.directives().into_iter();
    let directives = directives.filter(|of| matches!(&*of.name, "oneOf" | "specifiedBy"));
    let directives: String = directives.map(ToString::to_string).collect();
    let names = match element {
        Element::Type(ExtendedType::Object(object)) => Some(&object.implements_interfaces),
        Element::Type(ExtendedType::Interface(interface)) => Some(&interface.implements_interfaces),
        Element::Type(ExtendedType::Union(union)) => Some(&union.members),
        _ => None,
    };
    let names: BTreeSet<_> = names.into_iter().flatten().map(|name| &name.name).collect();
    let contents = match element {
        Element::Schema(definition) => {
            let roots = definition.iter_root_operations();
            format!("{:?}", roots.map(|(_, root)| &root.name).collect::<Vec<_>>())
        }
        Element::Directive(directive) => {
            let locations: BTreeSet<_> = directive.locations.iter().map(ToString::to_string).collect();
            format!("{locations:?} {}", directive.repeatable)
        }
        element => element.ty().map_or_else(|| format!("{names:?}"), ToString::to_string),
    };
    let default = element.input().and_then(|input| input.default_value.as_ref());
    let default = default.map(|value| format!(" = {}", value.serialize().no_indent()));
    let description = element.description();
    let description = description.filter(|_| !matches!(element, Element::Schema(_)));
    format!(
        "{element}: {contents}{} {directives} {:?} {:?}",
        default.unwrap_or_default(),
        element.deprecation(),
        description.map(ToString::to_string)
    )
}
