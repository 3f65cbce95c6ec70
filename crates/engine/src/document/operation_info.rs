//! Information about the operations of a valid document, for logs and metrics.

use std::{collections::HashSet, sync::atomic::AtomicUsize};

use apollo_compiler::{
    Name, Schema,
    executable::{ExecutableDocument, Operation, OperationType, Selection, SelectionSet},
    schema::{Component, ExtendedType, FieldDefinition},
};
use schema::excerpt;

/// Information about an operation of a valid document, for logs and metrics.
#[derive(Debug)]
pub struct OperationInfo {
    /// Its kind.
    pub kind: OperationType,
    /// Its name, if any, shortened to the length of a quote.
    pub name: Option<String>,
    /// The deprecated elements that it uses, as indices of
    /// [`Engine::deprecated_elements`](crate::Engine::deprecated_elements).
    pub deprecated: Box<[usize]>,
    /// The slot of the operation's counters, which saves metrics a lookup by name; initially 0.
    pub metrics_slot: AtomicUsize,
}

/// The sorted coordinates of the deprecated fields and arguments of a schema: `Type.field` and
/// `Type.field(argument:)`.
#[derive(Debug)]
pub(crate) struct Deprecations(Vec<String>);

impl Deprecations {
    pub(super) fn new(schema: &Schema) -> Self {
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

    pub(crate) fn elements(&self) -> &[String] {
        &self.0
    }

    /// Information about an operation of a document that is valid under the same schema.
    pub(super) fn operation_info(
        &self,
        document: &ExecutableDocument,
        operation: &Operation,
    ) -> OperationInfo {
        OperationInfo {
            kind: operation.operation_type,
            name: operation
                .name
                .as_ref()
                .map(|name| excerpt(name).into_owned()),
            deprecated: self.used_indices(document, operation),
            metrics_slot: AtomicUsize::new(0),
        }
    }

    fn used_indices(&self, document: &ExecutableDocument, operation: &Operation) -> Box<[usize]> {
        if self.0.is_empty() {
            return Box::default();
        }
        let mut uses = DeprecatedUses {
            elements: &self.0,
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

struct DeprecatedUses<'a> {
    elements: &'a [String],
    document: &'a ExecutableDocument,
    found: HashSet<usize>,
    visited: HashSet<&'a str>,
}

impl<'a> DeprecatedUses<'a> {
    /// The parser bounds the recursion, and each fragment is visited once.
    fn visit(&mut self, set: &'a SelectionSet) {
        for selection in &set.selections {
            match selection {
                Selection::Field(field) => {
                    let element = format!("{}.{}", set.ty, field.name);
                    for argument in &field.arguments {
                        self.record(&format!("{element}({}:)", argument.name));
                    }
                    self.record(&element);
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

    fn record(&mut self, element: &str) {
        let index = self
            .elements
            .binary_search_by(|candidate| candidate.as_str().cmp(element));
        self.found.extend(index);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SCHEMA: &str = "
        interface Named { name: String @deprecated }
        type Book implements Named {
            id: ID! name: String @deprecated(reason: \"Use `model`.\") model(long: Boolean, short: Boolean @deprecated): String
            maker: Maker
        }
        type Maker { books: [Book] country: String @deprecated }
        type Query { book: Book old: Book @deprecated named: Named }
        type Mutation { touch: Book }";

    fn used(text: &str, name: Option<&str>) -> Vec<String> {
        let schema = Schema::parse_and_validate(SCHEMA, "schema").expect("it is valid");
        let document = ExecutableDocument::parse_and_validate(&schema, text, "query");
        let document = document.expect("the document is valid");
        let deprecations = Deprecations::new(&schema);
        let operation = document.operations.get(name).expect("there is one");
        let info = deprecations.operation_info(&document, operation);
        let indices = info.deprecated.iter();
        indices
            .map(|index| deprecations.elements()[*index].clone())
            .collect()
    }

    #[test]
    fn finds_deprecated_elements_in_fields_arguments_and_fragments() {
        let cases: [(&str, &[&str]); 8] = [
            ("{ book { id model(long: true) } }", &[]),
            ("{ book { name } }", &["Book.name"]),
            ("{ a: book { b: name } c: book { name } }", &["Book.name"]),
            ("{ old { id } }", &["Query.old"]),
            ("{ book { model(short: true) } }", &["Book.model(short:)"]),
            ("{ named { name } }", &["Named.name"]),
            (
                "{ book { ...F } } fragment F on Book { maker { country books { ...G } } }
                 fragment G on Book { ... on Named { name } }",
                &["Maker.country", "Named.name"],
            ),
            ("mutation { touch { name } }", &["Book.name"]),
        ];
        for (text, expected) in cases {
            assert_eq!(used(text, None), expected, "{text}");
        }
    }

    #[test]
    fn reports_the_deprecated_elements_of_each_operation() {
        let text = "query A { book { name } } query B { book { id } } query C { old { id } }";
        assert_eq!(used(text, Some("A")), ["Book.name"]);
        assert!(used(text, Some("B")).is_empty());
        assert_eq!(used(text, Some("C")), ["Query.old"]);
    }
}
