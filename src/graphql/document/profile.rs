//! What is known of each operation of a valid document, found out once for all its requests.

use std::{collections::HashSet, sync::OnceLock};

use apollo_compiler::{
    Name, Schema,
    executable::{ExecutableDocument, Operation, OperationType, Selection, SelectionSet},
    schema::{Component, ExtendedType, FieldDefinition},
};

/// What is known of an operation of a valid document, for those who watch it.
#[derive(Debug, Default)]
pub struct Profile {
    /// What it does.
    pub kind: OperationKind,
    /// Its name, if it has one.
    pub name: Option<String>,
    /// Which of the deprecated elements it uses: places in the list that
    /// [`Engine::deprecated_elements`](crate::graphql::Engine::deprecated_elements) answers.
    pub deprecated: Box<[usize]>,
    /// Where the watcher finds what it counts of the operation, without looking the name up again.
    pub seat: OnceLock<usize>,
}

/// What an operation does.
#[derive(Clone, Copy, Debug, Default, Eq, Hash, PartialEq)]
pub enum OperationKind {
    /// It reads.
    #[default]
    Query,
    /// It writes.
    Mutation,
    /// It is told of events.
    Subscription,
}

impl OperationKind {
    /// Every kind.
    pub const ALL: [Self; 3] = [Self::Query, Self::Mutation, Self::Subscription];

    /// The keyword of GraphQL.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Query => "query",
            Self::Mutation => "mutation",
            Self::Subscription => "subscription",
        }
    }
}

/// The fields of a schema that are deprecated, `Type.field`, and the arguments, `Type.field(argument:)`.
#[derive(Debug)]
pub(in crate::graphql) struct Deprecations(Vec<String>);

impl Deprecations {
    pub(super) fn of(schema: &Schema) -> Self {
        let mut elements = Vec::new();
        for (name, definition) in &schema.types {
            let fields = match definition {
                _ if definition.is_built_in() => continue,
                ExtendedType::Object(object) => &object.fields,
                ExtendedType::Interface(interface) => &interface.fields,
                _ => continue,
            };
            for field in fields.values() {
                elements.extend(deprecated_in(name, field));
            }
        }
        elements.sort();
        Self(elements)
    }

    pub(in crate::graphql) fn elements(&self) -> &[String] {
        &self.0
    }

    /// The profile of an operation of a document that is valid under the same schema.
    pub(super) fn profile(&self, document: &ExecutableDocument, operation: &Operation) -> Profile {
        Profile {
            kind: match operation.operation_type {
                OperationType::Query => OperationKind::Query,
                OperationType::Mutation => OperationKind::Mutation,
                OperationType::Subscription => OperationKind::Subscription,
            },
            name: operation.name.as_ref().map(ToString::to_string),
            deprecated: self.used(document, operation),
            seat: OnceLock::new(),
        }
    }

    fn used(&self, document: &ExecutableDocument, operation: &Operation) -> Box<[usize]> {
        if self.0.is_empty() {
            return Box::default();
        }
        let mut uses = Uses {
            known: &self.0,
            document,
            found: HashSet::new(),
            visited: HashSet::new(),
        };
        uses.visit(&operation.selection_set);
        let mut found: Vec<_> = uses.found.into_iter().collect();
        found.sort_unstable();
        found.into_boxed_slice()
    }
}

fn deprecated_in(owner: &Name, field: &Component<FieldDefinition>) -> Vec<String> {
    let mut elements = Vec::new();
    if field.directives.has("deprecated") {
        elements.push(format!("{owner}.{}", field.name));
    }
    for argument in &field.arguments {
        if argument.directives.has("deprecated") {
            elements.push(format!("{owner}.{}({}:)", field.name, argument.name));
        }
    }
    elements
}

struct Uses<'a> {
    known: &'a [String],
    document: &'a ExecutableDocument,
    found: HashSet<usize>,
    visited: HashSet<&'a str>,
}

impl<'a> Uses<'a> {
    /// The parser has bounded how deep this goes, and each fragment is visited once.
    fn visit(&mut self, set: &'a SelectionSet) {
        for selection in &set.selections {
            match selection {
                Selection::Field(field) => {
                    let element = format!("{}.{}", set.ty, field.name);
                    for argument in &field.arguments {
                        self.note(&format!("{element}({}:)", argument.name));
                    }
                    self.note(&element);
                    self.visit(&field.selection_set);
                }
                Selection::InlineFragment(fragment) => self.visit(&fragment.selection_set),
                Selection::FragmentSpread(spread) => {
                    let fragment = self.document.fragments.get(&spread.fragment_name);
                    if let Some(fragment) = fragment
                        && self.visited.insert(spread.fragment_name.as_str())
                    {
                        self.visit(&fragment.selection_set);
                    }
                }
            }
        }
    }

    fn note(&mut self, element: &str) {
        let place = self
            .known
            .binary_search_by(|known| known.as_str().cmp(element));
        self.found.extend(place);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SCHEMA: &str = "
        interface Named { name: String @deprecated }
        type Vehicle implements Named {
            id: ID! name: String @deprecated(reason: \"Use `model`.\") model(long: Boolean, short: Boolean @deprecated): String
            maker: Maker
        }
        type Maker { vehicles: [Vehicle] country: String @deprecated }
        type Query { vehicle: Vehicle old: Vehicle @deprecated named: Named }
        type Mutation { touch: Vehicle }";

    fn used(text: &str, name: Option<&str>) -> Vec<String> {
        let schema = Schema::parse_and_validate(SCHEMA, "schema").expect("it is valid");
        let document = ExecutableDocument::parse_and_validate(&schema, text, "query");
        let document = document.expect("the document is valid");
        let deprecations = Deprecations::of(&schema);
        let operation = document.operations.get(name).expect("there is one");
        let profile = deprecations.profile(&document, operation);
        let places = profile.deprecated.iter();
        places
            .map(|place| deprecations.elements()[*place].clone())
            .collect()
    }

    #[test]
    fn deprecated_elements_are_found_wherever_an_operation_uses_them() {
        let cases: [(&str, &[&str]); 8] = [
            ("{ vehicle { id model(long: true) } }", &[]),
            ("{ vehicle { name } }", &["Vehicle.name"]),
            (
                "{ a: vehicle { b: name } c: vehicle { name } }",
                &["Vehicle.name"],
            ),
            ("{ old { id } }", &["Query.old"]),
            (
                "{ vehicle { model(short: true) } }",
                &["Vehicle.model(short:)"],
            ),
            ("{ named { name } }", &["Named.name"]),
            (
                "{ vehicle { ...F } } fragment F on Vehicle { maker { country vehicles { ...G } } }
                 fragment G on Vehicle { ... on Named { name } }",
                &["Maker.country", "Named.name"],
            ),
            ("mutation { touch { name } }", &["Vehicle.name"]),
        ];
        for (text, expected) in cases {
            assert_eq!(used(text, None), expected, "{text}");
        }
    }

    #[test]
    fn each_operation_of_a_document_has_its_own_uses() {
        let text = "query A { vehicle { name } } query B { vehicle { id } } query C { old { id } }";
        assert_eq!(used(text, Some("A")), ["Vehicle.name"]);
        assert!(used(text, Some("B")).is_empty());
        assert_eq!(used(text, Some("C")), ["Query.old"]);
    }
}
