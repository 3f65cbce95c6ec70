//! What the library of a client interprets and does not send: its directives, and the selections with `@client`.

use std::collections::{HashMap, HashSet};

use apollo_compiler::{
    Name, Node, Schema,
    ast::{Definition, DirectiveList, Document, Field, Selection},
    name,
    parser::SourceSpan,
    validation::Valid,
};
use graphql_sdl::contains;

use super::{fragments::spreads, invalidity::Invalidity};
use crate::names::DirectiveName;

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
        let is_defined = |name: &str| schemas.iter().any(|schema| schema.directive_definitions.contains_key(name));
        let names = DIRECTIVES.iter().flat_map(|names| names.split_whitespace());
        Self(names.chain(policy.iter().map(|name| name.0.as_str())).filter(|name| !is_defined(name)).collect())
    }

    /// The document of an operation that a client sends, without what it interprets and what only that uses; `None` if it sends
    /// nothing. Whether something was removed.
    pub(super) fn sent(&self, document: &Document) -> (Option<Document>, bool) {
        let mut document = document.clone();
        let mut is_less = false;
        for definition in &mut document.definitions {
            let is_fragment = definition.as_fragment_definition().is_some();
            let (directives, selections) = match definition {
                Definition::OperationDefinition(operation) => {
                    let operation = operation.make_mut();
                    (&mut operation.directives, &mut operation.selection_set)
                }
                Definition::FragmentDefinition(fragment) => {
                    let fragment = fragment.make_mut();
                    (&mut fragment.directives, &mut fragment.selection_set)
                }
                _ => continue,
            };
            is_less |= self.remove(directives) | self.remove_from(selections);
            if is_fragment {
                add_type_name(selections);
            }
        }
        if is_less {
            remove_unused(&mut document);
        }
        let is_sent = document.definitions.first().is_some_and(|definition| match definition {
            Definition::OperationDefinition(operation) => !operation.selection_set.is_empty(),
            _ => false,
        });
        (is_sent.then_some(document), is_less)
    }

    /// Removes the directives that clients interpret; returns whether there was one.
    fn remove(&self, directives: &mut DirectiveList) -> bool {
        let count = directives.len();
        directives.retain(|directive| !self.0.contains(&&*directive.name));
        directives.len() < count
    }

    fn remove_from(&self, selections: &mut Vec<Selection>) -> bool {
        let count = selections.len();
        selections.retain(|selection| {
            let is_client = directives(selection).has("client");
            !is_client || !self.0.contains(&"client")
        });
        let mut is_less = selections.len() < count;
        for selection in selections {
            let (directives, inner) = match selection {
                Selection::Field(field) => {
                    let field = field.make_mut();
                    (&mut field.directives, Some(&mut field.selection_set))
                }
                Selection::InlineFragment(inline) => {
                    let inline = inline.make_mut();
                    (&mut inline.directives, Some(&mut inline.selection_set))
                }
                Selection::FragmentSpread(spread) => (&mut spread.make_mut().directives, None),
            };
            is_less |= self.remove(directives);
            if let Some(inner) = inner.filter(|inner| !inner.is_empty()) {
                is_less |= self.remove_from(inner);
                add_type_name(inner);
            }
        }
        is_less
    }
}

/// Leaves out what concerns variables that only the removed parts use or define.
pub(super) fn of_sent(document: &Document, invalid: &mut Vec<Invalidity>) {
    let names = invalid.iter().filter(|one| one.error == "UnusedVariable");
    let names: Vec<SourceSpan> = names.filter_map(|one| one.span).collect();
    let operations = document.definitions.iter().filter_map(Definition::as_operation_definition);
    let variables = operations.flat_map(|operation| &operation.variables).filter_map(Node::location);
    let is_unused = |variable: &SourceSpan| names.iter().any(|name| contains(*variable, *name));
    let unused: Vec<SourceSpan> = variables.filter(is_unused).collect();
    let is_inside = |span| unused.iter().any(|variable| contains(*variable, span));
    invalid.retain(|one| one.error != "UndefinedVariable" && !one.span.is_some_and(is_inside));
}

fn directives(selection: &Selection) -> &DirectiveList {
    match selection {
        Selection::Field(field) => &field.directives,
        Selection::InlineFragment(inline) => &inline.directives,
        Selection::FragmentSpread(spread) => &spread.directives,
    }
}

/// Adds to an empty selection set what clients select of every object.
fn add_type_name(selections: &mut Vec<Selection>) {
    if selections.is_empty() {
        let field = Field {
            alias: None,
            name: name!("__typename"),
            arguments: Vec::new(),
            directives: DirectiveList::new(),
            selection_set: Vec::new(),
        };
        selections.push(Selection::Field(Node::new(field)));
    }
}

/// Removes the fragments that the operation does not use.
fn remove_unused(document: &mut Document) {
    fn selections(definition: &Definition) -> &[Selection] {
        match definition {
            Definition::OperationDefinition(operation) => &operation.selection_set,
            Definition::FragmentDefinition(fragment) => &fragment.selection_set,
            _ => &[],
        }
    }
    let definitions = document.definitions.clone();
    let by_name = definitions.iter().map(|one| (one.name(), selections(one)));
    let by_name: HashMap<Option<&Name>, &[Selection]> = by_name.skip(1).collect();
    let mut used = HashSet::new();
    let mut pending = definitions.first().map_or_else(Vec::new, |one| spreads(selections(one)));
    while let Some(name) = pending.pop() {
        if used.insert(name) {
            pending.extend(spreads(by_name.get(&Some(name)).copied().unwrap_or_default()));
        }
    }
    let is_operation = |one: &Definition| one.as_operation_definition().is_some();
    let is_used = |one: &Definition| one.name().is_some_and(|name| used.contains(name));
    document.definitions.retain(|one| is_operation(one) || is_used(one));
}
