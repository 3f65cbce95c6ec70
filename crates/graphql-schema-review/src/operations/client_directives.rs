//! What the library of a client interprets and does not send: its directives, and the fields with `@client`.

use apollo_compiler::{
    Node, Schema,
    ast::{Definition, Document, Selection},
    parser::SourceSpan,
    validation::Valid,
};
use graphql_sdl::contains;

use super::invalidity::Invalidity;
use crate::directive_name::DirectiveName;

/// Those of Apollo's clients; of Relay; and of urql, gql.tada, graphql-codegen and graphql-live-query.
const DIRECTIVES: [&str; 3] = [
    "api apollo_client_ios_localCacheMutation catch client connection export ignoreErrors import nonnull nonreactive \
     optional rest unmask",
    "alias appendEdge appendNode argumentDefinitions arguments assignable deleteEdge deleteRecord fetchable inline \
     live_query match module no_inline preloadable prependEdge prependNode raw_response_type refetchable relay required \
     relay_test_operation stream_connection throwOnFieldError updatable waterfall",
    "_optional _required _unmask live mask populate",
];

/// The directives that clients interpret.
pub(super) struct ClientDirectives<'a>(Vec<&'a str>);

impl<'a> ClientDirectives<'a> {
    /// The known ones and those of a policy that no schema defines: a server can have a directive of the same name.
    pub(super) fn unless_defined(schemas: &[&Valid<Schema>], policy: &'a [DirectiveName]) -> Self {
        let is_defined = |name: &str| {
            let mut schemas = schemas.iter();
            schemas.any(|schema| schema.directive_definitions.contains_key(name))
        };
        let names = DIRECTIVES.iter().flat_map(|names| names.split_whitespace());
        let names = names.chain(policy.iter().map(DirectiveName::as_str));
        Self(names.filter(|name| !is_defined(name)).collect())
    }

    /// The parts of a document that clients interpret.
    pub(super) fn find(&self, document: &Document) -> Vec<SourceSpan> {
        let mut found = Vec::new();
        let mut pending = Vec::new();
        for definition in &document.definitions {
            pending.extend(match definition {
                Definition::OperationDefinition(operation) => &operation.selection_set,
                Definition::FragmentDefinition(fragment) => &fragment.selection_set[..],
                _ => continue,
            });
            let directives = definition.directives().iter();
            let directives = directives.filter(|directive| self.0.contains(&&*directive.name));
            found.extend(directives.map(Node::location));
        }
        while let Some(selection) = pending.pop() {
            let directives = match selection {
                Selection::Field(field) => {
                    pending.extend(&field.selection_set);
                    &field.directives
                }
                Selection::InlineFragment(inline) => {
                    pending.extend(&inline.selection_set);
                    &inline.directives
                }
                Selection::FragmentSpread(spread) => &spread.directives,
            };
            let directives = directives.iter();
            for directive in directives.filter(|directive| self.0.contains(&&*directive.name)) {
                found.push(directive.location());
                if let (Selection::Field(field), "client") = (selection, &*directive.name) {
                    found.push(field.location());
                }
            }
        }
        found.into_iter().flatten().collect()
    }
}

/// Removes what concerns the parts that clients interpret, which can use and define variables.
pub(super) fn remove(parts: &[SourceSpan], invalid: &mut Vec<Invalidity>) {
    let is_inside = |span: SourceSpan| parts.iter().any(|part| contains(*part, span));
    let is_client = |one: &Invalidity| {
        let is_variable = matches!(one.error, "UndefinedVariable" | "UnusedVariable");
        is_variable || one.span.is_some_and(is_inside)
    };
    if !parts.is_empty() {
        invalid.retain(|one| !is_client(one));
    }
}
