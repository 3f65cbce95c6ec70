//! What the specification of Apollo Federation defines in the schema of a subgraph, whose author cannot change it.

use graphql_sdl::{Element, Schema};

/// The types of the machinery of a subgraph.
const TYPES: [&str; 5] = ["FieldSet", "_Any", "_Entity", "_FieldSet", "_Service"];

/// The fields of `Query` in a subgraph.
const FIELDS: [&str; 2] = ["_entities", "_service"];

/// The directives of the specification.
const DIRECTIVES: &str = "authenticated composeDirective connect context cost extends external fromContext inaccessible \
     interfaceObject key link listSize override policy provides requires requiresScopes shareable source tag";

/// The prefixes of names that a schema imports with `@link`.
const PREFIXES: [&str; 4] = ["core__", "federation__", "join__", "link__"];

/// Whether a schema is that of a subgraph or supergraph.
pub(super) fn is_federated(schema: &Schema) -> bool {
    schema.tree().types.keys().any(|name| is_type(name))
}

/// Whether the specification defines an element of a federated schema.
pub(super) fn defines(element: Element) -> bool {
    match element {
        Element::Schema(_) => false,
        Element::Type(ty) => is_type(ty.name()),
        Element::Field(ty, field) => is_type(ty) || FIELDS.contains(&field.name.as_str()),
        Element::Argument(ty, field, _) => is_type(ty) || FIELDS.contains(&field.as_str()),
        Element::InputField(ty, _) | Element::EnumValue(ty, _) => is_type(ty),
        Element::Directive(directive) => is_directive(&directive.name),
        Element::DirectiveArgument(directive, _) => is_directive(directive),
    }
}

fn is_type(name: &str) -> bool {
    TYPES.contains(&name) || is_imported(name)
}

fn is_directive(name: &str) -> bool {
    DIRECTIVES.split(' ').any(|known| known == name) || is_imported(name)
}

fn is_imported(name: &str) -> bool {
    PREFIXES.iter().any(|prefix| name.starts_with(prefix))
}
