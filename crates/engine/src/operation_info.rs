//! Information about the operations of a valid document, for logs and metrics.

use std::{
    collections::{BTreeSet, HashSet},
    sync::atomic::AtomicUsize,
};

use apollo_compiler::executable::{
    ExecutableDocument, Operation, OperationType, Selection, SelectionSet,
};
use schema::{Element, Schema, excerpt};

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

impl OperationInfo {
    /// Information about an operation of a valid document. `deprecated` are the deprecated elements of the contract.
    pub(crate) fn new(
        deprecated: &[String],
        document: &ExecutableDocument,
        operation: &Operation,
    ) -> Self {
        let mut uses = DeprecatedUses {
            elements: deprecated,
            document,
            found: BTreeSet::new(),
            visited: HashSet::new(),
        };
        if !deprecated.is_empty() {
            uses.visit(&operation.selection_set);
        }
        let name = operation.name.as_ref();
        Self {
            kind: operation.operation_type,
            name: name.map(|name| excerpt(name).into_owned()),
            deprecated: uses.found.into_iter().collect(),
            metrics_slot: AtomicUsize::new(0),
        }
    }
}

/// The sorted coordinates of the deprecated fields and arguments of a contract: `Type.field` and
/// `Type.field(argument:)`.
pub(crate) fn deprecated_elements(contract: &Schema) -> Vec<String> {
    let elements = contract.elements().into_iter().filter(|element| {
        matches!(element, Element::Field(..) | Element::Argument(..))
            && element.deprecation().is_some()
    });
    let mut elements: Vec<_> = elements.map(Element::coordinate).collect();
    elements.sort();
    elements
}

struct DeprecatedUses<'a> {
    elements: &'a [String],
    document: &'a ExecutableDocument,
    found: BTreeSet<usize>,
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
        let schema = Schema::parse("schema", SCHEMA).expect("it is valid");
        let document = ExecutableDocument::parse_and_validate(schema.tree(), text, "query");
        let document = document.expect("the document is valid");
        let deprecated = deprecated_elements(&schema);
        let operation = document.operations.get(name).expect("there is one");
        let info = OperationInfo::new(&deprecated, &document, operation);
        let indices = info.deprecated.iter();
        indices.map(|index| deprecated[*index].clone()).collect()
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
