//! The definitions of Apollo Federation 2, which a subgraph uses without defining them.

use std::collections::HashSet;

use apollo_compiler::{
    Name, Schema,
    ast::{Definition, Document, Value},
    validation::Valid,
};

const DEFINITIONS: &str = "
scalar federation__FieldSet scalar federation__Scope scalar federation__Policy scalar federation__ContextFieldValue
scalar link__Import enum link__Purpose { SECURITY EXECUTION }
directive @link(url: String!, as: String, for: link__Purpose, import: [link__Import]) repeatable on SCHEMA
directive @key(fields: federation__FieldSet!, resolvable: Boolean = true) repeatable on OBJECT | INTERFACE
directive @requires(fields: federation__FieldSet!) on FIELD_DEFINITION
directive @provides(fields: federation__FieldSet!) on FIELD_DEFINITION
directive @external(reason: String) on OBJECT | FIELD_DEFINITION
directive @extends on OBJECT | INTERFACE
directive @shareable repeatable on OBJECT | FIELD_DEFINITION
directive @override(from: String!, label: String) on FIELD_DEFINITION
directive @interfaceObject on OBJECT
directive @composeDirective(name: String!) repeatable on SCHEMA
directive @inaccessible on FIELD_DEFINITION | OBJECT | INTERFACE | UNION | ARGUMENT_DEFINITION | SCALAR | ENUM | ENUM_VALUE
  | INPUT_OBJECT | INPUT_FIELD_DEFINITION
directive @tag(name: String!) repeatable on FIELD_DEFINITION | OBJECT | INTERFACE | UNION | ARGUMENT_DEFINITION | SCALAR
  | ENUM | ENUM_VALUE | INPUT_OBJECT | INPUT_FIELD_DEFINITION | SCHEMA
directive @authenticated on FIELD_DEFINITION | OBJECT | INTERFACE | SCALAR | ENUM
directive @requiresScopes(scopes: [[federation__Scope!]!]!) on FIELD_DEFINITION | OBJECT | INTERFACE | SCALAR | ENUM
directive @policy(policies: [[federation__Policy!]!]!) on FIELD_DEFINITION | OBJECT | INTERFACE | SCALAR | ENUM
directive @context(name: String!) repeatable on INTERFACE | OBJECT | UNION
directive @fromContext(field: federation__ContextFieldValue) on ARGUMENT_DEFINITION
directive @cost(weight: Int!) on ARGUMENT_DEFINITION | ENUM | FIELD_DEFINITION | INPUT_FIELD_DEFINITION | OBJECT | SCALAR
directive @listSize(assumedSize: Int, slicingArguments: [String!], sizedFields: [String!],
  requireOneSlicingArgument: Boolean = true) on FIELD_DEFINITION
directive @cacheTag(format: String) repeatable on OBJECT | FIELD_DEFINITION";

/// Whether SDL links federation (version 2), or has an entity (version 1).
pub(crate) fn is_subgraph(sdl: &str) -> bool {
    sdl.contains("@link") || sdl.contains("@key")
}

/// The definitions that a subgraph does not have; those of directives also with the names that it can use.
pub(crate) fn missing(document: &Document) -> Document {
    let defined = document.definitions.iter().filter_map(Definition::name);
    let mut defined: HashSet<Name> = defined.cloned().collect();
    let imports = imports(document);
    let mut known = Document::parse(DEFINITIONS, "federation").expect("the definitions are valid");
    for definition in known.definitions.clone() {
        let Definition::DirectiveDefinition(directive) = definition else {
            continue;
        };
        let prefixed = Name::new(&format!("federation__{}", directive.name));
        let imported = imports.iter().filter(|(name, _)| *name == directive.name);
        let imported = imported.map(|(_, name)| name.clone());
        for name in prefixed.into_iter().chain(imported) {
            let mut renamed = directive.clone();
            renamed.make_mut().name = name;
            let renamed = Definition::DirectiveDefinition(renamed);
            known.definitions.push(renamed);
        }
    }
    let mut is_missing = |name: &Name| defined.insert(name.clone());
    let definitions = &mut known.definitions;
    definitions.retain(|definition| definition.name().is_some_and(&mut is_missing));
    known
}

/// Pairs of names in `@link(import: [{name: "@key", as: "@primaryKey"}])`.
fn imports(document: &Document) -> Vec<(Name, Name)> {
    let directives = document.definitions.iter().flat_map(|definition| definition.directives().iter());
    let links = directives.filter(|directive| directive.name == "link");
    let lists = links.filter_map(|link| link.specified_argument_by_name("import")?.as_list());
    let imports = lists.flatten().filter_map(|import| {
        let member = |key: &str| match &*import.as_object()?.iter().find(|(name, _)| name == key)?.1 {
            Value::String(name) => Name::new(name.trim_start_matches('@')).ok(),
            _ => None,
        };
        Some((member("name")?, member("as")?))
    });
    imports.collect()
}

/// The schema without the definitions that were added to it.
pub(crate) fn remove(schema: Valid<Schema>, known: &Document) -> Valid<Schema> {
    let mut schema = schema.into_inner();
    for name in known.definitions.iter().filter_map(Definition::name) {
        if schema.directive_definitions.shift_remove(name).is_none() {
            schema.types.shift_remove(name);
        }
    }
    Valid::assume_valid(schema)
}
